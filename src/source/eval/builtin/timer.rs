//! Timers and `queueMicrotask`.

use super::opaque::Manner;
use super::{Evaluator, Methods};
use crate::source::eval::clock::SOONEST;
use crate::source::eval::heap::{Bound, ObjectKind};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::phases::Callback;
use crate::source::eval::value::{Data, Value};

const GLOBALS: Methods = &[
    ("setTimeout", |me, call| delayed(me, call, false)),
    ("setInterval", |me, call| delayed(me, call, true)),
    ("setImmediate", |me, call| timer(me, call, 1, &Value::number(AFTER_TICKS), false)),
    ("clearTimeout", clear),
    ("clearInterval", clear),
    ("clearImmediate", clear),
    ("queueMicrotask", microtask),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let global = me.realm.global;
    me.methods(global, GLOBALS);
    let prototype = me.new_object();
    me.opaque_methods(prototype, Manner::Itself, &["Timeout.ref", "Timeout.unref", "Timeout.refresh"]);
    me.opaque_methods(prototype, Manner::Pure, &["Timeout.hasRef"]);
    me.methods(prototype, &[("Timeout.close", |me, call| clear_this(me, call.this))]);
    me.realm.modules.insert("\0timer".into(), prototype);
}

/// `setImmediate` comes after `process.nextTick` and before the soonest timer.
const AFTER_TICKS: f64 = 0.5;

/// Where a timer keeps the number of its task.
const TASK: &str = "\0task";

fn delayed(me: &mut Evaluator<'_>, call: &Call<'_>, repeats: bool) -> Eval {
    let delay = call.arg(1);
    let delay = match delay.data {
        Data::Number(it) => Value::number(it.max(SOONEST)),
        _ => delay,
    };
    timer(me, call, 2, &delay, repeats)
}

/// Calls a function after a delay; its arguments come after those that are skipped.
pub(super) fn timer(
    me: &mut Evaluator<'_>,
    call: &Call<'_>,
    skipped: usize,
    delay: &Value,
    repeats: bool,
) -> Eval {
    let callback = call.arg(0);
    let args: Vec<Value> = call.args.iter().skip(skipped).cloned().collect();
    let callback = if args.is_empty() || !me.is_callable(&callback) {
        callback
    } else {
        let bound = Bound { target: callback, this: Value::UNDEFINED, args };
        let prototype = me.realm.function;
        me.allocate(Some(prototype), ObjectKind::Bound(Box::new(bound))).into()
    };
    let prototype = me.realm.modules.get("\0timer").copied();
    let timer = me.allocate(prototype, ObjectKind::Opaque("Timeout"));
    if me.is_callable(&callback)
        && let Some(task) = me.put_off(&callback, Callback { phase: None, arguments: 0, result_of: None })
    {
        me.set_timer(task, delay, repeats);
        if repeats {
            me.repeat_later(task);
        }
        me.hide(timer, TASK, Value::number(f64::from(task)));
    }
    Ok(timer.into())
}

fn clear(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(&call.arg(0), |me, timer| clear_this(me, timer))
}

fn clear_this(me: &mut Evaluator<'_>, timer: &Value) -> Eval {
    if let Some(object) = timer.as_object()
        && let Some(number) = me.get_of(object, &TASK.into(), timer)?.as_number()
    {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "made from a number of a task"
        )]
        me.clear_timer(number as u32);
    }
    Ok(Value::UNDEFINED)
}

/// `setTimeout` and `setImmediate` of `node:timers/promises`: a promise of the value.
pub(super) fn promised(me: &mut Evaluator<'_>, delay: &Value, value: Value) -> Eval {
    let (promise, resolve) = super::promise::deferred(me);
    let prototype = me.realm.function;
    let bound = Bound { target: resolve, this: Value::UNDEFINED, args: vec![value] };
    let resolve = me.allocate(Some(prototype), ObjectKind::Bound(Box::new(bound)));
    if let Some(task) = me.put_off(&resolve.into(), Callback { phase: None, arguments: 0, result_of: None }) {
        me.set_timer(task, delay, false);
    }
    Ok(promise)
}

/// `setTimeout` of `node:timers/promises`, and of `promisify`.
pub(super) fn promised_timeout(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    promised(me, &call.arg(0), call.arg(1))
}

/// `setImmediate` of `node:timers/promises`.
pub(super) fn promised_immediate(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    promised(me, &Value::number(AFTER_TICKS), call.arg(0))
}

/// Microtasks run before whoever waits for the current code goes on: they belong to its segment.
fn microtask(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let callback = call.arg(0);
    if me.is_callable(&callback) {
        let task = me.put_off(&callback, Callback { phase: None, arguments: 0, result_of: None });
        me.put_off_microtask(task);
    }
    Ok(Value::UNDEFINED)
}
