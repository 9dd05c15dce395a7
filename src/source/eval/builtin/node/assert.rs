//! `node:assert`: a function that throws when what it is handed is false.

use super::super::{Evaluator, Methods};
use crate::source::eval::branch::Decision;
use crate::source::eval::heap::{ObjectId, ObjectKind};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::operator::same_value;
use crate::source::eval::value::Value;
use crate::source::ir::BinaryOp;
use crate::source::known::ReasonKind;

const FUNCTIONS: Methods = &[
    ("assert.ok", ok),
    ("assert.equal", |me, call| loosely(me, call, BinaryOp::Equal)),
    ("assert.notEqual", |me, call| loosely(me, call, BinaryOp::NotEqual)),
    ("assert.strictEqual", |me, call| strictly(me, call, true)),
    ("assert.notStrictEqual", |me, call| strictly(me, call, false)),
    ("assert.fail", |me, call| fail(me, call, &call.arg(0))),
    ("assert.ifError", |me, call| {
        let error = call.arg(0);
        me.each(&error, |me, error| {
            if error.is_nullish() {
                Ok(Value::UNDEFINED)
            } else if error.as_unknown().is_some() {
                me.may_throw(error)?;
                Ok(Value::UNDEFINED)
            } else {
                fail(me, call, error)
            }
        })
    }),
];

/// What the strict form does in place of the other.
const STRICT: Methods = &[
    ("assert.equal", |me, call| strictly(me, call, true)),
    ("assert.notEqual", |me, call| strictly(me, call, false)),
];

pub(super) fn module(me: &mut Evaluator<'_>, is_strict: bool) -> ObjectId {
    let module = me.new_native("assert", ok);
    me.methods(module, FUNCTIONS);
    if is_strict {
        me.methods(module, STRICT);
        me.put(module, "strict", module.into());
    } else {
        let strict = super::module(me, "assert/strict");
        me.put(module, "strict", strict);
    }
    let class = match me.realm.errors.get("AssertionError").copied() {
        Some(known) => me.get_name(&known.into(), "constructor").unwrap_or(Value::UNDEFINED),
        None => error_class(me).into(),
    };
    me.put(module, "AssertionError", class);
    module
}

fn error_class(me: &mut Evaluator<'_>) -> ObjectId {
    let base = me.realm.error;
    let prototype = me.allocate(Some(base), ObjectKind::Ordinary);
    let class = me.new_native_class("AssertionError", construct, prototype);
    me.hide(prototype, "name", Value::string("AssertionError"));
    me.realm.errors.insert("AssertionError", prototype);
    class
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let options = call.arg(0);
    let message = match options.as_object() {
        Some(_) => me.get_name(&options, "message")?,
        None => Value::UNDEFINED,
    };
    let otherwise = me.realm.errors.get("AssertionError").copied().unwrap_or(me.realm.error);
    let prototype = me.prototype_for(call, otherwise);
    let error = make(me, message);
    me.heap.get_mut(error).prototype = Some(prototype);
    Ok(error.into())
}

fn make(me: &mut Evaluator<'_>, message: Value) -> ObjectId {
    let error = me.new_error("AssertionError", "");
    let unknown = me.unknown(ReasonKind::NotModelled, "the text of a failed assertion");
    let message = if message.is_undefined() { unknown.clone() } else { message };
    me.hide(error, "message", message);
    me.hide(error, "stack", unknown);
    me.put(error, "code", Value::string("ERR_ASSERTION"));
    error
}

/// Throws the error that is handed over in place of a message, or an error of this message.
fn fail(me: &mut Evaluator<'_>, call: &Call<'_>, message: &Value) -> Eval {
    let is_error = |it: ObjectId| matches!(me.heap.get(it).kind, ObjectKind::Error);
    let error = match message.as_object().filter(|it| is_error(*it)) {
        Some(error) => error,
        None => make(me, message.clone()),
    };
    Err(me.throw(error.into(), Some(call.at)))
}

fn ok(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    hold(me, call, &call.arg(0), &call.arg(1))
}

/// Goes on where a value is true; where it is false, it throws. What is not known is taken to be as asserted outside of `try`.
fn hold(me: &mut Evaluator<'_>, call: &Call<'_>, value: &Value, message: &Value) -> Eval {
    me.each(value, |me, value| {
        if value.as_unknown().is_some() {
            match me.decide(value, call.at) {
                Decision::Known(true, _) => {}
                Decision::Known(false, _) => return fail(me, call, message),
                Decision::Open(_) => me.may_throw(value)?,
            }
            return Ok(Value::UNDEFINED);
        }
        match me.truthiness(value) {
            Some(false) => fail(me, call, message),
            _ => Ok(Value::UNDEFINED),
        }
    })
}

fn loosely(me: &mut Evaluator<'_>, call: &Call<'_>, op: BinaryOp) -> Eval {
    let result = me.binary(op, &call.arg(0), &call.arg(1))?;
    hold(me, call, &result, &call.arg(2))
}

fn strictly(me: &mut Evaluator<'_>, call: &Call<'_>, equal: bool) -> Eval {
    let result = me.combine(call.name, &[call.arg(0), call.arg(1)], |_, values| {
        let [a, b] = values else { return Ok(Value::FALSE) };
        Ok((same_value(a, b) == equal).into())
    })?;
    hold(me, call, &result, &call.arg(2))
}
