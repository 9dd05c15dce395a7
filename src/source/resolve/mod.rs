//! From a specifier to a module, as jiti 2.7 and Node do it inside Pi (rules, section 1.6).

mod builtins;
mod jiti;
mod lookup;
mod node;
mod package;
mod path;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

pub use self::builtins::builtin_modules;
use self::builtins::{Builtin, builtin};
use self::lookup::{Lookup, ManifestState, PackageKind};
use self::node::{Failed, Found};
use super::host_modules::HostModule;
use super::ir::Atom;
use crate::files::Files;

/// How a module is loaded. Modules are told apart by path *and* treatment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Treatment {
    /// Transpiled by jiti: evaluated afresh for each extension, once within it; behaves as CommonJS (a missing named export is `undefined`).
    Fresh,
    /// Loaded by Node as an ECMAScript module: shared between all extensions of a process; a missing named
    /// export fails the load.
    NativeEsm,
    /// Loaded by Node as CommonJS: shared between all extensions of a process.
    NativeCommonJs,
    /// JSON: the value is the module.
    Json,
}

impl Treatment {
    /// Whether Node loads it, so that one instance serves all extensions.
    pub fn is_native(self) -> bool {
        matches!(self, Self::NativeEsm | Self::NativeCommonJs)
    }
}

/// How a module is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asking {
    /// `import`, `export … from`, `import()`.
    Import,
    /// `require()`.
    Require,
}

/// A file that is a module.
#[derive(Debug, Clone)]
pub struct ModuleFile {
    /// Its path, as the loader names it.
    pub path: Utf8PathBuf,
    /// How it is loaded.
    pub treatment: Treatment,
}

impl ModuleFile {
    /// What it is told apart by: the text of the path, as loaders have it, not its parts.
    fn key(&self) -> (&str, Treatment) {
        (self.path.as_str(), self.treatment)
    }
}

impl PartialEq for ModuleFile {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ModuleFile {}

impl PartialOrd for ModuleFile {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ModuleFile {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for ModuleFile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// Where a specifier leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// To a module that Pi serves.
    Host(HostModule),
    /// To a module of Node, without `node:`.
    Builtin(Atom),
    /// To a file.
    File(ModuleFile),
    /// To something that cannot be looked into: a `.node` binary, a `data:` URL, WebAssembly.
    Opaque(Utf8PathBuf),
    /// Nowhere: the load fails.
    Missing(Missing),
}

/// Why a specifier leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The specifier as written.
    pub specifier: Atom,
    /// Node's message, as near as it can be known.
    pub message: Arc<str>,
    /// In words for people: which package is missing, and what to do.
    pub explanation: Arc<str>,
    /// The package that would have to be installed, if it is one.
    pub package: Option<Arc<str>>,
}

impl Missing {
    fn file(path: &Utf8Path, message: String, explanation: String) -> Self {
        Self {
            specifier: path.as_str().into(),
            message: message.into(),
            explanation: explanation.into(),
            package: None,
        }
    }

    /// A file whose extension Node's `import` does not know.
    pub(super) fn unknown_extension(path: &Utf8Path) -> Self {
        let extension = path.extension().unwrap_or_default();
        let message = format!("Unknown file extension \".{extension}\" for {path}");
        Self::file(path, message, format!("neither jiti nor Node loads .{extension} files: {path}"))
    }

    /// A file that cannot be loaded because of the package around it.
    pub(super) fn broken(path: &Utf8Path, message: String) -> Self {
        let explanation = format!("{path} cannot be loaded: {message}");
        Self::file(path, message, explanation)
    }

    /// TypeScript that jiti leaves to Node, which does not take it from packages.
    pub(super) fn not_stripped(path: &Utf8Path) -> Self {
        let message =
            format!("Stripping types is currently unsupported for files under node_modules, for \"{path}\"");
        Self::file(
            path,
            message,
            format!("jiti does not transpile {path}, and Node does not strip its types"),
        )
    }

    /// An entry that is no module.
    pub(super) fn opaque(path: &Utf8Path) -> Self {
        let text = format!("{path} is no JavaScript or TypeScript module");
        Self::file(path, text.clone(), text)
    }
}

/// Who asks.
#[derive(Debug, Clone, Copy)]
pub struct Importer<'a> {
    /// The asking module's file.
    pub path: &'a Utf8Path,
    /// How the asking module is loaded.
    pub treatment: Treatment,
}

/// A path that a specifier leads to, before anybody has decided how it is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Host(HostModule),
    Builtin(Atom),
    File(Utf8PathBuf),
    /// A URL that holds its own content.
    Data,
    Missing(Missing),
}

/// What a file's name, and the package around it, say about how it is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    TypeScript,
    /// `.mjs`, and `.js` in a package of type `module`.
    Module,
    /// `.cjs`, and for Node `.js` in a package of type `commonjs`.
    CommonJs,
    /// `.js` without a word from the package: the text decides.
    Undecided,
    Json,
    /// A `.node` binary or WebAssembly.
    Binary,
    /// An extension that only `require` takes, as CommonJS.
    Unknown,
}

/// Whether Node has a module of this name, with or without `node:`.
pub fn is_builtin_module(specifier: &str) -> bool {
    matches!(builtin(specifier), Some(Builtin::Known(_)))
}

/// Resolves specifiers over one set of files, with a memory.
pub(super) struct Resolver<'a> {
    lookup: Lookup<'a>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(files: &'a dyn Files) -> Self {
        Self { lookup: Lookup::new(files) }
    }

    /// The file that the path of an entry stands for.
    pub(super) fn entry(&self, path: &Utf8Path) -> Result<Utf8PathBuf, Missing> {
        jiti::entry(&self.lookup, path).map_err(|failed| Missing {
            specifier: path.as_str().into(),
            message: failed.message.as_str().into(),
            explanation: format!("there is no module at {path}").into(),
            package: None,
        })
    }

    /// Where jiti takes a specifier of a transpiled module.
    pub(super) fn by_jiti(&self, importer: &Utf8Path, specifier: &str, asking: Asking) -> Place {
        if specifier.starts_with("data:") {
            return Place::Data;
        }
        match builtin(specifier) {
            Some(Builtin::Known(name)) => return Place::Builtin(name.into()),
            Some(Builtin::Unknown(_)) => return missing_builtin(specifier),
            None => {}
        }
        if let Some(host) = HostModule::from_specifier(specifier) {
            return Place::Host(host);
        }
        if let Some(host) = HostModule::claiming(specifier) {
            return missing_below_host(specifier, host);
        }
        let local = specifier.strip_prefix("file://").unwrap_or(specifier);
        match jiti::resolve(&self.lookup, importer, local, asking) {
            // jiti takes what it gets for the URL of a file.
            Ok(Found::Builtin(_)) => {
                let message = "The URL must be of scheme file".to_owned();
                let failed = Failed { kind: node::FailedKind::InvalidTarget, message };
                Place::Missing(self.missing(importer, specifier, &failed))
            }
            Ok(found) => place(found),
            Err(failed) => Place::Missing(self.missing(importer, specifier, &failed)),
        }
    }

    /// Where Node takes a specifier of a module that it loads itself. Host packages are the host's own even when another copy is
    /// installed: what they do is the same.
    pub(super) fn by_node(&self, importer: &Utf8Path, specifier: &str, asking: Asking) -> Place {
        match builtin(specifier) {
            Some(Builtin::Known(name)) => return Place::Builtin(name.into()),
            Some(Builtin::Unknown(_)) => return missing_builtin(specifier),
            None if specifier.starts_with("data:") => return Place::Data,
            None => {}
        }
        let local = specifier.strip_prefix("file://").unwrap_or(specifier);
        let found = match asking {
            Asking::Import => {
                let directory = importer.parent().unwrap_or(importer);
                node::import(&self.lookup, directory, local, node::NODE_IMPORT)
            }
            Asking::Require => node::require(&self.lookup, importer, local),
        };
        match found {
            Ok(found) => match HostModule::from_specifier(specifier) {
                Some(host) => Place::Host(host),
                None => place(found),
            },
            Err(failed) => Place::Missing(self.missing(importer, specifier, &failed)),
        }
    }

    /// How jiti takes a file.
    pub(super) fn jiti_format(&self, path: &Utf8Path) -> Format {
        match path.extension() {
            Some("js") => match self.lookup.jiti_package_kind(path) {
                PackageKind::Module => Format::Module,
                PackageKind::CommonJs | PackageKind::Unsaid => Format::Undecided,
            },
            None => Format::Undecided,
            Some(extension) => named_format(extension),
        }
    }

    /// How Node takes a file.
    pub(super) fn node_format(&self, path: &Utf8Path) -> Format {
        match path.extension() {
            Some("js") | None => match self.lookup.node_package_kind(path) {
                PackageKind::Module => Format::Module,
                PackageKind::CommonJs => Format::CommonJs,
                PackageKind::Unsaid => Format::Undecided,
            },
            Some(extension) => named_format(extension),
        }
    }

    /// Whether `require` of a JSON file reads a broken `package.json` beside it.
    pub(super) fn json_problem(&self, path: &Utf8Path) -> Option<String> {
        let directory = path.parent()?;
        match self.lookup.scope(directory) {
            ManifestState::Invalid => {
                let invalid = directory
                    .ancestors()
                    .find(|it| matches!(self.lookup.manifest(it), ManifestState::Invalid))?;
                Some(Failed::invalid_config(invalid).message)
            }
            ManifestState::Absent | ManifestState::Valid(_) => None,
        }
    }

    fn missing(&self, importer: &Utf8Path, specifier: &str, failed: &Failed) -> Missing {
        let package = path::package_name(specifier)
            .filter(|_| !path::is_place(specifier) && !specifier.starts_with('#'))
            .map(|(name, _)| name);
        Missing {
            specifier: specifier.into(),
            message: failed.message.as_str().into(),
            explanation: self.explanation(importer, specifier, package, failed).into(),
            package: package.map(Into::into),
        }
    }

    fn explanation(
        &self,
        importer: &Utf8Path,
        specifier: &str,
        package: Option<&str>,
        failed: &Failed,
    ) -> String {
        if failed.kind != node::FailedKind::NotFound {
            return format!("`{specifier}` cannot be resolved: {}", failed.message);
        }
        let Some(package) = package else {
            return format!("there is no file for `{specifier}`");
        };
        let directory = importer.parent().unwrap_or(importer);
        if self.is_installed(directory, package) {
            return format!("the package `{package}` is installed, but has nothing for `{specifier}`");
        }
        match self.lookup.scope(directory) {
            ManifestState::Valid(scope) if scope.dependencies.iter().any(|it| it == package) => format!(
                "the package `{package}` is a dependency of {} but not installed: run `npm install` in {}",
                scope.directory.join("package.json"),
                scope.directory
            ),
            _ => format!("the package `{package}` is not installed anywhere above {directory}"),
        }
    }

    fn is_installed(&self, directory: &Utf8Path, package: &str) -> bool {
        directory
            .ancestors()
            .any(|ancestor| self.lookup.is_directory(&ancestor.join("node_modules").join(package)))
    }
}

fn named_format(extension: &str) -> Format {
    match extension {
        "mjs" => Format::Module,
        "cjs" => Format::CommonJs,
        "ts" | "tsx" | "mts" | "cts" | "mtsx" | "ctsx" => Format::TypeScript,
        "json" => Format::Json,
        "node" | "wasm" => Format::Binary,
        _ => Format::Unknown,
    }
}

fn place(found: Found) -> Place {
    match found {
        Found::File(path) => Place::File(path),
        Found::Builtin(name) => Place::Builtin(name.into()),
    }
}

fn missing_builtin(specifier: &str) -> Place {
    Place::Missing(Missing {
        specifier: specifier.into(),
        message: format!("No such built-in module: {specifier}").into(),
        explanation: format!("Node has no module `{specifier}`").into(),
        package: None,
    })
}

/// Pi's alias for a host package catches its subpaths too and turns them into a path inside a file.
fn missing_below_host(specifier: &str, host: HostModule) -> Place {
    Place::Missing(Missing {
        specifier: specifier.into(),
        message: format!("Cannot find module '{specifier}'").into(),
        explanation: format!(
            "Pi serves `{}` itself, but not `{specifier}`, and looks nowhere else for it",
            host.specifier()
        )
        .into(),
        package: None,
    })
}
