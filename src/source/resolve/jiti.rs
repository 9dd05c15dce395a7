//! The guesses of jiti 2.7 (`jitiResolve` and, below it, `_resolve`): first Node's `import` with every extension put
//! after the specifier, then Node's `require` likewise, then TypeScript's extensions for JavaScript's.

use camino::{Utf8Path, Utf8PathBuf};

use super::Asking;
use super::lookup::Lookup;
use super::node::{Failed, Found, import, require};
use super::package::Conditions;
use super::path::is_place;
use crate::files::FileKind;

/// The extensions that jiti puts after a specifier, in its order.
pub(super) const EXTENSIONS: [&str; 9] =
    [".js", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".mtsx", ".ctsx"];

const IMPORT: Conditions = &["node", "import"];
const REQUIRE: Conditions = &["node", "require"];

/// Where a specifier of a transpiled module leads.
pub(super) fn resolve(
    lookup: &Lookup<'_>,
    importer: &Utf8Path,
    specifier: &str,
    asking: Asking,
) -> Result<Found, Failed> {
    let order = match asking {
        Asking::Import => [IMPORT, REQUIRE],
        Asking::Require => [REQUIRE, IMPORT],
    };
    for conditions in order {
        if let Some(found) = resolve_as_import(lookup, importer, specifier, conditions) {
            return Ok(found);
        }
    }
    let failed = match require(lookup, importer, specifier) {
        Ok(found) => return Ok(found),
        Err(failed) => failed,
    };
    resolve_as_require(lookup, importer, specifier).ok_or(failed)
}

/// `None` also when a step ends in an error that keeps jiti from trying the next.
fn resolve_as_import(
    lookup: &Lookup<'_>,
    importer: &Utf8Path,
    specifier: &str,
    conditions: Conditions,
) -> Option<Found> {
    if specifier.starts_with('/') {
        let path = Utf8Path::new(specifier);
        if lookup.kind(path) == Some(FileKind::File) {
            return Some(Found::File(path.to_owned()));
        }
    }
    let directory = importer.parent().unwrap_or(importer);
    // jiti also looks from `<importer>/_index.js`: `../x` then means a neighbour of the importer.
    let bases: &[&Utf8Path] = if specifier.starts_with("..") { &[directory, importer] } else { &[directory] };
    for base in bases {
        let guesses = std::iter::once(specifier.to_owned())
            .chain(EXTENSIONS.iter().map(|extension| format!("{specifier}{extension}")))
            .chain(EXTENSIONS.iter().map(|extension| index_of(specifier, extension)));
        for guess in guesses {
            match import(lookup, base, &guess, conditions) {
                Ok(found) => return Some(found),
                Err(failed) if failed.lets_jiti_go_on() => {}
                Err(_) => return None,
            }
        }
    }
    None
}

fn resolve_as_require(lookup: &Lookup<'_>, importer: &Utf8Path, specifier: &str) -> Option<Found> {
    let retyped = (has_extension(importer.as_str(), 't') || has_extension(specifier, 'j'))
        .then(|| typescript_for_javascript(specifier))
        .flatten();
    for extension in EXTENSIONS.iter().filter(|it| **it != ".js") {
        let found = require(lookup, importer, &format!("{specifier}{extension}"))
            .or_else(|_| require(lookup, importer, &format!("{specifier}/index{extension}")));
        if let Ok(found) = found {
            return Some(found);
        }
        if let Some(retyped) = &retyped
            && let Ok(found) = require(lookup, importer, retyped)
        {
            return Some(found);
        }
    }
    None
}

fn index_of(specifier: &str, extension: &str) -> String {
    let slash = if specifier.ends_with('/') { "" } else { "/" };
    format!("{specifier}{slash}index{extension}")
}

/// Whether the path ends like `.ts`, `.mts`, `.cts`, `.tsx` (for `t`) or `.js`, `.mjs`, … (for `j`).
fn has_extension(path: &str, letter: char) -> bool {
    split_extension(path).is_some_and(|(_, _, found, _)| found == letter)
}

/// `./x.mjs` as `./x.mts`.
fn typescript_for_javascript(specifier: &str) -> Option<String> {
    let (stem, module, letter, end) = split_extension(specifier)?;
    (letter == 'j').then(|| format!("{stem}.{module}t{end}"))
}

/// `x.mtsx` as `x`, `m`, `t`, `sx`.
fn split_extension(path: &str) -> Option<(&str, &str, char, &str)> {
    let (stem, extension) = path.rsplit_once('.')?;
    let (module, rest) = match extension.as_bytes().first()? {
        b'c' | b'm' => extension.split_at_checked(1)?,
        _ => ("", extension),
    };
    let letter = rest.chars().next().filter(|it| "jt".contains(*it))?;
    let end = rest.get(1..)?;
    matches!(end, "s" | "sx").then_some((stem, module, letter, end))
}

/// The file that the path of an entry stands for.
pub(super) fn entry(lookup: &Lookup<'_>, path: &Utf8Path) -> Result<Utf8PathBuf, Failed> {
    debug_assert!(is_place(path.as_str()) || path.is_relative());
    // An entry has no importer but Pi's own loader, which no extension's files lie beside.
    let importer = Utf8Path::new("/loader.js");
    match resolve(lookup, importer, path.as_str(), Asking::Import)? {
        Found::File(path) => Ok(path),
        Found::Builtin(name) => Err(Failed::not_found(&name)),
    }
}
