//! Timers and `queueMicrotask`.

use super::opaque::Manner;
use super::{Evaluator, Methods};
use crate::source::eval::heap::{Bound, ObjectKind};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::phases::Callback;
use crate::source::eval::value::Value;

const GLOBALS: Methods = &[
    ("setTimeout", |me, call| timer(me, call, 2)),
    ("setInterval", |me, call| timer(me, call, 2)),
    ("setImmediate", |me, call| timer(me, call, 1)),
    ("queueMicrotask", microtask),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let global = me.realm.global;
    me.methods(global, GLOBALS);
    me.opaque_methods(global, Manner::Nothing, &["clearTimeout", "clearInterval", "clearImmediate"]);
    let prototype = me.new_object();
    me.opaque_methods(prototype, Manner::Itself, &["Timeout.ref", "Timeout.unref", "Timeout.refresh"]);
    me.opaque_methods(prototype, Manner::Pure, &["Timeout.hasRef", "Timeout.close"]);
    me.realm.modules.insert("\0timer".into(), prototype);
}

/// Calls a function some time; its arguments follow the delay.
pub(super) fn timer(me: &mut Evaluator<'_>, call: &Call<'_>, skipped: usize) -> Eval {
    let callback = call.arg(0);
    let args: Vec<Value> = call.args.iter().skip(skipped).cloned().collect();
    let callback = if args.is_empty() || !me.is_callable(&callback) {
        callback
    } else {
        let bound = Bound { target: callback, this: Value::UNDEFINED, args };
        let prototype = me.realm.function;
        me.allocate(Some(prototype), ObjectKind::Bound(Box::new(bound))).into()
    };
    if me.is_callable(&callback) {
        me.call_in(&callback, Callback { phase: None, arguments: 0, result_of: None });
    }
    let prototype = me.realm.modules.get("\0timer").copied();
    Ok(me.allocate(prototype, ObjectKind::Opaque("Timeout")).into())
}

/// Microtasks run before whoever waits for the current code goes on: they belong to its phase.
fn microtask(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let phase = me.schedule.phase(me.segment());
    me.call_in(&call.arg(0), Callback::new(phase, 0));
    Ok(Value::UNDEFINED)
}
