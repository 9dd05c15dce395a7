//! `node:async_hooks`: an `AsyncLocalStorage` calls what it is handed at once, and has what it stores until that has ended. What
//! callbacks find in it later is not followed.

use super::super::opaque::Manner;
use super::super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::expression::present;
use crate::source::eval::heap::{ObjectId, Slot};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::Value;
use crate::source::known::ReasonKind;

const METHODS: Methods = &[
    ("AsyncLocalStorage.run", |me, call| call_with(me, call, call.arg(0), 1)),
    ("AsyncLocalStorage.exit", |me, call| call_with(me, call, Value::UNDEFINED, 0)),
    ("AsyncLocalStorage.enterWith", enter_with),
    ("AsyncLocalStorage.getStore", store),
];

pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.new_object();
    let storage = me.opaque_class("AsyncLocalStorage");
    let prototype =
        me.get_of(storage, &"prototype".into(), &storage.into()).ok().and_then(|it| it.as_object());
    if let Some(prototype) = prototype {
        me.methods(prototype, METHODS);
        me.opaque_methods(prototype, Manner::Nothing, &["AsyncLocalStorage.disable"]);
    }
    me.put(module, "AsyncLocalStorage", storage.into());
    let resource = me.opaque_class("AsyncResource");
    me.put(module, "AsyncResource", resource.into());
    let why = me.unknown(ReasonKind::NotModelled, "node:async_hooks is not modelled");
    me.open_up(module, &why);
    module
}

/// Where a storage keeps what it stores.
const STORE: &str = "\0store";

/// Calls the argument at a position with those behind it, while something is stored.
fn call_with(me: &mut Evaluator<'_>, call: &Call<'_>, stored: Value, at: usize) -> Eval {
    let args: Vec<Value> = call.args.iter().skip(at + 1).cloned().collect();
    let before = keep(me, call.this, stored);
    let result = me.call(&call.arg(at), &Value::UNDEFINED, Arguments::of(args));
    keep(me, call.this, before);
    result
}

/// Stores something; gives what was stored before.
fn keep(me: &mut Evaluator<'_>, storage: &Value, stored: Value) -> Value {
    let Some(object) = storage.as_object() else { return Value::UNDEFINED };
    let before = match me.heap.get(object).properties.get(&STORE.into()).map(|it| &it.slot) {
        Some(Slot::Data(before)) => before.clone(),
        _ => Value::UNDEFINED,
    };
    me.hide(object, STORE, stored);
    before
}

fn enter_with(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if let Some(object) = call.this.as_object() {
        me.write(object, &STORE.into(), call.arg(0))?;
    }
    Ok(Value::UNDEFINED)
}

fn store(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let Some(object) = call.this.as_object() else { return me.not_modelled(call) };
    let stored = match me.heap.get(object).properties.get(&STORE.into()).map(|it| &it.slot) {
        Some(Slot::Data(stored)) => me.path.settle(stored),
        _ => return Ok(Value::UNDEFINED),
    };
    // Callbacks that run by themselves have what was stored where they were handed over.
    if me.schedule.is_late() || me.schedule.callbacks > 0 {
        return me.not_modelled(call);
    }
    Ok(present(stored))
}
