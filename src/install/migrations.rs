//! The files as they are once Pi has run its start-up migrations, without touching them (rules, section 12, point 4; Pi:
//! `dist/migrations.js`, `migrateCommandsToPrompts`).

use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::installation::Rename;
use crate::files::{DirectoryEntry, Files, Metadata};

/// What Pi would rename in the agent directory and in the project: `commands` to `prompts`, where there is no `prompts` yet.
pub(super) fn due(files: &dyn Files, agent_dir: &Utf8Path, project_dir: &Utf8Path) -> Vec<Rename> {
    let rename = |base: &Utf8Path| Rename { from: base.join("commands"), to: base.join("prompts") };
    let mut renames: Vec<_> = [agent_dir, project_dir].map(rename).into();
    renames.dedup();
    renames.retain(|it| files.exists(&it.from) && !files.exists(&it.to));
    renames
}

/// Files seen through the renames that Pi does at its start.
pub struct MigratedFiles<'a> {
    files: &'a dyn Files,
    renames: &'a [Rename],
}

impl<'a> MigratedFiles<'a> {
    /// `files` with `renames` done.
    pub fn new(files: &'a dyn Files, renames: &'a [Rename]) -> Self {
        Self { files, renames }
    }

    /// Where a path is in truth; an error for one that is there no longer.
    fn original(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        for rename in self.renames {
            if path.starts_with(&rename.from) {
                return Err(io::ErrorKind::NotFound.into());
            }
            if let Ok(below) = path.strip_prefix(&rename.to) {
                return Ok(join(&rename.from, below));
            }
        }
        Ok(path.to_owned())
    }
}

fn join(base: &Utf8Path, below: &Utf8Path) -> Utf8PathBuf {
    if below.as_str().is_empty() { base.to_owned() } else { base.join(below) }
}

impl Files for MigratedFiles<'_> {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        self.files.read(&self.original(path)?)
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        self.files.metadata(&self.original(path)?)
    }

    fn read_directory(&self, path: &Utf8Path) -> io::Result<Vec<DirectoryEntry>> {
        let mut entries = self.files.read_directory(&self.original(path)?)?;
        for rename in self.renames {
            if rename.from.parent() != Some(path) {
                continue;
            }
            let (Some(from), Some(to)) = (rename.from.file_name(), rename.to.file_name()) else { continue };
            if let Some(entry) = entries.iter_mut().find(|it| it.name == from) {
                to.clone_into(&mut entry.name);
            }
            entries.sort_unstable_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        }
        Ok(entries)
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let real = self.files.canonicalize(&self.original(path)?)?;
        for rename in self.renames {
            let (Some(base), Some(name)) = (rename.from.parent(), rename.to.file_name()) else { continue };
            let base = self.files.canonicalize(base)?;
            let from = rename.from.file_name().unwrap_or_default();
            if let Ok(below) = real.strip_prefix(base.join(from)) {
                return Ok(join(&base.join(name), below));
            }
        }
        Ok(real)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Disk;

    #[test]
    fn commands_are_seen_as_prompts() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let base = Utf8Path::from_path(folder.path()).expect("UTF-8").canonicalize_utf8().expect("there");
        std::fs::create_dir_all(base.join("commands")).expect("made");
        std::fs::write(base.join("commands/a.md"), "text").expect("written");
        let renames = due(&Disk, &base, &base);
        let files = MigratedFiles::new(&Disk, &renames);
        assert_eq!(renames.len(), 1);
        assert!(files.is_file(&base.join("prompts/a.md")));
        assert!(!files.exists(&base.join("commands/a.md")));
        assert_eq!(files.read_text(&base.join("prompts/a.md")).ok().as_deref(), Some("text"));
        assert_eq!(files.canonicalize(&base.join("prompts/a.md")).ok(), Some(base.join("prompts/a.md")));
        let names: Vec<_> = files.read_directory(&base).into_iter().flatten().map(|it| it.name).collect();
        assert_eq!(names, ["prompts"]);
    }
}
