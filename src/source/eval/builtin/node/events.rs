//! `node:events`: an `EventEmitter` that works.

use super::super::opaque::Manner;
use super::super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{ObjectId, ObjectKind, PropertyKey};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::Value;
use crate::source::known::ReasonKind;

/// Where an emitter keeps its listeners.
const LISTENERS: &str = "\0listeners";

const METHODS: Methods = &[
    ("EventEmitter.on", listen),
    ("EventEmitter.once", listen),
    ("EventEmitter.addListener", listen),
    ("EventEmitter.prependListener", listen),
    ("EventEmitter.prependOnceListener", listen),
    ("EventEmitter.emit", emit),
    ("EventEmitter.off", |_, call| Ok(call.this.clone())),
    ("EventEmitter.removeListener", |_, call| Ok(call.this.clone())),
    ("EventEmitter.removeAllListeners", |_, call| Ok(call.this.clone())),
    ("EventEmitter.setMaxListeners", |_, call| Ok(call.this.clone())),
];

pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let prototype = me.new_object();
    let class = me.new_native_class("EventEmitter", construct, prototype);
    me.methods(prototype, METHODS);
    me.opaque_methods(
        prototype,
        Manner::Pure,
        &[
            "EventEmitter.listenerCount",
            "EventEmitter.listeners",
            "EventEmitter.rawListeners",
            "EventEmitter.eventNames",
            "EventEmitter.getMaxListeners",
        ],
    );
    me.put(class, "EventEmitter", class.into());
    me.put(class, "defaultMaxListeners", Value::number(10.0));
    me.opaque_methods(class, Manner::World, &["events.once", "events.on"]);
    me.opaque_methods(class, Manner::Nothing, &["events.setMaxListeners", "events.getEventListeners"]);
    class
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let otherwise = me.realm.object;
    let prototype = me.prototype_for(call, otherwise);
    Ok(me.allocate(Some(prototype), ObjectKind::Ordinary).into())
}

fn channels(me: &mut Evaluator<'_>, emitter: ObjectId) -> ObjectId {
    if let Some(property) = me.heap.get(emitter).properties.get(&LISTENERS.into())
        && let crate::source::eval::heap::Slot::Data(value) = &property.slot
        && let Some(known) = value.as_object()
    {
        return known;
    }
    let channels = me.new_object();
    me.hide(emitter, LISTENERS, channels.into());
    channels
}

fn listen(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let Some(emitter) = call.this_object() else { return Ok(call.this.clone()) };
    let channels = channels(me, emitter);
    let Some(key) = me.property_key(&call.arg(0)) else { return Ok(call.this.clone()) };
    let list = list_of(me, channels, &key)?;
    me.append(list, [call.arg(1)])?;
    // Others may emit it at any time.
    me.call_later(&call.arg(1));
    Ok(call.this.clone())
}

fn list_of(me: &mut Evaluator<'_>, channels: ObjectId, key: &PropertyKey) -> Eval<ObjectId> {
    let list = me.get_of(channels, key, &channels.into())?;
    if let Some(list) = list.as_object().filter(|it| matches!(me.heap.get(*it).kind, ObjectKind::Array(_))) {
        return Ok(list);
    }
    let list = me.new_array(Vec::new());
    me.hide(channels, &me.key_text(key), list.into());
    Ok(list)
}

fn emit(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let (Some(emitter), Some(key)) = (call.this_object(), me.property_key(&call.arg(0))) else {
        return Ok(me.unknown(ReasonKind::NotModelled, "whether an event has listeners"));
    };
    let channels = channels(me, emitter);
    let list = list_of(me, channels, &key)?;
    let listeners = me.items_of(&list.into())?.values;
    let args: Vec<Value> = call.args.iter().skip(1).cloned().collect();
    let any = !listeners.is_empty();
    for listener in listeners {
        me.if_present(&listener, call.at, |me, listener| {
            me.call(&listener, call.this, Arguments::of(args.clone())).map(|_| ())
        })?;
    }
    Ok(any.into())
}
