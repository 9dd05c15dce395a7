//! Holds a value against the schema of `models.json` and says what is wrong in the words of Pi's validator (typebox:
//! `build/schema/engine`, `build/system/locale/en_US.mjs`).
//!
//! Knows the part of JSON Schema that Pi's schema uses, in the order in which the validator looks.

use std::fmt;

use serde_json::Value as Schema;

use crate::json::{Node, Value};
use crate::location::Span;

/// The validator stops counting here (typebox: `maxErrors`).
const MOST: usize = 8;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The way to the value: `providers.x.models.0.id`.
    pub path: String,
    /// What it must be.
    pub message: String,
    /// The value, or the object that lacks something.
    pub at: Span,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Everything that is wrong with a value, as far as Pi says it.
pub(super) fn violations(schema: &Schema, value: &Node) -> Vec<Violation> {
    let mut checker = Checker { path: Vec::new(), found: Vec::new() };
    checker.check(schema, value);
    checker.found.truncate(MOST);
    checker.found
}

struct Checker {
    path: Vec<String>,
    found: Vec<Violation>,
}

impl Checker {
    fn check(&mut self, schema: &Schema, node: &Node) {
        if let Some(name) = schema.get("type").and_then(Schema::as_str)
            && !is_of_type(&node.value, name)
        {
            self.report(node, None, format!("must be {name}"));
        }
        match &node.value {
            Value::Object(_) => self.check_object(schema, node),
            Value::Array(elements) => {
                if let Some(of) = schema.get("items") {
                    for (index, element) in elements.iter().enumerate() {
                        self.within(&index.to_string(), |it| it.check(of, element));
                    }
                }
            }
            Value::String(text) => {
                let least = schema.get("minLength").and_then(Schema::as_u64).unwrap_or(0);
                if (text.chars().count() as u64) < least {
                    self.report(node, None, format!("must not have fewer than {least} characters"));
                }
            }
            _ => {}
        }
        if let Some(constant) = schema.get("const")
            && !equals(&node.value, constant)
        {
            self.report(node, None, "must be equal to constant".to_owned());
        }
        if let Some(choices) = schema.get("anyOf").and_then(Schema::as_array) {
            self.check_choices(choices, node);
        }
    }

    fn check_object(&mut self, schema: &Schema, node: &Node) {
        let Some(object) = node.as_object() else { return };
        let required = schema.get("required").and_then(Schema::as_array).into_iter().flatten();
        let missing: Vec<&str> =
            required.filter_map(Schema::as_str).filter(|it| object.get(it).is_none()).collect();
        if let [first, ..] = missing.as_slice() {
            let message = format!("must have required properties {}", missing.join(", "));
            self.report(node, Some(first), message);
        }
        for (pattern, of) in schema.get("patternProperties").and_then(Schema::as_object).into_iter().flatten()
        {
            for (name, member) in object.iter().filter(|(name, _)| matches(pattern, name)) {
                self.within(name, |it| it.check(of, &member.node));
            }
        }
        for (name, of) in schema.get("properties").and_then(Schema::as_object).into_iter().flatten() {
            if let Some(value) = object.get(name) {
                self.within(name, |it| it.check(of, value));
            }
        }
    }

    /// What every choice has against the value is said before the value is said to match none.
    fn check_choices(&mut self, choices: &[Schema], node: &Node) {
        let before = self.found.len();
        for choice in choices {
            let so_far = self.found.len();
            self.check(choice, node);
            if self.found.len() == so_far {
                self.found.truncate(before);
                return;
            }
        }
        self.report(node, None, "must match a schema in anyOf".to_owned());
    }

    fn within(&mut self, name: &str, check: impl FnOnce(&mut Self)) {
        self.path.push(name.to_owned());
        check(self);
        self.path.pop();
    }

    fn report(&mut self, node: &Node, missing: Option<&str>, message: String) {
        let mut path = self.path.join(".").replace('/', ".");
        match missing {
            Some(name) if path.is_empty() => name.clone_into(&mut path),
            Some(name) => path = format!("{path}.{name}"),
            None if path.is_empty() => "root".clone_into(&mut path),
            None => {}
        }
        self.found.push(Violation { path, message, at: node.at });
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => name == "number" && number.is_finite(),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

fn equals(value: &Value, constant: &Schema) -> bool {
    match (value, constant) {
        (Value::String(text), Schema::String(other)) => **text == **other,
        (Value::Bool(one), Schema::Bool(other)) => one == other,
        _ => false,
    }
}

/// The only pattern of the schema is "any name", in which JavaScript's dot passes over line ends.
fn matches(pattern: &str, name: &str) -> bool {
    pattern == "^.*$" && !name.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
}
