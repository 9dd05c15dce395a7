//! What functions inherit: `call`, `apply`, `bind`. And functions that are made from text.

use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{Bound, ObjectKind, Property, PropertyKey};
use crate::source::eval::native::{Call, Eval, NativeFunction};
use crate::source::eval::value::{SymbolId, Value};
use crate::source::known::ReasonKind;
use crate::source::problem::LoadProblemKind;

/// The classes of functions of another kind, and how these begin.
const KINDS: [(&str, &str); 3] = [
    ("AsyncFunction", "async function"),
    ("GeneratorFunction", "function*"),
    ("AsyncGeneratorFunction", "async function*"),
];

/// Longer texts are not made functions of.
const MAX_TEXT: usize = 200_000;

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
    for ((name, _), kind) in KINDS.into_iter().zip(me.realm.functions) {
        me.heap.get_mut(kind).prototype = Some(prototype);
        me.new_native_class(name, construct, kind);
        let tag = PropertyKey::Symbol(SymbolId::TO_STRING_TAG);
        me.heap.get_mut(kind).properties.insert(tag, Property::hidden(Value::string(name)));
    }
}

/// A function made from text: code in the global scope.
fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let mut texts = Vec::with_capacity(call.args.len());
    for arg in call.args {
        texts.push(me.to_text(arg)?);
    }
    let known: Option<Vec<_>> = texts.iter().map(|it| it.as_str().map(|it| &**it)).collect();
    let Some(mut parts) = known.filter(|_| call.rest.is_none()) else { return unknown_function(me, call) };
    let body = parts.pop().unwrap_or_default();
    let begin = KINDS.iter().find(|(name, _)| *name == call.name).map_or("function", |(_, begin)| begin);
    let text = format!("({begin} ({}\n) {{\n{body}\n}})", parts.join(","));
    if text.len() > MAX_TEXT {
        return unknown_function(me, call);
    }
    me.steps(text.len() / 16)?;
    match me.function_of_text(&text) {
        Ok(function) => Ok(function),
        Err(Some(LoadProblemKind::Syntax)) => {
            let error = me.new_error("SyntaxError", "");
            let message = me.unknown(ReasonKind::NotModelled, "what is wrong with a text");
            me.hide(error, "message", message);
            Err(me.trip(error.into()))
        }
        Err(_) => unknown_function(me, call),
    }
}

fn unknown_function(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
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
