//! `Proxy` and `Reflect`.

use super::object::{change_prototype, prototype_of_value};
use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{Integrity, ObjectKind};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::Value;
use crate::source::eval::writing::Mode;
use crate::source::known::ReasonKind;

const REFLECT: Methods = &[
    ("Reflect.get", get),
    ("Reflect.set", set),
    ("Reflect.has", has),
    ("Reflect.ownKeys", own_keys),
    ("Reflect.apply", apply),
    ("Reflect.construct", construct),
    ("Reflect.getPrototypeOf", |me, call| prototype_of_value(me, &call.arg(0))),
    ("Reflect.setPrototypeOf", |me, call| {
        change_prototype(me, &call.arg(0), &call.arg(1));
        Ok(Value::TRUE)
    }),
    ("Reflect.deleteProperty", delete),
    ("Reflect.defineProperty", |me, call| forward(me, call, "defineProperty", Some(Value::TRUE))),
    ("Reflect.getOwnPropertyDescriptor", |me, call| forward(me, call, "getOwnPropertyDescriptor", None)),
    ("Reflect.isExtensible", |me, call| {
        let restricted = super::object::is_restricted(me, call, Integrity::NotExtensible);
        Ok(me.not(&restricted))
    }),
    ("Reflect.preventExtensions", |me, call| {
        super::object::restrict(me, call, Integrity::NotExtensible);
        Ok(Value::TRUE)
    }),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    me.global_object("Reflect", REFLECT);
    let nothing = me.new_object();
    let class = me.global_class("Proxy", new_proxy, nothing);
    me.methods(class, &[("Proxy.revocable", revocable)]);
}

fn new_proxy(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let kind = ObjectKind::Proxy { target: call.arg(0), handler: call.arg(1) };
    Ok(me.allocate(None, kind).into())
}

fn revocable(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let proxy = new_proxy(me, call)?;
    let revoke = me.new_native_with("revoke", revoke, proxy.clone());
    Ok(me.object_of([("proxy", proxy), ("revoke", revoke.into())]))
}

/// From then on every operation on the proxy throws, by its handler being none.
fn revoke(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if let Some(object) = call.data.as_object()
        && let is_sure = me.path.since_birth(me.heap.get(object).birth).is_empty()
    {
        let unsure = me.unknown(ReasonKind::NotModelled, "whether a proxy has been revoked");
        if let ObjectKind::Proxy { handler, .. } = &mut me.heap.get_mut(object).kind {
            *handler = if is_sure { Value::NULL } else { unsure };
        }
    }
    Ok(Value::UNDEFINED)
}

fn get(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let receiver = if call.args.len() > 2 { call.arg(2) } else { call.arg(0) };
    me.each(&call.arg(0), |me, target| {
        me.each(&call.arg(1), |me, key| match (me.known_key(key)?, target.as_object()) {
            (Some(key), Some(object)) => me.get_of(object, &key, &receiver),
            (Some(key), None) => me.get(target, &key),
            (None, _) => Ok(me.unknown(ReasonKind::NotModelled, "a property whose name is not known")),
        })
    })
}

fn set(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(&call.arg(0), |me, target| {
        let key = me.known_key(&call.arg(1))?;
        if let (Some(object), Some(key)) = (target.as_object(), &key)
            && !me.can_be_set(object, key)
        {
            return Ok(Value::FALSE);
        }
        me.assign_member(target, key.as_ref(), call.arg(2), Mode::Sloppy)?;
        Ok(Value::TRUE)
    })
}

fn has(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(&call.arg(1), |me, key| match me.known_key(key)? {
        Some(key) => me.has(&call.arg(0), &key),
        None => me.not_modelled(call),
    })
}

fn own_keys(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(&call.arg(0), |me, target| {
        let Some(object) = target.as_object() else { return me.not_modelled(call) };
        let names = me.own_names(object, true)?.into_iter().map(Value::string);
        let mut keys: Vec<Value> = names.collect();
        for (key, property) in me.heap.get(object).properties.iter() {
            if let crate::source::eval::heap::PropertyKey::Symbol(id) = key
                && !property.is_absent()
            {
                keys.push((*id).into());
            }
        }
        let array = me.new_array(keys);
        if let Some(open) = me.heap.get(object).open.clone() {
            let why = me.path.unknown(open.reason.clone());
            me.open_up(array, &why);
        }
        Ok(array.into())
    })
}

fn apply(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    super::function::call_with_list(me, &call.arg(0), &call.arg(1), &call.arg(2))
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let args = super::function::list_of(me, &call.arg(1))?;
    let new_target = call.arg(2).as_object();
    me.construct(&call.arg(0), args, new_target)
}

fn delete(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if let Some(key) = me.known_key(&call.arg(1))? {
        me.delete(&call.arg(0), &key)?;
    }
    Ok(Value::TRUE)
}

/// Does what the function of this name of `Object` does.
fn forward(me: &mut Evaluator<'_>, call: &Call<'_>, name: &str, result: Option<Value>) -> Eval {
    let global = me.realm.global;
    let object = me.get_of(global, &"Object".into(), &global.into())?;
    let function = me.get_name(&object, name)?;
    let value = me.call(&function, &object, Arguments::of(call.args))?;
    Ok(result.unwrap_or(value))
}
