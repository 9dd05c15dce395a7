//! `BigInt`: whole numbers are converted, arithmetic is not modelled.

use super::{Evaluator, Methods};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::operator::number_text;
use crate::source::eval::value::{Data, Value};

const STATICS: Methods = &[
    ("BigInt.asIntN", |me, call| me.not_modelled(call)),
    ("BigInt.asUintN", |me, call| me.not_modelled(call)),
];

const METHODS: Methods = &[
    ("BigInt.prototype.toString", |me, call| {
        if call.has(0) {
            return me.not_modelled(call);
        }
        Ok(me.map(call.this, |me, it| me.text_of(it).map_or(Value::UNDEFINED, Value::string)))
    }),
    ("BigInt.prototype.valueOf", |_, call| Ok(call.this.clone())),
    ("BigInt.prototype.toLocaleString", |me, call| me.not_modelled(call)),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.bigint;
    let class = me.global_class("BigInt", convert, prototype);
    me.methods(class, STATICS);
    me.methods(prototype, METHODS);
}

fn convert(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| {
        let digits = match values.first().map(|it| &it.data) {
            Some(Data::BigInt(digits)) => digits.to_string(),
            Some(Data::Number(number)) if number.fract() == 0.0 && number.abs() < 9e15 => {
                number_text(*number)
            }
            Some(Data::Bool(truth)) => u8::from(*truth).to_string(),
            Some(Data::String(text, _))
                if text.len() < 1000 && text.bytes().all(|it| it.is_ascii_digit()) =>
            {
                let digits = text.trim_start_matches('0');
                if digits.is_empty() { "0".to_owned() } else { digits.to_owned() }
            }
            _ => return me.not_modelled(call),
        };
        Ok(Value::new(Data::BigInt(digits.into())))
    })
}
