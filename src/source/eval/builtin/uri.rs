//! `encodeURIComponent` and its like.

use super::{Evaluator, Methods};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::Value;

const GLOBALS: Methods = &[
    ("encodeURIComponent", |me, call| convert(me, call, |it| Some(encode(it, "-_.!~*'()")))),
    ("encodeURI", |me, call| convert(me, call, |it| Some(encode(it, "-_.!~*'();/?:@&=+$,#")))),
    ("decodeURIComponent", |me, call| convert(me, call, |it| decode(it, ""))),
    ("decodeURI", |me, call| convert(me, call, |it| decode(it, ";/?:@&=+$,#"))),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let global = me.realm.global;
    me.methods(global, GLOBALS);
}

fn convert(me: &mut Evaluator<'_>, call: &Call<'_>, code: fn(&str) -> Option<String>) -> Eval {
    let text = me.to_text(&call.arg(0))?;
    me.combine(call.name, &[text], |me, values| {
        let text = values.first().and_then(|it| it.as_str().cloned()).unwrap_or_else(|| "".into());
        match code(&text) {
            Some(text) => {
                me.spend_string(text.len())?;
                Ok(Value::string(text))
            }
            None => Err(me.throw_error("URIError", "URI malformed")),
        }
    })
}

/// Bytes in hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |it: u8| char::from_digit(u32::from(it), 16).unwrap_or('0');
    bytes.iter().flat_map(|it| [digit(it >> 4), digit(it & 15)]).collect()
}

/// Escapes all but letters, digits and some others.
pub(super) fn encode(text: &str, kept: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || (byte.is_ascii() && kept.contains(char::from(byte))) {
            result.push(char::from(byte));
        } else {
            result.push('%');
            result.push_str(&hexadecimal(&[byte]).to_ascii_uppercase());
        }
    }
    result
}

/// Takes escapes back, except those of some characters.
pub(super) fn decode(text: &str, kept: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut result = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte != b'%' {
            result.push(byte);
            at += 1;
            continue;
        }
        let digits = text.get(at + 1..at + 3)?;
        let decoded = u8::from_str_radix(digits, 16).ok()?;
        if decoded.is_ascii() && kept.contains(char::from(decoded)) {
            result.extend_from_slice(bytes.get(at..at + 3)?);
        } else {
            result.push(decoded);
        }
        at += 3;
    }
    String::from_utf8(result).ok()
}
