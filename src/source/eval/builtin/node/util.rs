//! `node:util`.

use super::super::opaque::Manner;
use super::super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{ObjectId, ObjectKind, PropertyKey};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

const FUNCTIONS: Methods = &[
    ("util.promisify", promisify),
    ("util.callbackify", |_, call| Ok(call.arg(0))),
    ("util.deprecate", |_, call| Ok(call.arg(0))),
    ("util.debuglog", debug_log),
    ("util.debug", debug_log),
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
    for (function, key) in
        [("promisify", "nodejs.util.promisify.custom"), ("inspect", "nodejs.util.inspect.custom")]
    {
        let custom = me.registered_symbol(&key.into());
        if let Some(function) = me.get_name(&module.into(), function).ok().and_then(|it| it.as_object()) {
            me.put(function, "custom", custom.into());
        }
    }
    let types = me.opaque_object("Types", ReasonKind::NotModelled, "util.types");
    me.put(module, "types", types.into());
    let global = me.realm.global;
    for name in ["TextEncoder", "TextDecoder"] {
        let class = me.get_of(global, &name.into(), &global.into()).unwrap_or(Value::UNDEFINED);
        me.put(module, name, class);
    }
    module
}

/// A function that gives a promise of what the original hands to its callback: not known of those that are built in.
fn promisify(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let original = call.arg(0);
    if original.as_object().is_some() {
        let custom = me.registered_symbol(&"nodejs.util.promisify.custom".into());
        let custom = me.get(&original, &PropertyKey::Symbol(custom))?;
        if me.is_callable(&custom) {
            return Ok(custom);
        }
    }
    Ok(me.new_native_with("util.promisify", promisified, original).into())
}

fn promisified(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let original = call.data.as_object().map(|it| &me.heap.get(it).kind);
    match original {
        Some(ObjectKind::Native(native)) if native.name == "setTimeout" => {
            super::super::timer::promised_timeout(me, call)
        }
        Some(ObjectKind::Function(_) | ObjectKind::Bound(_)) if call.rest.is_none() => {
            let this = call.this.clone();
            super::super::promise::of_callback(me, |me, callback| {
                let args: Vec<Value> = call.args.iter().cloned().chain([callback]).collect();
                me.call(call.data, &this, Arguments::of(args))
            })
        }
        _ => {
            let args = Arguments { values: call.args.to_vec(), rest: call.rest.cloned() };
            me.call(call.data, call.this, args)?;
            Manner::WorldInTime.code()(me, call)
        }
    }
}

/// A function that prints when `NODE_DEBUG` names it.
fn debug_log(me: &mut Evaluator<'_>, _: &Call<'_>) -> Eval {
    let log = me.new_native("util.debuglog", |_, _| Ok(Value::UNDEFINED));
    let names = super::super::process::variable(me, "NODE_DEBUG");
    let enabled = me.map(&names, |me, names| match names.data {
        Data::Absent => Value::FALSE.resting_on(names.facts),
        _ => me.unknown(ReasonKind::NotModelled, "whether NODE_DEBUG names this"),
    });
    me.put(log, "enabled", enabled);
    Ok(log.into())
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
