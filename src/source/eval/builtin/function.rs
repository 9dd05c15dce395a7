//! What functions inherit: `call`, `apply`, `bind`.

use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{Bound, ObjectKind};
use crate::source::eval::native::{Call, Eval, NativeFunction};
use crate::source::eval::value::Value;
use crate::source::known::ReasonKind;

const METHODS: Methods = &[
    ("Function.prototype.call", call_with),
    ("Function.prototype.apply", apply),
    ("Function.prototype.bind", bind),
    ("Function.prototype.toString", |me, _| {
        Ok(me.unknown(ReasonKind::NotModelled, "the source of a function"))
    }),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.function;
    me.global_class("Function", construct, prototype);
    // It is a function itself, one that does nothing.
    let code = |_: &mut Evaluator<'_>, _: &Call<'_>| Ok(Value::UNDEFINED);
    let itself = NativeFunction { name: "", code, data: Value::UNDEFINED, constructs: false };
    me.heap.get_mut(prototype).kind = ObjectKind::Native(itself);
    me.methods(prototype, METHODS);
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let result = me.unknown(ReasonKind::NotModelled, "a function made from text");
    me.hand_over(call.args, &result)?;
    Ok(result)
}

fn call_with(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let args = Arguments { values: call.args.iter().skip(1).cloned().collect(), rest: call.rest.cloned() };
    me.call(call.this, &call.arg(0), args)
}

fn apply(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let list = call.arg(1);
    let args = if list.is_nullish() {
        Arguments::default()
    } else {
        let items = me.items_of(&list)?;
        Arguments { values: items.values, rest: items.rest }
    };
    me.call(call.this, &call.arg(0), args)
}

fn bind(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(call.this, |me, target| {
        if !me.is_callable(target) {
            return Ok(target.clone());
        }
        let bound = Bound {
            target: target.clone(),
            this: call.arg(0),
            args: call.args.iter().skip(1).cloned().collect(),
        };
        let prototype = me.realm.function;
        Ok(me.allocate(Some(prototype), ObjectKind::Bound(Box::new(bound))).into())
    })
}
