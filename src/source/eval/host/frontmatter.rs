//! `parseFrontmatter` and `stripFrontmatter` (Pi: `utils/frontmatter.js`), for plain `name: value` lines.

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
        let fields = me.new_object();
        let mut is_plain = true;
        for line in yaml.as_deref().unwrap_or_default().lines() {
            match plain_line(line) {
                Some((name, value)) => me.put(fields, name, Value::string(value)),
                None => is_plain &= line.trim().is_empty() || line.trim_start().starts_with('#'),
            }
        }
        if !is_plain {
            let why = me.unknown(ReasonKind::NotModelled, "YAML that is not plain");
            me.open_up(fields, &why);
        }
        let result = me.new_object();
        me.put(result, "frontmatter", fields.into());
        me.put(result, "body", Value::string(body));
        Ok(result.into())
    })
}

/// A line that YAML reads as a name and a text, without any of its many exceptions.
fn plain_line(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(": ")?;
    let value = value.trim();
    let is_word = |it: &str| it.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it));
    let is_text = value.starts_with(|it: char| it.is_ascii_alphabetic())
        && value.bytes().all(|it| it.is_ascii_alphanumeric() || b" -_./,()'".contains(&it) || !it.is_ascii());
    let is_other = matches!(value.to_ascii_lowercase().as_str(), "true" | "false" | "null");
    (!name.is_empty() && is_word(name) && is_text && !is_other).then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_lines_are_read() {
        assert_eq!(plain_line("name: go-home"), Some(("name", "go-home")));
        for line in
            ["name: true", "tools: [a, b]", "  nested: x", "count: 3", "text: \"x\"", "name:", "a: b: c"]
        {
            assert_eq!(plain_line(line), None, "{line}");
        }
    }

    #[test]
    fn the_body_follows_the_second_mark() {
        assert_eq!(split("---\na: b\n---\n\ntext\n"), (Some("a: b".into()), "text".into()));
        assert_eq!(split("text"), (None, "text".into()));
        assert_eq!(split("---\nopen"), (None, "---\nopen".into()));
    }
}
