//! Values of settings and manifests as Pi's JavaScript meets them: nobody checks their type before they are used, so a
//! wrong one is read in odd ways or ends the process (rules, section 12, point 5).

use std::sync::Arc;

use crate::json::{Node, Value};
use crate::location::Span;

/// An uncaught error: Pi prints it and exits with status 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Crash {
    /// Node's text of the error.
    pub message: String,
    /// The value that is to blame.
    pub at: Span,
}

impl Crash {
    pub fn type_error(message: impl std::fmt::Display, at: Span) -> Self {
        Self { message: format!("TypeError: {message}"), at }
    }

    /// `receiver.method()` on a value that has no such method.
    fn no_method(value: &Node, receiver: &str, method: &str) -> Self {
        match value.value {
            Value::Null => {
                Self::type_error(format!("Cannot read properties of null (reading '{method}')"), value.at)
            }
            _ => Self::type_error(format!("{receiver}.{method} is not a function"), value.at),
        }
    }
}

/// A string of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub text: Arc<str>,
    pub at: Span,
    /// Its place in the list.
    pub index: usize,
}

/// The value, unless it is missing or `null` (`value ?? …`).
pub(super) fn some(value: Option<&Node>) -> Option<&Node> {
    value.filter(|it| it.value != Value::Null)
}

pub(super) fn is_truthy(value: &Node) -> bool {
    match &value.value {
        Value::Null => false,
        Value::Bool(it) => *it,
        Value::Number(it) => *it != 0.0 && !it.is_nan(),
        Value::String(it) => !it.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// Whether `value.length === 0`. `null` has no length at all.
pub(super) fn is_empty(value: &Node) -> Result<bool, Crash> {
    Ok(match &value.value {
        Value::Null => {
            return Err(Crash::type_error("Cannot read properties of null (reading 'length')", value.at));
        }
        Value::String(it) => it.is_empty(),
        Value::Array(it) => it.is_empty(),
        Value::Object(it) => it.get("length").and_then(Node::as_number) == Some(0.0),
        Value::Bool(_) | Value::Number(_) => false,
    })
}

/// Whether `value.length > 0`, or for `truthy` whether it is truthy.
pub(super) fn has_length(value: &Node, truthy: bool) -> bool {
    match &value.value {
        Value::String(it) => !it.is_empty(),
        Value::Array(it) => !it.is_empty(),
        Value::Object(it) => match it.get("length") {
            Some(length) if truthy => is_truthy(length),
            Some(length) => match &length.value {
                Value::Number(it) => *it > 0.0,
                Value::Bool(it) => *it,
                Value::String(it) => it.trim().parse::<f64>().is_ok_and(|it| it > 0.0),
                _ => false,
            },
            None => false,
        },
        _ => false,
    }
}

/// What `for (const x of value)` goes through: the elements of an array, or the characters of a string. `expression` is
/// what Node calls the value in its message.
pub(super) fn iterate(value: &Node, expression: &str) -> Result<Vec<Node>, Crash> {
    match &value.value {
        Value::Array(elements) => Ok(elements.clone()),
        Value::String(text) => Ok(characters(text, value.at)),
        _ => Err(Crash::type_error(format!("{expression} is not iterable"), value.at)),
    }
}

/// As [`iterate`], for a loop over an expression that Node does not name.
pub(super) fn iterate_anonymous(value: &Node) -> Result<Vec<Node>, Crash> {
    match &value.value {
        Value::Array(elements) => Ok(elements.clone()),
        Value::String(text) => Ok(characters(text, value.at)),
        other => {
            let what = match other {
                Value::Bool(it) => format!("boolean {it}"),
                Value::Number(it) => format!("number {it}"),
                _ => "object".to_owned(),
            };
            let message = format!("{what} is not iterable (cannot read property Symbol(Symbol.iterator))");
            Err(Crash::type_error(message, value.at))
        }
    }
}

fn characters(text: &str, at: Span) -> Vec<Node> {
    let character = |it: char| Node { value: Value::String(it.to_string().into()), at };
    text.chars().map(character).collect()
}

/// The elements of an array as strings, which `value.filter(x => x.startsWith(…))` takes them for. `list` and `element`
/// are what Node calls them in its message.
pub(super) fn strings_of_array(value: &Node, list: &str, element: &str) -> Result<Vec<Written>, Crash> {
    match value.as_array() {
        Some(elements) => strings(elements, element, "startsWith"),
        None => Err(Crash::no_method(value, list, "filter")),
    }
}

/// The elements as strings; `element` and `method` are what Node names in its message.
pub(super) fn strings(elements: &[Node], element: &str, method: &str) -> Result<Vec<Written>, Crash> {
    let string = |(index, node): (usize, &Node)| match node.as_str() {
        Some(text) => Ok(Written { text: Arc::clone(text), at: node.at, index }),
        None if node.value == Value::Null => Err(Crash::no_method(node, element, method)),
        None => Err(Crash::no_method(node, element, "startsWith")),
    };
    elements.iter().enumerate().map(string).collect()
}
