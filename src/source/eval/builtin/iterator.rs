//! Iterators and generators: what they yield is known beforehand.

use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::generator::Asked;
use crate::source::eval::heap::{ObjectId, ObjectKind, Property, PropertyKey};
use crate::source::eval::iteration::Items;
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::suspension::Sent;
use crate::source::eval::value::{Literal, SymbolId, Value};
use crate::source::known::{Reason, ReasonKind};

const METHODS: Methods = &[
    ("Iterator.prototype.next", |me, call| stepping(me, call, next)),
    ("Iterator.prototype.return", |me, call| stepping(me, call, leave)),
    ("Iterator.prototype.throw", |me, call| stepping(me, call, throw_into)),
    ("Iterator.prototype.toArray", |me, call| as_array(me, call.this)),
    ("Iterator.prototype.map", |me, call| as_iterator(me, call, "map")),
    ("Iterator.prototype.filter", |me, call| as_iterator(me, call, "filter")),
    ("Iterator.prototype.flatMap", |me, call| as_iterator(me, call, "flatMap")),
    ("Iterator.prototype.take", |me, call| part(me, call, true)),
    ("Iterator.prototype.drop", |me, call| part(me, call, false)),
    ("Iterator.prototype.forEach", |me, call| as_array_method(me, call, "forEach")),
    ("Iterator.prototype.reduce", |me, call| as_array_method(me, call, "reduce")),
    ("Iterator.prototype.some", |me, call| as_array_method(me, call, "some")),
    ("Iterator.prototype.every", |me, call| as_array_method(me, call, "every")),
    ("Iterator.prototype.find", |me, call| as_array_method(me, call, "find")),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.iterator;
    let abstract_class = |me: &mut Evaluator<'_>, call: &Call<'_>| {
        Err(me.throw_error("TypeError", &format!("{} is abstract", call.name)))
    };
    me.global_class("Iterator", abstract_class, prototype);
    me.methods(prototype, METHODS);
    for (symbol, name) in [
        (SymbolId::ITERATOR, "Iterator.prototype[Symbol.iterator]"),
        (SymbolId::ASYNC_ITERATOR, "Iterator.prototype[Symbol.asyncIterator]"),
    ] {
        let itself = me.new_native(name, |_, call| Ok(call.this.clone()));
        let key = PropertyKey::Symbol(symbol);
        me.heap.get_mut(prototype).properties.insert(key, Property::hidden(itself.into()));
    }
}

fn step(me: &mut Evaluator<'_>, value: Value, done: bool) -> Value {
    me.object_of([("value", value), ("done", done.into())])
}

/// A step of an iterator: that of an asynchronous generator gives a promise.
fn stepping(
    me: &mut Evaluator<'_>,
    call: &Call<'_>,
    run: fn(&mut Evaluator<'_>, &Call<'_>, ObjectId) -> Eval,
) -> Eval {
    let Some(object) = call.this_object() else { return me.not_modelled(call) };
    match &me.heap.get(object).kind {
        ObjectKind::Iterator { is_async: true, .. } => me.as_async(|me| run(me, call, object)),
        ObjectKind::Iterator { .. } => run(me, call, object),
        _ => me.not_modelled(call),
    }
}

/// `return(value)`: what stands in a `finally` may happen.
fn leave(me: &mut Evaluator<'_>, call: &Call<'_>, object: ObjectId) -> Eval {
    if let Some(step) = from_standing(me, object, Sent::Return(call.arg(0)))? {
        return Ok(step);
    }
    me.interrupt(object, false);
    Ok(step(me, call.arg(0), true))
}

/// `throw(error)`: a generator that has begun may catch it.
fn throw_into(me: &mut Evaluator<'_>, call: &Call<'_>, object: ObjectId) -> Eval {
    if let Some(step) = from_standing(me, object, Sent::Error(call.arg(0)))? {
        return Ok(step);
    }
    let at = Some(call.at);
    if me.interrupt(object, true) {
        return Err(me.throw(call.arg(0), at));
    }
    let reason = Reason {
        kind: ReasonKind::NotModelled,
        text: "whether a generator catches what is thrown into it".into(),
        at,
    };
    let after = me.path.unknown(reason.clone());
    me.open_up(object, &after);
    let cond = me.path.fresh(call.at, reason);
    let (mark, exits) = (me.path.mark(), me.exits.len());
    let error = call.arg(0);
    me.under(&[Literal::new(cond, false)], |me| -> Eval<()> { Err(me.throw(error, at)) })?;
    me.resume(mark, exits);
    Ok(after)
}

/// What a generator gives that stands still, or could.
fn from_standing(me: &mut Evaluator<'_>, object: ObjectId, sent: Sent) -> Eval<Option<Value>> {
    me.stand_still(object);
    let Some((value, is_done)) = me.go_on_with(object, sent)? else { return Ok(None) };
    if me.heap.get(object).open.is_some() {
        return Ok(Some(value));
    }
    Ok(Some(step(me, value, is_done)))
}

fn next(me: &mut Evaluator<'_>, call: &Call<'_>, object: ObjectId) -> Eval {
    if let Some(step) = from_standing(me, object, Sent::Value(call.arg(0)))? {
        return Ok(step);
    }
    me.begin_generator(object, Asked::Driven)?;
    if let ObjectKind::Iterator { next, .. } = &me.heap.get(object).kind {
        let asked = *next;
        me.go_on(object, asked);
        me.throw_behind(object, asked)?;
    }
    let open = me.heap.get(object).open.clone();
    let ObjectKind::Iterator { items, next, returns, .. } = &mut me.heap.get_mut(object).kind else {
        return me.not_modelled(call);
    };
    let item = items.get(*next).cloned();
    *next += 1;
    let returns = if *next == items.len() + 1 { returns.clone() } else { Value::UNDEFINED };
    let item = item.map(|it| me.path.settle(&it));
    let returns = me.path.settle(&returns);
    match (item, open) {
        (Some(item), _) if item.may_be_absent() => me.not_modelled(call),
        (Some(item), _) => Ok(step(me, item, false)),
        (None, Some(open)) => Ok(me.path.unknown(open.reason.clone())),
        (None, None) => Ok(step(me, returns, true)),
    }
}

fn as_array(me: &mut Evaluator<'_>, this: &Value) -> Eval {
    let items = me.items_of(this)?;
    Ok(me.array_of_items(items))
}

fn as_array_method(me: &mut Evaluator<'_>, call: &Call<'_>, method: &str) -> Eval {
    let array = as_array(me, call.this)?;
    let method = me.get_name(&array, method)?;
    me.call(&method, &array, Arguments::of(call.args))
}

fn as_iterator(me: &mut Evaluator<'_>, call: &Call<'_>, method: &str) -> Eval {
    let array = as_array_method(me, call, method)?;
    let items = me.items_of(&array)?;
    Ok(me.new_iterator(items, Value::UNDEFINED).into())
}

/// `take` and `drop`.
fn part(me: &mut Evaluator<'_>, call: &Call<'_>, first: bool) -> Eval {
    let items = me.items_of(call.this)?;
    let Some(count) = me.number_of(&call.arg(0)) else { return me.not_modelled(call) };
    let count = super::units::clamped(count, items.values.len());
    let mut values = items.values;
    let rest = values.split_off(count);
    let items = if first { Items { values, rest: None } } else { Items { values: rest, rest: items.rest } };
    Ok(me.new_iterator(items, Value::UNDEFINED).into())
}
