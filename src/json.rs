//! JSON as JavaScript's `JSON.parse` reads it, with the place of every value.
//!
//! The parser is jsonc-parser in its strictest mode; what it still lets through and JavaScript does not (raw control
//! characters in strings, white space beyond JSON's four) is refused before.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use jsonc_parser::ast::{self, ObjectPropName};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions};

use crate::location::{FileId, Span};

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it stands.
    pub at: Span,
}

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "JSON's own kinds")]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    String(Arc<str>),
    Array(Vec<Node>),
    Object(Object),
}

/// The members of an object in the order of their first mention; a repeated name has its last value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Object {
    members: Vec<(Arc<str>, Member)>,
}

/// The value of a name, and the whole of `"name": value`.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The value.
    pub node: Node,
    /// Name and value.
    pub at: Span,
}

/// Why a text is not JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// In words, without any of the text itself: it may hold secrets.
    pub message: String,
    /// Where.
    pub at: Span,
}

impl Object {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.members.iter().find(|(key, _)| &**key == name).map(|(_, member)| &member.node)
    }

    /// Every name with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Member)> {
        self.members.iter().map(|(name, member)| (name, member))
    }

    /// How many names it has.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether it is `{}`.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

impl Node {
    /// The members, if it is an object.
    pub fn as_object(&self) -> Option<&Object> {
        match &self.value {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The elements, if it is an array.
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&Arc<str>> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// Reads a text that stands in `file`.
pub fn parse(text: &str, file: FileId) -> Result<Node, Error> {
    let error = |at: usize, message: String| Error { message, at: span(file, at, at) };
    if let Some((at, message)) = too_lenient(text) {
        return Err(error(at, message.to_owned()));
    }
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
    let text = without_lone_surrogates(text);
    let parsed = jsonc_parser::parse_to_ast(&text, &CollectOptions::default(), &strict)
        .map_err(|problem| error(problem.range().start, problem.kind().to_string()))?;
    let value = parsed.value.ok_or_else(|| error(0, "there is nothing in it".to_owned()))?;
    Ok(node(value, file))
}

/// Puts `\uFFFD` in the place of every surrogate escape without its other half, which is what Node makes of it in a path.
/// Offsets stay.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    if !(text.contains("\\ud") || text.contains("\\uD")) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(backslash) = rest.find('\\') {
        let (before, escape) = rest.split_at(backslash);
        out.push_str(before);
        let pair = escape.get(6..).unwrap_or_default();
        let (kept, length) = match (surrogate(escape), surrogate(pair)) {
            (Some(Half::High), Some(Half::Low)) => (&escape[..12], 12),
            (Some(_), _) => ("\\uFFFD", 6),
            (None, _) => {
                let end = escape.char_indices().nth(2).map_or(escape.len(), |(at, _)| at);
                (&escape[..end], end)
            }
        };
        out.push_str(kept);
        rest = &escape[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

enum Half {
    High,
    Low,
}

/// Which half of a surrogate pair a text begins with as an escape.
fn surrogate(text: &str) -> Option<Half> {
    let code = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(code, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

/// The first character that JSON does not have in its place and the parser would accept.
fn too_lenient(text: &str) -> Option<(usize, &'static str)> {
    let mut in_string = false;
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        if in_string {
            if character < ' ' {
                return Some((at, "a string holds a raw control character such as a line break"));
            }
            (in_string, escaped) = (escaped || character != '"', !escaped && character == '\\');
        } else if character == '"' {
            in_string = true;
        } else if !character.is_ascii() || character == '\u{b}' || character == '\u{c}' {
            return Some((at, "a character outside of a string that JSON does not know"));
        }
    }
    None
}

fn span(file: FileId, start: usize, end: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(file, offset(start), offset(end))
}

fn node(value: ast::Value<'_>, file: FileId) -> Node {
    let range = value.range();
    let value = match value {
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::BooleanLit(it) => Value::Bool(it.value),
        ast::Value::NumberLit(it) => Value::Number(it.value.parse().unwrap_or(f64::NAN)),
        ast::Value::StringLit(it) => Value::String(it.value.into()),
        ast::Value::Array(it) => Value::Array(it.elements.into_iter().map(|it| node(it, file)).collect()),
        ast::Value::Object(it) => Value::Object(object(it, file)),
    };
    Node { value, at: span(file, range.start, range.end) }
}

fn object(it: ast::Object<'_>, file: FileId) -> Object {
    let mut members: Vec<(Arc<str>, Member)> = Vec::with_capacity(it.properties.len());
    let mut places: HashMap<Arc<str>, usize> = HashMap::with_capacity(it.properties.len());
    for property in it.properties {
        let name: Arc<str> = match property.name {
            ObjectPropName::String(name) => name.value.into(),
            ObjectPropName::Word(name) => name.value.into(),
        };
        let at = span(file, property.range.start, property.range.end);
        let member = Member { node: node(property.value, file), at };
        if let Some(earlier) = places.get(&name).and_then(|&place| members.get_mut(place)) {
            earlier.1 = member;
        } else {
            places.insert(Arc::clone(&name), members.len());
            members.push((name, member));
        }
    }
    Object { members }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::location::SourceMap;

    fn read(text: &str) -> Result<Node, Error> {
        parse(text, SourceMap::new().add("/x.json", text))
    }

    #[test]
    fn what_json_parse_refuses_is_refused() {
        for text in [
            "",
            " ",
            "\u{feff}{}",
            "{'a': 1}",
            "{a: 1}",
            "[1,]",
            "[,]",
            "[1 2]",
            "01",
            "1.",
            ".5",
            "+1",
            "0x1",
            "NaN",
            "\"a\nb\"",
            "\"a\tb\"",
            "\"\\x\"",
            "\"\\v\"",
            "{}x",
            "// c\n{}",
            "/* */{}",
            "\u{a0}1",
            "\u{c}1",
            "tru",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn what_json_parse_accepts_is_read() {
        for text in
            ["\r\n\t 1", "-0", "1E+5", "1e999", "\"\\u00e9\\/\\\"\"", "\"é\u{2028}\"", "[[],{}]", "null"]
        {
            assert!(read(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn a_lone_surrogate_becomes_the_replacement_character() {
        let node = read(r#"["\ud83d\ude00", "\uD83D", "\\ud83d", "\udc00\ud83d", 1]"#);
        let elements = node.as_ref().ok().and_then(Node::as_array).unwrap_or_default();
        let texts: Vec<_> = elements.iter().filter_map(Node::as_str).map(|it| &**it).collect();
        assert_eq!(texts, ["😀", "\u{fffd}", "\\ud83d", "\u{fffd}\u{fffd}"]);
        assert_eq!(elements.last().map(|it| it.at.start), Some(54));
    }

    #[test]
    fn a_repeated_name_keeps_its_place_and_has_its_last_value() {
        let node = read(r#"{"a": 1, "b": 2, "a": 3}"#);
        let members: Vec<_> = node.iter().filter_map(Node::as_object).flat_map(Object::iter).collect();
        let said: Vec<_> = members.iter().map(|(name, it)| (&***name, it.node.as_number())).collect();
        assert_eq!(said, [("a", Some(3.0)), ("b", Some(2.0))]);
    }

    #[test]
    fn errors_say_where_and_nothing_of_the_text() {
        let error = read("{\"apiKey\": \"sk-secret\" \"x\"}").err();
        assert_eq!(error.as_ref().map(|it| it.at.start), Some(22));
        assert!(error.is_some_and(|it| !it.message.contains("secret")));
    }
}
