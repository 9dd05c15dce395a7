//! What the resolver asks of the file system, remembered: kinds of paths, real paths, `package.json` files.

use std::sync::{Arc, PoisonError, RwLock};

use camino::{Utf8Path, Utf8PathBuf};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use crate::files::{FileKind, Files};

/// The `type` of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PackageKind {
    /// `"module"`.
    Module,
    /// `"commonjs"`.
    CommonJs,
    /// Anything else, or nothing.
    Unsaid,
}

/// What resolution needs of a `package.json`.
#[derive(Debug)]
pub(super) struct Manifest {
    /// The directory that it lies in.
    pub(super) directory: Utf8PathBuf,
    pub(super) name: Option<String>,
    pub(super) main: Option<String>,
    /// `null` when absent.
    pub(super) exports: Value,
    pub(super) imports: Option<Map<String, Value>>,
    pub(super) kind: PackageKind,
    /// Names under `dependencies`, `optionalDependencies` and `peerDependencies`.
    pub(super) dependencies: Vec<String>,
}

/// A `package.json`.
#[derive(Debug, Clone)]
pub(super) enum ManifestState {
    /// There is none.
    Absent,
    /// There is one that is not a JSON object.
    Invalid,
    /// There is one.
    Valid(Arc<Manifest>),
}

/// The file system with a memory.
pub(super) struct Lookup<'a> {
    files: &'a dyn Files,
    kinds: RwLock<FxHashMap<Box<str>, Option<FileKind>>>,
    manifests: RwLock<FxHashMap<Box<str>, ManifestState>>,
    real: RwLock<FxHashMap<Box<str>, Utf8PathBuf>>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(files: &'a dyn Files) -> Self {
        Self { files, kinds: RwLock::default(), manifests: RwLock::default(), real: RwLock::default() }
    }

    pub(super) fn kind(&self, path: &Utf8Path) -> Option<FileKind> {
        remembered(&self.kinds, path, || self.files.metadata(path).ok().map(|it| it.kind))
    }

    pub(super) fn is_file(&self, path: &Utf8Path) -> bool {
        self.kind(path) == Some(FileKind::File)
    }

    pub(super) fn is_directory(&self, path: &Utf8Path) -> bool {
        self.kind(path) == Some(FileKind::Directory)
    }

    /// The path with links followed; the path itself when that cannot be known.
    pub(super) fn real(&self, path: &Utf8Path) -> Utf8PathBuf {
        remembered(&self.real, path, || self.files.canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    }

    /// The `package.json` in a directory.
    pub(super) fn manifest(&self, directory: &Utf8Path) -> ManifestState {
        remembered(&self.manifests, directory, || self.read_manifest(directory))
    }

    fn read_manifest(&self, directory: &Utf8Path) -> ManifestState {
        let Ok(text) = self.files.read_text(&directory.join("package.json")) else {
            return ManifestState::Absent;
        };
        match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
            Ok(Value::Object(object)) => {
                ManifestState::Valid(Arc::new(Manifest::new(directory.to_owned(), object)))
            }
            _ => ManifestState::Invalid,
        }
    }

    /// The `package.json` that a file in this directory belongs to: the nearest one upward, short of a
    /// `node_modules` folder.
    pub(super) fn scope(&self, directory: &Utf8Path) -> ManifestState {
        for directory in directory.ancestors() {
            if directory.file_name() == Some("node_modules") {
                break;
            }
            match self.manifest(directory) {
                ManifestState::Absent => {}
                found => return found,
            }
        }
        ManifestState::Absent
    }

    /// The `type` that jiti sees: the nearest `package.json` upward, `node_modules` folders or not.
    pub(super) fn jiti_package_kind(&self, file: &Utf8Path) -> PackageKind {
        for directory in file.ancestors().skip(1) {
            match self.manifest(directory) {
                ManifestState::Absent => {}
                ManifestState::Invalid => break,
                ManifestState::Valid(manifest) => return manifest.kind,
            }
        }
        PackageKind::Unsaid
    }

    /// The `type` that Node sees.
    pub(super) fn node_package_kind(&self, file: &Utf8Path) -> PackageKind {
        match file.parent().map(|directory| self.scope(directory)) {
            Some(ManifestState::Valid(manifest)) => manifest.kind,
            _ => PackageKind::Unsaid,
        }
    }
}

impl Manifest {
    fn new(directory: Utf8PathBuf, mut object: Map<String, Value>) -> Self {
        let text = |value: Option<Value>| match value {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let kind = match object.get("type").and_then(Value::as_str) {
            Some("module") => PackageKind::Module,
            Some("commonjs") => PackageKind::CommonJs,
            _ => PackageKind::Unsaid,
        };
        let dependencies = ["dependencies", "optionalDependencies", "peerDependencies"]
            .iter()
            .filter_map(|field| object.get(*field)?.as_object())
            .flat_map(|names| names.keys().cloned())
            .collect();
        Self {
            directory,
            name: text(object.remove("name")),
            main: text(object.remove("main")),
            exports: object.remove("exports").unwrap_or(Value::Null),
            imports: match object.remove("imports") {
                Some(Value::Object(imports)) => Some(imports),
                _ => None,
            },
            kind,
            dependencies,
        }
    }
}

/// What `map` knows about a path, or what `find` finds, which it then knows.
fn remembered<T: Clone>(
    map: &RwLock<FxHashMap<Box<str>, T>>,
    path: &Utf8Path,
    find: impl FnOnce() -> T,
) -> T {
    if let Some(known) = map.read().unwrap_or_else(PoisonError::into_inner).get(path.as_str()) {
        return known.clone();
    }
    let found = find();
    map.write().unwrap_or_else(PoisonError::into_inner).insert(path.as_str().into(), found.clone());
    found
}
