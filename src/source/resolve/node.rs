//! Node's two resolvers: the one of `import` and the one of `require`.

use camino::{Utf8Path, Utf8PathBuf};

use super::builtins::{Builtin, builtin};
use super::lookup::{Lookup, Manifest, ManifestState};
use super::package::{Conditions, Target, exported, imported};
use super::path::{is_place, joined, package_name, url_path};

/// What Node's `import` looks for in packages.
pub(super) const NODE_IMPORT: Conditions = &["node", "import", "module-sync", "node-addons"];
/// What Node's `require` looks for in packages.
pub(super) const NODE_REQUIRE: Conditions = &["node", "require", "module-sync", "node-addons"];

/// Extensions that `require` puts after a name.
const REQUIRE_EXTENSIONS: [&str; 3] = [".js", ".json", ".node"];

/// A step of a resolution that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failed {
    pub(super) kind: FailedKind,
    /// Node's message.
    pub(super) message: String,
}

/// Node's error codes, as far as they matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailedKind {
    NotFound,
    UnsupportedDirectory,
    NotExported,
    InvalidConfig,
    InvalidTarget,
    InvalidSpecifier,
    ImportNotDefined,
}

/// What a specifier leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    File(Utf8PathBuf),
    Builtin(String),
}

impl Failed {
    pub(super) fn not_found(what: &str) -> Self {
        Self { kind: FailedKind::NotFound, message: format!("Cannot find module '{what}'") }
    }

    pub(super) fn invalid_config(directory: &Utf8Path) -> Self {
        let message = format!("Invalid package config {}.", directory.join("package.json"));
        Self { kind: FailedKind::InvalidConfig, message }
    }

    /// Whether jiti tries its next guess after this one.
    pub(super) fn lets_jiti_go_on(&self) -> bool {
        matches!(self.kind, FailedKind::NotFound | FailedKind::UnsupportedDirectory | FailedKind::NotExported)
    }
}

type Outcome = Result<Found, Failed>;

/// `import specifier` in a file of `directory`: nothing is guessed.
pub(super) fn import(
    lookup: &Lookup<'_>,
    directory: &Utf8Path,
    specifier: &str,
    conditions: Conditions,
) -> Outcome {
    if is_place(specifier) {
        let path = url_path(specifier).ok_or_else(|| invalid_specifier(specifier))?;
        if path.ends_with('/') || path.ends_with("/.") || path.ends_with("/..") || path == "." || path == ".."
        {
            return Err(unsupported_directory(specifier));
        }
        return existing(lookup, &joined(directory, &path));
    }
    if specifier.starts_with('#') {
        return import_private(lookup, directory, specifier, conditions);
    }
    import_package(lookup, directory, specifier, conditions)
}

/// `import "#name"`.
fn import_private(lookup: &Lookup<'_>, directory: &Utf8Path, name: &str, conditions: Conditions) -> Outcome {
    let manifest = match lookup.scope(directory) {
        ManifestState::Valid(manifest) => manifest,
        ManifestState::Invalid => return Err(invalid_scope(lookup, directory)),
        ManifestState::Absent => {
            let message = format!("Package import specifier \"{name}\" is not defined");
            return Err(Failed { kind: FailedKind::ImportNotDefined, message });
        }
    };
    match imported(&manifest, name, directory, conditions)? {
        Target::Path(path) => existing(lookup, &path),
        Target::Bare(specifier) => import_package(lookup, &manifest.directory, &specifier, conditions),
    }
}

/// `PACKAGE_RESOLVE`.
fn import_package(
    lookup: &Lookup<'_>,
    directory: &Utf8Path,
    specifier: &str,
    conditions: Conditions,
) -> Outcome {
    match builtin(specifier) {
        Some(Builtin::Known(name)) => return Ok(Found::Builtin(name.to_owned())),
        Some(Builtin::Unknown(_)) => return Err(Failed::not_found(specifier)),
        None => {}
    }
    let Some((name, subpath)) = package_name(specifier) else {
        return Err(invalid_specifier(specifier));
    };
    match lookup.scope(directory) {
        ManifestState::Invalid => return Err(invalid_scope(lookup, directory)),
        ManifestState::Valid(scope) if scope.name.as_deref() == Some(name) && !scope.exports.is_null() => {
            return existing(lookup, &exported(&scope, &subpath, conditions)?);
        }
        ManifestState::Valid(_) | ManifestState::Absent => {}
    }
    for ancestor in directory.ancestors() {
        let package = ancestor.join("node_modules").join(name);
        if !lookup.is_directory(&package) {
            continue;
        }
        return match lookup.manifest(&package) {
            ManifestState::Invalid => Err(Failed::invalid_config(&package)),
            ManifestState::Valid(manifest) if !manifest.exports.is_null() => {
                existing(lookup, &exported(&manifest, &subpath, conditions)?)
            }
            ManifestState::Valid(manifest) if subpath == "." => main_of(lookup, &package, Some(&manifest)),
            ManifestState::Absent if subpath == "." => main_of(lookup, &package, None),
            ManifestState::Valid(_) | ManifestState::Absent => existing(lookup, &joined(&package, &subpath)),
        };
    }
    Err(Failed::not_found(specifier))
}

/// `LEGACY_MAIN_RESOLVE`: the one place where `import` guesses.
fn main_of(lookup: &Lookup<'_>, package: &Utf8Path, manifest: Option<&Manifest>) -> Outcome {
    let after_main = ["", ".js", ".json", ".node", "/index.js", "/index.json", "/index.node"];
    let main = manifest.and_then(|manifest| manifest.main.as_deref());
    let guesses = main.into_iter().flat_map(|main| after_main.map(|suffix| format!("{main}{suffix}")));
    let guesses = guesses.chain(REQUIRE_EXTENSIONS.map(|extension| format!("index{extension}")));
    for guess in guesses {
        let path = joined(package, &format!("./{guess}"));
        if lookup.is_file(&path) {
            return Ok(Found::File(lookup.real(&path)));
        }
    }
    Err(Failed::not_found(package.as_str()))
}

/// A file, its links followed.
fn existing(lookup: &Lookup<'_>, path: &Utf8Path) -> Outcome {
    if lookup.is_file(path) {
        Ok(Found::File(lookup.real(path)))
    } else if lookup.is_directory(path) {
        Err(unsupported_directory(path.as_str()))
    } else {
        Err(Failed::not_found(path.as_str()))
    }
}

/// `require(specifier)` in the file `importer`.
pub(super) fn require(lookup: &Lookup<'_>, importer: &Utf8Path, specifier: &str) -> Outcome {
    match builtin(specifier) {
        Some(Builtin::Known(name)) => return Ok(Found::Builtin(name.to_owned())),
        Some(Builtin::Unknown(_)) => {
            let message = format!("No such built-in module: {specifier}");
            return Err(Failed { kind: FailedKind::NotFound, message });
        }
        None => {}
    }
    let directory = importer.parent().unwrap_or(importer);
    let scope = match lookup.scope(directory) {
        ManifestState::Invalid => return Err(invalid_scope(lookup, directory)),
        ManifestState::Valid(manifest) => Some(manifest),
        ManifestState::Absent => None,
    };
    if let Some(scope) = scope {
        if specifier.starts_with('#') && scope.imports.is_some() {
            return match imported(&scope, specifier, importer, NODE_REQUIRE)? {
                Target::Path(path) => require_exact(lookup, &path),
                Target::Bare(bare) => import_package(lookup, &scope.directory, &bare, NODE_REQUIRE)
                    .map_err(|_| Failed::not_found(specifier)),
            };
        }
        if let Some((name, subpath)) = package_name(specifier)
            && scope.name.as_deref() == Some(name)
            && !scope.exports.is_null()
        {
            return require_exact(lookup, &exported(&scope, &subpath, NODE_REQUIRE)?);
        }
    }
    let found = if is_place(specifier) {
        require_place(lookup, &joined(directory, specifier), specifier)?
    } else {
        require_package(lookup, directory, specifier)?
    };
    found.map(Found::File).ok_or_else(|| Failed {
        kind: FailedKind::NotFound,
        message: format!("Cannot find module '{specifier}'\nRequire stack:\n- {importer}"),
    })
}

fn require_package(
    lookup: &Lookup<'_>,
    directory: &Utf8Path,
    specifier: &str,
) -> Result<Option<Utf8PathBuf>, Failed> {
    let parts = package_name(specifier);
    for ancestor in directory.ancestors().filter(|it| it.file_name() != Some("node_modules")) {
        let folder = ancestor.join("node_modules");
        if !lookup.is_directory(&folder) {
            continue;
        }
        if let Some((name, subpath)) = &parts {
            match lookup.manifest(&folder.join(name)) {
                ManifestState::Invalid => return Err(Failed::invalid_config(&folder.join(name))),
                ManifestState::Valid(manifest) if !manifest.exports.is_null() => {
                    let path = exported(&manifest, subpath, NODE_REQUIRE)?;
                    let Found::File(path) = require_exact(lookup, &path)? else { continue };
                    return Ok(Some(path));
                }
                ManifestState::Valid(_) | ManifestState::Absent => {}
            }
        }
        if let Some(path) = require_place(lookup, &joined(&folder, specifier), specifier)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// What `exports` or `imports` point at: taken as it stands.
fn require_exact(lookup: &Lookup<'_>, path: &Utf8Path) -> Outcome {
    if lookup.is_file(path) {
        Ok(Found::File(lookup.real(path)))
    } else {
        Err(Failed::not_found(path.as_str()))
    }
}

/// A file, a file with an extension put after, or a directory.
fn require_place(
    lookup: &Lookup<'_>,
    path: &Utf8Path,
    specifier: &str,
) -> Result<Option<Utf8PathBuf>, Failed> {
    let means_directory =
        specifier.ends_with('/') || matches!(specifier.rsplit('/').next(), Some("." | ".."));
    if !means_directory && let Some(file) = with_extension(lookup, path, true) {
        return Ok(Some(file));
    }
    if !lookup.is_directory(path) {
        return Ok(None);
    }
    let main = match lookup.manifest(path) {
        ManifestState::Invalid => return Err(Failed::invalid_config(path)),
        ManifestState::Valid(manifest) => manifest.main.clone().filter(|main| !main.is_empty()),
        ManifestState::Absent => None,
    };
    let Some(main) = main else {
        return Ok(with_extension(lookup, &path.join("index"), false));
    };
    let main = joined(path, &main);
    let found = with_extension(lookup, &main, true)
        .or_else(|| with_extension(lookup, &main.join("index"), false))
        .or_else(|| with_extension(lookup, &path.join("index"), false));
    found.map(Some).ok_or_else(|| Failed {
        kind: FailedKind::NotFound,
        message: format!(
            "Cannot find module '{main}'. Please verify that the package.json has a valid \"main\" entry"
        ),
    })
}

fn with_extension(lookup: &Lookup<'_>, path: &Utf8Path, bare: bool) -> Option<Utf8PathBuf> {
    if bare && lookup.is_file(path) {
        return Some(lookup.real(path));
    }
    REQUIRE_EXTENSIONS
        .iter()
        .map(|extension| Utf8PathBuf::from(format!("{path}{extension}")))
        .find(|path| lookup.is_file(path))
        .map(|path| lookup.real(&path))
}

fn invalid_scope(lookup: &Lookup<'_>, directory: &Utf8Path) -> Failed {
    let invalid = directory
        .ancestors()
        .find(|directory| matches!(lookup.manifest(directory), ManifestState::Invalid))
        .unwrap_or(directory);
    Failed::invalid_config(invalid)
}

fn invalid_specifier(specifier: &str) -> Failed {
    Failed {
        kind: FailedKind::InvalidSpecifier,
        message: format!("Invalid module \"{specifier}\" is not a valid package name"),
    }
}

fn unsupported_directory(path: &str) -> Failed {
    Failed {
        kind: FailedKind::UnsupportedDirectory,
        message: format!("Directory import '{path}' is not supported resolving ES modules"),
    }
}
