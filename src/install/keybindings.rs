//! Reads `keybindings.json` as Pi does (rules, section 6; Pi: `dist/core/keybindings.js`, `KeybindingsManager.loadFromFile`).
//!
//! What the entries mean is for the registry: it knows which actions there are and how they were called once.

use camino::Utf8Path;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::files::Files;
use crate::json;
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
        let node = json::parse(text, file).map_err(|error| {
            let message =
                format!("keybindings.json is not JSON ({}); Pi uses its default keys", error.message);
            diagnostic(Code::KeybindingsInvalid, message, Some(error.at))
        })?;
        let Some(object) = node.as_object() else {
            let message = "keybindings.json holds no object; Pi uses its default keys".to_owned();
            return Err(diagnostic(Code::KeybindingsInvalid, message, Some(node.at)));
        };
        let entry = |(action, member): (&std::sync::Arc<str>, &json::Member)| UserKeybinding {
            action: action.to_string(),
            keys: keys_of(&member.node),
            at: member.at,
        };
        Ok(Self { entries: object.iter().map(entry).collect() })
    }
}

fn keys_of(node: &json::Node) -> Option<Vec<String>> {
    let key = |node: &json::Node| node.as_str().map(ToString::to_string);
    match node.as_array() {
        Some(list) => list.iter().map(key).collect(),
        None => key(node).map(|it| vec![it]),
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
