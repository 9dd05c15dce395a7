//! The methods of strings that take a regular expression or a string.

use std::sync::Arc;

use super::regexp::{Expression, Groups, group_value};
use super::string::Given;
use super::units::{Units, number};
use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::iteration::Items;
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::operator::to_uint32;
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

const METHODS: Methods = &[
    ("String.prototype.match", |me, call| on_text(me, call, match_once)),
    ("String.prototype.matchAll", |me, call| on_text(me, call, match_all)),
    ("String.prototype.replace", |me, call| {
        on_text(me, call, |me, text, args| replace(me, text, args, false))
    }),
    ("String.prototype.replaceAll", |me, call| {
        on_text(me, call, |me, text, args| replace(me, text, args, true))
    }),
    ("String.prototype.search", |me, call| on_text(me, call, search)),
    ("String.prototype.split", |me, call| on_text(me, call, split)),
];

/// A method on a known text: it, and the arguments.
type TextCode = fn(&mut Evaluator<'_>, &Value, &[Value]) -> Eval;

/// One match: where it is and what its groups hold.
struct Hit {
    start: usize,
    end: usize,
    groups: Vec<Value>,
    named: Value,
}

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.string;
    me.methods(prototype, METHODS);
}

fn on_text(me: &mut Evaluator<'_>, call: &Call<'_>, code: TextCode) -> Eval {
    me.pure(call, |me, values| {
        let [this, args @ ..] = values else { return Ok(Value::UNDEFINED) };
        let Some(text) = me.text_of(this) else { return me.not_modelled(call) };
        let text = if this.as_str().is_some() { this.clone() } else { Value::string(text) };
        code(me, &text, args)
    })
}

fn known(text: &Value) -> Arc<str> {
    text.as_str().cloned().unwrap_or_else(|| "".into())
}

/// The expression that an argument is or stands for.
fn expression_of(me: &mut Evaluator<'_>, args: &[Value], flags: &str) -> Eval<Result<Expression, Value>> {
    let pattern = args.first().cloned().unwrap_or(Value::UNDEFINED);
    if me.is_regexp(&pattern) {
        return Ok(me.expression(&pattern));
    }
    let pattern = if pattern.is_undefined() { Value::string("(?:)") } else { pattern };
    let global = me.realm.global;
    let class = me.get_of(global, &"RegExp".into(), &global.into())?;
    let made = me.construct(&class, Arguments::of([pattern, Value::string(flags)]), None)?;
    Ok(me.expression(&made))
}

fn match_once(me: &mut Evaluator<'_>, text: &Value, args: &[Value]) -> Eval {
    let it = match expression_of(me, args, "")? {
        Ok(it) => it,
        Err(unknown) => return Ok(unknown),
    };
    let string = known(text);
    if !it.is_global() {
        let exec = me.get_of(it.object, &"exec".into(), &it.object.into())?;
        return me.call(&exec, &it.object.into(), Arguments::of([text.clone()]));
    }
    let all = match me.find_all(&it, &string)? {
        Ok(all) => all,
        Err(unknown) => return Ok(unknown),
    };
    if all.is_empty() {
        return Ok(Value::NULL);
    }
    let units = Units::new(&string);
    let values = all.iter().map(|it| group_value(&units, it.first().copied().flatten())).collect();
    Ok(me.new_array(values).into())
}

fn match_all(me: &mut Evaluator<'_>, text: &Value, args: &[Value]) -> Eval {
    let it = match expression_of(me, args, "g")? {
        Ok(it) => it,
        Err(unknown) => return Ok(unknown),
    };
    if !it.is_global() {
        let message = "String.prototype.matchAll called with a non-global RegExp argument";
        return Err(me.throw_error("TypeError", message));
    }
    let all = match me.find_all(&it, &known(text))? {
        Ok(all) => all,
        Err(unknown) => return Ok(unknown),
    };
    let mut values = Vec::with_capacity(all.len());
    for groups in &all {
        values.push(me.match_result(&it, text, groups)?);
    }
    Ok(me.new_iterator(Items { values, rest: None }, Value::UNDEFINED).into())
}

fn search(me: &mut Evaluator<'_>, text: &Value, args: &[Value]) -> Eval {
    let it = match expression_of(me, args, "")? {
        Ok(it) => it,
        Err(unknown) => return Ok(unknown),
    };
    Ok(match me.find_all(&it, &known(text))? {
        Ok(all) => {
            let first = all.first().and_then(|it| it.first().copied().flatten());
            Value::number(first.map_or(-1.0, |(start, _)| number(start)))
        }
        Err(unknown) => unknown,
    })
}

fn split(me: &mut Evaluator<'_>, text: &Value, args: &[Value]) -> Eval {
    let string = known(text);
    let limit = args.get(1).filter(|it| !it.is_undefined());
    let limit = limit.and_then(|it| me.number_of(it)).map_or(usize::MAX, |it| to_uint32(it) as usize);
    let separator = args.first().cloned().unwrap_or(Value::UNDEFINED);
    let mut parts = if separator.is_undefined() {
        vec![text.clone()]
    } else if me.is_regexp(&separator) {
        match split_by_expression(me, &string, &separator)? {
            Ok(parts) => parts,
            Err(unknown) => return Ok(unknown),
        }
    } else {
        match me.text_of(&separator) {
            Some(separator) => split_by_text(&string, &separator),
            None => return Ok(me.unknown(ReasonKind::NotModelled, "an object used as text")),
        }
    };
    parts.truncate(limit);
    me.steps(parts.len() / 8)?;
    Ok(me.new_array(parts).into())
}

fn split_by_text(text: &str, separator: &str) -> Vec<Value> {
    if separator.is_empty() {
        let units = Units::new(text);
        return (0..units.len()).map(|at| Value::string(units.slice(at, at + 1))).collect();
    }
    text.split(separator).map(Value::string).collect()
}

fn split_by_expression(
    me: &mut Evaluator<'_>,
    text: &str,
    separator: &Value,
) -> Eval<Result<Vec<Value>, Value>> {
    let it = match me.expression(separator) {
        Ok(it) => it,
        Err(unknown) => return Ok(Err(unknown)),
    };
    let units = Units::new(text);
    let all = match me.find_all(&it, text)? {
        Ok(all) => all,
        Err(unknown) => return Ok(Err(unknown)),
    };
    if units.len() == 0 {
        return Ok(Ok(if all.is_empty() { vec![Value::string("")] } else { Vec::new() }));
    }
    let mut parts = Vec::new();
    let mut from = 0;
    for groups in &all {
        let Some(Some((start, end))) = groups.first().copied() else { continue };
        if start >= units.len() || end == from {
            continue;
        }
        parts.push(Value::string(units.slice(from, start)));
        parts.extend(groups.iter().skip(1).map(|group| group_value(&units, *group)));
        from = end;
    }
    parts.push(Value::string(units.slice(from, units.len())));
    Ok(Ok(parts))
}

fn replace(me: &mut Evaluator<'_>, text: &Value, args: &[Value], all: bool) -> Eval {
    let string = known(text);
    let units = Units::new(&string);
    let pattern = args.first().cloned().unwrap_or(Value::UNDEFINED);
    let hits = if me.is_regexp(&pattern) {
        if all
            && let Ok(it) = me.expression(&pattern)
            && !it.is_global()
        {
            let message = "String.prototype.replaceAll called with a non-global RegExp argument";
            return Err(me.throw_error("TypeError", message));
        }
        match hits_of_expression(me, &pattern, &string, &units)? {
            Ok(hits) => hits,
            Err(unknown) => return Ok(unknown),
        }
    } else {
        let pattern = me.to_text(&pattern)?;
        match pattern.as_str() {
            Some(pattern) => hits_of_text(&string, &units, pattern, all),
            None => return Ok(me.unknown(ReasonKind::NotModelled, "an object used as text")),
        }
    };
    if hits.is_empty() {
        return Ok(text.clone());
    }
    let replacement = args.get(1).cloned().unwrap_or(Value::UNDEFINED);
    let mut parts = Vec::with_capacity(hits.len() * 2 + 1);
    let mut from = 0;
    for hit in &hits {
        parts.push(Value::string(units.slice(from, hit.start)));
        parts.push(replaced(me, text, &units, hit, &replacement)?);
        from = hit.end;
    }
    parts.push(Value::string(units.slice(from, units.len())));
    me.combine("String.prototype.replace", &parts, |me, parts| {
        let mut result = String::new();
        for part in parts {
            result.push_str(&me.text_of(part).unwrap_or_default());
        }
        me.spend_string(result.len())?;
        Ok(Value::string(result))
    })
}

fn hits_of_text(text: &str, units: &Units<'_>, pattern: &str, all: bool) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    let found = text.match_indices(pattern);
    for (byte, _) in found.take(if all { usize::MAX } else { 1 }) {
        let start = units.of_byte(byte);
        let end = units.of_byte(byte + pattern.len());
        hits.push(Hit { start, end, groups: vec![Value::string(pattern)], named: Value::UNDEFINED });
    }
    hits
}

fn hits_of_expression(
    me: &mut Evaluator<'_>,
    pattern: &Value,
    text: &str,
    units: &Units<'_>,
) -> Eval<Result<Vec<Hit>, Value>> {
    let it = match me.expression(pattern) {
        Ok(it) => it,
        Err(unknown) => return Ok(Err(unknown)),
    };
    let mut all: Vec<Groups> = match me.find_all(&it, text)? {
        Ok(all) => all,
        Err(unknown) => return Ok(Err(unknown)),
    };
    if !it.is_global() {
        all.truncate(1);
    }
    let mut hits = Vec::with_capacity(all.len());
    for found in all {
        let Some(Some((start, end))) = found.first().copied() else { continue };
        let groups: Vec<Value> = found.iter().map(|group| group_value(units, *group)).collect();
        let named = me.named_groups(&it, &groups);
        hits.push(Hit { start, end, groups, named });
    }
    Ok(Ok(hits))
}

/// What one match is replaced with.
fn replaced(me: &mut Evaluator<'_>, text: &Value, units: &Units<'_>, hit: &Hit, replacement: &Value) -> Eval {
    if me.is_callable(replacement) {
        let mut args = hit.groups.clone();
        args.push(Value::number(number(hit.start)));
        args.push(text.clone());
        if !hit.named.is_undefined() {
            args.push(hit.named.clone());
        }
        let result = me.call(replacement, &Value::UNDEFINED, Arguments::of(args))?;
        return me.to_text(&result);
    }
    let given = [replacement.clone()];
    let Some(template) = (Given { args: &given }).text(me, 0) else {
        return Ok(me.unknown(ReasonKind::NotModelled, "an object used as text"));
    };
    Ok(Value::string(expand(me, &template, units, hit)))
}

/// Puts groups into a replacement: `$1`, `$&`, `$<name>` and so on.
fn expand(me: &Evaluator<'_>, template: &str, units: &Units<'_>, hit: &Hit) -> String {
    let group = |at: usize| {
        hit.groups.get(at).filter(|_| at > 0).map(|it| match &it.data {
            Data::String(text, _) => text.to_string(),
            _ => String::new(),
        })
    };
    let mut result = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('$') {
        let (before, tail) = rest.split_at(at);
        result.push_str(before);
        let tail = tail.get(1..).unwrap_or_default();
        let digits = tail.bytes().take(2).take_while(u8::is_ascii_digit).count();
        let number_of = |count: usize| tail.get(..count).and_then(|it| it.parse().ok()).unwrap_or(0);
        let used = match tail.as_bytes().first() {
            Some(b'$') => {
                result.push('$');
                1
            }
            Some(b'&') => {
                result.push_str(&units.slice(hit.start, hit.end));
                1
            }
            Some(b'`') => {
                result.push_str(&units.slice(0, hit.start));
                1
            }
            Some(b'\'') => {
                result.push_str(&units.slice(hit.end, units.len()));
                1
            }
            Some(b'<') if !hit.named.is_undefined() && tail.contains('>') => {
                let end = tail.find('>').unwrap_or_default();
                let name = tail.get(1..end).unwrap_or_default();
                let object = hit.named.as_object().map(|it| me.heap.get(it));
                let value = object.and_then(|it| it.properties.get(&name.into()));
                if let Some(crate::source::eval::heap::Slot::Data(value)) = value.map(|it| &it.slot) {
                    result.push_str(value.as_str().map_or("", |it| it));
                }
                end + 1
            }
            _ if digits == 2 && group(number_of(2)).is_some() => {
                result.push_str(&group(number_of(2)).unwrap_or_default());
                2
            }
            _ if digits > 0 && group(number_of(1)).is_some() => {
                result.push_str(&group(number_of(1)).unwrap_or_default());
                1
            }
            _ => {
                result.push('$');
                0
            }
        };
        rest = tail.get(used..).unwrap_or_default();
    }
    result.push_str(rest);
    result
}
