//! `Date`: the clock is not known, and dates are not computed.

use super::{Evaluator, Methods};
use crate::source::eval::heap::ObjectKind;
use crate::source::eval::native::{Call, Eval};
use crate::source::known::ReasonKind;

const STATICS: Methods = &[
    ("Date.now", now),
    ("Date.parse", |me, call| me.not_modelled(call)),
    ("Date.UTC", |me, call| me.not_modelled(call)),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.new_object();
    let class = me.global_class("Date", construct, prototype);
    me.methods(class, STATICS);
    for name in [
        "getTime",
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
        "toISOString",
        "toJSON",
        "toString",
        "toDateString",
        "toTimeString",
        "toUTCString",
        "toLocaleString",
        "toLocaleDateString",
        "toLocaleTimeString",
        "valueOf",
    ] {
        let method = me.new_native("Date.prototype", part);
        me.hide(prototype, name, method.into());
    }
}

fn now(me: &mut Evaluator<'_>, _: &Call<'_>) -> Eval {
    Ok(me.unknown(ReasonKind::OutsideWorld, "the time"))
}

fn part(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    now(me, call)
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if call.new_target.is_none() {
        return now(me, call);
    }
    let otherwise = me.realm.object;
    let prototype = me.prototype_for(call, otherwise);
    Ok(me.allocate(Some(prototype), ObjectKind::Opaque("Date")).into())
}
