//! `node:util`.

use super::super::opaque::Manner;
use super::super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{ObjectId, ObjectKind};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::Value;

const FUNCTIONS: Methods = &[
    ("util.promisify", promisify),
    ("util.callbackify", |_, call| Ok(call.arg(0))),
    ("util.deprecate", |_, call| Ok(call.arg(0))),
    ("util.debuglog", |me, _| Ok(me.new_native("util.debuglog", |_, _| Ok(Value::UNDEFINED)).into())),
    ("util.inherits", inherits),
    ("util.stripVTControlCharacters", |me, call| strip(me, call)),
];

const OPAQUE: [&str; 12] = [
    "util.inspect",
    "util.format",
    "util.formatWithOptions",
    "util.isDeepStrictEqual",
    "util.styleText",
    "util.parseArgs",
    "util.toUSVString",
    "util.getSystemErrorName",
    "util.aborted",
    "util.isArray",
    "util.transferableAbortController",
    "util.parseEnv",
];

pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.new_object();
    me.methods(module, FUNCTIONS);
    me.opaque_methods(module, Manner::Pure, &OPAQUE);
    let types = me.opaque_object("Types", crate::source::known::ReasonKind::NotModelled, "util.types");
    me.put(module, "types", types.into());
    let global = me.realm.global;
    for name in ["TextEncoder", "TextDecoder"] {
        let class = me.get_of(global, &name.into(), &global.into()).unwrap_or(Value::UNDEFINED);
        me.put(module, name, class);
    }
    module
}

/// A function that gives a promise of what the original hands to its callback: not known.
fn promisify(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    Ok(me.new_native_with("util.promisify", promisified, call.arg(0)).into())
}

fn promisified(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if let Some(object) = call.data.as_object()
        && let ObjectKind::Native(native) = &me.heap.get(object).kind
        && native.name == "setTimeout"
    {
        return super::super::timer::promised_timeout(me, call);
    }
    me.call(call.data, call.this, Arguments { values: call.args.to_vec(), rest: call.rest.cloned() })?;
    Manner::WorldInTime.code()(me, call)
}

fn inherits(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let (own, parent) = (me.get_name(&call.arg(0), "prototype")?, me.get_name(&call.arg(1), "prototype")?);
    super::super::object::change_prototype(me, &own, &parent);
    Ok(Value::UNDEFINED)
}

/// Texts without control characters stay as they are.
fn strip(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| match values.first() {
        Some(text) if text.as_str().is_some_and(|it| !it.contains(['\u{1b}', '\u{9b}'])) => Ok(text.clone()),
        _ => me.not_modelled(call),
    })
}
