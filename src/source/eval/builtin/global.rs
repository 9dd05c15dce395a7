//! The global object itself, and what else hangs on it.

use super::{Evaluator, Methods};
use crate::source::eval::heap::{Collection, ObjectKind, PropertyKey, Slot};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::path::Stop;
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

const GLOBALS: Methods = &[("structuredClone", structured_clone), ("eval", evaluate)];

/// How deep values are copied.
const MAX_DEPTH: u32 = 64;

pub(super) fn install(me: &mut Evaluator<'_>) {
    let global = me.realm.global;
    me.methods(global, GLOBALS);
    me.hide(global, "globalThis", global.into());
    me.hide(global, "global", global.into());
    me.constant(global, "undefined", Value::UNDEFINED);
}

fn evaluate(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let Data::String(..) = call.arg(0).data else { return Ok(call.arg(0)) };
    Ok(me.unknown(ReasonKind::NotModelled, "code in a string"))
}

fn structured_clone(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(&call.arg(0), |me, value| copy(me, value, 0))
}

fn not_cloneable(me: &mut Evaluator<'_>, value: &Value) -> Stop {
    let shown = me.shown_value(value);
    let error = me.new_error("DataCloneError", &format!("{shown} could not be cloned."));
    me.hide(error, "name", Value::string("DataCloneError"));
    me.trip(error.into())
}

fn copy(me: &mut Evaluator<'_>, value: &Value, depth: u32) -> Eval {
    me.step()?;
    let value = me.path.settle(value);
    let Some(object) = value.as_object() else {
        return if matches!(value.data, Data::Symbol(_)) {
            Err(not_cloneable(me, &value))
        } else {
            Ok(value)
        };
    };
    let kind = &me.heap.get(object).kind;
    let is_function = me.is_callable(&value) && !matches!(kind, ObjectKind::Proxy { .. });
    if is_function || matches!(kind, ObjectKind::Promise(_)) {
        return Err(not_cloneable(me, &value));
    }
    if depth > MAX_DEPTH || me.is_callable(&value) {
        return Ok(me.unknown(ReasonKind::NotModelled, "a copy of this value"));
    }
    let it = me.heap.get(object);
    let open = it.open.clone();
    let fields: Vec<(PropertyKey, Value)> = it
        .properties
        .iter()
        .filter(|(key, it)| it.enumerable && matches!(key, PropertyKey::Name(_)))
        .filter_map(|(key, it)| match &it.slot {
            Slot::Data(value) => Some((key.clone(), value.clone())),
            Slot::Accessor { .. } => None,
        })
        .collect();
    let result = match &it.kind {
        ObjectKind::Array(elements) => {
            let elements = elements.clone();
            let mut copies = Vec::with_capacity(elements.len());
            for element in &elements {
                copies.push(copy(me, element, depth + 1)?);
            }
            me.new_array(copies)
        }
        ObjectKind::Ordinary => me.new_object(),
        ObjectKind::Map(_) | ObjectKind::Set(_) if open.is_none() => {
            let is_map = matches!(it.kind, ObjectKind::Map(_));
            let entries: Vec<(Value, Value)> = match &it.kind {
                ObjectKind::Map(entries) | ObjectKind::Set(entries) => entries.present().cloned().collect(),
                _ => Vec::new(),
            };
            let mut copies = Collection::default();
            for (key, value) in entries {
                let key = copy(me, &key, depth + 1)?;
                let value = if is_map { copy(me, &value, depth + 1)? } else { key.clone() };
                copies.insert(key, value);
            }
            let (prototype, kind) = if is_map {
                (me.realm.map, ObjectKind::Map(Box::new(copies)))
            } else {
                (me.realm.set, ObjectKind::Set(Box::new(copies)))
            };
            me.allocate(Some(prototype), kind)
        }
        _ => return Ok(me.unknown(ReasonKind::NotModelled, "a copy of this value")),
    };
    for (key, field) in fields {
        let field = copy(me, &field, depth + 1)?;
        let property = crate::source::eval::heap::Property::plain(field);
        me.heap.get_mut(result).properties.insert(key, property);
    }
    if let Some(open) = open {
        let why = me.path.unknown(open.reason.clone());
        me.open_up(result, &why);
    }
    Ok(result.into())
}
