//! The driver: hands the data from stage to stage and makes the report.

mod discovered;
mod entry_files;
mod trust;
mod version;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use camino::Utf8Path;

use crate::catalog::{Behaviour, Catalog};
use crate::declared;
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::files::Files;
use crate::gate::Identities;
use crate::install::{
    self, Credentials, ExtensionId, Installation, MigratedFiles, ModelsJson, ModelsStore, Plan, ReadContext,
    UserKeybindings,
};
use crate::location::SourceMap;
use crate::options::Options;
use crate::registry::{self, Input, Resolution};
use crate::report::{EntryFile, InspectedPi, LoadedExtension, Report, Timing};
use crate::secret::public_text;
use crate::source::modules::{Library, Modules};
use crate::source::{Evaluated, eval};

/// Looks at one installation. Reads files and nothing else.
pub fn inspect(files: &dyn Files, environment: &Environment, options: &Options) -> Report {
    Inspection::new(files, environment, options, Arc::default()).run()
}

/// Looks at an installation once more, over files and options in which nothing but settings is different.
pub fn inspect_again(
    files: &dyn Files,
    environment: &Environment,
    options: &Options,
    before: &Report,
) -> Report {
    Inspection::new(files, environment, options, Arc::clone(&before.library)).run()
}

/// One run through the stages.
struct Inspection<'a> {
    files: &'a dyn Files,
    environment: &'a Environment,
    options: &'a Options,
    catalog: Catalog,
    pi: InspectedPi,
    problem: Option<Diagnostic>,
    sources: Arc<SourceMap>,
    library: Arc<Library>,
    timings: Vec<Timing>,
}

impl<'a> Inspection<'a> {
    fn new(
        files: &'a dyn Files,
        environment: &'a Environment,
        options: &'a Options,
        library: Arc<Library>,
    ) -> Self {
        let (version, pi, problem) = version::settle(files, environment, options);
        Self {
            pi,
            problem,
            files,
            environment,
            options,
            catalog: Catalog::of(version),
            sources: Arc::clone(&library.sources),
            library,
            timings: Vec::new(),
        }
    }

    fn run(mut self) -> Report {
        let installation = self.timed("install", |it| {
            let behaviour = it.install_behaviour();
            install::plan(it.files, it.environment, &it.sources, &it.options.install, &behaviour)
        });
        let (trust, mut evaluated) = self.timed("source", |it| trust::settle(it, &installation));
        let plan = installation.plan_if(trust.trusted);
        let mut diagnostics = installation.diagnostics.clone();
        diagnostics.extend(plan.diagnostics.iter().cloned());
        let read = self.migrated(&installation, |files, sources| {
            UserFiles::read(files, sources, &installation.agent_dir, self.catalog)
        });
        diagnostics.extend(read.diagnostics);
        diagnostics.extend(self.problem.take());
        let identities = self.identities(&installation, plan);
        let declarations = &self.options.declarations;
        diagnostics.extend(declared::unused(declarations, &self.sources, &identities, &plan.order));
        let discovered = discovered::paths(&plan.order, &mut evaluated);
        let resources = self.timed("resources", |it| {
            it.migrated(&installation, |files, sources| {
                let behaviour = it.install_behaviour();
                let (environment, cwd) = (it.environment, &*installation.cwd);
                let context = ReadContext { files, environment, sources, behaviour: &behaviour, cwd };
                install::read_resources(&context, plan, it.catalog.themes(), &discovered)
            })
        });
        diagnostics.extend(resources.diagnostics);
        let resolution = self.timed("registry", |it| {
            registry::resolve(&Input {
                planned_fatal: &plan.fatal,
                resources: &resources.files,
                keybindings: read.keybindings,
                models_json: read.models_json,
                models_store: read.models_store,
                credentials: read.credentials,
                provider_scope: it.options.provider_scope.clone(),
                asked_key: it.options.asked_key.clone(),
                tools: it.options.tools.clone(),
                flag_arguments: it.options.flag_arguments.clone(),
                ..Input::new(it.catalog, it.environment, &plan.order, &evaluated)
            })
        });
        let found = self.found(&installation);
        let entry_files = self
            .migrated(&installation, |files, _| entry_files::entry_files(files, &self.library, &plan.order));
        let Resolution { contests, starts, fatal, warnings } = resolution;
        Report {
            pi: self.pi,
            cwd: installation.cwd.clone(),
            agent_dir: installation.agent_dir.clone(),
            home: self.environment.home.clone(),
            workspace: self
                .environment
                .variable("GITHUB_WORKSPACE")
                .filter(|it| !it.is_empty())
                .map(Into::into),
            found,
            trust,
            starts,
            fatal,
            order: extensions(plan, evaluated, entry_files),
            contests,
            warnings,
            diagnostics,
            sources: self.sources,
            library: self.library,
            timings: self.timings,
            resources: resources.files,
            cures: Vec::new(),
        }
    }

    /// What the code of the planned extensions registers, in execution order.
    fn evaluate(&self, installation: &Installation, plan: &Plan) -> Vec<Evaluated> {
        self.migrated(installation, |files, sources| {
            let modules = Modules::new(files, &self.library);
            let options =
                eval::Options { cwd: installation.cwd.clone(), agent_dir: installation.agent_dir.clone() };
            let world = eval::World {
                files,
                environment: self.environment,
                sources,
                modules: &modules,
                options: &options,
            };
            let mut evaluated = eval::evaluate(world, &plan.order);
            // What code throws may hold anything that the code holds.
            for failure in evaluated.iter_mut().filter_map(|it| it.failure.as_mut()) {
                failure.message = public_text(&failure.message);
                failure.explanation = public_text(&failure.explanation);
            }
            let identities = self.identities(installation, plan);
            let declarations = &self.options.declarations;
            declared::apply(declarations, sources, &identities, &plan.order, &mut evaluated);
            evaluated
        })
    }

    fn identities(&self, installation: &Installation, plan: &Plan) -> Identities {
        let Installation { cwd, agent_dir, .. } = installation;
        Identities::of_entries(cwd, agent_dir, &self.environment.home, plan.order.entries.iter())
    }

    fn migrated<T>(&self, installation: &Installation, with: impl FnOnce(&dyn Files, &SourceMap) -> T) -> T {
        with(&MigratedFiles::new(self.files, &installation.renames), &self.sources)
    }

    fn install_behaviour(&self) -> install::Behaviour {
        let Behaviour { inline_extensions, .. } = self.catalog.behaviour();
        let inline = self.catalog.inline_extensions().iter().filter(|_| inline_extensions);
        let bare = |path: &str| path.trim_start_matches("<inline:").trim_end_matches('>').to_owned();
        install::Behaviour {
            inline_extensions: inline.map(|it| bare(&it.path)).collect(),
            trust_requiring: self.catalog.trust_requiring().to_vec(),
            ..install::Behaviour::pi_0_83()
        }
    }

    fn found(&self, installation: &Installation) -> bool {
        self.files.is_directory(&installation.agent_dir)
            || self.files.is_directory(&installation.project_dir)
            || !self.options.install.extensions.is_empty()
    }

    fn timed<T>(&mut self, stage: &'static str, run: impl FnOnce(&Self) -> T) -> T {
        let start = Instant::now();
        let result = run(self);
        self.timings.push(Timing { stage, took: start.elapsed() });
        result
    }
}

/// The files of the agent directory that decide with the extensions.
struct UserFiles {
    keybindings: UserKeybindings,
    models_json: ModelsJson,
    models_store: ModelsStore,
    credentials: Credentials,
    diagnostics: Vec<Diagnostic>,
}

impl UserFiles {
    fn read(files: &dyn Files, sources: &SourceMap, agent_dir: &Utf8Path, catalog: Catalog) -> Self {
        let (keybindings, mut diagnostics) = UserKeybindings::read(files, sources, agent_dir);
        let models_json = ModelsJson::read(files, sources, agent_dir, catalog);
        diagnostics.extend(models_json.diagnostics());
        Self {
            keybindings,
            models_json,
            models_store: ModelsStore::read(files, sources, agent_dir),
            credentials: Credentials::read(files, sources, agent_dir),
            diagnostics,
        }
    }
}

/// The entries of a plan, each joined with what evaluating it found.
fn extensions(
    plan: &Plan,
    mut evaluated: Vec<Evaluated>,
    mut files: BTreeMap<ExtensionId, EntryFile>,
) -> Vec<LoadedExtension> {
    let entries = plan.order.entries.iter().cloned();
    let joined = entries.map(|entry| {
        let found = evaluated.iter().position(|it| it.extension == entry.id);
        let (failure, registrations) = match found {
            Some(at) => {
                let it = evaluated.swap_remove(at);
                (it.failure, it.registrations)
            }
            None => (None, Vec::new()),
        };
        let file = files.remove(&entry.id);
        LoadedExtension { file, ..LoadedExtension::new(entry, failure, registrations) }
    });
    joined.collect()
}
