//! The packages of the settings and of `-e`: which of them count, where they are, and what they bring (rules, sections 1.2
//! and 1.3; Pi: `dist/core/package-manager.js`, `dedupePackages`, `resolvePackageSources`, `collectPackageResources`).

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};

use super::accumulator::{Accumulator, Bringer, Choice};
use super::context::Context;
use super::discovery::{self, Collected, Found, LeftOut};
use super::git_source::{self, GitSource};
use super::kind::ResourceKind;
use super::load_order::{Status, Step};
use super::manifest::Manifest;
use super::npm::{self, GlobalRoot, Installed, NpmSpec};
use super::paths::{is_local, resolve, trim};
use super::patterns::{Patterns, one_by_one};
use super::places::Places;
use super::rules;
use super::settings::Settings;
use super::source_info::{Origin, Scope, SourceInfo};
use super::untyped::{self, Crash};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::json::{Node, Object, Value};
use crate::location::Span;

/// A source as settings write it, taken apart (`parseSource`).
#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Npm(NpmSpec),
    Git(GitSource),
    Local(String),
}

impl Source {
    fn parse(written: &str) -> Self {
        if let Some(spec) = written.strip_prefix("npm:") {
            return Self::Npm(NpmSpec::parse(trim(spec)));
        }
        if is_local(written) {
            return Self::Local(written.to_owned());
        }
        git_source::parse(written).map_or_else(|| Self::Local(written.to_owned()), Self::Git)
    }
}

/// One entry of a `packages` list, or one `-e`.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    source: Arc<str>,
    scope: Scope,
    /// The object form.
    filter: Option<Object>,
    step: Step,
}

impl Entry {
    /// A source given with `-e`.
    pub fn temporary(source: &str) -> Self {
        Self {
            source: source.into(),
            scope: Scope::Temporary,
            filter: None,
            step: Step { text: format!("-e {source}"), at: None },
        }
    }

    fn read(node: &Node, settings: &Settings, index: usize) -> Result<Self, Crash> {
        let filter = node.as_object();
        let source = match &node.value {
            Value::String(source) => Some((source, node.at)),
            Value::Null => {
                return Err(Crash::type_error("Cannot read properties of null (reading 'source')", node.at));
            }
            _ => match filter.and_then(|it| it.get("source")) {
                None => None,
                Some(source) => match &source.value {
                    Value::String(text) => Some((text, source.at)),
                    Value::Null => {
                        let message = "Cannot read properties of null (reading 'startsWith')";
                        return Err(Crash::type_error(message, source.at));
                    }
                    _ => {
                        let message = "source.startsWith is not a function";
                        return Err(Crash::type_error(message, source.at));
                    }
                },
            },
        };
        let Some((source, at)) = source else {
            let message = "Cannot read properties of undefined (reading 'startsWith')";
            return Err(Crash::type_error(message, node.at));
        };
        let text = format!("{}, packages[{index}] {source:?}", settings.label());
        let step = Step { text, at: Some(at) };
        Ok(Self { source: Arc::clone(source), scope: settings.scope, filter: filter.cloned(), step })
    }

    fn switches_autoload_off(&self) -> bool {
        self.filter
            .as_ref()
            .and_then(|it| it.get("autoload"))
            .is_some_and(|it| it.value == Value::Bool(false))
    }
}

/// Two entries of one package: the one that is passed over, and the one that counts.
struct PassedOver {
    entry: Entry,
    counts: Step,
}

/// Reads the `packages` of both scopes, project first, and lets each package count once.
pub(super) fn add_configured(
    context: &Context<'_>,
    places: &Places,
    project: &Settings,
    user: &Settings,
    accumulator: &mut Accumulator,
) -> Result<(), Crash> {
    let mut listed = Vec::new();
    for settings in [project, user] {
        let packages = settings.packages().map_or(Ok(Vec::new()), untyped::iterate_anonymous)?;
        listed.extend(packages.into_iter().enumerate().map(|(index, node)| (settings, index, node)));
    }
    let mut entries = Vec::new();
    for (settings, index, node) in &listed {
        entries.push(Entry::read(node, settings, *index)?);
    }
    let packages = Packages { context, places, settings: [project, user] };
    let (entries, passed_over) = packages.unique(entries);
    for it in passed_over {
        packages.leave_out_duplicate(it, accumulator);
    }
    packages.add_all(&entries, accumulator)
}

/// Adds what `-e` names.
pub(super) fn add_temporary(
    context: &Context<'_>,
    places: &Places,
    settings: [&Settings; 2],
    sources: &[String],
    accumulator: &mut Accumulator,
) -> Result<(), Crash> {
    let entries: Vec<_> = sources.iter().map(|it| Entry::temporary(it)).collect();
    Packages { context, places, settings }.add_all(&entries, accumulator)
}

struct Packages<'a, 'c> {
    context: &'a Context<'c>,
    places: &'a Places,
    settings: [&'a Settings; 2],
}

impl Packages<'_, '_> {
    /// `dedupePackages`
    fn unique(&self, entries: Vec<Entry>) -> (Vec<Entry>, Vec<PassedOver>) {
        let mut kept: Vec<Entry> = Vec::new();
        let mut passed_over = Vec::new();
        let mut places: Vec<(String, usize)> = Vec::new();
        for entry in entries {
            let identity = self.identity(&entry);
            let Some(at) = places.iter().find(|it| it.0 == identity).map(|it| it.1) else {
                places.push((identity, kept.len()));
                kept.push(entry);
                continue;
            };
            let Some(first) = kept.get_mut(at) else { continue };
            if entry.scope == Scope::Project {
                let counts = entry.step.clone();
                passed_over.push(PassedOver { entry: std::mem::replace(first, entry), counts });
            } else if first.scope == Scope::Project && first.switches_autoload_off() {
                kept.push(entry);
            } else {
                passed_over.push(PassedOver { counts: first.step.clone(), entry });
            }
        }
        (kept, passed_over)
    }

    /// `getPackageIdentity`
    fn identity(&self, entry: &Entry) -> String {
        match Source::parse(&entry.source) {
            Source::Npm(spec) => format!("npm:{}", spec.name),
            Source::Git(git) => format!("git:{}/{}", git.host, git.path),
            Source::Local(path) => format!("local:{}", self.local_path(&path, entry.scope)),
        }
    }

    fn local_path(&self, written: &str, scope: Scope) -> Utf8PathBuf {
        self.context.base(self.places.of(scope)).resolve_trimmed(written)
    }

    fn leave_out_duplicate(&self, passed_over: PassedOver, accumulator: &mut Accumulator) {
        let PassedOver { entry, counts } = passed_over;
        let path = match Source::parse(&entry.source) {
            Source::Npm(spec) => self.npm_folder(&spec, entry.scope),
            Source::Git(git) => self.git_folder(&git, entry.scope),
            Source::Local(path) => self.local_path(&path, entry.scope),
        };
        let left_out = LeftOut {
            path,
            status: Status::Duplicate,
            reason: format!("the same package as that of {}, which counts", counts.text),
            rule: rules::IDENTITY,
            at: entry.step.at,
            steps: vec![counts],
        };
        accumulator.leave_out(ResourceKind::Extensions, &bringer(&entry, None, None), left_out);
    }

    /// `resolvePackageSources`
    fn add_all(&self, entries: &[Entry], accumulator: &mut Accumulator) -> Result<(), Crash> {
        for entry in entries {
            let completed = self.completed_by(entry, entries);
            let (source, scope) = completed.map_or((&entry.source, entry.scope), |it| (&it.source, it.scope));
            match Source::parse(source) {
                Source::Local(path) => self.add_local(entry, &self.local_path(&path, scope), accumulator),
                Source::Npm(spec) => self.add_npm(entry, &spec, scope, accumulator)?,
                Source::Git(git) => {
                    let folder = self.git_folder(&git, scope);
                    if self.context.files.exists(&folder) {
                        let package = format!("git:{}/{}", git.host, git.path);
                        let bringer = bringer(entry, Some(folder.clone()), Some(package.into()));
                        self.add_folder(entry, &folder, &bringer, accumulator)?;
                    } else {
                        self.leave_out_missing(entry, folder, "it is not cloned there", accumulator);
                    }
                }
            }
        }
        Ok(())
    }

    /// The user's entry that a project's `autoload: false` entry of the same package adds to (`findAutoloadDeltaBase`).
    fn completed_by<'e>(&self, entry: &Entry, entries: &'e [Entry]) -> Option<&'e Entry> {
        if entry.scope != Scope::Project || !entry.switches_autoload_off() {
            return None;
        }
        let identity = self.identity(entry);
        entries.iter().find(|it| it.scope == Scope::User && self.identity(it) == identity)
    }

    /// A file is one extension; a folder is a package, or, with nothing of one in it, one extension
    /// (`resolveLocalExtensionSource`).
    fn add_local(&self, entry: &Entry, path: &Utf8Path, accumulator: &mut Accumulator) {
        let found = || Found { path: path.to_owned(), steps: Vec::new() };
        if self.context.files.is_file(path) {
            let bringer = bringer(entry, path.parent().map(Utf8Path::to_owned), None);
            accumulator.add(ResourceKind::Extensions, &bringer, found(), &Choice::Enabled);
        } else if self.context.files.is_directory(path) {
            let bringer = bringer(entry, Some(path.to_owned()), name_and_version(self.context, path));
            // Pi swallows an error here; what was added before it stays
            if let Ok(false) = self.add_folder(entry, path, &bringer, accumulator) {
                accumulator.add(ResourceKind::Extensions, &bringer, found(), &Choice::Enabled);
            }
        } else if entry.scope != Scope::Temporary {
            let left_out = LeftOut {
                path: path.to_owned(),
                status: Status::Missing,
                reason: format!("there is nothing at {path}"),
                rule: rules::MISSING,
                at: entry.step.at,
                steps: Vec::new(),
            };
            accumulator.leave_out(ResourceKind::Extensions, &bringer(entry, None, None), left_out);
        }
    }

    fn add_npm(
        &self,
        entry: &Entry,
        spec: &NpmSpec,
        scope: Scope,
        accumulator: &mut Accumulator,
    ) -> Result<(), Crash> {
        let managed = self.npm_folder(spec, scope);
        let mut folder = managed.clone();
        let mut doubt = None;
        if scope == Scope::User && !self.context.files.exists(&managed) {
            match npm::global_root(self.context, &self.places.cwd, &self.settings) {
                GlobalRoot::At(root) if self.context.files.exists(&root.join(&spec.name)) => {
                    folder = root.join(&spec.name);
                }
                GlobalRoot::At(_) | GlobalRoot::None => {}
                GlobalRoot::Unknown(why) => doubt = Some(why),
            }
        }
        let installed = if self.context.files.exists(&folder) {
            npm::installed(self.context, &folder, spec)?
        } else {
            Installed::No
        };
        match installed {
            Installed::Yes => {
                let package = name_and_version(self.context, &folder);
                let bringer = bringer(entry, Some(folder.clone()), package);
                self.add_folder(entry, &folder, &bringer, accumulator)?;
            }
            Installed::No => {
                if let Some(why) = doubt {
                    self.tell_of_doubt(entry, why);
                }
                self.leave_out_missing(entry, folder, "it is not installed there", accumulator);
            }
            Installed::Unversioned => {
                let why = "its package.json has no version, which Pi takes as not installed";
                self.leave_out_missing(entry, folder, why, accumulator);
            }
            Installed::Other(version) => {
                let asked = spec.version.as_deref().unwrap_or_default();
                let why = format!("version {version} is installed there, {asked} is asked for");
                self.leave_out_missing(entry, folder, &why, accumulator);
            }
        }
        Ok(())
    }

    fn tell_of_doubt(&self, entry: &Entry, why: &str) {
        self.context.tell(Diagnostic {
            code: Code::GlobalNpmRootUnknown,
            severity: Severity::Warning,
            message: format!(
                "{} is not below the agent directory; Pi would also look into npm's global folder, which cannot be told from files: {why}",
                entry.source
            ),
            help: Some("set NPM_CONFIG_PREFIX to say where it is".to_owned()),
            at: entry.step.at,
        });
    }

    fn leave_out_missing(&self, entry: &Entry, path: Utf8PathBuf, why: &str, accumulator: &mut Accumulator) {
        let then = if self.is_offline() {
            "Pi is offline (PI_OFFLINE) and skips it"
        } else {
            "Pi would install it when it starts"
        };
        let code = if entry.scope == Scope::Temporary { Code::TemporarySource } else { Code::PackageMissing };
        self.context.tell(Diagnostic {
            code,
            severity: Severity::Warning,
            message: format!("{} is left out: {why} ({path}); {then}", entry.source),
            help: (code == Code::PackageMissing).then(|| format!("pi install {}", entry.source)),
            at: entry.step.at,
        });
        let left_out = LeftOut {
            path,
            status: Status::Missing,
            reason: format!("{why}; {then}"),
            rule: rules::NOT_INSTALLED,
            at: entry.step.at,
            steps: Vec::new(),
        };
        accumulator.leave_out(ResourceKind::Extensions, &bringer(entry, None, None), left_out);
    }

    fn is_offline(&self) -> bool {
        let value = self.context.environment.variable("PI_OFFLINE").unwrap_or_default();
        value == "1" || value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("yes")
    }

    fn npm_folder(&self, spec: &NpmSpec, scope: Scope) -> Utf8PathBuf {
        let root = match scope {
            Scope::Temporary => self.temporary_folder("npm", None),
            scope => self.places.of(scope).join("npm"),
        };
        resolve(&root.join("node_modules"), &spec.name)
    }

    fn git_folder(&self, git: &GitSource, scope: Scope) -> Utf8PathBuf {
        match scope {
            Scope::Temporary => self.temporary_folder(&format!("git-{}", git.host), Some(&git.path)),
            scope => resolve(&self.places.of(scope).join("git").join(&git.host), &git.path),
        }
    }

    /// `getTemporaryDir`
    fn temporary_folder(&self, prefix: &str, below: Option<&str>) -> Utf8PathBuf {
        let below = below.unwrap_or_default();
        let digest = Sha256::digest(format!("{prefix}-{below}"));
        let start = digest.iter().take(4).fold(0_u32, |hash, &byte| hash << 8 | u32::from(byte));
        let root = self.places.agent_dir.join("tmp/extensions").join(prefix).join(format!("{start:08x}"));
        resolve(&root, below)
    }

    /// Adds what a package brings; `false` when it is no package at all (`collectPackageResources`).
    fn add_folder(
        &self,
        entry: &Entry,
        root: &Utf8Path,
        bringer: &Bringer,
        accumulator: &mut Accumulator,
    ) -> Result<bool, Crash> {
        let package = Package { context: self.context, root, bringer };
        if let Some(filter) = &entry.filter {
            for kind in ResourceKind::ALL {
                let patterns = filter.get(kind.name());
                match patterns {
                    patterns if entry.switches_autoload_off() => {
                        package.add_named(untyped::some(patterns), kind, accumulator)?;
                    }
                    Some(patterns) => package.add_filtered(patterns, kind, accumulator)?,
                    None => package.add_default(kind, accumulator)?,
                }
            }
            return Ok(true);
        }
        if let Some(manifest) = Manifest::read(self.context, root).filter(Manifest::is_truthy) {
            for kind in ResourceKind::ALL {
                if let Some(entries) = manifest.list(kind).filter(|it| untyped::is_truthy(it)) {
                    package.add_manifest(&manifest, entries, kind, accumulator)?;
                }
            }
            return Ok(true);
        }
        let mut has_folder = false;
        for kind in ResourceKind::ALL {
            has_folder |= self.context.files.exists(&root.join(kind.name()));
            package.add_conventional(kind, accumulator)?;
        }
        Ok(has_folder)
    }
}

/// One package while what it brings is gathered.
struct Package<'a, 'c> {
    context: &'a Context<'c>,
    root: &'a Utf8Path,
    bringer: &'a Bringer,
}

impl Package<'_, '_> {
    /// The object form without a word on this kind (`collectDefaultResources`).
    fn add_default(&self, kind: ResourceKind, accumulator: &mut Accumulator) -> Result<(), Crash> {
        let manifest = Manifest::read(self.context, self.root);
        let listed = manifest.as_ref().and_then(|it| Some((it, it.list(kind)?)));
        match listed.filter(|(_, entries)| untyped::is_truthy(entries)) {
            Some((manifest, entries)) => self.add_manifest(manifest, entries, kind, accumulator),
            None => self.add_conventional(kind, accumulator),
        }
    }

    /// `addManifestEntries`
    fn add_manifest(
        &self,
        manifest: &Manifest,
        entries: &Node,
        kind: ResourceKind,
        accumulator: &mut Accumulator,
    ) -> Result<(), Crash> {
        let (collected, overrides) = manifest.collect(self.context, entries, kind)?;
        let patterns = Patterns::new(&overrides, self.root);
        self.leave_out(kind, collected.left_out, accumulator);
        for found in collected.found {
            let verdict = patterns.judge(&found.path);
            if verdict.enabled {
                let choice = Choice::Patterns { verdict, rule: rules::MANIFEST, otherwise: "" };
                accumulator.add(kind, self.bringer, found, &choice);
            } else {
                self.leave_out(
                    kind,
                    vec![taken_back(found, verdict.by.map(|it| (&*it.text, it.at)))],
                    accumulator,
                );
            }
        }
        Ok(())
    }

    fn add_conventional(&self, kind: ResourceKind, accumulator: &mut Accumulator) -> Result<(), Crash> {
        let collected = self.conventional(kind)?;
        self.leave_out(kind, collected.left_out, accumulator);
        for found in collected.found {
            accumulator.add(kind, self.bringer, found, &Choice::Enabled);
        }
        Ok(())
    }

    fn conventional(&self, kind: ResourceKind) -> Result<Collected, Crash> {
        discovery::collect(self.context, &self.root.join(kind.name()), kind)
    }

    /// What filters choose from: the manifest's list after its own patterns, or the conventional folder
    /// (`collectManifestFiles`).
    fn choosable(&self, kind: ResourceKind, accumulator: &mut Accumulator) -> Result<Vec<Found>, Crash> {
        let manifest = Manifest::read(self.context, self.root);
        let listed = manifest.as_ref().and_then(|it| Some((it, it.list(kind)?)));
        let Some((manifest, entries)) = listed.filter(|(_, it)| untyped::has_length(it, false)) else {
            let collected = self.conventional(kind)?;
            self.leave_out(kind, collected.left_out, accumulator);
            return Ok(collected.found);
        };
        let (collected, overrides) = manifest.collect(self.context, entries, kind)?;
        let patterns = Patterns::new(&overrides, self.root);
        self.leave_out(kind, collected.left_out, accumulator);
        let mut kept: Vec<Found> = Vec::new();
        for found in collected.found {
            let verdict = patterns.judge(&found.path);
            if !verdict.enabled {
                self.leave_out(
                    kind,
                    vec![taken_back(found, verdict.by.map(|it| (&*it.text, it.at)))],
                    accumulator,
                );
            } else if !kept.iter().any(|it| it.path == found.path) {
                kept.push(found);
            }
        }
        Ok(kept)
    }

    /// `applyPackageFilter`
    fn add_filtered(
        &self,
        patterns: &Node,
        kind: ResourceKind,
        accumulator: &mut Accumulator,
    ) -> Result<(), Crash> {
        let choosable = self.choosable(kind, accumulator)?;
        if untyped::is_empty(patterns)? {
            let choice = Choice::Off {
                reason: "the empty list of the package's filter switches everything off",
                rule: rules::FILTER,
                at: Some(patterns.at),
            };
            for found in choosable {
                accumulator.add(kind, self.bringer, found, &choice);
            }
            return Ok(());
        }
        let written = untyped::strings(&untyped::iterate(patterns, "patterns")?, "p", "startsWith")?;
        let patterns_of_filter = Patterns::new(&written, self.root);
        for found in choosable {
            let verdict = patterns_of_filter.judge(&found.path);
            let choice = Choice::Patterns {
                verdict,
                rule: rules::FILTER,
                otherwise: "the package's filter names other files",
            };
            accumulator.add(kind, self.bringer, found, &choice);
        }
        Ok(())
    }

    /// Only what the patterns of an `autoload: false` entry name (`applyPackageDeltaFilter`).
    fn add_named(
        &self,
        patterns: Option<&Node>,
        kind: ResourceKind,
        accumulator: &mut Accumulator,
    ) -> Result<(), Crash> {
        let Some(patterns) = patterns else { return Ok(()) };
        if untyped::is_empty(patterns)? {
            return Ok(());
        }
        let choosable = self.choosable(kind, accumulator)?;
        let written = untyped::strings(&untyped::iterate(patterns, "patterns")?, "pattern", "slice")?;
        let paths: Vec<_> = choosable.iter().map(|it| it.path.clone()).collect();
        for (at, verdict) in one_by_one(&paths, &written, self.root) {
            let choice = Choice::Patterns { verdict, rule: rules::AUTOLOAD, otherwise: "" };
            accumulator.add(kind, self.bringer, choosable[at].clone(), &choice);
        }
        Ok(())
    }

    fn leave_out(&self, kind: ResourceKind, left_out: Vec<LeftOut>, accumulator: &mut Accumulator) {
        for it in left_out {
            accumulator.leave_out(kind, self.bringer, it);
        }
    }
}

/// A file that a manifest names and its own patterns take back.
fn taken_back(found: Found, by: Option<(&str, Span)>) -> LeftOut {
    LeftOut {
        path: found.path,
        status: Status::Disabled,
        reason: match by {
            Some((pattern, _)) => format!("the manifest's own pattern {pattern:?} takes it back"),
            None => "the manifest's own patterns take it back".to_owned(),
        },
        rule: rules::MANIFEST,
        at: by.map(|it| it.1),
        steps: found.steps,
    }
}
/// `name@version` of the package.json of a folder.
pub(super) fn name_and_version(context: &Context<'_>, folder: &Utf8Path) -> Option<Arc<str>> {
    let json = context.json(&folder.join("package.json"))?;
    let package = json.as_ref().as_ref().ok()?.as_object()?;
    let text = |name: &str| package.get(name).and_then(Node::as_str).filter(|it| !it.is_empty());
    let name = text("name")?;
    Some(match text("version") {
        Some(version) => format!("{name}@{version}").into(),
        None => Arc::clone(name),
    })
}

fn bringer(entry: &Entry, base_dir: Option<Utf8PathBuf>, package: Option<Arc<str>>) -> Bringer {
    let (rule, reason) = match entry.scope {
        Scope::Temporary => (rules::CLI, format!("given with -e {}", entry.source)),
        _ if entry.switches_autoload_off() => {
            (rules::AUTOLOAD, format!("named by the patterns of {}", entry.step.text))
        }
        _ => (rules::PACKAGE, format!("brought by the package of {}", entry.step.text)),
    };
    Bringer {
        info: SourceInfo {
            source: entry.source.to_string(),
            scope: entry.scope,
            origin: Origin::Package,
            base_dir,
        },
        step: entry.step.clone(),
        rule,
        reason,
        package,
    }
}
