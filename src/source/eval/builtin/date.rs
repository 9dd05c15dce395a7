//! `Date`: the clock is not known, and dates are not computed.

use super::{Evaluator, Methods};
use crate::source::eval::heap::{ObjectKind, Property};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::{Nature, Value};
use crate::source::known::ReasonKind;

const STATICS: Methods = &[
    ("Date.now", now),
    ("Date.parse", |me, call| me.not_modelled(call)),
    ("Date.UTC", |me, call| me.not_modelled(call)),
];

/// Set on the date of the time at which it was made.
const NOW: &str = "\0now";

/// Methods that give the time since 1970.
const TIMES: [&str; 2] = ["getTime", "valueOf"];

/// Methods that give other numbers.
const NUMBERS: [&str; 17] = [
    "getFullYear",
    "getMonth",
    "getDate",
    "getDay",
    "getHours",
    "getMinutes",
    "getSeconds",
    "getMilliseconds",
    "getTimezoneOffset",
    "getUTCFullYear",
    "getUTCMonth",
    "getUTCDate",
    "getUTCDay",
    "getUTCHours",
    "getUTCMinutes",
    "getUTCSeconds",
    "getUTCMilliseconds",
];

/// Methods that give texts.
const TEXTS: [&str; 9] = [
    "toISOString",
    "toJSON",
    "toString",
    "toDateString",
    "toTimeString",
    "toUTCString",
    "toLocaleString",
    "toLocaleDateString",
    "toLocaleTimeString",
];

/// Methods that change a date.
const SETTERS: [&str; 15] = [
    "setTime",
    "setFullYear",
    "setMonth",
    "setDate",
    "setHours",
    "setMinutes",
    "setSeconds",
    "setMilliseconds",
    "setUTCFullYear",
    "setUTCMonth",
    "setUTCDate",
    "setUTCHours",
    "setUTCMinutes",
    "setUTCSeconds",
    "setUTCMilliseconds",
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.new_object();
    let class = me.global_class("Date", construct, prototype);
    me.methods(class, STATICS);
    for name in TIMES {
        let method = me.new_native("Date.prototype", |me, call| part(me, call, Nature::PositiveNumber));
        me.hide(prototype, name, method.into());
    }
    for name in NUMBERS {
        let method = me.new_native("Date.prototype", |me, call| part(me, call, Nature::Number));
        me.hide(prototype, name, method.into());
    }
    for name in TEXTS {
        let method = me.new_native("Date.prototype", |me, call| part(me, call, Nature::FullText));
        me.hide(prototype, name, method.into());
    }
    for name in SETTERS {
        let method = me.new_native("Date.prototype", change);
        me.hide(prototype, name, method.into());
    }
}

fn now(me: &mut Evaluator<'_>, _: &Call<'_>) -> Eval {
    Ok(me.unknown_of(Nature::PositiveNumber, ReasonKind::OutsideWorld, "the time"))
}

/// A part of a date. Its type is known unless the date may be invalid.
fn part(me: &mut Evaluator<'_>, call: &Call<'_>, nature: Nature) -> Eval {
    let is_valid = call
        .this_object()
        .is_some_and(|it| me.heap.get(it).properties.get(&NOW.into()).is_some_and(|it| !it.is_absent()));
    let nature = if is_valid { nature } else { Nature::Anything };
    Ok(me.unknown_of(nature, ReasonKind::OutsideWorld, "the time"))
}

/// Sets a part of a date: to something invalid, perhaps.
fn change(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if let Some(date) = call.this_object() {
        me.heap.get_mut(date).properties.insert(NOW.into(), Property::hidden(Value::ABSENT));
    }
    Ok(me.unknown(ReasonKind::OutsideWorld, "the time"))
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if call.new_target.is_none() {
        return Ok(me.unknown_of(Nature::FullText, ReasonKind::OutsideWorld, "the time"));
    }
    let otherwise = me.realm.object;
    let prototype = me.prototype_for(call, otherwise);
    let date = me.allocate(Some(prototype), ObjectKind::Opaque("Date"));
    let given = me.path.settle(&call.arg(0));
    let is_time = given.nature() == Nature::PositiveNumber
        || given.as_number().is_some_and(|it| (1.0..=8.64e15).contains(&it));
    if (call.args.is_empty() && call.rest.is_none()) || (call.args.len() == 1 && is_time) {
        me.hide(date, NOW, Value::TRUE);
    }
    Ok(date.into())
}
