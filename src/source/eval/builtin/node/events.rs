//! `node:events`: an `EventEmitter` that works.

use super::super::opaque::Manner;
use super::super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{ObjectId, ObjectKind, Property, PropertyKey, Slot};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

/// Where an emitter keeps its listeners.
const LISTENERS: &str = "\0listeners";

/// The event that tells of a listener before it is added.
const NEW_LISTENER: &str = "newListener";

/// Set on an emitter that code outside of the extension has: it may emit at any time.
const SHARED: &str = "\0shared";

const METHODS: Methods = &[
    ("EventEmitter.on", |me, call| listen(me, call, false, false)),
    ("EventEmitter.once", |me, call| listen(me, call, true, false)),
    ("EventEmitter.addListener", |me, call| listen(me, call, false, false)),
    ("EventEmitter.prependListener", |me, call| listen(me, call, false, true)),
    ("EventEmitter.prependOnceListener", |me, call| listen(me, call, true, true)),
    ("EventEmitter.emit", emit),
    ("EventEmitter.off", unlisten),
    ("EventEmitter.removeListener", unlisten),
    ("EventEmitter.removeAllListeners", unlisten_all),
    ("EventEmitter.listenerCount", |me, call| {
        let list = listeners(me, call)?;
        Ok(me.array_length(list))
    }),
    ("EventEmitter.listeners", |me, call| {
        let list = listeners(me, call)?;
        let items = me.items_of(&list.into())?;
        Ok(me.array_of_items(items))
    }),
    ("EventEmitter.setMaxListeners", |_, call| Ok(call.this.clone())),
];

pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let prototype = me.new_object();
    let class = me.new_native_class("EventEmitter", construct, prototype);
    me.methods(prototype, METHODS);
    me.opaque_methods(
        prototype,
        Manner::Pure,
        &["EventEmitter.rawListeners", "EventEmitter.eventNames", "EventEmitter.getMaxListeners"],
    );
    me.put(class, "EventEmitter", class.into());
    me.put(class, "defaultMaxListeners", Value::number(10.0));
    me.methods(class, &[("events.once", promise_of_event)]);
    me.opaque_methods(class, Manner::World, &["events.on"]);
    me.opaque_methods(class, Manner::Nothing, &["events.setMaxListeners", "events.getEventListeners"]);
    class
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let otherwise = me.realm.object;
    let prototype = me.prototype_for(call, otherwise);
    Ok(me.allocate(Some(prototype), ObjectKind::Ordinary).into())
}

/// The table of what listens to an emitter.
pub(in crate::source::eval::builtin) fn channels(me: &mut Evaluator<'_>, emitter: ObjectId) -> ObjectId {
    if let Some(property) = me.heap.get(emitter).properties.get(&LISTENERS.into())
        && let Slot::Data(value) = &property.slot
        && let Some(known) = value.as_object()
    {
        return known;
    }
    let channels = me.new_object();
    me.hide(emitter, LISTENERS, channels.into());
    channels
}

fn listen(me: &mut Evaluator<'_>, call: &Call<'_>, once: bool, first: bool) -> Eval {
    let Some(emitter) = call.this_object() else { return Ok(call.this.clone()) };
    let channels = channels(me, emitter);
    let Some(key) = me.property_key(&call.arg(0)) else {
        // Of an event that is not known: some time.
        me.call_later(&call.arg(1));
        return Ok(call.this.clone());
    };
    let list = list_of(me, channels, &key)?;
    let listener = if once { once_only(me, list, call.arg(1)) } else { call.arg(1) };
    if key != NEW_LISTENER.into() {
        let told = list_of(me, channels, &NEW_LISTENER.into())?;
        let told = me.items_of(&told.into())?.values;
        let args = Arguments::of([call.arg(0), call.arg(1)]);
        for it in told {
            me.if_present(&it, call.at, |me, it| me.call(&it, call.this, args.clone()).map(|_| ()))?;
        }
    }
    if first {
        me.prepend(list, listener);
    } else {
        me.append(list, [listener])?;
    }
    if me.is_shared_emitter(emitter) {
        me.call_later(&call.arg(1));
    }
    Ok(call.this.clone())
}

/// A listener that takes itself out of a list when it is called.
pub(in crate::source::eval::builtin) fn once_only(
    me: &mut Evaluator<'_>,
    list: ObjectId,
    listener: Value,
) -> Value {
    let data = me.new_array(vec![list.into(), listener]);
    me.new_native_with(ONCE, call_once, data.into()).into()
}

const ONCE: &str = "EventEmitter once";

fn call_once(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let Some((list, listener)) = parts_of_once(me, call.data) else { return Ok(Value::UNDEFINED) };
    me.remove_from(list, |me, it| {
        me.heap.get(it).kind_of_native().is_some_and(|native| native.data.is_same(call.data))
    });
    me.call(&listener, call.this, Arguments { values: call.args.to_vec(), rest: call.rest.cloned() })
}

fn parts_of_once(me: &Evaluator<'_>, data: &Value) -> Option<(ObjectId, Value)> {
    match &me.heap.get(data.as_object()?).kind {
        ObjectKind::Array(parts) => match parts.as_slice() {
            [list, listener] => Some((list.as_object()?, listener.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// Takes a listener of an event away.
pub(in crate::source::eval::builtin) fn unlisten(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let list = listeners(me, call)?;
    let Some(gone) = call.arg(1).as_object() else { return Ok(call.this.clone()) };
    me.remove_from(list, |me, it| {
        let of_once = || {
            let native = me.heap.get(it).kind_of_native().filter(|native| native.name == ONCE)?;
            parts_of_once(me, &native.data)?.1.as_object()
        };
        it == gone || of_once() == Some(gone)
    });
    Ok(call.this.clone())
}

fn unlisten_all(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if call.has(0) {
        let list = listeners(me, call)?;
        while me.remove_from(list, |_, _| true) {}
    } else if let Some(emitter) = call.this_object() {
        let none = me.new_object();
        me.write(emitter, &LISTENERS.into(), none.into())?;
    }
    Ok(call.this.clone())
}

/// The list of the listeners of the event that a call names.
fn listeners(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval<ObjectId> {
    match (call.this_object(), me.property_key(&call.arg(0))) {
        (Some(emitter), Some(key)) => {
            let channels = channels(me, emitter);
            list_of(me, channels, &key)
        }
        _ => Ok(me.new_array(Vec::new())),
    }
}

/// `once(emitter, event)`: a promise of the arguments.
fn promise_of_event(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let emitter = call.arg(0);
    let emit = match emitter.as_object() {
        Some(object) => me.get_of(object, &"emit".into(), &emitter)?,
        None => Value::UNDEFINED,
    };
    let is_own = emit
        .as_object()
        .and_then(|it| me.heap.get(it).kind_of_native())
        .is_some_and(|it| it.name == "EventEmitter.emit");
    if !is_own {
        return Manner::WorldInTime.code()(me, call);
    }
    let (promise, resolve) = super::super::promise::deferred(me);
    let listener = me.new_native_with("events.once", arguments_to, resolve);
    let once = me.get_name(&emitter, "once")?;
    me.call(&once, &emitter, Arguments::of([call.arg(1), listener.into()]))?;
    Ok(promise)
}

fn arguments_to(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let arguments = me.new_array(call.args.to_vec());
    me.call(call.data, &Value::UNDEFINED, Arguments::of([arguments.into()]))
}

impl Evaluator<'_> {
    /// Whether an emitter has gone into code that cannot be followed.
    pub(in crate::source::eval) fn is_shared_emitter(&self, emitter: ObjectId) -> bool {
        self.heap.get(emitter).properties.get(&SHARED.into()).is_some()
    }

    /// An emitter goes into code that cannot be followed: whoever listens may be called some time.
    pub(in crate::source::eval) fn share_emitter(&mut self, emitter: ObjectId) {
        let Some(Property { slot: Slot::Data(channels), .. }) =
            self.heap.get(emitter).properties.get(&LISTENERS.into())
        else {
            return;
        };
        let Some(channels) = channels.as_object() else { return };
        self.hide(emitter, SHARED, Value::TRUE);
        let lists: Vec<Value> = self
            .heap
            .get(channels)
            .properties
            .iter()
            .filter_map(|(_, it)| match &it.slot {
                Slot::Data(list) => Some(list.clone()),
                Slot::Accessor { .. } => None,
            })
            .collect();
        for list in lists {
            let Ok(items) = self.items_of(&list) else { continue };
            for listener in items.values {
                self.call_later(&listener);
            }
        }
    }

    /// Puts an element before those of a list; under the conditions of the path.
    fn prepend(&mut self, list: ObjectId, element: Value) {
        let guard = self.path.since_birth(self.heap.get(list).birth);
        let element = self.path.written(&Value::ABSENT, element, &guard);
        let is_plain = self.heap.get(list).is_plain.get() && guard.is_empty();
        if let ObjectKind::Array(elements) = &mut self.heap.get_mut(list).kind {
            elements.insert(0, element);
        }
        self.heap.get(list).is_plain.set(is_plain);
    }

    /// Takes the last element out of a list that is the one; under the conditions of the path. Whether there was one.
    pub(in crate::source::eval) fn remove_from(
        &mut self,
        list: ObjectId,
        is_it: impl Fn(&Self, ObjectId) -> bool,
    ) -> bool {
        let ObjectKind::Array(elements) = &self.heap.get(list).kind else { return false };
        let seen: Vec<Value> = elements.iter().map(|it| self.path.settle(it)).collect();
        let is_it = |value: &Value| match &value.data {
            Data::Choice(choice) => {
                choice.alternatives.iter().any(|it| it.value.as_object().is_some_and(|it| is_it(self, it)))
            }
            _ => value.as_object().is_some_and(|it| is_it(self, it)),
        };
        let Some(at) = seen.iter().rposition(is_it) else { return false };
        let guard = self.path.since_birth(self.heap.get(list).birth);
        let ObjectKind::Array(elements) = &mut self.heap.get_mut(list).kind else { return false };
        if guard.is_empty() {
            elements.remove(at);
        } else if let Some(slot) = elements.get_mut(at) {
            *slot = self.path.written(slot, Value::ABSENT, &guard);
        }
        true
    }
}

/// The listeners of an event.
pub(in crate::source::eval::builtin) fn list_of(
    me: &mut Evaluator<'_>,
    channels: ObjectId,
    key: &PropertyKey,
) -> Eval<ObjectId> {
    let list = me.get_of(channels, key, &channels.into())?;
    if let Some(list) = list.as_object().filter(|it| matches!(me.heap.get(*it).kind, ObjectKind::Array(_))) {
        return Ok(list);
    }
    let path = me.path.suspend();
    let list = me.new_array(Vec::new());
    me.path.restore(path);
    me.heap.get_mut(channels).properties.insert(key.clone(), Property::hidden(list.into()));
    Ok(list)
}

fn emit(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let (Some(emitter), Some(key)) = (call.this_object(), me.property_key(&call.arg(0))) else {
        return Ok(me.unknown(ReasonKind::NotModelled, "whether an event has listeners"));
    };
    let channels = channels(me, emitter);
    let list = list_of(me, channels, &key)?;
    let listeners = me.items_of(&list.into())?.values;
    if listeners.is_empty() && matches!(&key, PropertyKey::Name(name) if &**name == "error") {
        let at = Some(call.at);
        return Err(me.throw(call.arg(1), at));
    }
    let args: Vec<Value> = call.args.iter().skip(1).cloned().collect();
    let any = me.array_length(list);
    let any = me.map(&any, |_, it| match it.data {
        Data::Number(count) => (count > 0.0).into(),
        _ => it.clone(),
    });
    for listener in listeners {
        me.if_present(&listener, call.at, |me, listener| {
            me.call(&listener, call.this, Arguments::of(args.clone())).map(|_| ())
        })?;
    }
    Ok(any)
}
