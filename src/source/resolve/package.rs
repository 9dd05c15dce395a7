//! The `exports` and `imports` of packages, as Node's documentation of its ECMAScript module loader has them
//! (`PACKAGE_EXPORTS_RESOLVE`, `PACKAGE_IMPORTS_RESOLVE`, `PACKAGE_TARGET_RESOLVE`).

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value};

use super::lookup::Manifest;
use super::node::{Failed, FailedKind};
use super::path::joined;

/// The names of the conditions that hold, apart from `default`, which always does.
pub(super) type Conditions = &'static [&'static str];

/// Where a package's own tables lead.
pub(super) enum Target {
    /// A path below the package; whether anything is there is not said.
    Path(Utf8PathBuf),
    /// Another package, for `imports`.
    Bare(String),
}

/// What a table says about a name.
enum Answer {
    Target(Target),
    /// `null`: deliberately nothing.
    Nothing,
    /// No condition holds.
    NoMatch,
}

/// Which table is asked.
#[derive(Clone, Copy)]
struct Table<'m> {
    manifest: &'m Manifest,
    is_imports: bool,
    /// The name asked for, for messages.
    asked: &'m str,
}

/// What the `exports` of a package make of a subpath (`.` or `./…`).
pub(super) fn exported(
    manifest: &Manifest,
    subpath: &str,
    conditions: Conditions,
) -> Result<Utf8PathBuf, Failed> {
    let table = Table { manifest, is_imports: false, asked: subpath };
    let sugar;
    let entries = match &manifest.exports {
        Value::Object(entries) if is_table(entries, manifest)? => entries,
        main => {
            sugar = Map::from_iter([(".".to_owned(), main.clone())]);
            &sugar
        }
    };
    match look_up(entries, subpath, table, conditions)? {
        Some(Target::Path(path)) => Ok(path),
        Some(Target::Bare(_)) | None => Err(not_exported(manifest, subpath)),
    }
}

/// What the `imports` of a package make of a `#` name.
pub(super) fn imported(
    manifest: &Manifest,
    name: &str,
    importer: &Utf8Path,
    conditions: Conditions,
) -> Result<Target, Failed> {
    let table = Table { manifest, is_imports: true, asked: name };
    let found = match &manifest.imports {
        Some(entries) => look_up(entries, name, table, conditions).map_err(|failed| Failed {
            message: format!("{} imported from {importer}", failed.message),
            ..failed
        })?,
        None => None,
    };
    found.ok_or_else(|| {
        let manifest = manifest.directory.join("package.json");
        let message = format!(
            "Package import specifier \"{name}\" is not defined in package {manifest} imported from {importer}"
        );
        Failed { kind: FailedKind::ImportNotDefined, message }
    })
}

/// Whether the keys of an `exports` object are subpaths (rather than conditions).
fn is_table(entries: &Map<String, Value>, manifest: &Manifest) -> Result<bool, Failed> {
    let subpaths = entries.keys().filter(|key| key.starts_with('.')).count();
    if subpaths == 0 || subpaths == entries.len() {
        return Ok(subpaths > 0);
    }
    let mut failed = Failed::invalid_config(&manifest.directory);
    failed.message.push_str(
        " \"exports\" cannot contain some keys starting with '.' and some not. The exports object must either be \
         an object of package subpath keys or an object of main entry condition name keys only.",
    );
    Err(failed)
}

fn look_up(
    entries: &Map<String, Value>,
    name: &str,
    table: Table<'_>,
    conditions: Conditions,
) -> Result<Option<Target>, Failed> {
    let answer = match entries.get(name) {
        Some(target) if !name.contains('*') && !name.ends_with('/') => {
            resolve_target(target, None, table, conditions)?
        }
        _ => match best_pattern(entries, name) {
            Some((target, part)) => resolve_target(target, Some(part), table, conditions)?,
            None => Answer::NoMatch,
        },
    };
    Ok(match answer {
        Answer::Target(target) => Some(target),
        Answer::Nothing | Answer::NoMatch => None,
    })
}

/// The entry with a `*` that fits best, and what the `*` stands for.
fn best_pattern<'e, 'n>(entries: &'e Map<String, Value>, name: &'n str) -> Option<(&'e Value, &'n str)> {
    let mut best: Option<(&str, &Value, &str)> = None;
    for (key, target) in entries {
        let Some((before, after)) = key.split_once('*') else { continue };
        let fits = name.len() >= key.len()
            && name != before
            && !after.contains('*')
            && name.starts_with(before)
            && name.ends_with(after);
        if !fits {
            continue;
        }
        let Some(part) = name.get(before.len()..name.len() - after.len()) else { continue };
        if best.is_none_or(|(known, ..)| is_more_specific(key, known)) {
            best = Some((key, target, part));
        }
    }
    best.map(|(_, target, part)| (target, part))
}

/// The order of `PATTERN_KEY_COMPARE`.
fn is_more_specific(key: &str, than: &str) -> bool {
    let base = |key: &str| key.find('*').map_or(key.len(), |at| at + 1);
    (base(key), key.len()) > (base(than), than.len())
}

fn resolve_target(
    target: &Value,
    part: Option<&str>,
    table: Table<'_>,
    conditions: Conditions,
) -> Result<Answer, Failed> {
    match target {
        Value::String(target) => resolve_text(target, part, table).map(Answer::Target),
        Value::Array(targets) => resolve_alternatives(targets, part, table, conditions),
        Value::Object(entries) => {
            for (condition, target) in entries {
                if condition != "default" && !conditions.contains(&condition.as_str()) {
                    continue;
                }
                match resolve_target(target, part, table, conditions)? {
                    Answer::NoMatch => {}
                    answer => return Ok(answer),
                }
            }
            Ok(Answer::NoMatch)
        }
        Value::Null => Ok(Answer::Nothing),
        Value::Bool(_) | Value::Number(_) => Err(invalid_target(&target.to_string(), table)),
    }
}

fn resolve_alternatives(
    targets: &[Value],
    part: Option<&str>,
    table: Table<'_>,
    conditions: Conditions,
) -> Result<Answer, Failed> {
    let mut last = Ok(Answer::Nothing);
    for target in targets {
        match resolve_target(target, part, table, conditions) {
            Ok(Answer::NoMatch) => {}
            Ok(Answer::Nothing) => last = Ok(Answer::Nothing),
            Err(failed) if failed.kind == FailedKind::InvalidTarget => last = Err(failed),
            answer => return answer,
        }
    }
    last
}

fn resolve_text(target: &str, part: Option<&str>, table: Table<'_>) -> Result<Target, Failed> {
    let filled = match part {
        Some(part) => target.replace('*', part),
        None => target.to_owned(),
    };
    let Some(below) = target.strip_prefix("./") else {
        let is_bare = table.is_imports && !target.starts_with("../") && !target.starts_with('/');
        if is_bare && !has_scheme(target) {
            return Ok(Target::Bare(filled));
        }
        return Err(invalid_target(target, table));
    };
    if has_forbidden_segment(below) {
        return Err(invalid_target(target, table));
    }
    if part.is_some_and(has_forbidden_segment) {
        let message = format!("Invalid module \"{}\" request is not a valid match in pattern", table.asked);
        return Err(Failed { kind: FailedKind::InvalidSpecifier, message });
    }
    Ok(Target::Path(joined(&table.manifest.directory, &filled)))
}

/// Whether a URL parser would see a scheme.
fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it))
    })
}

fn has_forbidden_segment(path: &str) -> bool {
    path.split(['/', '\\'])
        .any(|segment| segment == "." || segment == ".." || segment.eq_ignore_ascii_case("node_modules"))
}

fn not_exported(manifest: &Manifest, subpath: &str) -> Failed {
    let file = manifest.directory.join("package.json");
    let message = if subpath == "." {
        format!("No \"exports\" main defined in {file}")
    } else {
        format!("Package subpath '{subpath}' is not defined by \"exports\" in {file}")
    };
    Failed { kind: FailedKind::NotExported, message }
}

fn invalid_target(target: &str, table: Table<'_>) -> Failed {
    let file = table.manifest.directory.join("package.json");
    let field = if table.is_imports { "imports" } else { "exports" };
    let what = if table.asked == "." && !table.is_imports {
        format!("Invalid \"{field}\" main target \"{target}\" defined in the package config {file}")
    } else {
        format!(
            "Invalid \"{field}\" target \"{target}\" defined for '{}' in the package config {file}",
            table.asked
        )
    };
    let hint = if table.is_imports { "" } else { "; targets must start with \"./\"" };
    Failed { kind: FailedKind::InvalidTarget, message: format!("{what}{hint}") }
}
