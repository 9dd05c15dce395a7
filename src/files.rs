//! The one door to the file system. Nothing else in the program reads `std::fs`.

mod overlay;
mod remembered;

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

pub use overlay::Overlay;
pub use remembered::RememberedDisk;

/// What a path leads to, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A socket, device or the like.
    Other,
}

/// Kind and size of what a path leads to, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// What it is.
    pub kind: FileKind,
    /// Bytes, for a regular file.
    pub size: u64,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// The bare name.
    pub name: String,
    /// What the name itself is, links not followed; `None` for a symbolic link.
    pub kind: Option<FileKind>,
}

impl DirectoryEntry {
    /// Whether the name is a symbolic link.
    pub fn is_symlink(&self) -> bool {
        self.kind.is_none()
    }
}

/// Reading, and nothing but reading. Implemented by the disk and by the layers that stand in for it.
pub trait Files: Send + Sync {
    /// The bytes of a file.
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>>;

    /// What the path leads to, links followed.
    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata>;

    /// The names in a directory in the order in which Node lists them: byte-wise by UTF-8 name
    /// (rules, section 1.1). What is not UTF-8 in a name is replaced, so that the path leads nowhere, as in Node.
    fn read_directory(&self, path: &Utf8Path) -> io::Result<Vec<DirectoryEntry>>;

    /// The real path: absolute, links and dots resolved.
    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf>;

    /// Whether the path leads to anything.
    fn exists(&self, path: &Utf8Path) -> bool {
        self.metadata(path).is_ok()
    }

    /// Whether the path leads to a regular file.
    fn is_file(&self, path: &Utf8Path) -> bool {
        self.metadata(path).is_ok_and(|it| it.kind == FileKind::File)
    }

    /// Whether the path leads to a directory.
    fn is_directory(&self, path: &Utf8Path) -> bool {
        self.metadata(path).is_ok_and(|it| it.kind == FileKind::Directory)
    }

    /// The text of a file, bytes that are not UTF-8 replaced, as Node's `readFileSync(path, "utf8")` gives it.
    /// A byte order mark stays.
    fn read_text(&self, path: &Utf8Path) -> io::Result<String> {
        let bytes = self.read(path)?;
        Ok(String::from_utf8(bytes)
            .unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned()))
    }
}

/// The disk of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        if is_pipe(&std::fs::metadata(path)?) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "a pipe, not a file"));
        }
        std::fs::read(path)
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        let it = std::fs::metadata(path)?;
        Ok(Metadata { kind: kind_of(it.file_type()).unwrap_or(FileKind::Other), size: it.len() })
    }

    fn read_directory(&self, path: &Utf8Path) -> io::Result<Vec<DirectoryEntry>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            entries.push(DirectoryEntry { name, kind: kind_of(entry.file_type()?) });
        }
        entries.sort_unstable_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        Ok(entries)
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        path.canonicalize_utf8()
    }
}

/// Whether a reader would wait until somebody writes.
#[cfg(unix)]
fn is_pipe(it: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    it.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
}

fn kind_of(it: std::fs::FileType) -> Option<FileKind> {
    if it.is_symlink() {
        None
    } else if it.is_file() {
        Some(FileKind::File)
    } else if it.is_dir() {
        Some(FileKind::Directory)
    } else {
        Some(FileKind::Other)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_no_text_is_listed_and_leads_nowhere() {
        use std::os::unix::ffi::OsStrExt as _;
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(std::ffi::OsStr::from_bytes(b"\xff.ts")), "").unwrap();
        let path = Utf8Path::from_path(folder.path()).unwrap();
        let listed = Disk.read_directory(path).unwrap();
        assert_eq!(listed, [DirectoryEntry { name: "\u{fffd}.ts".to_owned(), kind: Some(FileKind::File) }]);
        assert!(!Disk.exists(&path.join("\u{fffd}.ts")));
    }

    #[test]
    fn nobody_waits_for_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(folder.path()).unwrap().join("settings.json");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        assert_eq!(Disk.read(&path).unwrap_err().kind(), io::ErrorKind::Unsupported);
    }
}
