//! Reads `keybindings.json` as Pi does (rules, section 6; Pi: `dist/core/keybindings.js`, `KeybindingsManager.loadFromFile`).
//!
//! What the entries mean is for the registry: it knows which actions there are and how they were called once.

use camino::Utf8Path;
use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::{CollectOptions, ParseOptions};

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::files::Files;
use crate::location::{FileId, SourceMap, Span};

/// One entry of `keybindings.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserKeybinding {
    /// The action as written; it may be a name of long ago, or none.
    pub action: String,
    /// Its keys as written; empty for `[]`, which takes every key away. `None` when the value is neither a string nor a
    /// list of strings: the entry does not count, yet it still keeps an older name of the action from counting.
    pub keys: Option<Vec<String>>,
    /// The line.
    pub at: Span,
}

/// The entries of `keybindings.json` in the order in which JavaScript lists them; a repeated name counts once, with the last value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserKeybindings {
    /// The entries.
    pub entries: Vec<UserKeybinding>,
}

impl UserKeybindings {
    /// Reads the file of an agent directory. A missing file, or one that is not JSON, leaves every default in place; the
    /// latter is told.
    pub fn read(files: &dyn Files, sources: &SourceMap, agent_dir: &Utf8Path) -> (Self, Vec<Diagnostic>) {
        let path = agent_dir.join("keybindings.json");
        if !files.exists(&path) {
            return (Self::default(), Vec::new());
        }
        let text = match files.read_text(&path) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("{path} cannot be read ({error}); Pi uses its default keys");
                return (Self::default(), vec![diagnostic(Code::Unreadable, message, None)]);
            }
        };
        let file = sources.add(path, text.clone());
        match Self::parse(&text, file) {
            Ok(found) => (found, Vec::new()),
            Err(problem) => (Self::default(), vec![problem]),
        }
    }

    /// Reads a text that was added as `file`.
    pub fn parse(text: &str, file: FileId) -> Result<Self, Diagnostic> {
        let whole = Span::new(file, 0, 0);
        let strict = ParseOptions {
            allow_comments: false,
            allow_loose_object_property_names: false,
            allow_trailing_commas: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_extended_string_escapes: false,
            allow_non_finite_numbers: false,
        };
        let parsed =
            jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &strict).map_err(|error| {
                let at = u32::try_from(error.range().start).unwrap_or_default();
                let message =
                    format!("keybindings.json is not JSON ({}); Pi uses its default keys", error.kind());
                diagnostic(Code::KeybindingsInvalid, message, Some(Span::new(file, at, at)))
            })?;
        let Some(Value::Object(object)) = parsed.value else {
            let message = "keybindings.json holds no object; Pi uses its default keys".to_owned();
            return Err(diagnostic(Code::KeybindingsInvalid, message, Some(whole)));
        };
        let mut entries: Vec<UserKeybinding> = Vec::new();
        for property in &object.properties {
            let action = match &property.name {
                ObjectPropName::String(name) => name.value.to_string(),
                ObjectPropName::Word(name) => name.value.to_owned(),
            };
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let at = Span::new(file, offset(property.range.start), offset(property.range.end));
            let entry = UserKeybinding { action, keys: keys_of(&property.value), at };
            match entries.iter_mut().find(|it| it.action == entry.action) {
                Some(earlier) => *earlier = entry,
                None => entries.push(entry),
            }
        }
        Ok(Self { entries })
    }
}

fn keys_of(value: &Value<'_>) -> Option<Vec<String>> {
    match value {
        Value::StringLit(key) => Some(vec![key.value.to_string()]),
        Value::Array(list) => {
            let keys = list.elements.iter().map(|it| match it {
                Value::StringLit(key) => Some(key.value.to_string()),
                _ => None,
            });
            keys.collect()
        }
        _ => None,
    }
}

fn diagnostic(code: Code, message: String, at: Option<Span>) -> Diagnostic {
    let help = Some("keybindings.json is read as plain JSON: no comments, no trailing commas".to_owned());
    Diagnostic { code, severity: Severity::Warning, message, help, at }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<UserKeybindings, Code> {
        let file = SourceMap::new().add("/agent/keybindings.json", text);
        UserKeybindings::parse(text, file).map_err(|it| it.code)
    }

    #[test]
    fn strings_and_lists_of_strings_count_and_the_last_of_a_name_wins() {
        let read = read(r#"{"a": "ctrl+x", "b": [], "a": ["x", "y"], "c": 3, "d": ["x", 1]}"#);
        let said: Vec<_> =
            read.iter().flat_map(|it| &it.entries).map(|it| format!("{} {:?}", it.action, it.keys)).collect();
        assert_eq!(said, ["a Some([\"x\", \"y\"])", "b Some([])", "c None", "d None"]);
    }

    #[test]
    fn anything_but_plain_json_leaves_the_defaults() {
        for text in ["{\"a\": \"x\",}", "// c\n{}", "{a: 'x'}", "\u{feff}{}", "null", "\"x\"", ""] {
            assert_eq!(read(text).err(), Some(Code::KeybindingsInvalid), "{text}");
        }
    }
}
