//! What is loaded, in which order, and why the rest is not.
//!
//! Mirrors Pi's settings, package and resource managers (rules, sections 1 and 12). Knows nothing of
//! JavaScript: whether a planned file really loads is found out by the `source` stage.

mod accumulator;
mod context;
pub mod credentials;
mod discovery;
mod git_source;
mod ignore_rules;
pub mod installation;
pub mod keybindings;
mod kind;
mod list;
pub mod load_order;
mod manifest;
mod manifest_glob;
pub mod migrations;
mod minimatch;
pub mod models_json;
pub mod models_store;
mod npm;
mod npm_version;
pub mod options;
mod packages;
mod passes;
mod paths;
mod patterns;
mod places;
mod resolve;
pub mod resource_file;
pub mod rules;
mod settings;
pub mod source_info;
#[cfg(test)]
mod tests;
mod trust;
mod untyped;

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
pub use resource_file::{DiscoveredPath, Discovery, ResourceFile, ResourceFileKind, ResourceFiles};
pub use source_info::{Origin, Scope, SourceInfo};

use camino::Utf8Path;
use context::Context;
use places::Places;
use resolve::Scopes;
use settings::Settings;
use trust::Decision;

use crate::catalog::Themes;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::environment::Environment;
use crate::files::Files;
use crate::location::SourceMap;

/// Reads the skills, prompt templates and themes of a plan, and those that extensions name in the session.
pub fn read_resources(
    context: &ReadContext<'_>,
    plan: &Plan,
    themes: &Themes,
    discovered: &[DiscoveredPath],
) -> ResourceFiles {
    let &ReadContext { files, environment, sources, behaviour, cwd } = context;
    let context = Context::new(files, environment, sources, behaviour);
    ResourceFiles::read(&context, plan, themes, cwd, discovered)
}

/// What reading needs.
#[derive(Clone, Copy)]
pub struct ReadContext<'a> {
    /// The files.
    pub files: &'a dyn Files,
    /// The machine.
    pub environment: &'a Environment,
    /// Where the texts that are read go.
    pub sources: &'a SourceMap,
    /// What differs between versions.
    pub behaviour: &'a Behaviour,
    /// Where Pi runs.
    pub cwd: &'a Utf8Path,
}

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
    let places = Places::find(files, environment, options);
    let renames = migrations::due(files, &places.agent_dir, &places.project_dir);
    let migrated = MigratedFiles::new(files, &renames);
    let context = Context::new(&migrated, environment, sources, behaviour);
    let user = Settings::read(&context, &places.agent_dir.join("settings.json"), Scope::User);
    let Decision { trust, fatal } =
        trust::decide(&context, &places.cwd, &places.agent_dir, &user, options.trust);
    let mut diagnostics = context.take_diagnostics();
    let none = Settings::none(Scope::Project);
    let without = Scopes { project: none, user: user.clone(), trusted: false };
    let mut untrusted = list::plan(&context, &places, options, &without);
    let project = Settings::read(&context, &places.project_dir.join("settings.json"), Scope::Project);
    let mut trusted = list::plan(&context, &places, options, &Scopes { project, user, trusted: true });
    if trust.asks_extensions {
        passes::run_untrusted_first(&mut trusted.order, &untrusted.order);
        let first_pass = untrusted.fatal.iter().filter(|it| it.path.is_none());
        let uncaught: Vec<_> = first_pass.filter(|it| !trusted.fatal.contains(it)).cloned().collect();
        trusted.fatal.splice(0..0, uncaught);
    }
    passes::add_untrusted(&mut untrusted, &trusted);
    for plan in [&mut trusted, &mut untrusted] {
        plan.fatal.extend(fatal.clone());
    }
    if trust.from == TrustSource::Assumed {
        diagnostics.push(trust_assumed());
    }
    Installation {
        cwd: places.cwd,
        agent_dir: places.agent_dir,
        project_dir: places.project_dir,
        trust,
        trusted,
        untrusted,
        renames,
        diagnostics,
    }
}

fn trust_assumed() -> Diagnostic {
    Diagnostic {
        code: Code::TrustAssumed,
        severity: Severity::Note,
        message: "this project is not trusted yet; Pi would ask. Shown as if the answer were yes".to_owned(),
        help: Some("--no-approve shows the other answer".to_owned()),
        at: None,
    }
}
