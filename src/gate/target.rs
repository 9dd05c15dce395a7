//! What a path on the command line means: an installation, or a pack.

use camino::Utf8Path;

use super::contents::declares_packages;
use crate::files::Files;

/// What a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// An agent directory.
    AgentDirectory,
    /// A project with settings or extensions for Pi.
    Project,
    /// A package, a folder of packages and extensions, or one file.
    Pack,
}

impl Target {
    /// Looks at a path. A package is a package, even if its authors have Pi set up in it for themselves.
    pub fn of(files: &dyn Files, path: &Utf8Path) -> Self {
        if declares_packages(files, path) {
            return Self::Pack;
        }
        let own = ["settings.json", "trust.json", "models.json", "auth.json", "keybindings.json"];
        if own.iter().any(|it| files.is_file(&path.join(it))) {
            return Self::AgentDirectory;
        }
        if files.is_directory(&path.join(".pi")) { Self::Project } else { Self::Pack }
    }
}
