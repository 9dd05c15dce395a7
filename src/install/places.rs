//! The directories that everything starts from.

use camino::{Utf8Path, Utf8PathBuf};

use super::options::Options;
use super::paths::Base;
use super::source_info::Scope;
use crate::environment::Environment;
use crate::files::Files;

/// Where Pi runs and where its directories are.
#[derive(Debug, Clone)]
pub(super) struct Places {
    /// `process.cwd()`: absolute, links resolved.
    pub cwd: Utf8PathBuf,
    /// The agent directory, absolute.
    pub agent_dir: Utf8PathBuf,
    /// `.pi`
    pub project_dir: Utf8PathBuf,
}

impl Places {
    /// Finds them (Pi: `dist/config.js`, `getAgentDir`).
    pub fn find(files: &dyn Files, environment: &Environment, options: &Options) -> Self {
        let cwd = files.canonicalize(&options.cwd).unwrap_or_else(|_| options.cwd.clone());
        let base = Base { directory: &cwd, home: &environment.home };
        let configured = environment.variable("PI_CODING_AGENT_DIR").filter(|it| !it.is_empty());
        let agent_dir = match (&options.agent_dir, configured) {
            (Some(given), _) => base.resolve(given.as_str()),
            (None, Some(configured)) => base.resolve(configured),
            (None, None) => base.resolve(environment.home.join(".pi/agent").as_str()),
        };
        Self { project_dir: cwd.join(".pi"), agent_dir, cwd }
    }

    /// Where relative sources of a scope start from (`getBaseDirForScope`).
    pub fn of(&self, scope: Scope) -> &Utf8Path {
        match scope {
            Scope::User => &self.agent_dir,
            Scope::Project => &self.project_dir,
            Scope::Temporary => &self.cwd,
        }
    }
}
