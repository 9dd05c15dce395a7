//! A pack: a package, or a folder of packages and extensions, looked at without any home, as Pi would load it as a local
//! package.
//!
//! The home, the agent directory and the settings that load the pack exist in an overlay only.

use camino::Utf8PathBuf;
use serde_json::{Value, json};

use super::contents::Contents;
use super::identity::without_version;
use crate::environment::Environment;
use crate::files::{Files, Overlay};
use crate::inspect;
use crate::install::TrustFlag;
use crate::options::Options;
use crate::report::Report;

/// Where the home of a pack would be. Nothing is there.
const NOWHERE: &str = "/pi-why-without-home";

/// Variables that lead to a home by other ways.
const OF_A_HOME: [&str; 5] =
    ["PI_CODING_AGENT_DIR", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"];

/// Whether a path lies in the home that is made up for a pack: nobody can open it.
pub(super) fn is_made_up(path: &camino::Utf8Path) -> bool {
    path.starts_with(NOWHERE)
}

/// What is checked together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pack {
    /// The pack's own folder.
    pub root: Utf8PathBuf,
    /// `--with`: paths, from the pack's folder if they are relative, or `npm:NAME` of the `node_modules` around the pack.
    pub with: Vec<String>,
}

/// Why a pack cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `--with npm:NAME` that is not installed around the pack.
    #[error("--with {0}: not in any node_modules folder at or above the pack")]
    NotInstalled(String),
    /// `--with PATH` that is not there.
    #[error("--with {0}: there is no such file or folder")]
    Missing(String),
    /// `--with` something in which Pi finds nothing.
    #[error("--with {0}: there is nothing in it that pi would load")]
    Empty(String),
}

impl Pack {
    /// Inspects the pack. `None` when there is nothing in it that Pi would load.
    pub fn inspect(
        &self,
        files: &dyn Files,
        environment: &Environment,
        options: &Options,
    ) -> Result<Option<Report>, Error> {
        let Contents { mut packages, mut extensions } = Contents::of(files, &self.root);
        if packages.is_empty() && extensions.is_empty() {
            return Ok(None);
        }
        for with in &self.with {
            let path = self.with_path(files, with)?;
            let more = Contents::of(files, &path);
            if more.packages.is_empty() && more.extensions.is_empty() {
                return Err(Error::Empty(with.clone()));
            }
            packages.extend(more.packages);
            extensions.extend(more.extensions);
        }
        let folder = self.root.parent().filter(|_| !files.is_directory(&self.root)).unwrap_or(&self.root);
        let cwd = folder.to_owned();
        let agent_dir = Utf8PathBuf::from(NOWHERE).join("agent");
        let mut files = Overlay::new(files);
        let settings: Value = json!({ "packages": packages, "extensions": extensions });
        files.edit(agent_dir.join("settings.json"), settings.to_string());
        let mut environment = environment.clone();
        environment.home = NOWHERE.into();
        environment.variables.insert("HOME".to_owned(), NOWHERE.to_owned());
        for name in OF_A_HOME {
            environment.variables.remove(name);
        }
        let mut options = options.clone();
        options.install.cwd = cwd;
        options.install.agent_dir = Some(agent_dir);
        options.install.trust = TrustFlag::Refuse;
        Ok(Some(inspect(&files, &environment, &options)))
    }

    fn with_path(&self, files: &dyn Files, with: &str) -> Result<Utf8PathBuf, Error> {
        let npm = without_version(with).unwrap_or(with);
        if let Some(name) = npm.strip_prefix("npm:") {
            let places = self.root.ancestors().map(|it| it.join("node_modules").join(name));
            return places
                .into_iter()
                .find(|it| files.is_directory(it))
                .ok_or_else(|| Error::NotInstalled(with.to_owned()));
        }
        let path = self.root.join(with);
        if files.exists(&path) { Ok(path) } else { Err(Error::Missing(with.to_owned())) }
    }
}
