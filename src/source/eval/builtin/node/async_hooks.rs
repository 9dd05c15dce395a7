//! `node:async_hooks`: an `AsyncLocalStorage` calls what it is handed at once. What it stores is not followed.

use super::super::opaque::Manner;
use super::super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::ObjectId;
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::Value;
use crate::source::known::ReasonKind;

const METHODS: Methods = &[
    ("AsyncLocalStorage.run", |me, call| call_at_once(me, call, 1)),
    ("AsyncLocalStorage.exit", |me, call| call_at_once(me, call, 0)),
];

pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.new_object();
    let storage = me.opaque_class("AsyncLocalStorage");
    let prototype =
        me.get_of(storage, &"prototype".into(), &storage.into()).ok().and_then(|it| it.as_object());
    if let Some(prototype) = prototype {
        me.methods(prototype, METHODS);
        me.opaque_methods(prototype, Manner::Pure, &["AsyncLocalStorage.getStore"]);
        me.opaque_methods(
            prototype,
            Manner::Nothing,
            &["AsyncLocalStorage.enterWith", "AsyncLocalStorage.disable"],
        );
    }
    me.put(module, "AsyncLocalStorage", storage.into());
    let resource = me.opaque_class("AsyncResource");
    me.put(module, "AsyncResource", resource.into());
    let why = me.unknown(ReasonKind::NotModelled, "node:async_hooks is not modelled");
    me.open_up(module, &why);
    module
}

/// Calls the argument at a position with those behind it.
fn call_at_once(me: &mut Evaluator<'_>, call: &Call<'_>, at: usize) -> Eval {
    let args: Vec<Value> = call.args.iter().skip(at + 1).cloned().collect();
    me.call(&call.arg(at), &Value::UNDEFINED, Arguments::of(args))
}
