//! `AbortController` and `AbortSignal`: who aborts is the program, or time.

use super::event_target::{dispatch, new_event};
use super::node::events::channels;
use super::node::url::accessor;
use super::web::subclass;
use super::{Evaluator, Methods};
use crate::source::eval::heap::{ObjectId, ObjectKind, Property, Slot};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

/// Whether a signal was aborted.
const ABORTED: &str = "\0aborted";

/// What it was aborted with.
const REASON: &str = "\0reason";

/// The signals that are aborted with it.
const DEPENDENTS: &str = "\0dependents";

/// The signal of a controller.
const SIGNAL: &str = "\0signal";

const STATICS: Methods = &[
    ("AbortSignal.abort", |me, call| {
        let reason = reason_of(me, &call.arg(0));
        Ok(new_signal(me, Value::TRUE, reason).into())
    }),
    ("AbortSignal.timeout", |me, _| {
        let aborted = me.unknown(ReasonKind::OutsideWorld, "whether the time is up");
        let reason = me.unknown(ReasonKind::OutsideWorld, "why something was aborted");
        let signal = new_signal(me, aborted, reason);
        share(me, signal);
        Ok(signal.into())
    }),
    ("AbortSignal.any", any),
];

/// The codes of the older kinds of `DOMException`.
const CODES: [(&str, f64); 25] = [
    ("IndexSizeError", 1.0),
    ("HierarchyRequestError", 3.0),
    ("WrongDocumentError", 4.0),
    ("InvalidCharacterError", 5.0),
    ("NoDataAllowedError", 6.0),
    ("NoModificationAllowedError", 7.0),
    ("NotFoundError", 8.0),
    ("NotSupportedError", 9.0),
    ("InUseAttributeError", 10.0),
    ("InvalidStateError", 11.0),
    ("SyntaxError", 12.0),
    ("InvalidModificationError", 13.0),
    ("NamespaceError", 14.0),
    ("InvalidAccessError", 15.0),
    ("ValidationError", 16.0),
    ("TypeMismatchError", 17.0),
    ("SecurityError", 18.0),
    ("NetworkError", 19.0),
    ("AbortError", 20.0),
    ("URLMismatchError", 21.0),
    ("QuotaExceededError", 22.0),
    ("TimeoutError", 23.0),
    ("InvalidNodeTypeError", 24.0),
    ("DataCloneError", 25.0),
    ("DOMStringSizeError", 2.0),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let error = me.realm.error;
    let exception = me.allocate(Some(error), ObjectKind::Ordinary);
    me.global_class("DOMException", construct_exception, exception);
    me.realm.errors.insert("DOMException", exception);
    let global = me.realm.global;
    let target = me.get_of(global, &"EventTarget".into(), &global.into()).ok().and_then(|it| it.as_object());
    let of_targets = target.and_then(|it| me.get_of(it, &"prototype".into(), &it.into()).ok());
    let of_targets = of_targets.and_then(|it| it.as_object()).unwrap_or(me.realm.object);
    let illegal =
        |me: &mut Evaluator<'_>, _: &Call<'_>| Err(me.throw_error("TypeError", "Illegal constructor"));
    let class = subclass(me, "AbortSignal", illegal, target.unwrap_or(of_targets), of_targets);
    me.methods(class, STATICS);
    if let Some(prototype) =
        me.get_of(class, &"prototype".into(), &class.into()).ok().and_then(|it| it.as_object())
    {
        let aborted =
            me.new_native("AbortSignal.prototype.aborted", |me, call| me.get_name(call.this, ABORTED));
        accessor(me, prototype, "AbortSignal.prototype.aborted", aborted, None);
        let reason = me.new_native("AbortSignal.prototype.reason", |me, call| me.get_name(call.this, REASON));
        accessor(me, prototype, "AbortSignal.prototype.reason", reason, None);
        me.methods(prototype, &[("AbortSignal.prototype.throwIfAborted", throw_if_aborted)]);
        me.hide(prototype, "onabort", Value::NULL);
        me.realm.modules.insert("\0signal".into(), prototype);
    }
    let prototype = me.new_object();
    me.global_class("AbortController", construct, prototype);
    let signal = me.new_native("AbortController.prototype.signal", |me, call| me.get_name(call.this, SIGNAL));
    accessor(me, prototype, "AbortController.prototype.signal", signal, None);
    me.methods(prototype, &[("AbortController.prototype.abort", abort)]);
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let otherwise = me.realm.object;
    let prototype = me.prototype_for(call, otherwise);
    let signal = new_signal(me, Value::FALSE, Value::UNDEFINED);
    let controller = me.allocate(Some(prototype), ObjectKind::Opaque("AbortController"));
    me.hide(controller, SIGNAL, signal.into());
    Ok(controller.into())
}

fn new_signal(me: &mut Evaluator<'_>, aborted: Value, reason: Value) -> ObjectId {
    let prototype = me.realm.modules.get("\0signal").copied();
    let signal = me.allocate(prototype, ObjectKind::Opaque("AbortSignal"));
    me.hide(signal, ABORTED, aborted);
    me.hide(signal, REASON, reason);
    signal
}

fn construct_exception(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = |me: &mut Evaluator<'_>, value: Value, missing: &str| {
        if value.is_undefined() { Ok(Value::string(missing)) } else { me.to_text(&value) }
    };
    let message = text(me, call.arg(0), "")?;
    let options = call.arg(1);
    let name = if options.as_object().is_some() { me.get_name(&options, "name")? } else { options };
    let name = text(me, name, "Error")?;
    let otherwise = me.realm.errors.get("DOMException").copied().unwrap_or(me.realm.error);
    let prototype = me.prototype_for(call, otherwise);
    let error = exception(me, message, name);
    me.heap.get_mut(error).prototype = Some(prototype);
    Ok(error.into())
}

fn exception(me: &mut Evaluator<'_>, message: Value, name: Value) -> ObjectId {
    let error = me.new_error("DOMException", "");
    let code = me.map(&name, |me, it| match &it.data {
        Data::String(name, _) => {
            Value::number(CODES.iter().find(|it| it.0 == &**name).map_or(0.0, |it| it.1))
        }
        _ => me.unknown(ReasonKind::NotModelled, "the code of an exception"),
    });
    let stack = me.unknown(ReasonKind::NotModelled, "a stack trace");
    for (key, value) in [("message", message), ("name", name), ("code", code), ("stack", stack)] {
        me.hide(error, key, value);
    }
    error
}

/// What a signal is aborted with: the reason that is given, else an `AbortError`.
fn reason_of(me: &mut Evaluator<'_>, given: &Value) -> Value {
    let text = "This operation was aborted";
    let standard = exception(me, Value::string(text), Value::string("AbortError"));
    me.map(given, |_, it| if it.is_undefined() { standard.into() } else { it.clone() })
}

fn abort(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let signal = me.get_name(call.this, SIGNAL)?;
    if let Some(signal) = signal.as_object() {
        let reason = reason_of(me, &call.arg(0));
        abort_signal(me, signal, &reason)?;
    }
    Ok(Value::UNDEFINED)
}

/// Aborts a signal that has not been aborted yet, and those that depend on it: all are aborted before listeners hear of any.
fn abort_signal(me: &mut Evaluator<'_>, signal: ObjectId, reason: &Value) -> Eval<()> {
    let aborted = me.get_of(signal, &ABORTED.into(), &signal.into())?;
    me.each(&aborted, |me, aborted| {
        if matches!(aborted.data, Data::Bool(true)) {
            return Ok(Value::UNDEFINED);
        }
        let mut signals = vec![signal];
        let mut at = 0;
        while let Some(&signal) = signals.get(at) {
            at += 1;
            me.step()?;
            me.write(signal, &ABORTED.into(), Value::TRUE)?;
            me.write(signal, &REASON.into(), reason.clone())?;
            let list = dependents(me, signal);
            for it in me.items_of(&list.into())?.values {
                let Some(it) = it.as_object().filter(|it| !signals.contains(it)) else { continue };
                let aborted = me.get_of(it, &ABORTED.into(), &it.into())?;
                if me.truthiness(&aborted) != Some(true) {
                    signals.push(it);
                }
            }
        }
        for signal in signals {
            let event = new_event(me, "abort");
            dispatch(me, signal, &event)?;
        }
        Ok(Value::UNDEFINED)
    })
    .map(|_| ())
}

/// The list of the signals that are aborted with another.
fn dependents(me: &mut Evaluator<'_>, signal: ObjectId) -> ObjectId {
    if let Some(Property { slot: Slot::Data(list), .. }) =
        me.heap.get(signal).properties.get(&DEPENDENTS.into())
        && let Some(list) = list.as_object()
    {
        return list;
    }
    let list = me.new_array(Vec::new());
    me.hide(signal, DEPENDENTS, list.into());
    list
}

/// A signal may be aborted at any time from now on.
fn share(me: &mut Evaluator<'_>, signal: ObjectId) {
    channels(me, signal);
    me.share_emitter(signal);
}

fn throw_if_aborted(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let aborted = me.get_name(call.this, ABORTED)?;
    me.each(&aborted, |me, aborted| match aborted.data {
        Data::Bool(true) => {
            let reason = me.get_name(call.this, REASON)?;
            Err(me.throw(reason, Some(call.at)))
        }
        Data::Unknown(_) => me.may_throw(aborted).map(|()| Value::UNDEFINED),
        _ => Ok(Value::UNDEFINED),
    })
}

/// A signal that is aborted with the first of others.
fn any(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let sources = me.items_of(&call.arg(0))?;
    let result = new_signal(me, Value::FALSE, Value::UNDEFINED);
    let unknown = sources.rest.or_else(|| sources.values.iter().find(|it| it.as_object().is_none()).cloned());
    if unknown.is_some() {
        let aborted = me.unknown(ReasonKind::SessionValue, "whether something was aborted");
        me.hide(result, ABORTED, aborted);
        share(me, result);
        return Ok(result.into());
    }
    for source in sources.values {
        let aborted = me.get_name(&source, "aborted")?;
        let reason = me.get_name(&source, "reason")?;
        match me.truthiness(&aborted) {
            Some(true) => return abort_signal(me, result, &reason).map(|()| result.into()),
            Some(false) => {}
            None => {
                me.hide(result, ABORTED, aborted);
                me.hide(result, REASON, reason);
            }
        }
        if let Some(source) = source.as_object() {
            let list = dependents(me, source);
            me.append(list, [result.into()])?;
            if me.is_shared_emitter(source) {
                share(me, result);
            }
        }
    }
    Ok(result.into())
}

impl Evaluator<'_> {
    /// A controller goes into code that cannot be followed: its signal may be aborted at any time.
    pub(in crate::source::eval) fn share_controller(&mut self, controller: ObjectId) -> Eval<()> {
        let signal = self.get_of(controller, &SIGNAL.into(), &controller.into())?;
        if let Some(signal) = signal.as_object() {
            let aborted = self.unknown(ReasonKind::UnknownFunction, "whether something was aborted");
            self.write(signal, &ABORTED.into(), aborted)?;
            share(self, signal);
        }
        Ok(())
    }
}
