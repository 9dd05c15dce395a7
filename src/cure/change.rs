//! Edits of settings.json that switch one extension off.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value, json};

use crate::files::Files;
use crate::install::{Origin, Scope, SourceInfo};
use crate::report::Report;

/// A line to have in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub file: Utf8PathBuf,
    /// The key whose value changes: `extensions`, `packages[0]`.
    pub key: String,
    /// The value to have, as JSON on one line.
    pub value: String,
    /// The whole file then.
    pub text: String,
}

impl Change {
    /// The key as it stands in the file, where it does: `"extensions"`, but `packages[0]`.
    pub fn key_as_written(&self) -> String {
        if self.key.ends_with(']') { self.key.clone() } else { format!("\"{}\"", self.key) }
    }
}

/// The edit that takes a file out of what settings bring in; `None` when no line of a settings file does (inline code, a file
/// that is not valid). `list` is the list of its kind: `extensions`, `skills`, …
pub(super) fn switching_off(
    files: &dyn Files,
    report: &Report,
    path: &Utf8Path,
    list: &str,
    info: &SourceInfo,
) -> Option<Change> {
    let folder = match info.scope {
        Scope::User => report.agent_dir.clone(),
        Scope::Project => report.cwd.join(".pi"),
        Scope::Temporary => return None,
    };
    let file = folder.join("settings.json");
    let mut settings = read(files, &file)?;
    let (key, value) = match info.origin {
        Origin::TopLevel => top_level(&mut settings, list, path, &folder)?,
        Origin::Package => {
            let root = info.base_dir.as_deref()?;
            package(&mut settings, &info.source, list, &relative(path, root)?)?
        }
    };
    let value = serde_json::to_string(&value).ok()?;
    let text = serde_json::to_string_pretty(&settings).ok()?;
    Some(Change { file, key, value: spaced(&value), text })
}

/// The edits of keybindings.json that leave some actions without keys, each on top of those before it.
pub(super) fn freeing(files: &dyn Files, report: &Report, actions: &[String]) -> Option<Vec<Change>> {
    let file = report.agent_dir.join("keybindings.json");
    let mut bindings = read(files, &file)?;
    let edits = actions.iter().map(|action| {
        bindings.insert(action.clone(), json!([]));
        let text = serde_json::to_string_pretty(&bindings).ok()?;
        Some(Change { file: file.clone(), key: action.clone(), value: "[]".to_owned(), text })
    });
    edits.collect()
}

/// A path relative to a folder, as settings write it.
fn relative(path: &Utf8Path, folder: &Utf8Path) -> Option<Utf8PathBuf> {
    path.strip_prefix(folder).ok().map(Utf8Path::to_owned)
}

fn read(files: &dyn Files, file: &Utf8Path) -> Option<Map<String, Value>> {
    if !files.exists(file) {
        return Some(Map::new());
    }
    serde_json::from_str(&files.read_text(file).ok()?).ok()
}

/// `"extensions": [… , "-extensions/a.ts"]`: an exact pattern beats whatever brought the file in (rules, section 1.3).
fn top_level(
    settings: &mut Map<String, Value>,
    list: &str,
    path: &Utf8Path,
    folder: &Utf8Path,
) -> Option<(String, Value)> {
    let name = relative(path, folder).unwrap_or_else(|| path.to_owned());
    let entries = settings.entry(list).or_insert_with(|| json!([])).as_array_mut()?;
    entries.push(json!(format!("-{name}")));
    Some((list.to_owned(), Value::Array(entries.clone())))
}

/// The package in its object form, with the file taken out.
fn package(
    settings: &mut Map<String, Value>,
    source: &str,
    list: &str,
    file: &Utf8Path,
) -> Option<(String, Value)> {
    let packages = settings.get_mut("packages")?.as_array_mut()?;
    let at = packages
        .iter()
        .position(|it| it.as_str() == Some(source) || it["source"].as_str() == Some(source))?;
    if file.as_str().is_empty() {
        // The package is nothing but this extension.
        packages.remove(at);
        return Some(("packages".to_owned(), Value::Array(packages.clone())));
    }
    let entry = packages.get_mut(at)?;
    let pattern = json!(format!("-{file}"));
    match entry {
        Value::Object(object) => {
            let entries = object.entry(list).or_insert_with(|| json!([]));
            // With an empty list nothing loads at all; the minus needs something to take away from.
            entries.as_array_mut()?.push(pattern);
        }
        _ => *entry = json!({ "source": source, list: [pattern] }),
    }
    Some((format!("packages[{at}]"), entry.clone()))
}

/// JSON with room after colons and commas, as people write it.
fn spaced(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 16);
    let (mut quoted, mut escaped) = (false, false);
    for character in json.chars() {
        out.push(character);
        match character {
            '"' if !escaped => quoted = !quoted,
            ':' | ',' if !quoted => out.push(' '),
            _ => {}
        }
        escaped = character == '\\' && !escaped;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_takes_the_object_form_and_keeps_what_it_has() {
        let mut settings =
            serde_json::from_str(r#"{"packages": ["npm:x", {"source": "npm:y", "skills": []}]}"#)
                .unwrap_or_default();
        let first = package(&mut settings, "npm:x", "extensions", "a.ts".into()).map(|it| it.1.to_string());
        assert_eq!(first.as_deref(), Some(r#"{"source":"npm:x","extensions":["-a.ts"]}"#));
        let second = package(&mut settings, "npm:y", "extensions", "b.ts".into()).map(|it| it.1.to_string());
        assert_eq!(second.as_deref(), Some(r#"{"source":"npm:y","skills":[],"extensions":["-b.ts"]}"#));
        assert!(package(&mut settings, "npm:z", "extensions", "b.ts".into()).is_none());
    }

    #[test]
    fn room_is_added_outside_of_strings_only() {
        assert_eq!(spaced(r#"{"a":["b,c","d:\"e,"]}"#), r#"{"a": ["b,c", "d:\"e,"]}"#);
    }
}
