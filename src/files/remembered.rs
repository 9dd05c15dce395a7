//! The disk, asked once: what was learnt about a path holds for the whole run.

use std::io;
use std::sync::{PoisonError, RwLock};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use rustc_hash::FxHashMap;

use super::{DirectoryEntry, Disk, FileKind, Files, Metadata};

/// The disk with a memory of what paths lead to. Texts are not kept.
#[derive(Debug, Default)]
pub struct RememberedDisk {
    metadata: Memory<Metadata>,
    real: Memory<Utf8PathBuf>,
}

impl RememberedDisk {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The real path of one without dots: that of the directory, and one look at the name in it.
    fn real(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.real.get(path, || {
            let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                return Disk.canonicalize(path);
            };
            let place = self.real(parent)?.join(name);
            match std::fs::read_link(&place) {
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(place),
                _ => Disk.canonicalize(&place),
            }
        })
    }
}

impl Files for RememberedDisk {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        match self.metadata.known(path) {
            Some(Ok(Metadata { kind: FileKind::File, .. })) => std::fs::read(path),
            _ => Disk.read(path),
        }
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        self.metadata.get(path, || Disk.metadata(path))
    }

    fn read_directory(&self, path: &Utf8Path) -> io::Result<Vec<DirectoryEntry>> {
        Disk.read_directory(path)
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let is_plain = |part| matches!(part, Utf8Component::RootDir | Utf8Component::Normal(_));
        if path.is_absolute() && path.components().all(is_plain) {
            self.real(path)
        } else {
            Disk.canonicalize(path)
        }
    }
}

/// Answers by path. Errors of the system are answers, too.
#[derive(Debug)]
struct Memory<A> {
    known: RwLock<FxHashMap<Box<str>, Result<A, i32>>>,
}

impl<A> Default for Memory<A> {
    fn default() -> Self {
        Self { known: RwLock::default() }
    }
}

impl<A: Clone> Memory<A> {
    /// The answer, if it is known already.
    fn known(&self, path: &Utf8Path) -> Option<io::Result<A>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        Some(known.get(path.as_str())?.clone().map_err(io::Error::from_raw_os_error))
    }

    fn get(&self, path: &Utf8Path, ask: impl FnOnce() -> io::Result<A>) -> io::Result<A> {
        if let Some(known) = self.known(path) {
            return known;
        }
        let answer = ask();
        let known = match &answer {
            Ok(answer) => Ok(answer.clone()),
            Err(error) => match error.raw_os_error() {
                Some(code) => Err(code),
                None => return answer,
            },
        };
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(path.as_str().into(), known);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temporary() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        (folder, path)
    }

    #[test]
    #[cfg(unix)]
    fn real_paths_are_those_of_the_disk() {
        let (_folder, root) = temporary();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::write(root.join("a/b/file"), "").unwrap();
        std::os::unix::fs::symlink("a", root.join("link")).unwrap();
        std::os::unix::fs::symlink("../link/b/file", root.join("a/again")).unwrap();
        std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("dangling")).unwrap();
        let files = RememberedDisk::new();
        let asked = [
            "",
            "a/b/file",
            "link/b/file",
            "a/again",
            "a/../link",
            "./a",
            "a/./b",
            "loop",
            "loop/x",
            "dangling",
            "none",
            "none/x",
            "a/b/file/x",
            "link/../a/again",
        ];
        for path in asked.iter().chain(&asked).map(|it| root.join(it)) {
            let (ours, theirs) = (files.canonicalize(&path), Disk.canonicalize(&path));
            assert_eq!(ours.as_ref().ok(), theirs.as_ref().ok(), "{path}");
            let code = |it: &io::Result<_>| it.as_ref().err().and_then(io::Error::raw_os_error);
            assert_eq!(code(&ours), code(&theirs), "{path}");
            assert_eq!(files.metadata(&path).ok(), Disk.metadata(&path).ok(), "{path}");
        }
    }

    #[test]
    fn what_was_learnt_holds() {
        let (_folder, root) = temporary();
        let files = RememberedDisk::new();
        assert!(!files.exists(&root.join("late")));
        std::fs::write(root.join("late"), "").unwrap();
        assert!(!files.exists(&root.join("late")), "the run sees one state of the disk");
        assert!(RememberedDisk::new().exists(&root.join("late")));
    }
}
