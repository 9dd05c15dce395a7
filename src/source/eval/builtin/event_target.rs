//! `EventTarget` and `Event`: listeners are called when the program dispatches an event.

use super::node::events::{channels, list_of, once_only, unlisten};
use super::web::subclass;
use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{ObjectId, ObjectKind};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

/// Set on an event that no further listener is to see.
const STOPPED: &str = "\0stopped";

const TARGET_METHODS: Methods = &[
    ("EventTarget.prototype.addEventListener", listen),
    ("EventTarget.prototype.removeEventListener", |me, call| {
        unlisten(me, call)?;
        Ok(Value::UNDEFINED)
    }),
    ("EventTarget.prototype.dispatchEvent", |me, call| {
        let Some(target) = call.this_object() else { return me.not_modelled(call) };
        dispatch(me, target, &call.arg(0))
    }),
];

const EVENT_METHODS: Methods = &[
    ("Event.prototype.preventDefault", |me, call| {
        let Some(event) = call.this_object() else { return Ok(Value::UNDEFINED) };
        let cancelable = me.get_name(call.this, "cancelable")?;
        me.write(event, &"defaultPrevented".into(), cancelable)?;
        Ok(Value::UNDEFINED)
    }),
    ("Event.prototype.stopPropagation", |_, _| Ok(Value::UNDEFINED)),
    ("Event.prototype.stopImmediatePropagation", |me, call| {
        if let Some(event) = call.this_object() {
            me.write(event, &STOPPED.into(), Value::TRUE)?;
        }
        Ok(Value::UNDEFINED)
    }),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let target = me.new_object();
    me.global_class("EventTarget", construct_target, target);
    me.methods(target, TARGET_METHODS);
    let event = me.new_object();
    let class = me.global_class("Event", construct_event, event);
    me.methods(event, EVENT_METHODS);
    me.realm.modules.insert("\0event".into(), event);
    subclass(me, "CustomEvent", construct_event, class, event);
}

fn construct_target(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let otherwise = me.realm.object;
    let prototype = me.prototype_for(call, otherwise);
    Ok(me.allocate(Some(prototype), ObjectKind::Ordinary).into())
}

fn construct_event(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let otherwise = me.realm.modules.get("\0event").copied().unwrap_or(me.realm.object);
    let prototype = me.prototype_for(call, otherwise);
    let kind = me.to_text(&call.arg(0))?;
    let options = call.arg(1);
    let event = me.allocate(Some(prototype), ObjectKind::Opaque("Event"));
    me.hide(event, "type", kind);
    for (name, missing) in [("bubbles", Value::FALSE), ("cancelable", Value::FALSE), ("detail", Value::NULL)]
    {
        let value = if options.is_nullish() { Value::UNDEFINED } else { me.get_name(&options, name)? };
        let value = me.map(&value, |_, it| if it.is_undefined() { missing.clone() } else { it.clone() });
        me.hide(event, name, value);
    }
    me.hide(event, "defaultPrevented", Value::FALSE);
    for name in ["target", "currentTarget"] {
        me.hide(event, name, Value::NULL);
    }
    Ok(event.into())
}

/// An event that Node itself dispatches.
pub(super) fn new_event(me: &mut Evaluator<'_>, kind: &str) -> Value {
    let prototype = me.realm.modules.get("\0event").copied();
    let event = me.allocate(prototype, ObjectKind::Opaque("Event"));
    me.hide(event, "type", Value::string(kind));
    event.into()
}

fn listen(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let listener = call.arg(1);
    let Some(target) = call.this_object() else { return Ok(Value::UNDEFINED) };
    if listener.is_nullish() {
        return Ok(Value::UNDEFINED);
    }
    let channels = channels(me, target);
    let kind = me.to_text(&call.arg(0))?;
    let Some(key) = me.property_key(&kind) else {
        // Of an event that is not known: some time.
        me.call_later(&listener);
        return Ok(Value::UNDEFINED);
    };
    let list = list_of(me, channels, &key)?;
    // A listener that is there already is not added again.
    let present = me.items_of(&list.into())?.values;
    if present.iter().any(|it| it.is_same(&listener)) {
        return Ok(Value::UNDEFINED);
    }
    let options = call.arg(2);
    let (mut once, mut signal) = (Value::FALSE, Value::UNDEFINED);
    if options.as_object().is_some() {
        once = me.get_name(&options, "once")?;
        signal = me.get_name(&options, "signal")?;
    }
    if signal.as_object().is_some() {
        let aborted = me.get_name(&signal, "aborted")?;
        if me.truthiness(&aborted) == Some(true) {
            return Ok(Value::UNDEFINED);
        }
    }
    let added = if me.truthiness(&once) == Some(true) {
        once_only(me, list, listener.clone())
    } else {
        listener.clone()
    };
    me.append(list, [added.clone()])?;
    if signal.as_object().is_some() {
        let data = me.new_array(vec![list.into(), added]);
        let remove = me.new_native_with("EventTarget remove", remove_listener, data.into());
        let add = me.get_name(&signal, "addEventListener")?;
        me.call(&add, &signal, Arguments::of([Value::string("abort"), remove.into()]))?;
    }
    if me.is_shared_emitter(target) {
        me.call_later(&listener);
    }
    Ok(Value::UNDEFINED)
}

fn remove_listener(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let (list, listener) = (me.get_name(call.data, "0")?, me.get_name(call.data, "1")?);
    if let (Some(list), Some(listener)) = (list.as_object(), listener.as_object()) {
        me.remove_from(list, |_, it| it == listener);
    }
    Ok(Value::UNDEFINED)
}

/// Calls the listeners of an event.
pub(super) fn dispatch(me: &mut Evaluator<'_>, target: ObjectId, event: &Value) -> Eval {
    let kind = match event.as_object() {
        Some(_) => me.get_name(event, "type")?,
        None => event.clone(),
    };
    let (Some(object), Data::String(..)) = (event.as_object(), &kind.data) else {
        me.share_emitter(target);
        return Ok(me.unknown(ReasonKind::NotModelled, "whether an event was cancelled"));
    };
    let Some(key) = me.property_key(&kind) else { return Ok(Value::TRUE) };
    for name in ["target", "currentTarget"] {
        me.write(object, &name.into(), target.into())?;
    }
    let channels = channels(me, target);
    let list = list_of(me, channels, &key)?;
    let mut listeners = me.items_of(&list.into())?.values;
    let handler = me.get_of(target, &format!("on{}", me.key_text(&key)).as_str().into(), &target.into())?;
    if me.is_callable(&handler) {
        listeners.push(handler);
    }
    let here = me.here;
    for listener in listeners {
        let stopped = me.get_name(event, STOPPED)?;
        if me.truthiness(&stopped) == Some(true) && me.path.since_birth(me.heap.get(object).birth).is_empty()
        {
            break;
        }
        me.if_present(&listener, here, |me, listener| {
            let args = Arguments::of([event.clone()]);
            if me.is_callable(&listener) || listener.as_object().is_none() {
                return me.call(&listener, &target.into(), args).map(|_| ());
            }
            let method = me.get_name(&listener, "handleEvent")?;
            me.call(&method, &listener, args).map(|_| ())
        })?;
    }
    let prevented = me.get_name(event, "defaultPrevented")?;
    Ok(me.not(&prevented))
}
