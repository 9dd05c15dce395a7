//! From a specifier to a module, as jiti 2.7 and Node do it inside Pi (rules, section 1.6).

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

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

/// How a module is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asking {
    /// `import`, `export … from`, `import()`.
    Import,
    /// `require()`.
    Require,
}

/// A file that is a module.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleFile {
    /// Its path, as the loader names it.
    pub path: Utf8PathBuf,
    /// How it is loaded.
    pub treatment: Treatment,
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

/// Who asks.
#[derive(Debug, Clone, Copy)]
pub struct Importer<'a> {
    /// The asking module's file.
    pub path: &'a Utf8Path,
    /// How the asking module is loaded.
    pub treatment: Treatment,
}

/// The file that an entry's path stands for.
pub(super) fn entry(files: &dyn Files, path: &Utf8Path) -> Result<ModuleFile, Missing> {
    match probe(files, path) {
        Some(path) => Ok(module_file(path)),
        None => Err(missing(path.as_str())),
    }
}

/// Where a specifier leads.
pub(super) fn resolve(files: &dyn Files, from: Importer<'_>, specifier: &str, _asking: Asking) -> Resolution {
    if let Some(host) = HostModule::from_specifier(specifier) {
        return Resolution::Host(host);
    }
    if let Some(name) = specifier.strip_prefix("node:") {
        return Resolution::Builtin(name.into());
    }
    let base = from.path.parent().unwrap_or(from.path);
    if !specifier.starts_with('.') && !specifier.starts_with('/') {
        return Resolution::Missing(missing(specifier));
    }
    match probe(files, &normalize(&base.join(specifier))) {
        Some(path) => Resolution::File(module_file(path)),
        None => Resolution::Missing(missing(specifier)),
    }
}

fn probe(files: &dyn Files, path: &Utf8Path) -> Option<Utf8PathBuf> {
    let candidates = std::iter::once(path.to_owned())
        .chain(["js", "mjs", "cjs", "ts"].map(|ext| Utf8PathBuf::from(format!("{path}.{ext}"))))
        .chain(path.as_str().strip_suffix(".js").map(|stem| Utf8PathBuf::from(format!("{stem}.ts"))))
        .chain(["js", "ts"].map(|ext| path.join(format!("index.{ext}"))));
    candidates.into_iter().find(|path| files.is_file(path))
}

fn module_file(path: Utf8PathBuf) -> ModuleFile {
    let treatment = match path.extension() {
        Some("json") => Treatment::Json,
        Some("mjs") => Treatment::NativeEsm,
        Some("cjs") => Treatment::NativeCommonJs,
        _ => Treatment::Fresh,
    };
    ModuleFile { path, treatment }
}

fn missing(specifier: &str) -> Missing {
    let message: Arc<str> = format!("Cannot find module '{specifier}'").into();
    Missing { specifier: specifier.into(), explanation: Arc::clone(&message), message, package: None }
}

fn normalize(path: &Utf8Path) -> Utf8PathBuf {
    let mut out = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            camino::Utf8Component::ParentDir => {
                out.pop();
            }
            camino::Utf8Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}
