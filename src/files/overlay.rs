//! Files as they would be after some edits.

use std::collections::BTreeMap;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::{DirectoryEntry, FileKind, Files, Metadata};

/// Some files, and over them the texts of edited ones. Nothing is written.
pub struct Overlay<'a> {
    base: &'a dyn Files,
    edited: BTreeMap<Utf8PathBuf, Vec<u8>>,
}

impl<'a> Overlay<'a> {
    /// `base` without edits.
    pub fn new(base: &'a dyn Files) -> Self {
        Self { base, edited: BTreeMap::new() }
    }

    /// Puts a text at an absolute path; folders on the way to it come into being.
    pub fn edit(&mut self, path: impl Into<Utf8PathBuf>, text: impl Into<Vec<u8>>) {
        self.edited.insert(path.into(), text.into());
    }

    fn is_edited_folder(&self, path: &Utf8Path) -> bool {
        self.edited.keys().any(|it| it != path && it.starts_with(path))
    }
}

impl Files for Overlay<'_> {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        self.edited.get(path).map_or_else(|| self.base.read(path), |text| Ok(text.clone()))
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        if let Some(text) = self.edited.get(path) {
            return Ok(Metadata { kind: FileKind::File, size: text.len() as u64 });
        }
        match self.base.metadata(path) {
            Err(_) if self.is_edited_folder(path) => Ok(Metadata { kind: FileKind::Directory, size: 0 }),
            found => found,
        }
    }

    fn read_directory(&self, path: &Utf8Path) -> io::Result<Vec<DirectoryEntry>> {
        let mut entries = match self.base.read_directory(path) {
            Err(_) if self.is_edited_folder(path) => Vec::new(),
            found => found?,
        };
        for edited in self.edited.keys() {
            let Ok(rest) = edited.strip_prefix(path) else { continue };
            let mut parts = rest.components();
            let Some(name) = parts.next().map(|it| it.as_str().to_owned()) else { continue };
            if !entries.iter().any(|it| it.name == name) {
                let kind = if parts.next().is_some() { FileKind::Directory } else { FileKind::File };
                entries.push(DirectoryEntry { name, kind: Some(kind) });
            }
        }
        entries.sort_unstable_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        Ok(entries)
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        match self.base.canonicalize(path) {
            Err(error) if self.edited.contains_key(path) || self.is_edited_folder(path) => {
                let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(error) };
                Ok(self.canonicalize(parent)?.join(name))
            }
            found => found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Disk;
    use super::*;

    #[test]
    fn an_edit_is_seen_by_every_way_of_reading() {
        let Ok(folder) = tempfile::tempdir() else { return };
        let Some(root) = Utf8Path::from_path(folder.path()) else { return };
        let mut files = Overlay::new(&Disk);
        files.edit(root.join("a/settings.json"), "{}");
        assert_eq!(files.read_text(&root.join("a/settings.json")).ok().as_deref(), Some("{}"));
        assert!(files.is_directory(&root.join("a")) && files.is_file(&root.join("a/settings.json")));
        let names = |path: &Utf8Path| -> Vec<String> {
            files.read_directory(path).into_iter().flatten().map(|it| it.name).collect()
        };
        assert_eq!(names(root), ["a"]);
        assert_eq!(names(&root.join("a")), ["settings.json"]);
        assert!(files.canonicalize(&root.join("a/settings.json")).is_ok());
        assert!(!Disk.exists(&root.join("a")));
    }
}
