//! `Object` and what every object inherits.

use std::sync::Arc;

use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{Integrity, ObjectId, ObjectKind, Property, PropertyKey, Slot};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::operator::same_value;
use crate::source::eval::property::Found;
use crate::source::eval::value::{Data, SymbolId, Value};
use crate::source::known::ReasonKind;

const STATICS: Methods = &[
    ("Object.keys", |me, call| entries(me, call, Part::Key)),
    ("Object.values", |me, call| entries(me, call, Part::Value)),
    ("Object.entries", |me, call| entries(me, call, Part::Both)),
    ("Object.fromEntries", from_entries),
    ("Object.assign", assign),
    ("Object.freeze", |me, call| Ok(restrict(me, call, Integrity::Frozen))),
    ("Object.seal", |me, call| Ok(restrict(me, call, Integrity::Sealed))),
    ("Object.preventExtensions", |me, call| Ok(restrict(me, call, Integrity::NotExtensible))),
    ("Object.isFrozen", |me, call| Ok(is_restricted(me, call, Integrity::Frozen))),
    ("Object.isSealed", |me, call| Ok(is_restricted(me, call, Integrity::Sealed))),
    ("Object.isExtensible", |me, call| {
        let restricted = is_restricted(me, call, Integrity::NotExtensible);
        Ok(me.not(&restricted))
    }),
    ("Object.create", create),
    ("Object.defineProperty", define_property),
    ("Object.defineProperties", define_properties),
    ("Object.getOwnPropertyNames", own_property_names),
    ("Object.getOwnPropertySymbols", own_property_symbols),
    ("Object.getOwnPropertyDescriptor", own_property_descriptor),
    ("Object.getOwnPropertyDescriptors", own_property_descriptors),
    ("Object.getPrototypeOf", prototype_of),
    ("Object.setPrototypeOf", set_prototype_of),
    ("Object.hasOwn", |me, call| has_own(me, &call.arg(0), &call.arg(1))),
    ("Object.is", is),
    ("Object.groupBy", group_by),
];

const METHODS: Methods = &[
    ("Object.prototype.hasOwnProperty", |me, call| has_own(me, call.this, &call.arg(0))),
    ("Object.prototype.propertyIsEnumerable", is_enumerable),
    ("Object.prototype.isPrototypeOf", is_prototype_of),
    ("Object.prototype.toString", to_string),
    ("Object.prototype.toLocaleString", to_string),
    ("Object.prototype.valueOf", |_, call| Ok(call.this.clone())),
];

fn is_enumerable(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if let (Some(object), Some(key)) = (call.this.as_object(), me.known_key(&call.arg(0))?)
        && !matches!(me.heap.get(object).kind, ObjectKind::Proxy { .. })
    {
        let is_length = matches!(&me.heap.get(object).kind, ObjectKind::Array(_)) && key == "length".into();
        if is_length || me.heap.get(object).properties.get(&key).is_some_and(|it| !it.enumerable) {
            return Ok(Value::FALSE);
        }
    }
    has_own(me, call.this, &call.arg(0))
}

/// Which part of an entry is asked for.
#[derive(Clone, Copy)]
enum Part {
    Key,
    Value,
    Both,
}

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.object;
    let class = me.global_class("Object", construct, prototype);
    me.methods(class, STATICS);
    me.methods(prototype, METHODS);
    let get = me.new_native("get __proto__", |me, call| prototype_of_value(me, call.this));
    let set = me.new_native("set __proto__", |me, call| {
        change_prototype(me, call.this, &call.arg(0));
        Ok(Value::UNDEFINED)
    });
    let property = Property {
        slot: Slot::Accessor { get: Some(get), set: Some(set) },
        enumerable: false,
        writable: true,
        is_fixed: false,
    };
    me.heap.get_mut(prototype).properties.insert("__proto__".into(), property);
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if call.new_target.is_some() && !call.has(0) {
        let prototype = me.prototype_for(call, me.realm.object);
        return Ok(me.allocate(Some(prototype), ObjectKind::Ordinary).into());
    }
    me.each(&call.arg(0), |me, value| {
        Ok(match value.data {
            Data::Object(_) | Data::Unknown(_) | Data::Choice(_) => value.clone(),
            Data::Undefined | Data::Null | Data::Absent => me.new_object().into(),
            _ => {
                let prototype = match value.data {
                    Data::String(..) => me.realm.string,
                    Data::Number(_) => me.realm.number,
                    Data::Bool(_) => me.realm.boolean,
                    Data::Symbol(_) => me.realm.symbol,
                    _ => me.realm.bigint,
                };
                me.allocate(Some(prototype), ObjectKind::Boxed(value.clone())).into()
            }
        })
    })
}

/// An array that may hold more than is known.
fn open_array(me: &mut Evaluator<'_>, elements: Vec<Value>, why: Option<&Value>) -> Value {
    let array = me.new_array(elements);
    if let Some(why) = why {
        me.open_up(array, why);
    }
    array.into()
}

fn entries(me: &mut Evaluator<'_>, call: &Call<'_>, part: Part) -> Eval {
    me.each(&call.arg(0), |me, value| match &value.data {
        Data::Object(object) => {
            let list = match part {
                Part::Key => me.own_keys(*object)?,
                _ => me.own_entries(*object)?,
            };
            let open = me.heap.get(*object).open.clone();
            me.steps(list.len() / 4)?;
            let elements = list.into_iter().map(|(name, field)| part_of(me, part, &name, &field)).collect();
            let why = open.map(|it| me.path.unknown(it.reason.clone()));
            Ok(open_array(me, elements, why.as_ref()))
        }
        Data::Unknown(unknown) => {
            let why = me.path.unknown(unknown.reason.clone());
            Ok(open_array(me, Vec::new(), Some(&why)))
        }
        Data::String(..) => {
            let items = me.items_of(value)?.values;
            let numbered = items.into_iter().enumerate();
            let elements =
                numbered.map(|(at, it)| part_of(me, part, &Arc::from(at.to_string()), &it)).collect();
            Ok(open_array(me, elements, None))
        }
        Data::Undefined | Data::Null | Data::Absent => {
            Err(me.throw_error("TypeError", "Cannot convert undefined or null to object"))
        }
        Data::Choice(_) => me.not_modelled(call),
        _ => Ok(open_array(me, Vec::new(), None)),
    })
}

/// The asked part of an entry; absent where the entry is.
fn part_of(me: &mut Evaluator<'_>, part: Part, name: &Arc<str>, field: &Value) -> Value {
    match part {
        Part::Key => me.name_of_entry(name, field),
        Part::Value => field.clone(),
        Part::Both => me.map(field, |me, field| match field.data {
            Data::Absent => Value::ABSENT,
            _ => me.new_array(vec![Value::string(name.clone()), field.clone()]).into(),
        }),
    }
}

fn from_entries(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let items = me.items_of(&call.arg(0))?;
    let object = me.new_object();
    for item in items.values {
        me.if_present(&item, call.at, |me, entry| {
            let key = me.get_name(&entry, "0")?;
            let value = me.get_name(&entry, "1")?;
            define_any(me, object, &key, value)
        })?;
    }
    if let Some(rest) = items.rest {
        me.open_up(object, &rest);
    }
    Ok(object.into())
}

/// Writes a property whose name may be one of several or unknown.
pub(super) fn define_any(me: &mut Evaluator<'_>, object: ObjectId, key: &Value, value: Value) -> Eval<()> {
    me.each(key, |me, key| {
        match me.known_key(key)? {
            Some(key) => me.write(object, &key, value.clone())?,
            None => me.write_unknown_key(object),
        }
        Ok(Value::UNDEFINED)
    })
    .map(|_| ())
}

fn assign(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let target = call.arg(0);
    me.each(&target, |me, target| {
        if target.is_nullish() {
            return Err(me.throw_error("TypeError", "Cannot convert undefined or null to object"));
        }
        let Some(object) = target.as_object() else { return Ok(Value::UNDEFINED) };
        for source in call.args.iter().skip(1) {
            me.copy_into(object, source)?;
        }
        if let Some(rest) = call.rest {
            me.open_up(object, rest);
        }
        Ok(Value::UNDEFINED)
    })?;
    Ok(target)
}

/// `freeze` and its siblings. Under a condition they are taken to do nothing.
pub(super) fn restrict(me: &mut Evaluator<'_>, call: &Call<'_>, to: Integrity) -> Value {
    let value = call.arg(0);
    if let Some(object) = value.as_object()
        && me.path.since_birth(me.heap.get(object).birth).is_empty()
    {
        let it = me.heap.get_mut(object);
        it.integrity = it.integrity.max(to);
    }
    value
}

/// Whether no more can be changed of an object than this leaves.
pub(super) fn is_restricted(me: &mut Evaluator<'_>, call: &Call<'_>, to: Integrity) -> Value {
    let value = call.arg(0);
    me.map(&value, |me, it| match &it.data {
        Data::Unknown(_) => it.clone(),
        Data::Object(object) => {
            let it = me.heap.get(*object);
            let is_empty = it.properties.is_empty() && matches!(it.kind, ObjectKind::Ordinary);
            (it.integrity >= to || (is_empty && it.integrity > Integrity::Free)).into()
        }
        _ => Value::TRUE,
    })
}

fn create(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let object = me.allocate(call.arg(0).as_object(), ObjectKind::Ordinary);
    if let Data::Unknown(_) = call.arg(0).data {
        me.open_up(object, &call.arg(0));
    }
    if call.has(1) {
        define_all(me, object, &call.arg(1))?;
    }
    Ok(object.into())
}

fn define_property(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let target = call.arg(0);
    me.each(&target, |me, target| {
        let Some(object) = target.as_object() else { return Ok(Value::UNDEFINED) };
        let key = me.known_key(&call.arg(1))?;
        match key {
            Some(key) => define(me, object, &key, &call.arg(2))?,
            None => me.write_unknown_key(object),
        }
        Ok(Value::UNDEFINED)
    })?;
    Ok(target)
}

fn define_properties(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if let Some(object) = call.arg(0).as_object() {
        define_all(me, object, &call.arg(1))?;
    }
    Ok(call.arg(0))
}

fn define_all(me: &mut Evaluator<'_>, object: ObjectId, descriptors: &Value) -> Eval<()> {
    match descriptors.as_object() {
        Some(descriptors) => {
            for (name, descriptor) in me.own_entries(descriptors)? {
                me.if_present(&descriptor, me.here, |me, descriptor| {
                    define(me, object, &PropertyKey::Name(name.clone()), &descriptor)
                })?;
            }
        }
        None => me.write_unknown_key(object),
    }
    Ok(())
}

/// Defines a property by a descriptor.
fn define(me: &mut Evaluator<'_>, object: ObjectId, key: &PropertyKey, descriptor: &Value) -> Eval<()> {
    if let ObjectKind::Proxy { target, handler } = &me.heap.get(object).kind {
        let (target, handler) = (target.clone(), handler.clone());
        let trap = me.get_name(&handler, "defineProperty")?;
        if !trap.is_nullish() {
            let name = me.key_value(key);
            let args = Arguments::of([target, name, descriptor.clone()]);
            return me.call(&trap, &handler, args).map(|_| ());
        }
        return match target.as_object() {
            Some(target) => me.deeper(|me| define(me, target, key, descriptor)),
            None => Ok(()),
        };
    }
    let it = me.heap.get(object);
    if it.properties.get(key).is_some_and(|it| it.is_fixed && !it.writable && !it.is_absent()) {
        let old = me.get_of(object, key, &object.into())?;
        let new = me.get_name(descriptor, "value")?;
        if old.is_settled() && new.is_settled() && !old.is_same(&new) {
            let name = me.key_text(key);
            return Err(me.throw_error("TypeError", &format!("Cannot redefine property: {name}")));
        }
    }
    let it = me.heap.get(object);
    if it.integrity > Integrity::Free && it.properties.get(key).is_none_or(Property::is_absent) {
        let name = me.key_text(key);
        let message = format!("Cannot define property {name}, object is not extensible");
        return Err(me.throw_error("TypeError", &message));
    }
    if descriptor.as_object().is_none() {
        me.write_unknown_key(object);
        return Ok(());
    }
    let enumerable = me.get_name(descriptor, "enumerable")?;
    let enumerable = me.truthiness(&enumerable) == Some(true);
    let get = me.get_name(descriptor, "get")?.as_object();
    let set = me.get_name(descriptor, "set")?.as_object();
    let configurable = me.get_name(descriptor, "configurable")?;
    let is_fixed = me.truthiness(&configurable) == Some(false);
    let unconditional = me.path.since_birth(me.heap.get(object).birth).is_empty();
    // What a descriptor does not name stays as it was.
    let before = me.heap.get(object).properties.get(key).filter(|it| !it.is_absent());
    let accessors = match before.map(|it| &it.slot) {
        Some(Slot::Accessor { get, set }) => (*get, *set),
        _ => (None, None),
    };
    let before = before.map(|it| (it.enumerable, it.writable));
    let has = |me: &mut Evaluator<'_>, name: &str| -> Eval<bool> {
        let there = me.has(descriptor, &name.into())?;
        Ok(me.truthiness(&there) != Some(false))
    };
    let enumerable =
        if has(me, "enumerable")? { enumerable } else { before.is_some_and(|(enumerable, _)| enumerable) };
    if get.is_some() || set.is_some() {
        let get = if has(me, "get")? { get } else { accessors.0 };
        let set = if has(me, "set")? { set } else { accessors.1 };
        if unconditional {
            let property =
                Property { slot: Slot::Accessor { get, set }, enumerable, writable: true, is_fixed };
            me.heap.get_mut(object).properties.insert(key.clone(), property);
        } else {
            // Whether it is there hangs on a condition: its value then, and no accessor.
            let value = match get {
                Some(get) => me.call(&get.into(), &object.into(), Arguments::default())?,
                None => Value::UNDEFINED,
            };
            me.write(object, key, value)?;
        }
        return Ok(());
    }
    if has(me, "value")? || before.is_none() {
        let value = me.get_name(descriptor, "value")?;
        me.write(object, key, value)?;
    }
    let writable = if has(me, "writable")? {
        let writable = me.get_name(descriptor, "writable")?;
        me.truthiness(&writable) != Some(false)
    } else {
        before.is_some_and(|(_, writable)| writable)
    };
    if let Some(property) = me.heap.get_mut(object).properties.get_mut(key) {
        property.enumerable = enumerable;
        property.writable = writable || !unconditional;
        property.is_fixed |= is_fixed && before.is_none() && unconditional;
    }
    Ok(())
}

fn own_property_names(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(&call.arg(0), |me, value| match value.as_object() {
        Some(object) => {
            let names = me.own_names(object, true)?;
            let elements = names.into_iter().map(Value::string).collect();
            let open = me.heap.get(object).open.clone();
            let why = open.map(|it| me.path.unknown(it.reason.clone()));
            Ok(open_array(me, elements, why.as_ref()))
        }
        None => me.not_modelled(call),
    })
}

fn own_property_symbols(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(&call.arg(0), |me, value| {
        let Some(object) = value.as_object() else { return me.not_modelled(call) };
        let symbols = me.heap.get(object).properties.iter().filter_map(|(key, property)| match key {
            PropertyKey::Symbol(id) if !property.is_absent() => Some(Value::from(*id)),
            _ => None,
        });
        let symbols = symbols.collect();
        Ok(me.new_array(symbols).into())
    })
}

fn own_property_descriptor(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let key = me.known_key(&call.arg(1))?;
    me.each(&call.arg(0), |me, value| match (value.as_object(), &key) {
        (Some(object), Some(key)) => descriptor_of(me, object, key),
        _ => me.not_modelled(call),
    })
}

fn descriptor_of(me: &mut Evaluator<'_>, object: ObjectId, key: &PropertyKey) -> Eval {
    let there = me.has_own(object, key)?;
    if me.truthiness(&there) == Some(false) {
        return Ok(Value::UNDEFINED);
    }
    let property = me.heap.get(object).properties.get(key).cloned();
    if property.is_none() && matches!(me.own(object, key)?, Found::Nothing | Found::Open(_)) {
        // It may as well be an accessor.
        return Ok(me.unknown(ReasonKind::NotModelled, "how a property is defined"));
    }
    let integrity = me.heap.get(object).integrity;
    let (frozen, sealed) = (integrity == Integrity::Frozen, integrity >= Integrity::Sealed);
    let sealed = sealed || property.as_ref().is_some_and(|it| it.is_fixed);
    let (enumerable, writable) = property.as_ref().map_or((true, true), |it| (it.enumerable, it.writable));
    if let Some(Property { slot: Slot::Accessor { get, set }, .. }) = property {
        let function = |it: Option<ObjectId>| it.map_or(Value::UNDEFINED, Value::from);
        return Ok(me.object_of([
            ("get", function(get)),
            ("set", function(set)),
            ("enumerable", enumerable.into()),
            ("configurable", (!sealed).into()),
        ]));
    }
    let value = me.get_of(object, key, &object.into())?;
    Ok(me.object_of([
        ("value", value),
        ("writable", (writable && !frozen).into()),
        ("enumerable", enumerable.into()),
        ("configurable", (!sealed).into()),
    ]))
}

fn own_property_descriptors(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(&call.arg(0), |me, value| {
        let Some(object) = value.as_object() else { return me.not_modelled(call) };
        let result = me.new_object();
        for name in me.own_names(object, true)? {
            let descriptor = descriptor_of(me, object, &PropertyKey::Name(name.clone()))?;
            me.put(result, &name, descriptor);
        }
        if let Some(open) = me.heap.get(object).open.clone() {
            let why = me.path.unknown(open.reason.clone());
            me.open_up(result, &why);
        }
        Ok(result.into())
    })
}

fn prototype_of(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(&call.arg(0), prototype_of_value)
}

impl Evaluator<'_> {
    /// `Object.getPrototypeOf(value)`.
    pub(in crate::source::eval) fn prototype_of(&mut self, value: &Value) -> Eval {
        prototype_of_value(self, value)
    }
}

pub(super) fn prototype_of_value(me: &mut Evaluator<'_>, value: &Value) -> Eval {
    let prototype = match &value.data {
        Data::Object(object) => match &me.heap.get(*object).kind {
            ObjectKind::Proxy { target, handler } => {
                let (target, handler) = (target.clone(), handler.clone());
                let trap = me.get_name(&handler, "getPrototypeOf")?;
                if !trap.is_nullish() {
                    return me.call(&trap, &handler, Arguments::of([target]));
                }
                return me.deeper(|me| prototype_of_value(me, &target));
            }
            _ => me.heap.get(*object).prototype,
        },
        Data::String(..) => Some(me.realm.string),
        Data::Number(_) => Some(me.realm.number),
        Data::Bool(_) => Some(me.realm.boolean),
        _ => return Ok(me.unknown(ReasonKind::NotModelled, "the prototype of this value")),
    };
    Ok(prototype.map_or(Value::NULL, Value::from))
}

fn set_prototype_of(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    change_prototype(me, &call.arg(0), &call.arg(1));
    Ok(call.arg(0))
}

pub(super) fn change_prototype(me: &mut Evaluator<'_>, value: &Value, prototype: &Value) {
    let Some(object) = value.as_object() else { return };
    match prototype.data {
        // A ring of prototypes is refused by JavaScript.
        Data::Object(prototype) => {
            let mut at = Some(prototype);
            let mut steps = 0;
            while let Some(id) = at {
                steps += 1;
                if id == object || steps > 1000 {
                    return;
                }
                at = me.heap.get(id).prototype;
            }
            me.heap.get_mut(object).prototype = Some(prototype);
        }
        Data::Null => me.heap.get_mut(object).prototype = None,
        _ => me.open_up(object, prototype),
    }
}

pub(super) fn has_own(me: &mut Evaluator<'_>, value: &Value, key: &Value) -> Eval {
    me.each(value, |me, value| {
        me.each(key, |me, key| {
            let known = me.known_key(key)?;
            match (&value.data, known) {
                (Data::Object(object), Some(key)) => match &me.heap.get(*object).kind {
                    ObjectKind::Proxy { .. } => me.has(value, &key),
                    _ => me.has_own(*object, &key),
                },
                (Data::Unknown(_), Some(key)) => me.has(value, &key),
                (Data::Undefined | Data::Null | Data::Absent, _) => {
                    Err(me.throw_error("TypeError", "Cannot convert undefined or null to object"))
                }
                _ => Ok(me.unknown(ReasonKind::NotModelled, "whether there is a property")),
            }
        })
    })
}

fn is(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0), call.arg(1)], |_, values| {
        let [a, b] = values else { return Ok(Value::FALSE) };
        Ok(same_value(a, b).into())
    })
}

fn group_by(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let items = me.items_of(&call.arg(0))?;
    let object = me.allocate(None, ObjectKind::Ordinary);
    let callback = call.arg(1);
    for (index, item) in items.values.into_iter().enumerate() {
        me.if_present(&item, call.at, |me, item| {
            let args = Arguments::of([item.clone(), Value::number(super::units::number(index))]);
            let key = me.call(&callback, &Value::UNDEFINED, args)?;
            let Some(key) = me.known_key(&key)? else {
                me.write_unknown_key(object);
                return Ok(());
            };
            let group = me.get_of(object, &key, &object.into())?;
            if let Some(group) = group.as_object() {
                return me.append(group, [item]);
            }
            let group = me.new_array(vec![item]);
            me.write(object, &key, group.into())
        })?;
    }
    if let Some(rest) = items.rest {
        me.open_up(object, &rest);
    }
    Ok(object.into())
}

fn is_prototype_of(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let (Some(prototype), Some(object)) = (call.this_object(), call.arg(0).as_object()) else {
        return Ok(Value::FALSE);
    };
    let mut at = me.heap.get(object).prototype;
    for _ in 0..64 {
        match at {
            Some(it) if it == prototype => return Ok(Value::TRUE),
            Some(it) => at = me.heap.get(it).prototype,
            None => break,
        }
    }
    Ok(Value::FALSE)
}

/// Whether the objects of an opaque class are tagged with its name.
fn is_tagged(class: &str) -> bool {
    class.ends_with("Array") || matches!(class, "ArrayBuffer" | "SharedArrayBuffer" | "DataView")
}

fn to_string(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(call.this, |me, this| {
        let name = match &this.data {
            Data::Object(object) => {
                let tag = me.get_of(*object, &PropertyKey::Symbol(SymbolId::TO_STRING_TAG), this)?;
                if let Some(tag) = tag.as_str() {
                    return Ok(Value::string(format!("[object {tag}]")));
                }
                match &me.heap.get(*object).kind {
                    ObjectKind::Array(_) => "Array",
                    ObjectKind::Error => "Error",
                    ObjectKind::RegExp { .. } => "RegExp",
                    ObjectKind::Map(_) => "Map",
                    ObjectKind::Set(_) => "Set",
                    ObjectKind::Promise(_) => "Promise",
                    ObjectKind::Opaque(class) if is_tagged(class) => *class,
                    ObjectKind::Opaque(_) | ObjectKind::Proxy { .. } => return me.not_modelled(call),
                    _ if me.is_callable(this) => "Function",
                    _ => "Object",
                }
            }
            Data::Undefined | Data::Absent => "Undefined",
            Data::Null => "Null",
            Data::String(..) => "String",
            Data::Number(_) => "Number",
            Data::Bool(_) => "Boolean",
            Data::Symbol(_) => "Symbol",
            Data::BigInt(_) => "BigInt",
            Data::Unknown(_) | Data::Choice(_) => return me.not_modelled(call),
        };
        Ok(Value::string(format!("[object {name}]")))
    })
}
