//! `parseFrontmatter` and `stripFrontmatter` (Pi: `utils/frontmatter.js`), short of what parsers of YAML differ about.

use super::super::Evaluator;
use super::super::native::{Call, Eval};
use super::super::value::Value;
use crate::source::known::ReasonKind;

/// The text between the marks, and what follows.
fn split(text: &str) -> (Option<String>, String) {
    let normalized = text.replace("\r\n", "\n").replace('\r', "\n");
    if !normalized.starts_with("---") {
        return (None, normalized);
    }
    match normalized.get(3..).and_then(|it| it.find("\n---")) {
        Some(at) => {
            let yaml = normalized.get(4..3 + at).unwrap_or_default().to_owned();
            let body = normalized.get(3 + at + 4..).unwrap_or_default().trim().to_owned();
            (Some(yaml), body)
        }
        None => (None, normalized),
    }
}

pub(super) fn strip(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| {
        let Some(text) = values.first().and_then(|it| me.text_of(it)) else { return Ok(Value::UNDEFINED) };
        Ok(Value::string(split(&text).1))
    })
}

pub(super) fn parse(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| {
        let Some(text) = values.first().and_then(|it| me.text_of(it)) else { return Ok(Value::UNDEFINED) };
        let (yaml, body) = split(&text);
        let yaml = yaml.unwrap_or_default();
        let fields = match read(&yaml) {
            Some(serde_json::Value::Null) => me.new_object().into(),
            Some(fields) => me.value_of_json(&fields)?,
            None => me.unknown(ReasonKind::NotModelled, "YAML that is read in more than one way"),
        };
        let result = me.new_object();
        me.put(result, "frontmatter", fields);
        me.put(result, "body", Value::string(body));
        Ok(result.into())
    })
}

/// What YAML says; `None` where parsers differ or refuse it.
fn read(yaml: &str) -> Option<serde_json::Value> {
    if yaml.trim().is_empty() {
        return Some(serde_json::Value::Null);
    }
    // Version 1.2, as Pi's parser has it: `yes` is text.
    let options = serde_saphyr::options! { strict_booleans: true };
    // Tags, merge keys and tabs.
    if yaml.contains('\t') || yaml.contains('!') || yaml.contains("<<:") {
        return None;
    }
    serde_saphyr::from_str_with_options(yaml, options).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_maps_are_read() {
        let yaml = "name: go-home\ntools: [a, b]\nmore:\n  - x\n  - y: 1\non: true\nold: yes\ntext: \"a: b\"\nnone:\n";
        let expected = serde_json::json!({
            "name": "go-home", "tools": ["a", "b"], "more": ["x", { "y": 1 }],
            "on": true, "old": "yes", "text": "a: b", "none": null
        });
        assert_eq!(read(yaml), Some(expected));
        assert_eq!(read("a: |\n  b\n  c\n"), Some(serde_json::json!({ "a": "b\nc\n" })));
        assert_eq!(read("a: !!str 1"), None);
        assert_eq!(read("a: b: c"), None);
        assert_eq!(read("  "), Some(serde_json::Value::Null));
    }

    #[test]
    fn the_body_follows_the_second_mark() {
        assert_eq!(split("---\na: b\n---\n\ntext\n"), (Some("a: b".into()), "text".into()));
        assert_eq!(split("text"), (None, "text".into()));
        assert_eq!(split("---\nopen"), (None, "---\nopen".into()));
    }
}
