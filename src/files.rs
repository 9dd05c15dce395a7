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
    /// (rules, section 1.1). Names that are not UTF-8 are left out.
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
            if let Ok(name) = entry.file_name().into_string() {
                entries.push(DirectoryEntry { name, kind: kind_of(entry.file_type()?) });
            }
        }
        entries.sort_unstable_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        Ok(entries)
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        path.canonicalize_utf8()
    }
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
