//! `Number`, `Boolean`, `parseInt` and their like.

use std::sync::Arc;

use super::units::is_space;
use super::{Evaluator, Methods};
use crate::source::eval::heap::ObjectKind;
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::operator::{number_text, text_to_number};
use crate::source::eval::value::{Data, Value};
use crate::source::ir::UnaryOp;
use crate::source::known::ReasonKind;

const GLOBALS: Methods = &[
    ("parseInt", parse_int),
    ("parseFloat", parse_float),
    ("isNaN", |me, call| test_as_number(me, call, f64::is_nan)),
    ("isFinite", |me, call| test_as_number(me, call, f64::is_finite)),
];

const STATICS: Methods = &[
    ("Number.parseInt", parse_int),
    ("Number.parseFloat", parse_float),
    ("Number.isNaN", |me, call| number_test(me, call, f64::is_nan)),
    ("Number.isFinite", |me, call| number_test(me, call, f64::is_finite)),
    ("Number.isInteger", |me, call| number_test(me, call, is_integer)),
    ("Number.isSafeInteger", |me, call| number_test(me, call, |it| is_integer(it) && it.abs() <= MAX_SAFE)),
];

const METHODS: Methods = &[
    ("Number.prototype.toFixed", |me, call| on_number(me, call, to_fixed)),
    ("Number.prototype.toString", |me, call| on_number(me, call, to_radix)),
    ("Number.prototype.toLocaleString", |me, call| me.not_modelled(call)),
    ("Number.prototype.toPrecision", |me, call| me.not_modelled(call)),
    ("Number.prototype.toExponential", |me, call| me.not_modelled(call)),
    ("Number.prototype.valueOf", |me, call| on_number(me, call, |_, it, _| Ok(Value::number(it)))),
];

const BOOLEAN_METHODS: Methods = &[
    ("Boolean.prototype.toString", |me, call| {
        let truth = unboxed(me, call.this);
        Ok(me.text_of(&truth).map_or(Value::UNDEFINED, Value::string))
    }),
    ("Boolean.prototype.valueOf", |me, call| Ok(unboxed(me, call.this))),
];

const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.number;
    let class = me.global_class("Number", construct, prototype);
    me.methods(class, STATICS);
    me.methods(prototype, METHODS);
    for (name, number) in [
        ("MAX_SAFE_INTEGER", MAX_SAFE),
        ("MIN_SAFE_INTEGER", -MAX_SAFE),
        ("MAX_VALUE", f64::MAX),
        ("MIN_VALUE", 5e-324),
        ("EPSILON", f64::EPSILON),
        ("POSITIVE_INFINITY", f64::INFINITY),
        ("NEGATIVE_INFINITY", f64::NEG_INFINITY),
        ("NaN", f64::NAN),
    ] {
        me.constant(class, name, Value::number(number));
    }
    let global = me.realm.global;
    me.methods(global, GLOBALS);
    me.constant(global, "NaN", Value::number(f64::NAN));
    me.constant(global, "Infinity", Value::number(f64::INFINITY));
    let prototype = me.realm.boolean;
    me.global_class("Boolean", construct_boolean, prototype);
    me.methods(prototype, BOOLEAN_METHODS);
}

fn is_integer(it: f64) -> bool {
    it.is_finite() && it.fract() == 0.0
}

fn unboxed(me: &Evaluator<'_>, value: &Value) -> Value {
    match value.as_object().map(|it| &me.heap.get(it).kind) {
        Some(ObjectKind::Boxed(inner)) => inner.clone(),
        _ => value.clone(),
    }
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if call.args.is_empty() && call.rest.is_none() {
        return Ok(Value::number(0.0));
    }
    let number = me.each(&call.arg(0), |me, value| match &value.data {
        Data::BigInt(digits) => Ok(Value::number(digits.parse().unwrap_or(f64::NAN))),
        _ => me.unary(UnaryOp::Plus, value),
    })?;
    if call.new_target.is_none() {
        return Ok(number);
    }
    let prototype = me.prototype_for(call, me.realm.number);
    Ok(me.allocate(Some(prototype), ObjectKind::Boxed(number)).into())
}

fn construct_boolean(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let negated = me.not(&call.arg(0));
    let truth = me.not(&negated);
    if call.new_target.is_none() {
        return Ok(truth);
    }
    let prototype = me.prototype_for(call, me.realm.boolean);
    Ok(me.allocate(Some(prototype), ObjectKind::Boxed(truth)).into())
}

/// A test of one argument: whether it is a number already, and what number it is.
/// A test of `Number`, which is false for whatever is no number.
fn number_test(me: &mut Evaluator<'_>, call: &Call<'_>, test: fn(f64) -> bool) -> Eval {
    let value = me.path.settle(&call.arg(0));
    if let Some(answer) = by_nature(&value, test) {
        return Ok(answer);
    }
    me.combine(call.name, &[value], |_, values| {
        Ok(values.first().and_then(Value::as_number).is_some_and(test).into())
    })
}

/// What a test answers for a value of which no more than its type is known: no number is at hand that differs from all others.
fn by_nature(value: &Value, test: fn(f64) -> bool) -> Option<Value> {
    let is_finite = value.nature().is_number();
    // Tests for whole numbers tell finite ones apart.
    (is_finite && test(0.5) == test(1.0)).then(|| test(1.0).into())
}

/// A global test of what a value is as a number.
fn test_as_number(me: &mut Evaluator<'_>, call: &Call<'_>, test: fn(f64) -> bool) -> Eval {
    let number = me.each(&call.arg(0), |me, it| me.to_primitive(it, "number"))?;
    if let Some(answer) = by_nature(&me.path.settle(&number), test) {
        return Ok(answer);
    }
    me.combine(call.name, &[number], |me, values| match values.first().map(|it| me.number_of(it)) {
        Some(Some(number)) => Ok(test(number).into()),
        Some(None) => me.not_modelled(call),
        None => Ok(test(f64::NAN).into()),
    })
}

fn on_number(
    me: &mut Evaluator<'_>,
    call: &Call<'_>,
    code: fn(&mut Evaluator<'_>, f64, &[Value]) -> Eval,
) -> Eval {
    me.pure(call, |me, values| {
        let [this, args @ ..] = values else { return Ok(Value::UNDEFINED) };
        match unboxed(me, this).data {
            Data::Number(number) => code(me, number, args),
            _ => me.not_modelled(call),
        }
    })
}

fn to_fixed(me: &mut Evaluator<'_>, number: f64, args: &[Value]) -> Eval {
    let digits = args.first().and_then(|it| me.number_of(it)).filter(|it| !it.is_nan()).unwrap_or(0.0);
    if !(0.0..=100.0).contains(&digits) {
        return Err(me.throw_error("RangeError", "toFixed() digits argument must be between 0 and 100"));
    }
    if !number.is_finite() || number.abs() >= 1e21 {
        return Ok(Value::string(number_text(number)));
    }
    Ok(Value::string(fixed(number, super::units::clamped(digits, 100))))
}

/// Digits after the point; exact halves are rounded away from zero.
fn fixed(number: f64, digits: usize) -> String {
    let rounded = format!("{number:.digits$}");
    // Rust rounds exact halves to even; more digits than a number has show whether it is one.
    let exact = format!("{number:.1100}");
    let point = exact.find('.').unwrap_or(exact.len());
    let tail = exact.get(point + 1 + digits..).unwrap_or_default();
    let is_half = tail.starts_with('5') && tail.bytes().skip(1).all(|it| it == b'0');
    if !is_half {
        return if number == 0.0 { rounded.trim_start_matches('-').to_owned() } else { rounded };
    }
    let kept = exact.get(..point + if digits == 0 { 0 } else { digits + 1 }).unwrap_or_default();
    let mut bytes: Vec<u8> = kept.bytes().collect();
    for byte in bytes.iter_mut().rev() {
        match *byte {
            b'9' => *byte = b'0',
            b'0'..=b'8' => {
                *byte += 1;
                return String::from_utf8(bytes).unwrap_or(rounded);
            }
            _ => {}
        }
    }
    let sign = usize::from(number < 0.0);
    bytes.insert(sign, b'1');
    String::from_utf8(bytes).unwrap_or(rounded)
}

fn to_radix(me: &mut Evaluator<'_>, number: f64, args: &[Value]) -> Eval {
    let radix = match args.first().filter(|it| !it.is_undefined()) {
        Some(it) => me.number_of(it).unwrap_or(f64::NAN).trunc(),
        None => 10.0,
    };
    if !(2.0..=36.0).contains(&radix) {
        return Err(me.throw_error("RangeError", "toString() radix must be between 2 and 36"));
    }
    #[allow(clippy::float_cmp, reason = "integers")]
    if radix == 10.0 || !number.is_finite() {
        return Ok(Value::string(number_text(number)));
    }
    if !is_integer(number) || number.abs() > MAX_SAFE {
        return Ok(me.unknown(ReasonKind::NotModelled, "a fraction in another base"));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    let (mut rest, radix) = (number.abs() as u64, radix as u32);
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(rest % u64::from(radix)).unwrap_or(0);
        digits.push(char::from_digit(digit, radix).unwrap_or('0'));
        rest /= u64::from(radix);
        if rest == 0 {
            break;
        }
    }
    if number < 0.0 {
        digits.push('-');
    }
    Ok(Value::string(digits.into_iter().rev().collect::<String>()))
}

fn parse_int(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = me.to_text(&call.arg(0))?;
    me.combine(call.name, &[text, call.arg(1)], |me, values| {
        let [text, radix] = values else { return Ok(Value::UNDEFINED) };
        let text: Arc<str> = text.as_str().cloned().unwrap_or_else(|| "".into());
        let radix = me.number_of(radix).filter(|it| it.is_finite()).unwrap_or(0.0);
        #[allow(clippy::cast_possible_truncation, reason = "checked by the callee")]
        Ok(Value::number(integer_prefix(&text, radix as i64)))
    })
}

/// The integer that a text begins with.
fn integer_prefix(text: &str, radix: i64) -> f64 {
    let text = text.trim_start_matches(is_space);
    let (sign, digits) = match text.as_bytes().first() {
        Some(b'-') => (-1.0, text.get(1..).unwrap_or_default()),
        Some(b'+') => (1.0, text.get(1..).unwrap_or_default()),
        _ => (1.0, text),
    };
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (radix, digits) = match (radix, hexadecimal) {
        (0 | 16, Some(rest)) => (16, rest),
        (0, None) => (10, digits),
        (2..=36, _) => (u32::try_from(radix).unwrap_or(10), digits),
        _ => return f64::NAN,
    };
    let end = digits.find(|it: char| !it.is_digit(radix)).unwrap_or(digits.len());
    let digits = digits.get(..end).unwrap_or_default();
    if digits.is_empty() {
        return f64::NAN;
    }
    if radix == 10 {
        return sign * digits.parse().unwrap_or(f64::NAN);
    }
    let value = |it: char| f64::from(it.to_digit(radix).unwrap_or(0));
    sign * digits.chars().fold(0.0, |sum, it| sum * f64::from(radix) + value(it))
}

fn parse_float(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = me.to_text(&call.arg(0))?;
    me.combine(call.name, &[text], |_, values| {
        let text: Arc<str> = values.first().and_then(|it| it.as_str().cloned()).unwrap_or_else(|| "".into());
        Ok(Value::number(float_prefix(&text)))
    })
}

/// The number that a text begins with.
fn float_prefix(text: &str) -> f64 {
    let text = text.trim_start_matches(is_space);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if unsigned.starts_with("Infinity") {
        return if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|it| it.is_ascii_digit()).count();
    let mut end = text.len() - unsigned.len();
    let whole = digits(end);
    end += whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        if whole + fraction > 0 {
            end += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return f64::NAN;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    text_to_number(text.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_halves_are_rounded_away_from_zero() {
        for (number, digits, text) in [
            (0.5, 0, "1"),
            (2.5, 0, "3"),
            (-2.5, 0, "-3"),
            (1.005, 2, "1.00"),
            (1.45, 1, "1.4"),
            (9.5, 0, "10"),
            (0.125, 2, "0.13"),
            (12.0, 2, "12.00"),
        ] {
            assert_eq!(fixed(number, digits), text, "{number}");
        }
    }

    #[test]
    fn prefixes_of_texts_are_numbers() {
        for (text, radix, number) in
            [("12px", 0, 12.0), (" -0x1f", 0, -31.0), ("101", 2, 5.0), ("z", 36, 35.0), ("08", 10, 8.0)]
        {
            assert!((integer_prefix(text, radix) - number).abs() < f64::EPSILON, "{text}");
        }
        assert!(integer_prefix("px", 0).is_nan());
        for (text, number) in [("3.25abc", 3.25), (".5.", 0.5), ("-1e3x", -1000.0), ("1e", 1.0), ("5.", 5.0)]
        {
            assert!((float_prefix(text) - number).abs() < f64::EPSILON, "{text}");
        }
        assert!(float_prefix("e5").is_nan());
    }
}
