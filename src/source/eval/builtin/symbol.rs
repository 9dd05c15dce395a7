//! `Symbol`.

use std::sync::Arc;

use super::{Evaluator, Methods};
use crate::source::eval::heap::{Property, PropertyKey, Slot};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::{Data, SymbolId, Value};

const STATICS: Methods = &[("Symbol.for", registered), ("Symbol.keyFor", key_for)];

const METHODS: Methods = &[
    ("Symbol.prototype.toString", |me, call| {
        Ok(me.map(call.this, |me, it| me.text_of(it).map_or(Value::UNDEFINED, Value::string)))
    }),
    ("Symbol.prototype.valueOf", |_, call| Ok(call.this.clone())),
];

const WELL_KNOWN: [(&str, SymbolId); 7] = [
    ("iterator", SymbolId::ITERATOR),
    ("asyncIterator", SymbolId::ASYNC_ITERATOR),
    ("hasInstance", SymbolId::HAS_INSTANCE),
    ("toPrimitive", SymbolId::TO_PRIMITIVE),
    ("toStringTag", SymbolId::TO_STRING_TAG),
    ("dispose", SymbolId::DISPOSE),
    ("asyncDispose", SymbolId::ASYNC_DISPOSE),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.symbol;
    let class = me.global_class("Symbol", construct, prototype);
    me.methods(class, STATICS);
    for (name, id) in WELL_KNOWN {
        me.constant(class, name, id.into());
    }
    for name in
        ["match", "matchAll", "replace", "search", "species", "split", "isConcatSpreadable", "unscopables"]
    {
        let symbol = me.new_symbol(format!("Symbol.{name}").into());
        me.constant(class, name, symbol.into());
    }
    me.methods(prototype, METHODS);
    let get = me.new_native("get description", description);
    let property = Property {
        slot: Slot::Accessor { get: Some(get), set: None },
        enumerable: false,
        writable: true,
        is_fixed: false,
    };
    me.heap.get_mut(prototype).properties.insert(PropertyKey::from("description"), property);
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if call.new_target.is_some() {
        return Err(me.throw_error("TypeError", "Symbol is not a constructor"));
    }
    let text = if call.has(0) { me.text_of(&call.arg(0)).unwrap_or_else(|| "".into()) } else { "".into() };
    Ok(me.new_symbol(text).into())
}

fn registered(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = me.to_text(&call.arg(0))?;
    me.combine(call.name, &[text], |me, values| {
        let key: Arc<str> = values.first().and_then(|it| it.as_str().cloned()).unwrap_or_else(|| "".into());
        Ok(me.registered_symbol(&key).into())
    })
}

fn key_for(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let Data::Symbol(id) = call.arg(0).data else { return Ok(Value::UNDEFINED) };
    let key = me.symbol_registry.iter().find(|(_, it)| **it == id).map(|(key, _)| key.clone());
    Ok(key.map_or(Value::UNDEFINED, Value::string))
}

fn description(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    Ok(me.map(call.this, |me, it| match it.data {
        Data::Symbol(id) => {
            me.symbols.get(id.0 as usize).map_or(Value::UNDEFINED, |it| Value::string(it.clone()))
        }
        _ => Value::UNDEFINED,
    }))
}
