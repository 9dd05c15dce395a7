//! `JSON`.

use std::sync::Arc;

use super::units::number;
use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{ObjectId, ObjectKind};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::operator::number_text;
use crate::source::eval::property::is_conditional_element;
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

const STATICS: Methods = &[("JSON.parse", parse), ("JSON.stringify", stringify)];

/// How deep a value may be nested to be written out.
const MAX_DEPTH: usize = 200;

pub(super) fn install(me: &mut Evaluator<'_>) {
    me.global_object("JSON", STATICS);
}

fn parse(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = me.to_text(&call.arg(0))?;
    let has_reviver = call.has(1);
    me.combine(call.name, &[text], |me, values| {
        let [Value { data: Data::String(text, _), .. }] = values else { return me.not_modelled(call) };
        me.steps(text.len() / 64)?;
        match serde_json::from_str::<serde_json::Value>(text) {
            Ok(_) if has_reviver => {
                Ok(me.unknown(ReasonKind::NotModelled, "JSON.parse() with a reviver is not modelled"))
            }
            Ok(json) => me.value_of_json(&json),
            // What JavaScript may read all the same: half surrogate pairs, very deep nesting, very large numbers.
            Err(_) if text.contains("\\ud") || text.contains("\\uD") => {
                Ok(me.unknown(ReasonKind::NotModelled, "JSON that cannot be read"))
            }
            Err(error) if error.to_string().contains("recursion") || error.to_string().contains("range") => {
                Ok(me.unknown(ReasonKind::NotModelled, "JSON that cannot be read"))
            }
            Err(_) => Err(me.throw_error("SyntaxError", &syntax_message(text))),
        }
    })
}

/// V8's message, for the usual ways of not being JSON.
fn syntax_message(text: &str) -> String {
    let trimmed = text.trim_start_matches([' ', '\t', '\n', '\r']);
    match trimmed.chars().next() {
        None => "Unexpected end of JSON input".to_owned(),
        Some(first) if !"{[\"-0123456789tfn".contains(first) => {
            if text.chars().count() <= 20 {
                format!("Unexpected token '{first}', \"{text}\" is not valid JSON")
            } else {
                let start: String = text.chars().take(10).collect();
                format!("Unexpected token '{first}', \"{start}\"... is not valid JSON")
            }
        }
        Some(_) => "Unexpected token in JSON".to_owned(),
    }
}

impl Evaluator<'_> {
    /// The value of a JSON text; what is none throws.
    pub(in crate::source::eval) fn parse_json(&mut self, text: &str) -> Eval {
        match serde_json::from_str::<serde_json::Value>(text) {
            Ok(json) => self.value_of_json(&json),
            Err(_) => Err(self.throw_error("SyntaxError", &syntax_message(text))),
        }
    }

    /// A value that JSON describes.
    pub(in crate::source::eval) fn value_of_json(&mut self, json: &serde_json::Value) -> Eval {
        self.step()?;
        Ok(match json {
            serde_json::Value::Null => Value::NULL,
            serde_json::Value::Bool(it) => (*it).into(),
            serde_json::Value::Number(it) => Value::number(it.as_f64().unwrap_or(f64::NAN)),
            serde_json::Value::String(it) => Value::string(it.as_str()),
            serde_json::Value::Array(items) => {
                self.spend_object()?;
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    values.push(self.value_of_json(item)?);
                }
                self.new_array(values).into()
            }
            serde_json::Value::Object(fields) => {
                self.spend_object()?;
                let object = self.new_object();
                for (name, field) in fields {
                    let value = self.value_of_json(field)?;
                    self.put(object, name, value);
                }
                object.into()
            }
        })
    }
}

fn stringify(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let indent = match call.arg(2).data {
        Data::Number(count) => " ".repeat(super::units::clamped(count, 10)),
        Data::String(text, _) => text.chars().take(10).collect(),
        _ => String::new(),
    };
    let second = call.arg(1);
    let only = me.settled_elements(&second);
    let only = only.map(|all| all.iter().filter_map(|it| me.text_of(it)).collect());
    let replacer = me.is_callable(&second).then_some(second);
    let mut writer = Writer { out: String::new(), indent, only, replacer };
    let value = call.arg(0);
    me.each(&value, |me, value| {
        writer.out.clear();
        let value = writer.prepared(me, &Value::UNDEFINED, "", value)?;
        Ok(match writer.write(me, &value, 0)? {
            Ok(true) => {
                me.spend_string(writer.out.len())?;
                Value::string(writer.out.as_str())
            }
            Ok(false) => Value::UNDEFINED,
            Err(unknown) => unknown,
        })
    })
}

/// Writes a value out.
struct Writer {
    out: String,
    indent: String,
    /// The only properties that are written.
    only: Option<Vec<Arc<str>>>,
    replacer: Option<Value>,
}

impl Writer {
    /// Writes a value; `false` when it has no JSON form, an unknown when it is not known.
    fn write(&mut self, me: &mut Evaluator<'_>, value: &Value, depth: usize) -> Eval<Result<bool, Value>> {
        me.step()?;
        let value = me.path.settle(value);
        match &value.data {
            Data::Absent | Data::Undefined | Data::Symbol(_) => return Ok(Ok(false)),
            Data::Bool(it) => self.out.push_str(if *it { "true" } else { "false" }),
            Data::Number(it) if it.is_finite() => self.out.push_str(&number_text(*it)),
            Data::Null | Data::Number(_) => self.out.push_str("null"),
            Data::String(text, _) => quote(text, &mut self.out),
            Data::BigInt(_) => {
                return Err(me.throw_error("TypeError", "Do not know how to serialize a BigInt"));
            }
            Data::Unknown(_) => return Ok(Err(value.clone())),
            Data::Choice(_) => {
                return Ok(Err(me.unknown(ReasonKind::Merged, "one of several values as JSON")));
            }
            Data::Object(object) => return self.write_object(me, *object, &value, depth),
        }
        Ok(Ok(true))
    }

    fn write_object(
        &mut self,
        me: &mut Evaluator<'_>,
        object: ObjectId,
        value: &Value,
        depth: usize,
    ) -> Eval<Result<bool, Value>> {
        if me.is_callable(value) {
            return Ok(Ok(false));
        }
        if depth >= MAX_DEPTH {
            return Err(me.throw_error("TypeError", "Converting circular structure to JSON"));
        }
        if let Some(unknown) = me.heap.get(object).open.clone() {
            return Ok(Err(me.path.unknown(unknown.reason.clone())));
        }
        match &me.heap.get(object).kind {
            ObjectKind::Array(elements) => {
                let elements = elements.clone();
                self.write_array(me, value, &elements, depth)
            }
            ObjectKind::Boxed(inner) => {
                let inner = inner.clone();
                self.write(me, &inner, depth + 1)
            }
            ObjectKind::Proxy { .. } | ObjectKind::Opaque(_) => {
                Ok(Err(me.unknown(ReasonKind::NotModelled, "an opaque object as JSON")))
            }
            _ => self.write_fields(me, object, value, depth),
        }
    }

    fn write_array(
        &mut self,
        me: &mut Evaluator<'_>,
        array: &Value,
        elements: &[Value],
        depth: usize,
    ) -> Eval<Result<bool, Value>> {
        if elements.iter().any(is_conditional_element) {
            return Ok(Err(me.unknown(ReasonKind::Merged, "an array of unknown length as JSON")));
        }
        self.out.push('[');
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.new_line(depth + 1);
            let element = self.prepared(me, array, &number_text(number(index)), element)?;
            match self.write(me, &element, depth + 1)? {
                Ok(true) => {}
                Ok(false) => self.out.push_str("null"),
                Err(unknown) => return Ok(Err(unknown)),
            }
        }
        if !elements.is_empty() {
            self.new_line(depth);
        }
        self.out.push(']');
        Ok(Ok(true))
    }

    fn write_fields(
        &mut self,
        me: &mut Evaluator<'_>,
        object: ObjectId,
        value: &Value,
        depth: usize,
    ) -> Eval<Result<bool, Value>> {
        let mut entries = me.own_entries(object)?;
        if let Some(only) = &self.only {
            let mut picked = Vec::with_capacity(only.len());
            for name in only {
                picked.extend(entries.iter().find(|(it, _)| it == name).cloned());
            }
            entries = picked;
        }
        self.out.push('{');
        let mut is_first = true;
        for (name, field) in entries {
            if is_conditional_element(&field) {
                return Ok(Err(me.unknown(ReasonKind::Merged, "a property that may be missing as JSON")));
            }
            let field = self.prepared(me, value, &name, &field)?;
            let before = self.out.len();
            if !is_first {
                self.out.push(',');
            }
            self.new_line(depth + 1);
            quote(&name, &mut self.out);
            self.out.push(':');
            if !self.indent.is_empty() {
                self.out.push(' ');
            }
            match self.write(me, &field, depth + 1)? {
                Ok(true) => is_first = false,
                Ok(false) => self.out.truncate(before),
                Err(unknown) => return Ok(Err(unknown)),
            }
        }
        if !is_first {
            self.new_line(depth);
        }
        self.out.push('}');
        Ok(Ok(true))
    }

    fn new_line(&mut self, depth: usize) {
        if !self.indent.is_empty() {
            self.out.push('\n');
            self.out.push_str(&self.indent.repeat(depth));
        }
    }

    /// What is written for a value: what its `toJSON` makes of it, and then the replacer.
    fn prepared(&self, me: &mut Evaluator<'_>, holder: &Value, name: &str, value: &Value) -> Eval {
        let value = &me.path.settle(value);
        let mut plain = value.clone();
        if let Some(object) = value.as_object()
            && me.heap.get(object).open.is_none()
            && !matches!(me.heap.get(object).kind, ObjectKind::Proxy { .. })
        {
            let to_json = me.get_of(object, &"toJSON".into(), value)?;
            if me.is_callable(&to_json) {
                plain = me.call(&to_json, value, Arguments::of([Value::string(name)]))?;
            }
        }
        let value = &plain;
        match &self.replacer {
            Some(replacer) => {
                let replacer = replacer.clone();
                me.call(&replacer, holder, Arguments::of([Value::string(name), value.clone()]))
            }
            None => Ok(value.clone()),
        }
    }
}

/// Writes a string literal of JSON.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control if control < ' ' => {
                out.push_str("\\u00");
                out.push_str(&super::uri::hexadecimal(&[u8::try_from(control).unwrap_or(0)]));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
