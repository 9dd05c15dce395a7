//! `Map`, `Set` and the weak ones.

use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{Collection, ObjectId, ObjectKind, Property, PropertyKey};
use crate::source::eval::iteration::{Items, Write};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::{Data, SymbolId, Value};

const MAP_METHODS: Methods = &[
    ("Map.prototype.get", get),
    ("Map.prototype.set", set),
    ("Map.prototype.has", has),
    ("Map.prototype.delete", delete),
    ("Map.prototype.clear", clear),
    ("Map.prototype.forEach", for_each),
    ("Map.prototype.keys", |me, call| {
        iterate(me, call, |me, key, value| {
            me.map(value, |_, value| if is_absent(value) { Value::ABSENT } else { key.clone() })
        })
    }),
    ("Map.prototype.values", |me, call| iterate(me, call, |_, _, value| value.clone())),
];

const SET_METHODS: Methods = &[
    ("Set.prototype.add", add),
    ("Set.prototype.has", has),
    ("Set.prototype.delete", delete),
    ("Set.prototype.clear", clear),
    ("Set.prototype.forEach", for_each),
    ("Set.prototype.entries", |me, call| iterate(me, call, pair)),
    ("Set.prototype.union", |me, call| set_operation(me, call, |_, _| true, true)),
    ("Set.prototype.intersection", |me, call| set_operation(me, call, |_, other| other, false)),
    ("Set.prototype.difference", |me, call| set_operation(me, call, |_, other| !other, false)),
    ("Set.prototype.symmetricDifference", |me, call| me.not_modelled(call)),
    ("Set.prototype.isSubsetOf", |me, call| me.not_modelled(call)),
    ("Set.prototype.isSupersetOf", |me, call| me.not_modelled(call)),
    ("Set.prototype.isDisjointFrom", |me, call| me.not_modelled(call)),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let map = me.realm.map;
    let class = me.global_class("Map", |me, call| construct(me, call, true), map);
    me.methods(class, &[("Map.groupBy", |me, call| me.not_modelled(call))]);
    me.methods(map, MAP_METHODS);
    let entries = me.new_native("Map.prototype.entries", |me, call| iterate(me, call, pair));
    me.hide(map, "entries", entries.into());
    symbol_method(me, map, entries);
    let set = me.realm.set;
    me.global_class("Set", |me, call| construct(me, call, false), set);
    me.methods(set, SET_METHODS);
    let values =
        me.new_native("Set.prototype.values", |me, call| iterate(me, call, |_, _, value| value.clone()));
    me.hide(set, "values", values.into());
    me.hide(set, "keys", values.into());
    symbol_method(me, set, values);
    let weak_map = me.new_object();
    me.global_class("WeakMap", |me, call| construct(me, call, true), weak_map);
    me.methods(weak_map, MAP_METHODS.get(..4).unwrap_or_default());
    me.method(weak_map, "WeakMap.prototype.set", set_weakly);
    let weak_set = me.new_object();
    me.global_class("WeakSet", |me, call| construct(me, call, false), weak_set);
    me.methods(weak_set, SET_METHODS.get(..3).unwrap_or_default());
    me.method(weak_set, "WeakSet.prototype.add", add_weakly);
    let weak_ref = me.new_object();
    me.global_class("WeakRef", construct_reference, weak_ref);
    me.methods(weak_ref, &[("WeakRef.prototype.deref", |me, call| me.get_name(call.this, "\0target"))]);
    let registry = me.new_object();
    me.global_class("FinalizationRegistry", |me, _| Ok(me.new_object().into()), registry);
}

fn symbol_method(me: &mut Evaluator<'_>, prototype: ObjectId, method: ObjectId) {
    let key = PropertyKey::Symbol(SymbolId::ITERATOR);
    me.heap.get_mut(prototype).properties.insert(key, Property::hidden(method.into()));
}

fn is_absent(value: &Value) -> bool {
    matches!(value.data, Data::Absent)
}

fn construct_reference(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if call.arg(0).is_settled()
        && call.arg(0).as_object().is_none()
        && !matches!(call.arg(0).data, Data::Symbol(_))
    {
        return Err(me.throw_error("TypeError", "WeakRef: invalid target"));
    }
    let otherwise = me.realm.object;
    let prototype = me.prototype_for(call, otherwise);
    let reference = me.allocate(Some(prototype), ObjectKind::Ordinary);
    me.hide(reference, "\0target", call.arg(0));
    Ok(reference.into())
}

/// What can be held weakly: objects, and symbols that are not registered.
fn held_weakly(me: &mut Evaluator<'_>, key: &Value, is_map: bool) -> Eval<()> {
    let key = me.path.settle(key);
    let is_fine = match &key.data {
        Data::Object(_) | Data::Unknown(_) | Data::Choice(_) => true,
        Data::Symbol(symbol) => !me.symbol_registry.values().any(|it| it == symbol),
        _ => false,
    };
    if is_fine {
        return Ok(());
    }
    let message =
        if is_map { "Invalid value used as weak map key" } else { "Invalid value used in weak set" };
    Err(me.throw_error("TypeError", message))
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>, is_map: bool) -> Eval {
    if call.new_target.is_none() {
        return Err(me.throw_error("TypeError", &format!("Constructor {} requires 'new'", call.name)));
    }
    let (otherwise, kind) = if is_map {
        (me.realm.map, ObjectKind::Map(Box::default()))
    } else {
        (me.realm.set, ObjectKind::Set(Box::default()))
    };
    let prototype = me.prototype_for(call, otherwise);
    let object = me.allocate(Some(prototype), kind);
    let source = call.arg(0);
    if source.is_nullish() {
        return Ok(object.into());
    }
    if source.is_settled() && source.as_object().is_none() && source.as_str().is_none() {
        let (kind, shown) = (me.type_of(&source), me.shown_value(&source));
        let kind = me.text_of(&kind).unwrap_or_default();
        let message =
            format!("{kind} {shown} is not iterable (cannot read property Symbol(Symbol.iterator))");
        return Err(me.throw_error("TypeError", &message));
    }
    let is_weak = call.name.starts_with("Weak");
    let items = me.items_of(&source)?;
    let adder = me.get_of(object, &(if is_map { "set" } else { "add" }).into(), &object.into())?;
    let is_own = adder.as_object().is_some_and(|it| !matches!(me.heap.get(it).kind, ObjectKind::Native(_)));
    for item in items.values {
        me.if_present(&item, call.at, |me, item| {
            if is_map && item.is_settled() && item.as_object().is_none() {
                let shown = me.shown_value(&item);
                let message = format!("Iterator value {shown} is not an entry object");
                return Err(me.throw_error("TypeError", &message));
            }
            if is_weak {
                let key = if is_map { me.get_name(&item, "0")? } else { item.clone() };
                held_weakly(me, &key, is_map)?;
            }
            if is_own {
                let args = if is_map {
                    Arguments::of([me.get_name(&item, "0")?, me.get_name(&item, "1")?])
                } else {
                    Arguments::of([item])
                };
                me.call(&adder, &object.into(), args).map(|_| ())
            } else if is_map {
                let (key, value) = (me.get_name(&item, "0")?, me.get_name(&item, "1")?);
                put(me, object, &key, value)
            } else {
                put(me, object, &item, item.clone())
            }
        })?;
    }
    if let Some(rest) = items.rest {
        me.open_up(object, &rest);
    }
    Ok(object.into())
}

fn collection<'e>(me: &'e Evaluator<'_>, object: ObjectId) -> Option<&'e Collection> {
    match &me.heap.get(object).kind {
        ObjectKind::Map(it) | ObjectKind::Set(it) => Some(it),
        _ => None,
    }
}

/// The collections that `this` may be.
fn on_collection(
    me: &mut Evaluator<'_>,
    call: &Call<'_>,
    mut code: impl FnMut(&mut Evaluator<'_>, ObjectId) -> Eval,
) -> Eval {
    me.each(call.this, |me, this| {
        let Some(object) = this.as_object() else { return me.not_modelled(call) };
        let target = match &me.heap.get(object).kind {
            ObjectKind::Proxy { target, .. } => target.as_object().unwrap_or(object),
            _ => object,
        };
        if collection(me, target).is_none() {
            let message = format!("Method {} called on incompatible receiver", call.name);
            return Err(me.throw_error("TypeError", &message));
        }
        code(me, target)
    })
}

/// Writes an entry; under the conditions of the path.
fn put(me: &mut Evaluator<'_>, object: ObjectId, key: &Value, value: Value) -> Eval<()> {
    let key = me.path.settle(key);
    if let Data::Choice(_) = key.data {
        return me
            .each(&key, |me, key| put(me, object, key, value.clone()).map(|()| Value::UNDEFINED))
            .map(|_| ());
    }
    let guard = me.path.since_birth(me.heap.get(object).birth);
    let value = me.with_facts(value, me.control);
    let old = collection(me, object).and_then(|it| it.get(&key).cloned()).unwrap_or(Value::ABSENT);
    let value = me.path.written(&old, value, &guard);
    if let ObjectKind::Map(it) | ObjectKind::Set(it) = &mut me.heap.get_mut(object).kind {
        it.insert(key, value);
    }
    me.note_write(Write::Contents(object));
    Ok(())
}

/// What a known key maps to, `Absent` where it is not there.
fn lookup(me: &mut Evaluator<'_>, object: ObjectId, key: &Value) -> Value {
    let Some(it) = collection(me, object) else { return Value::ABSENT };
    if let Some(value) = it.get(key) {
        let value = value.clone();
        let value = me.path.settle(&value);
        if !is_absent(&value) || me.heap.get(object).open.is_none() {
            return value;
        }
    }
    let open = me.heap.get(object).open.clone();
    let unsure = match (&key.data, open) {
        (_, Some(open)) => Some(open.reason.clone()),
        (Data::Unknown(unknown), None) => {
            let is_empty = collection(me, object).is_none_or(|it| it.present().next().is_none());
            (!is_empty).then(|| unknown.reason.clone())
        }
        // Something was put in under a key that is not known: it may be this one.
        _ => collection(me, object)
            .and_then(|it| it.present().find_map(|(key, _)| key.as_unknown().map(|it| it.reason.clone()))),
    };
    match unsure {
        Some(reason) => me.path.unknown(reason),
        None => Value::ABSENT,
    }
}

fn present(me: &mut Evaluator<'_>, value: &Value) -> Value {
    me.map(value, |_, it| if is_absent(it) { Value::UNDEFINED } else { it.clone() })
}

fn get(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    on_collection(me, call, |me, object| {
        me.each(&call.arg(0), |me, key| {
            let value = lookup(me, object, key);
            Ok(present(me, &value))
        })
    })
}

fn has(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    on_collection(me, call, |me, object| {
        me.each(&call.arg(0), |me, key| {
            let known = collection(me, object).and_then(|it| it.get(key).cloned());
            let known = known.map(|it| me.path.settle(&it)).filter(|it| !is_absent(it));
            if let Some(value) = known {
                return Ok(me.map(&value, |_, it| (!is_absent(it)).into()));
            }
            let value = lookup(me, object, key);
            Ok(if value.as_unknown().is_some() { value } else { Value::FALSE })
        })
    })
}

fn set(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    on_collection(me, call, |me, object| {
        put(me, object, &call.arg(0), call.arg(1))?;
        Ok(Value::UNDEFINED)
    })?;
    Ok(call.this.clone())
}

fn set_weakly(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    held_weakly(me, &call.arg(0), true)?;
    set(me, call)
}

fn add_weakly(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    held_weakly(me, &call.arg(0), false)?;
    add(me, call)
}

fn add(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    on_collection(me, call, |me, object| {
        put(me, object, &call.arg(0), call.arg(0))?;
        Ok(Value::UNDEFINED)
    })?;
    Ok(call.this.clone())
}

fn delete(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let was_there = has(me, call)?;
    on_collection(me, call, |me, object| {
        me.each(&call.arg(0), |me, key| {
            if collection(me, object).is_some_and(|it| it.position(key).is_some()) {
                remove(me, object, key)?;
            } else if let Data::Unknown(_) = key.data {
                me.open_up(object, key);
            }
            Ok(Value::UNDEFINED)
        })
    })?;
    Ok(was_there)
}

/// Removes an entry; under the conditions of the path.
fn remove(me: &mut Evaluator<'_>, object: ObjectId, key: &Value) -> Eval<()> {
    let guard = me.path.since_birth(me.heap.get(object).birth);
    let Some(old) = collection(me, object).and_then(|it| it.get(key).cloned()) else { return Ok(()) };
    let gone = me.path.written(&old, Value::ABSENT, &guard);
    if let ObjectKind::Map(it) | ObjectKind::Set(it) = &mut me.heap.get_mut(object).kind
        && let Some(at) = it.position(key)
        && let Some((_, slot)) = it.entries.get_mut(at)
    {
        *slot = gone;
    }
    me.note_write(Write::Contents(object));
    Ok(())
}

fn clear(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    on_collection(me, call, |me, object| {
        let keys: Vec<Value> = collection(me, object)
            .map(|it| it.present().map(|(key, _)| key.clone()).collect())
            .unwrap_or_default();
        for key in keys {
            remove(me, object, &key)?;
        }
        if me.path.since_birth(me.heap.get(object).birth).is_empty() {
            me.heap.get_mut(object).open = None;
        }
        Ok(Value::UNDEFINED)
    })
}

fn entries_of(me: &Evaluator<'_>, object: ObjectId) -> Vec<(Value, Value)> {
    let entries = collection(me, object).map(|it| it.present().cloned().collect::<Vec<_>>());
    let entries = entries.unwrap_or_default().into_iter();
    entries.map(|(key, value)| (key, me.path.settle(&value))).filter(|(_, value)| !is_absent(value)).collect()
}

fn for_each(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let callback = call.arg(0);
    on_collection(me, call, |me, object| {
        for (key, value) in entries_of(me, object) {
            me.step()?;
            me.if_present(&value, call.at, |me, value| {
                let args = Arguments::of([value, key.clone(), object.into()]);
                me.call(&callback, &call.arg(1), args).map(|_| ())
            })?;
        }
        if let Some(open) = me.heap.get(object).open.clone() {
            let rest = me.path.unknown(open.reason.clone());
            me.unknown_turns(&rest, call.at, &[], |me| {
                let args = Arguments::of([rest.clone(), rest.clone(), object.into()]);
                me.call(&callback, &call.arg(1), args).map(|_| ())
            })?;
        }
        Ok(Value::UNDEFINED)
    })
}

fn pair(me: &mut Evaluator<'_>, key: &Value, value: &Value) -> Value {
    me.map(value, |me, value| {
        if is_absent(value) { Value::ABSENT } else { me.new_array(vec![key.clone(), value.clone()]).into() }
    })
}

fn iterate(
    me: &mut Evaluator<'_>,
    call: &Call<'_>,
    item: fn(&mut Evaluator<'_>, &Value, &Value) -> Value,
) -> Eval {
    on_collection(me, call, |me, object| {
        let entries = entries_of(me, object);
        let values = entries.into_iter().map(|(key, value)| item(me, &key, &value)).collect();
        let rest = me.heap.get(object).open.clone().map(|it| me.path.unknown(it.reason.clone()));
        Ok(me.new_iterator(Items { values, rest }, Value::UNDEFINED).into())
    })
}

/// `union` and its like, for sets whose entries are known.
fn set_operation(
    me: &mut Evaluator<'_>,
    call: &Call<'_>,
    keeps: fn(bool, bool) -> bool,
    adds_other: bool,
) -> Eval {
    on_collection(me, call, |me, object| {
        let Some(other) = call.arg(0).as_object().filter(|it| collection(me, *it).is_some()) else {
            return me.not_modelled(call);
        };
        let prototype = me.realm.set;
        let result = me.allocate(Some(prototype), ObjectKind::Set(Box::default()));
        for from in [object, other] {
            if let Some(open) = me.heap.get(from).open.clone() {
                let why = me.path.unknown(open.reason.clone());
                me.open_up(result, &why);
            }
        }
        for (key, value) in entries_of(me, object) {
            let in_other = collection(me, other).and_then(|it| it.get(&key)).is_some_and(|it| !is_absent(it));
            if keeps(true, in_other) {
                me.if_present(&value, call.at, |me, value| put(me, result, &key, value))?;
            }
        }
        if adds_other {
            for (key, value) in entries_of(me, other) {
                me.if_present(&value, call.at, |me, value| put(me, result, &key, value))?;
            }
        }
        Ok(result.into())
    })
}
