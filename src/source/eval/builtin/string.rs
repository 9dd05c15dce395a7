//! `String` and the methods of strings that take no regular expression.

use std::sync::Arc;

use unicode_normalization::UnicodeNormalization as _;

use super::collation::{compare, rules_of};
use super::units::{Units, clamped, is_space, number, relative};
use super::{Evaluator, Methods};
use crate::source::eval::heap::{ObjectKind, PropertyKey};
use crate::source::eval::iteration::Items;
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::operator::to_uint32;
use crate::source::eval::value::{Data, Spot, SymbolId, Value};
use crate::source::known::ReasonKind;

/// The code of a method on a known string.
type TextCode = fn(&mut Evaluator<'_>, &str, &Given<'_>) -> Eval;

/// Known arguments.
pub(super) struct Given<'g> {
    /// The arguments.
    pub(super) args: &'g [Value],
}

macro_rules! text_methods {
    ($($name:literal => $code:expr,)*) => {
        &[$((concat!("String.prototype.", $name), |me, call| on_text(me, call, $code)),)*]
    };
}

const METHODS: Methods = text_methods! {
    "at" => at,
    "charAt" => char_at,
    "charCodeAt" => |_, text, given| {
        let units = Units::new(text);
        Ok(Value::number(given.index(0).and_then(|it| units.get(it)).map_or(f64::NAN, f64::from)))
    },
    "codePointAt" => |_, text, given| {
        let units = Units::new(text);
        let byte = given.index(0).filter(|it| *it < units.len()).map(|it| units.to_byte(it));
        let character = byte.and_then(|it| text.get(it..)?.chars().next());
        Ok(character.map_or(Value::UNDEFINED, |it| Value::number(f64::from(u32::from(it)))))
    },
    "concat" => concat,
    "endsWith" => |me, text, given| {
        let Some(part) = given.text(me, 0) else { return unclear(me) };
        let units = Units::new(text);
        let end = given.number(me, 1).map_or(units.len(), |it| clamped(it, units.len()));
        Ok(units.slice(0, end).ends_with(&*part).into())
    },
    "includes" => |me, text, given| {
        let Some(part) = given.text(me, 0) else { return unclear(me) };
        let units = Units::new(text);
        let from = given.number(me, 1).map_or(0, |it| clamped(it, units.len()));
        Ok(units.slice(from, units.len()).contains(&*part).into())
    },
    "indexOf" => |me, text, given| {
        let Some(part) = given.text(me, 0) else { return unclear(me) };
        let units = Units::new(text);
        let from = units.to_byte(given.number(me, 1).map_or(0, |it| clamped(it, units.len())));
        let found = text.get(from..).and_then(|it| it.find(&*part));
        Ok(Value::number(found.map_or(-1.0, |it| number(units.of_byte(from + it)))))
    },
    "lastIndexOf" => |me, text, given| {
        let Some(part) = given.text(me, 0) else { return unclear(me) };
        let units = Units::new(text);
        let last = given.number(me, 1).filter(|it| !it.is_nan());
        let last = units.to_byte(last.map_or(units.len(), |it| clamped(it, units.len())));
        let end = (last + part.len()).min(text.len());
        let found = text.get(..end).and_then(|it| it.rfind(&*part));
        Ok(Value::number(found.map_or(-1.0, |it| number(units.of_byte(it)))))
    },
    "localeCompare" => |me, text, given| {
        let Some(other) = given.text(me, 0) else { return unclear(me) };
        me.steps((text.len() + other.len()) / 16)?;
        let argument = |at: usize| given.args.get(at).cloned().unwrap_or(Value::UNDEFINED);
        let rules = rules_of(me, &argument(1), &argument(2))?;
        match rules.and_then(|it| compare(text, &other, it)) {
            Some(order) => Ok(Value::number(f64::from(order as i8))),
            None => Ok(me.unknown(ReasonKind::NotModelled, "a comparison by the rules of a language")),
        }
    },
    "normalize" => |me, text, given| {
        let form = given.args.first().filter(|it| !it.is_undefined());
        let Some(form) = form.map_or(Some("NFC".into()), |it| me.text_of(it)) else { return unclear(me) };
        Ok(Value::string(match &*form {
            "NFC" => text.nfc().collect::<String>(),
            "NFD" => text.nfd().collect(),
            "NFKC" => text.nfkc().collect(),
            "NFKD" => text.nfkd().collect(),
            _ => return Err(me.throw_error(
                "RangeError",
                "The normalization form should be one of NFC, NFD, NFKC, NFKD.",
            )),
        }))
    },
    "padStart" => |me, text, given| pad(me, text, given, true),
    "padEnd" => |me, text, given| pad(me, text, given, false),
    "repeat" => repeat,
    "slice" => |me, text, given| {
        let units = Units::new(text);
        let from = given.number(me, 0).map_or(0, |it| relative(it, units.len()));
        let to = given.number(me, 1).map_or(units.len(), |it| relative(it, units.len()));
        Ok(Value::string(units.slice(from, to)))
    },
    "startsWith" => |me, text, given| {
        let Some(part) = given.text(me, 0) else { return unclear(me) };
        let units = Units::new(text);
        let from = given.number(me, 1).map_or(0, |it| clamped(it, units.len()));
        Ok(units.slice(from, units.len()).starts_with(&*part).into())
    },
    "substring" => |me, text, given| {
        let units = Units::new(text);
        let from = given.number(me, 0).map_or(0, |it| clamped(it, units.len()));
        let to = given.number(me, 1).map_or(units.len(), |it| clamped(it, units.len()));
        Ok(Value::string(units.slice(from.min(to), from.max(to))))
    },
    "substr" => |me, text, given| {
        let units = Units::new(text);
        let from = given.number(me, 0).map_or(0, |it| relative(it, units.len()));
        let count = given.number(me, 1).map_or(units.len(), |it| clamped(it, units.len()));
        Ok(Value::string(units.slice(from, from.saturating_add(count))))
    },
    "toLowerCase" => |_, text, _| Ok(Value::string(text.to_lowercase())),
    "toLocaleLowerCase" => |_, text, _| Ok(Value::string(text.to_lowercase())),
    "toUpperCase" => |_, text, _| Ok(Value::string(text.to_uppercase())),
    "toLocaleUpperCase" => |_, text, _| Ok(Value::string(text.to_uppercase())),
    "trim" => |_, text, _| Ok(Value::string(text.trim_matches(is_space))),
    "trimStart" => |_, text, _| Ok(Value::string(text.trim_start_matches(is_space))),
    "trimLeft" => |_, text, _| Ok(Value::string(text.trim_start_matches(is_space))),
    "trimEnd" => |_, text, _| Ok(Value::string(text.trim_end_matches(is_space))),
    "trimRight" => |_, text, _| Ok(Value::string(text.trim_end_matches(is_space))),
    "isWellFormed" => |_, _, _| Ok(Value::TRUE),
    "toWellFormed" => |_, text, _| Ok(Value::string(text)),
};

const STATICS: Methods = &[
    ("String.fromCharCode", from_char_code),
    ("String.fromCodePoint", from_code_point),
    ("String.raw", raw),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.string;
    let class = me.global_class("String", construct, prototype);
    me.methods(class, STATICS);
    me.methods(prototype, METHODS);
    me.methods(prototype, &[("String.prototype.toString", identity), ("String.prototype.valueOf", identity)]);
    let iterate = me.new_native("String.prototype[Symbol.iterator]", characters);
    let key = PropertyKey::Symbol(SymbolId::ITERATOR);
    let property = crate::source::eval::heap::Property::hidden(iterate.into());
    me.heap.get_mut(prototype).properties.insert(key, property);
}

impl Given<'_> {
    /// An argument as text; `None` when that is not known.
    pub(super) fn text(&self, me: &Evaluator<'_>, index: usize) -> Option<Arc<str>> {
        me.text_of(self.args.get(index).unwrap_or(&Value::UNDEFINED))
    }

    /// An argument as a number; `None` when it is not given.
    pub(super) fn number(&self, me: &Evaluator<'_>, index: usize) -> Option<f64> {
        let value = self.args.get(index).filter(|it| !it.is_undefined())?;
        Some(me.number_of(value).unwrap_or(f64::NAN))
    }

    /// An argument as a position; `None` when it is none that a string can have.
    fn index(&self, index: usize) -> Option<usize> {
        let number = match self.args.get(index) {
            Some(Value { data: Data::Number(it), .. }) if !it.is_nan() => it.trunc(),
            _ => 0.0,
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
        (0.0..4e9).contains(&number).then_some(number as usize)
    }
}

fn unclear(me: &mut Evaluator<'_>) -> Eval {
    Ok(me.unknown(ReasonKind::NotModelled, "an object used as text"))
}

/// Runs a method on every string that `this` may be.
fn on_text(me: &mut Evaluator<'_>, call: &Call<'_>, code: TextCode) -> Eval {
    me.pure(call, |me, values| {
        let [this, args @ ..] = values else { return Ok(Value::UNDEFINED) };
        let Some(text) = me.text_of(this) else { return me.not_modelled(call) };
        let result = code(me, &text, &Given { args })?;
        Ok(keep_spot(this, &text, result))
    })
}

/// A method that leaves the text as it is gives the same literal.
fn keep_spot(before: &Value, text: &str, after: Value) -> Value {
    match (&before.data, &after.data) {
        (Data::String(_, spot), Data::String(same, _)) if &**same == text && *spot != Spot::NONE => {
            Value::new(Data::String(same.clone(), *spot)).resting_on(after.facts)
        }
        _ => after,
    }
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if call.args.is_empty() && call.rest.is_none() {
        return Ok(Value::string(""));
    }
    if call.new_target.is_none() {
        // A symbol is shown here, though it is no text anywhere else.
        return me.each(&call.arg(0), |me, it| match it.data {
            Data::Symbol(_) => Ok(me.text_of(it).map_or(Value::UNDEFINED, Value::string)),
            _ => me.to_text(it),
        });
    }
    let text = me.to_text(&call.arg(0))?;
    let prototype = me.prototype_for(call, me.realm.string);
    Ok(me.allocate(Some(prototype), ObjectKind::Boxed(text)).into())
}

fn identity(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(call.this, |me, this| match &this.data {
        Data::Object(object) => match &me.heap.get(*object).kind {
            ObjectKind::Boxed(value) => Ok(value.clone()),
            _ => me.not_modelled(call),
        },
        _ => Ok(this.clone()),
    })
}

fn characters(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let items: Items = me.items_of(call.this)?;
    Ok(me.new_iterator(items, Value::UNDEFINED).into())
}

fn at(me: &mut Evaluator<'_>, text: &str, given: &Given<'_>) -> Eval {
    let units = Units::new(text);
    let position = given.number(me, 0).filter(|it| !it.is_nan()).unwrap_or(0.0).trunc();
    let position = if position < 0.0 { position + number(units.len()) } else { position };
    if position < 0.0 || position >= number(units.len()) {
        return Ok(Value::UNDEFINED);
    }
    let position = clamped(position, units.len());
    Ok(Value::string(units.slice(position, position + 1)))
}

fn char_at(_: &mut Evaluator<'_>, text: &str, given: &Given<'_>) -> Eval {
    let units = Units::new(text);
    Ok(match given.index(0) {
        Some(position) => Value::string(units.slice(position, position.saturating_add(1))),
        None => Value::string(""),
    })
}

fn concat(me: &mut Evaluator<'_>, text: &str, given: &Given<'_>) -> Eval {
    let mut result = text.to_owned();
    for index in 0..given.args.len() {
        let Some(part) = given.text(me, index) else { return unclear(me) };
        me.spend_string(result.len() + part.len())?;
        result.push_str(&part);
    }
    Ok(Value::string(result))
}

fn repeat(me: &mut Evaluator<'_>, text: &str, given: &Given<'_>) -> Eval {
    let count = given.number(me, 0).filter(|it| !it.is_nan()).unwrap_or(0.0).trunc();
    if !(0.0..f64::INFINITY).contains(&count) {
        return Err(me.throw_error("RangeError", &format!("Invalid count value: {count}")));
    }
    if text.is_empty() {
        return Ok(Value::string(""));
    }
    let count = clamped(count, usize::MAX >> 12);
    me.spend_string(text.len().saturating_mul(count))?;
    Ok(Value::string(text.repeat(count)))
}

fn pad(me: &mut Evaluator<'_>, text: &str, given: &Given<'_>, at_start: bool) -> Eval {
    let length = Units::new(text).len();
    let wanted = clamped(given.number(me, 0).unwrap_or(0.0), usize::MAX >> 12);
    let filler = if given.args.get(1).is_none_or(Value::is_undefined) {
        Arc::from(" ")
    } else {
        match given.text(me, 1) {
            Some(filler) => filler,
            None => return unclear(me),
        }
    };
    if wanted <= length || filler.is_empty() {
        return Ok(Value::string(text));
    }
    me.spend_string(wanted.saturating_mul(3))?;
    let filler_units = Units::new(&filler);
    let missing = wanted - length;
    let whole = filler.repeat(missing / filler_units.len());
    let part = filler_units.slice(0, missing % filler_units.len());
    Ok(Value::string(if at_start { format!("{whole}{part}{text}") } else { format!("{text}{whole}{part}") }))
}

fn from_char_code(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.pure(call, |me, values| {
        let units = values.iter().skip(1).map(|it| me.number_of(it).unwrap_or(0.0));
        #[allow(clippy::cast_possible_truncation, reason = "reduced modulo 2^16, as JavaScript does")]
        let units: Vec<u16> = units.map(|it| to_uint32(it) as u16).collect();
        Ok(Value::string(String::from_utf16_lossy(&units)))
    })
}

fn from_code_point(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.pure(call, |me, values| {
        let mut text = String::new();
        for value in values.iter().skip(1) {
            let number = me.number_of(value).unwrap_or(f64::NAN);
            if number.fract() != 0.0 || !(0.0..=1_114_111.0).contains(&number) {
                return Err(me.throw_error("RangeError", &format!("Invalid code point {number}")));
            }
            text.push(char::from_u32(to_uint32(number)).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        Ok(Value::string(text))
    })
}

fn raw(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let strings = me.get_name(&call.arg(0), "raw")?;
    let Some(parts) = me.settled_elements(&strings) else { return me.not_modelled(call) };
    let values: Vec<Value> = call.args.iter().skip(1).cloned().collect();
    let mut texts = Vec::with_capacity(values.len());
    for value in &values {
        texts.push(me.to_text(value)?);
    }
    me.combine(call.name, &texts, |me, texts| {
        let mut result = String::new();
        for (index, part) in parts.iter().enumerate() {
            result.push_str(part.as_str().map_or("", |it| it));
            if index + 1 < parts.len() {
                result.push_str(&texts.get(index).and_then(|it| me.text_of(it)).unwrap_or_default());
            }
        }
        me.spend_string(result.len())?;
        Ok(Value::string(result))
    })
}
