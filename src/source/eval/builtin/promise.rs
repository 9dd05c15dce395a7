//! `Promise`: transparent, because what promises stand for runs in place.

use super::{Evaluator, Methods};
use crate::location::Span;
use crate::source::eval::branch::{Decision, ExitKind};
use crate::source::eval::clock::Moment;
use crate::source::eval::heap::{ObjectId, ObjectKind, Promise, Settler};
use crate::source::eval::native::{Call, Code, Eval};
use crate::source::eval::path::Stop;
use crate::source::eval::phases::Callback;
use crate::source::eval::value::{Alternative, Data, Guard, Literal, Value};
use crate::source::eval::{Arguments, Frame};
use crate::source::known::{Reason, ReasonKind};

const STATICS: Methods = &[
    ("Promise.resolve", resolve),
    ("Promise.reject", |me, call| {
        let promise = me.rejected_promise(call.arg(0));
        me.note_rejecting(&promise);
        Ok(promise)
    }),
    ("Promise.all", |me, call| together(me, call, false)),
    ("Promise.allSettled", |me, call| together(me, call, true)),
    ("Promise.race", first),
    ("Promise.any", first),
    ("Promise.withResolvers", with_resolvers),
    ("Promise.try", try_call),
];

const METHODS: Methods = &[
    ("Promise.prototype.then", |me, call| reaction(me, call, &call.arg(0), &call.arg(1))),
    ("Promise.prototype.catch", |me, call| reaction(me, call, &Value::UNDEFINED, &call.arg(0))),
    ("Promise.prototype.finally", finally),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.promise;
    let class = me.global_class("Promise", construct, prototype);
    me.methods(class, STATICS);
    me.methods(prototype, METHODS);
}

impl Evaluator<'_> {
    /// A promise that rejects with this.
    pub(in crate::source::eval) fn rejected_promise(&mut self, error: Value) -> Value {
        let promise = self.new_promise(Value::UNDEFINED, Vec::new());
        if let ObjectKind::Promise(it) = &mut self.heap.get_mut(promise).kind {
            it.value = None;
            it.rejections.push((Vec::new(), error));
        }
        promise.into()
    }

    /// A promise of something that the outside world does: it takes time.
    pub(super) fn promise_in_time(&mut self, value: Value) -> Value {
        let segment = self.schedule.add(None);
        self.new_promise(value, vec![segment]).into()
    }

    /// What stands for a value that is waited for: where it has a `then` method without being a promise, a promise that this method
    /// settles.
    pub(in crate::source::eval) fn adopted(&mut self, value: &Value) -> Eval {
        self.each(value, |me, value| {
            let then = me.then_of(value)?;
            me.each(&then, |me, then| {
                if !me.is_callable(then) {
                    return Ok(value.clone());
                }
                let promise = pending(me);
                executed(me, promise, then, value)?;
                Ok(promise.into())
            })
        })
    }

    /// The `then` property of an object that is no promise, by which it may be taken as one.
    pub(in crate::source::eval) fn then_of(&mut self, value: &Value) -> Eval {
        let Some(object) = value.as_object() else { return Ok(Value::UNDEFINED) };
        match &self.heap.get(object).kind {
            ObjectKind::Ordinary
            | ObjectKind::Function(_)
            | ObjectKind::Class(_)
            | ObjectKind::Bound(_)
            | ObjectKind::Proxy { .. } => self.get_of(object, &"then".into(), value),
            _ => Ok(Value::UNDEFINED),
        }
    }

    /// Runs something as an asynchronous function: what it throws is a rejection of the promise that it gives.
    pub(in crate::source::eval) fn as_async(&mut self, run: impl FnOnce(&mut Self) -> Eval) -> Eval {
        let frame = Frame {
            mark: self.path.mark(),
            this: Value::UNDEFINED,
            home: None,
            new_target: None,
            code: None,
            top_level: None,
            has_waited: false,
            arguments: None,
            awaits_super: false,
            is_async: true,
            segment: self.segment(),
            yields: None,
        };
        self.activate(frame, run)
    }
}

impl Evaluator<'_> {
    fn is_pending_value(&self, promise: &Value) -> bool {
        promise.as_object().is_some_and(|it| self.is_pending(it))
    }
}

fn promise_of(me: &Evaluator<'_>, value: &Value) -> Option<Promise> {
    match &me.heap.get(value.as_object()?).kind {
        ObjectKind::Promise(promise) => Some((**promise).clone()),
        _ => None,
    }
}

fn resolve(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let is_subclass =
        call.this.as_object().is_some_and(|it| matches!(me.heap.get(it).kind, ObjectKind::Class(_)));
    if !is_subclass {
        return resolved(me, &call.arg(0));
    }
    let executor = me.new_native_with("executor", resolve_at_once, call.arg(0));
    me.construct(call.this, Arguments::of([executor.into()]), None)
}

/// An executor that fulfils its promise with a value.
fn resolve_at_once(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.call(&call.arg(0), &Value::UNDEFINED, Arguments::of([call.data.clone()]))
}

fn resolved(me: &mut Evaluator<'_>, value: &Value) -> Eval {
    me.each(value, |me, value| {
        if promise_of(me, value).is_some() || value.as_unknown().is_some() {
            return Ok(value.clone());
        }
        let then = me.then_of(value)?;
        if !me.is_callable(&then) {
            let fulfilled = me.new_promise(value.clone(), Vec::new()).into();
            // Where it has such a method under a condition only, that is not followed.
            return if then.is_settled() { Ok(fulfilled) } else { me.adopted(value) };
        }
        let promise = pending(me);
        let parts = vec![value.clone(), then.clone(), promise.into()];
        if !soon(me, ("adoption", adopt_in_time), parts, promise, None) {
            executed(me, promise, &then, value)?;
        }
        Ok(promise.into())
    })
}

/// Runs a built-in function on these parts as a microtask that settles a promise, once another one is settled if that is
/// yet to come. Whether it was put off.
fn soon(
    me: &mut Evaluator<'_>,
    (name, code): (&'static str, Code),
    parts: Vec<Value>,
    promise: ObjectId,
    behind: Option<ObjectId>,
) -> bool {
    let parts = me.new_array(parts);
    let run = me.new_native_with(name, code, parts.into());
    let callback = Callback { phase: None, arguments: 0, result_of: None };
    let Some(task) = me.put_off(&run.into(), callback) else { return false };
    match behind {
        Some(before) => me.put_off_behind(before, task),
        None => me.put_off_microtask(Some(task)),
    }
    if let ObjectKind::Promise(it) = &mut me.heap.get_mut(promise).kind {
        it.is_queued = true;
    }
    true
}

fn parts_of(me: &Evaluator<'_>, call: &Call<'_>) -> Vec<Value> {
    match call.data.as_object().map(|it| &me.heap.get(it).kind) {
        Some(ObjectKind::Array(parts)) => parts.clone(),
        _ => Vec::new(),
    }
}

/// The `then` method of a value whose time has come.
fn adopt_in_time(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let parts = parts_of(me, call);
    let [value, then, promise] = parts.as_slice() else { return Ok(Value::UNDEFINED) };
    let Some(promise) = promise.as_object() else { return Ok(Value::UNDEFINED) };
    if let ObjectKind::Promise(it) = &mut me.heap.get_mut(promise).kind {
        it.is_queued = false;
    }
    executed(me, promise, then, value)?;
    me.release_waiting(promise);
    Ok(Value::UNDEFINED)
}

fn pending(me: &mut Evaluator<'_>) -> ObjectId {
    let value = me.unknown(ReasonKind::SessionValue, "what a promise that is settled later gives");
    let promise = me.new_promise(value, Vec::new());
    if let ObjectKind::Promise(it) = &mut me.heap.get_mut(promise).kind {
        it.pending = Value::TRUE;
    }
    promise
}

fn settlers(me: &mut Evaluator<'_>, promise: ObjectId) -> [Value; 2] {
    let resolve = me.new_native_with("resolve", resolve_in_place, promise.into());
    let reject = me.new_native_with("reject", reject_in_place, promise.into());
    [resolve.into(), reject.into()]
}

/// A pending promise and the function that fulfils it.
pub(super) fn deferred(me: &mut Evaluator<'_>) -> (Value, Value) {
    let promise = pending(me);
    let [resolve, _] = settlers(me, promise);
    (promise.into(), resolve)
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let promise = pending(me);
    if call.new_target.is_some() {
        let prototype = me.prototype_for(call, me.realm.promise);
        me.heap.get_mut(promise).prototype = Some(prototype);
    }
    if ignores_arguments(me, &call.arg(0))
        && let ObjectKind::Promise(it) = &mut me.heap.get_mut(promise).kind
    {
        it.settler = Settler::Nobody;
    }
    executed(me, promise, &call.arg(0), &Value::UNDEFINED)?;
    me.note_rejecting(&promise.into());
    Ok(promise.into())
}

/// Calls an executor with the means to settle a promise. What it throws rejects the promise.
fn executed(me: &mut Evaluator<'_>, promise: ObjectId, executor: &Value, this: &Value) -> Eval<()> {
    let at = me.here;
    let args = settlers(me, promise);
    rejected_by_throwing(me, promise, |me| me.call(executor, this, Arguments::of(args)))?;
    let takes_reject = me.get_name(executor, "length")?.as_number().is_some_and(|it| it >= 2.0);
    if takes_reject {
        fail_later(me, at, promise);
    }
    Ok(())
}

/// Runs an executor: what it throws rejects the promise.
fn rejected_by_throwing(
    me: &mut Evaluator<'_>,
    promise: ObjectId,
    run: impl FnOnce(&mut Evaluator<'_>) -> Eval,
) -> Eval<()> {
    let exits = me.exits.len();
    let mark = me.path.mark();
    if let Err(Stop::Abort) = run(me) {
        return Err(Stop::Abort);
    }
    let below = me.frame().mark;
    for exit in me.take_exits(exits, |kind| matches!(kind, ExitKind::Throw(..))) {
        let ExitKind::Throw(error, _) = exit.kind else { continue };
        let guard = exit.guard.get(mark.saturating_sub(below)..).unwrap_or_default().to_vec();
        // Unless it is settled already.
        let is_pending = me.under(&guard, |me| Ok(me.is_pending(promise)))?;
        if is_pending != Some(true) {
            continue;
        }
        if let ObjectKind::Promise(it) = &mut me.heap.get_mut(promise).kind {
            if guard.is_empty() {
                it.value = None;
            }
            it.rejections.push((guard, error));
            it.pending = Value::FALSE;
        }
    }
    me.resume(mark, exits);
    Ok(())
}

/// A promise that a callback of the form `(error, value)` settles.
pub(super) fn of_callback(
    me: &mut Evaluator<'_>,
    run: impl FnOnce(&mut Evaluator<'_>, Value) -> Eval,
) -> Eval {
    let promise = pending(me);
    // Named as what settles a promise: whoever gets it may do so.
    let callback = me.new_native_with("resolve", settle_by_callback, promise.into());
    rejected_by_throwing(me, promise, |me| run(me, callback.into()))?;
    Ok(promise.into())
}

fn settle_by_callback(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let Some(promise) = call.data.as_object() else { return Ok(Value::UNDEFINED) };
    let [resolve, reject] = settlers(me, promise);
    let error = call.arg(0);
    let settle = |me: &mut Evaluator<'_>, fails: bool| {
        let (function, value) = if fails { (&reject, error.clone()) } else { (&resolve, call.arg(1)) };
        me.call(function, &Value::UNDEFINED, Arguments::of([value]))
    };
    match me.decide(&call.arg(0), call.at) {
        Decision::Known(fails, _) => settle(me, fails),
        Decision::Open(test) => {
            me.under(&test.yes, |me| settle(me, true))?;
            me.under(&test.no, |me| settle(me, false))?;
            Ok(Value::UNDEFINED)
        }
    }
}

/// Whether a function of the program looks at none of its arguments.
fn ignores_arguments(me: &Evaluator<'_>, function: &Value) -> bool {
    let Some(object) = function.as_object() else { return false };
    let ObjectKind::Function(closure) = &me.heap.get(object).kind else { return false };
    let module = me.instances.module(closure.module);
    let code = module.function(closure.function);
    code.params.is_empty() && code.rest.is_none() && !code.uses_arguments
}

/// A promise that is still pending may be rejected by whoever got the means to do so.
fn fail_later(me: &mut Evaluator<'_>, at: Span, promise: ObjectId) {
    let reason = Reason {
        kind: ReasonKind::OutsideWorld,
        text: "whether a promise is fulfilled".into(),
        at: Some(at),
    };
    let fails = me.path.throwing(at, reason.clone());
    let error = me.path.unknown(reason);
    if let ObjectKind::Promise(it) = &mut me.heap.get_mut(promise).kind
        && matches!(it.pending.data, Data::Bool(true))
    {
        it.rejections.push((vec![fails], error));
    }
}

fn resolve_in_place(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if_pending(me, call, |me, promise| {
        let guard = me.path.since_birth(me.heap.get(promise).birth);
        // When a budget is used up here, that shows at the next step.
        let given = me.adopted(&call.arg(0)).unwrap_or(Value::UNDEFINED);
        let settlement = me.settlement(&given);
        let value = settlement.value.map(|it| me.with_facts(it, me.control));
        let ObjectKind::Promise(it) = &me.heap.get(promise).kind else { return };
        let old = it.value.clone();
        let value = match value {
            Some(value) => Some(me.path.written(&old.unwrap_or(Value::UNDEFINED), value, &guard)),
            None if guard.is_empty() => None,
            None => old,
        };
        let rejections = settlement.rejections.into_iter().map(|(inner, error)| {
            let guard: Guard = guard.iter().copied().chain(inner).collect();
            (guard, error)
        });
        let rejections: Vec<_> = rejections.collect();
        if let ObjectKind::Promise(it) = &mut me.heap.get_mut(promise).kind {
            it.value = value;
            it.rejections.extend(rejections);
            it.segments.extend(settlement.segments);
        }
    })
}

/// Settles a promise where it is pending: the first settlement counts.
fn if_pending(
    me: &mut Evaluator<'_>,
    call: &Call<'_>,
    settle: impl FnOnce(&mut Evaluator<'_>, ObjectId),
) -> Eval {
    let Some(promise) = call.data.as_object() else { return Ok(Value::UNDEFINED) };
    let ObjectKind::Promise(it) = &me.heap.get(promise).kind else { return Ok(Value::UNDEFINED) };
    let pending = it.pending.clone();
    let guard = match me.decide(&pending, call.at) {
        Decision::Known(false, _) => return Ok(Value::UNDEFINED),
        Decision::Known(true, _) => Vec::new(),
        Decision::Open(test) => test.yes,
    };
    let was_pending = guard.is_empty();
    me.under(&guard, |me| {
        if was_pending
            && me.path.since_birth(me.heap.get(promise).birth).is_empty()
            && let ObjectKind::Promise(it) = &mut me.heap.get_mut(promise).kind
        {
            // Now it is known how it ends.
            it.rejections.clear();
        }
        settle(me, promise);
        let guard = me.path.since_birth(me.heap.get(promise).birth);
        let settled = me.path.written(&pending, Value::FALSE, &guard);
        let segment = me.segment();
        if let ObjectKind::Promise(it) = &mut me.heap.get_mut(promise).kind {
            it.pending = settled;
            if segment != it.made_in && !it.segments.contains(&segment) {
                it.segments.push(segment);
            }
        }
        Ok(())
    })?;
    Ok(Value::UNDEFINED)
}

fn reject_in_place(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if_pending(me, call, |me, promise| {
        let guard = me.path.since_birth(me.heap.get(promise).birth);
        let error = me.with_facts(call.arg(0), me.control);
        if let ObjectKind::Promise(it) = &mut me.heap.get_mut(promise).kind {
            if guard.is_empty() {
                it.value = None;
            }
            it.rejections.push((guard, error));
        }
        me.note_rejecting(&promise.into());
    })
}

fn with_resolvers(me: &mut Evaluator<'_>, _: &Call<'_>) -> Eval {
    let promise = pending(me);
    let [resolve, reject] = settlers(me, promise);
    Ok(me.object_of([("promise", promise.into()), ("resolve", resolve), ("reject", reject)]))
}

fn try_call(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let args = call.args.iter().skip(1).cloned().collect::<Vec<_>>();
    me.as_async(|me| {
        let result = me.call(&call.arg(0), &Value::UNDEFINED, Arguments::of(args))?;
        me.await_value(&result)
    })
}

/// Whether a promise is settled by the outside world, which may as well fail: time that passes by timers passes here.
fn may_fail_outside(me: &mut Evaluator<'_>, object: ObjectId) -> Eval<bool> {
    me.force(object)?;
    me.pass_time(&[object])?;
    Ok(match &me.heap.get(object).kind {
        ObjectKind::Promise(it) => me.is_pending(object) || !me.schedule.are_sure(&it.segments),
        _ => false,
    })
}

/// `then` and `catch`. What a promise that is settled leads to happens once the current code waits or ends.
fn reaction(me: &mut Evaluator<'_>, call: &Call<'_>, on_value: &Value, on_error: &Value) -> Eval {
    me.handled(call.this);
    if promise_of(me, call.this).is_some_and(|it| it.settler == Settler::Nobody)
        && me.is_pending_value(call.this)
    {
        return Ok(call.this.clone());
    }
    let is_soon = promise_of(me, call.this).is_some_and(|it| {
        it.is_queued || (it.segments.is_empty() && matches!(it.pending.data, Data::Bool(false)))
    });
    if is_soon && (me.is_callable(on_value) || me.is_callable(on_error)) {
        let promise = pending(me);
        let parts = vec![call.this.clone(), on_value.clone(), on_error.clone(), promise.into()];
        let behind =
            call.this.as_object().filter(|_| promise_of(me, call.this).is_some_and(|it| it.is_queued));
        if soon(me, ("reaction", queued_reaction), parts, promise, behind) {
            return Ok(promise.into());
        }
    }
    let promise = react_to(me, call.at, call.this, on_value, on_error)?;
    me.note_rejecting(&promise);
    Ok(promise)
}

/// A reaction whose time has come: the promise that stands for it becomes what it comes to.
fn queued_reaction(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let parts = parts_of(me, call);
    let [promise, on_value, on_error, result] = parts.as_slice() else { return Ok(Value::UNDEFINED) };
    let came_to = react_to(me, call.at, promise, on_value, on_error)?;
    if let (Some(came_to), Some(result)) = (promise_of(me, &came_to), result.as_object())
        && let ObjectKind::Promise(it) = &mut me.heap.get_mut(result).kind
    {
        **it = Promise { is_handled: it.is_handled, ..came_to };
    }
    me.note_rejecting(result);
    if let Some(result) = result.as_object() {
        me.release_waiting(result);
    }
    Ok(Value::UNDEFINED)
}

fn react_to(me: &mut Evaluator<'_>, at: Span, promise: &Value, on_value: &Value, on_error: &Value) -> Eval {
    let promise = promise.clone();
    me.as_async(|me| {
        if !me.is_callable(on_error) {
            let value = me.await_value(&promise)?;
            return react(me, on_value, value);
        }
        let may_fail = match promise.as_object() {
            Some(object) => may_fail_outside(me, object)?,
            None => true,
        };
        let (mark, exits) = (me.path.mark(), me.exits.len());
        me.guarded += 1;
        let value = me.await_value(&promise);
        me.guarded -= 1;
        if matches!(value, Err(Stop::Abort)) {
            return value;
        }
        let thrown = me.take_exits(exits, |kind| matches!(kind, ExitKind::Throw(..)));
        me.path.truncate(mark);
        let mut ways = Vec::new();
        if thrown.is_empty() {
            if let Ok(value) = value {
                // What happens outside may fail as well.
                if may_fail {
                    return either(me, at, on_value, on_error, value);
                }
                return react(me, on_value, value);
            }
        } else {
            let (guard, error) = me.caught(thrown, mark);
            let facts = error.facts;
            let handled = me.under(&guard, |me| me.steered(facts, |me| react(me, on_error, error)))?;
            let otherwise = me.path.none_of(&guard);
            ways.extend(handled.map(|value| Alternative { value, guard, exact: true, tag: 0 }));
            if let Ok(value) = value {
                let went_well = me.under(&[otherwise], |me| react(me, on_value, value))?;
                let guard = vec![otherwise];
                ways.extend(went_well.map(|value| Alternative { value, guard, exact: true, tag: 0 }));
            }
        }
        me.resume(mark, exits);
        if ways.is_empty() { Err(Stop::Dead) } else { Ok(me.path.choose(ways)) }
    })
}

/// Both reactions, each under the condition that it is the one.
fn either(me: &mut Evaluator<'_>, at: Span, on_value: &Value, on_error: &Value, value: Value) -> Eval {
    let reason = Reason {
        kind: ReasonKind::OutsideWorld,
        text: "whether a promise is fulfilled".into(),
        at: Some(at),
    };
    let cond = me.path.throwing(at, reason.clone()).cond();
    let error = me.path.unknown(reason);
    let (mark, exits) = (me.path.mark(), me.exits.len());
    let fails = vec![Literal::new(cond, true)];
    let handled = me.under(&fails, |me| react(me, on_error, error))?;
    me.resume(mark, exits);
    // Programs are taken not to fail: what follows a failure is an exception from what follows success.
    let value = react(me, on_value, value)?;
    Ok(match handled {
        Some(handled) if !handled.is_same(&value) => {
            let succeeds = vec![Literal::new(cond, false)];
            me.path.choose(vec![
                Alternative { value, guard: succeeds, exact: true, tag: 0 },
                Alternative { value: handled, guard: fails, exact: true, tag: 0 },
            ])
        }
        _ => value,
    })
}

fn react(me: &mut Evaluator<'_>, callback: &Value, value: Value) -> Eval {
    if !me.is_callable(callback) && callback.is_settled() {
        return Ok(value);
    }
    let result = me.call(callback, &Value::UNDEFINED, Arguments::of([value]))?;
    me.await_value(&result)
}

fn finally(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let (promise, callback) = (call.this.clone(), call.arg(0));
    let result = me.as_async(|me| {
        let (mark, exits) = (me.path.mark(), me.exits.len());
        let value = me.await_value(&promise);
        if matches!(value, Err(Stop::Abort)) {
            return value;
        }
        me.path.truncate(mark);
        if me.is_callable(&callback) {
            let result = me.call(&callback, &Value::UNDEFINED, Arguments::default())?;
            me.await_value(&result)?;
        }
        me.resume(mark, exits);
        value
    })?;
    me.note_rejecting(&result);
    Ok(result)
}

/// `all` and `allSettled`.
fn together(me: &mut Evaluator<'_>, call: &Call<'_>, settled: bool) -> Eval {
    let result = me.as_async(|me| {
        let items = me.items_of(&call.arg(0))?;
        items.values.iter().for_each(|it| me.handled(it));
        let mut values = Vec::with_capacity(items.values.len());
        for item in items.values {
            values.push(if settled { outcome(me, &item)? } else { me.await_value(&item)? });
        }
        let array = me.new_array(values);
        if let Some(rest) = items.rest {
            me.wait(None);
            me.open_up(array, &rest);
        }
        Ok(array.into())
    })?;
    me.note_rejecting(&result);
    Ok(result)
}

/// What `allSettled` says of one promise.
fn outcome(me: &mut Evaluator<'_>, item: &Value) -> Eval {
    let (mark, exits) = (me.path.mark(), me.exits.len());
    // What happens outside may fail.
    let is_unsure = match item.as_object() {
        Some(object) => may_fail_outside(me, object)?,
        None => item.as_unknown().is_some(),
    };
    me.guarded += 1;
    let value = me.await_value(item);
    me.guarded -= 1;
    if matches!(value, Err(Stop::Abort)) {
        return value;
    }
    me.path.truncate(mark);
    let thrown = me.take_exits(exits, |kind| matches!(kind, ExitKind::Throw(..)));
    let mut failed = (!thrown.is_empty()).then(|| me.caught(thrown, mark));
    if failed.is_none() && is_unsure {
        let at = me.here;
        let reason = Reason {
            kind: ReasonKind::OutsideWorld,
            text: "whether a promise is fulfilled".into(),
            at: Some(at),
        };
        let fails = me.path.throwing(at, reason.clone());
        failed = Some((vec![fails], me.path.unknown(reason)));
    }
    me.resume(mark, exits);
    let mut ways = Vec::new();
    let mut otherwise = Vec::new();
    if let Some((guard, error)) = failed {
        let value = me.object_of([("status", Value::string("rejected")), ("reason", error)]);
        otherwise.push(me.path.none_of(&guard));
        ways.push(Alternative { value, guard, exact: true, tag: 0 });
    }
    if let Ok(value) = value {
        let value = if matches!(value.data, Data::Absent) { Value::UNDEFINED } else { value };
        let value = me.object_of([("status", Value::string("fulfilled")), ("value", value)]);
        ways.push(Alternative { value, guard: otherwise, exact: true, tag: 0 });
    }
    if ways.is_empty() { Err(Stop::Dead) } else { Ok(me.path.choose(ways)) }
}

/// `race` and `any`: any of them.
fn first(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let result = me.as_async(|me| {
        let items = me.items_of(&call.arg(0))?;
        items.values.iter().for_each(|it| me.handled(it));
        if items.rest.is_none()
            && let Some(winner) = settled_first(me, call, &items.values)?
        {
            return me.await_value(&winner);
        }
        if call.name == "Promise.any"
            && items.rest.is_none()
            && let Some(errors) = all_errors(me, &items.values)
        {
            let error = me.new_error("AggregateError", "All promises were rejected");
            let errors = me.new_array(errors);
            me.hide(error, "errors", errors.into());
            let at = Some(call.at);
            return Err(me.throw(error.into(), at));
        }
        let mut ways = Vec::with_capacity(items.values.len() + 1);
        let mut waits = Vec::new();
        for item in &items.values {
            if let Some(promise) = promise_of(me, item) {
                waits.extend_from_slice(&promise.segments);
                if promise.value.is_none() {
                    continue;
                }
            }
            ways.extend(me.settlement(item).value.map(unsure));
        }
        ways.extend(items.rest.map(unsure));
        me.wait(None);
        me.schedule.awaits(&waits);
        if ways.is_empty() {
            return Ok(me.unknown(ReasonKind::NotModelled, "a race that nobody wins"));
        }
        Ok(me.path.choose(ways))
    })?;
    me.note_rejecting(&result);
    Ok(result)
}

/// The promise of some that is settled first, if that is known: one that is settled already, or the one that a timer
/// settles.
fn settled_first(me: &mut Evaluator<'_>, call: &Call<'_>, items: &[Value]) -> Eval<Option<Value>> {
    let any = call.name == "Promise.any";
    let Some(now) = me.schedule.moment(me.segment()) else { return Ok(None) };
    let mut settled: Vec<(Moment, &Value)> = Vec::new();
    let mut pending: Vec<ObjectId> = Vec::new();
    for item in items {
        match (item.as_object(), promise_of(me, item)) {
            (Some(object), Some(_)) => {
                me.force(object)?;
                let Some(promise) = promise_of(me, item) else { continue };
                let rejects = promise.value.is_none() || !promise.rejections.is_empty();
                if me.is_pending(object) {
                    pending.push(object);
                } else if !(any && rejects) {
                    let Some(end) = me.schedule.end_of(&promise.segments) else { return Ok(None) };
                    settled.push((end.later(now), item));
                }
            }
            _ if item.is_settled() => settled.push((now, item)),
            _ => return Ok(None),
        }
    }
    let earliest = settled.into_iter().reduce(|first, other| if other.0 < first.0 { other } else { first });
    match earliest {
        Some((end, item)) if pending.is_empty() || end == now => Ok(Some(item.clone())),
        Some(_) => Ok(None),
        None if any || pending.is_empty() || !me.pass_time(&pending)? => Ok(None),
        None => Ok(pending.into_iter().find(|it| !me.is_pending(*it)).map(Value::from)),
    }
}

/// The errors of promises that surely all reject.
fn all_errors(me: &Evaluator<'_>, items: &[Value]) -> Option<Vec<Value>> {
    let error_of = |item: &Value| {
        let promise = promise_of(me, item)?;
        let (_, error) = promise.rejections.into_iter().find(|it| it.0.is_empty())?;
        Some(error)
    };
    items.iter().map(error_of).collect()
}

fn unsure(value: Value) -> Alternative {
    Alternative { value, guard: Vec::new(), exact: false, tag: 0 }
}
