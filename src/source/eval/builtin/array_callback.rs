//! The methods of arrays that call something for each element.

use std::cmp::Ordering;

use super::array::{List, flattened, on_array};
use super::units::number;
use super::{Evaluator, Methods};
use crate::location::Span;
use crate::source::eval::Arguments;
use crate::source::eval::branch::Decision;
use crate::source::eval::expression::present;
use crate::source::eval::heap::ObjectKind;
use crate::source::eval::iteration::Items;
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::property::is_conditional_element;
use crate::source::eval::value::{Alternative, Data, Value};
use crate::source::known::ReasonKind;

const METHODS: Methods = &[
    ("Array.prototype.every", |me, call| {
        on_array(me, call, |me, it, call| some_or_every(me, it, call, true))
    }),
    ("Array.prototype.filter", |me, call| on_array(me, call, filter)),
    ("Array.prototype.find", |me, call| {
        on_array(me, call, |me, it, call| find(me, it, call, false, Wanted::Item))
    }),
    ("Array.prototype.findIndex", |me, call| {
        on_array(me, call, |me, it, call| find(me, it, call, false, Wanted::Index))
    }),
    ("Array.prototype.findLast", |me, call| {
        on_array(me, call, |me, it, call| find(me, it, call, true, Wanted::Item))
    }),
    ("Array.prototype.findLastIndex", |me, call| {
        on_array(me, call, |me, it, call| find(me, it, call, true, Wanted::Index))
    }),
    ("Array.prototype.flatMap", |me, call| on_array(me, call, flat_map)),
    ("Array.prototype.forEach", |me, call| on_array(me, call, for_each)),
    ("Array.prototype.map", |me, call| on_array(me, call, map)),
    ("Array.prototype.reduce", |me, call| on_array(me, call, |me, it, call| reduce(me, it, call, false))),
    ("Array.prototype.reduceRight", |me, call| on_array(me, call, |me, it, call| reduce(me, it, call, true))),
    ("Array.prototype.some", |me, call| {
        on_array(me, call, |me, it, call| some_or_every(me, it, call, false))
    }),
    ("Array.prototype.sort", |me, call| on_array(me, call, |me, it, call| sort(me, it, call, true))),
    ("Array.prototype.toSorted", |me, call| on_array(me, call, |me, it, call| sort(me, it, call, false))),
];

/// What a search gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Item,
    Index,
}

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.array;
    me.methods(prototype, METHODS);
}

/// Calls a function for the elements of a list.
struct Caller {
    callback: Value,
    this: Value,
    list: Value,
    /// What conditions on its results are conditions on.
    at: Span,
    /// From here on positions are not known.
    sure: usize,
}

impl Caller {
    fn new(me: &Evaluator<'_>, list: &List, call: &Call<'_>) -> Self {
        let at = me.result_place(&call.arg(0)).unwrap_or(call.at);
        let sure = list.elements.iter().position(is_conditional_element).unwrap_or(usize::MAX);
        Self { callback: call.arg(0), this: call.arg(1), list: list.object.into(), at, sure }
    }

    fn index(&self, me: &mut Evaluator<'_>, index: usize) -> Value {
        if index <= self.sure {
            Value::number(number(index))
        } else {
            me.unknown(ReasonKind::Merged, "a position behind an element that may be missing")
        }
    }

    /// Calls it for an element; absent where the element is.
    fn call(&self, me: &mut Evaluator<'_>, item: &Value, index: usize) -> Eval {
        me.step()?;
        let at = self.index(me, index);
        let run = |me: &mut Evaluator<'_>, item: Value| {
            let args = Arguments::of([item, at.clone(), self.list.clone()]);
            me.call(&self.callback, &self.this, args)
        };
        if !is_conditional_element(item) {
            return run(me, present(item.clone()));
        }
        me.each(item, |me, item| match item.data {
            Data::Absent => Ok(Value::ABSENT),
            _ => run(me, item.clone()),
        })
    }

    /// Calls it once for elements of which it is not known whether there are any.
    fn call_for_rest(&self, me: &mut Evaluator<'_>, rest: &Value, call: &Call<'_>) -> Eval<()> {
        me.unknown_turns(rest, call.at, &[], |me| {
            let index = me.unknown(ReasonKind::NotModelled, "a position in a list that is not known");
            let args = Arguments::of([rest.clone(), index, self.list.clone()]);
            me.call(&self.callback, &self.this, args).map(|_| ())
        })
    }
}

/// Gaps are not gone over.
fn is_gap(item: &Value) -> bool {
    matches!(item.data, Data::Absent)
}

fn for_each(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let caller = Caller::new(me, &list, call);
    let is_live = caller.sure == usize::MAX && me.is_plain(list.object);
    for (index, item) in list.elements.iter().enumerate().filter(|(_, it)| !is_gap(it)) {
        // The callback may have changed the list.
        let changed = match &me.heap.get(list.object).kind {
            ObjectKind::Array(now) if is_live => now.get(index).cloned(),
            _ => Some(item.clone()),
        };
        if let Some(item) = changed {
            caller.call(me, &item, index)?;
        }
    }
    if let Some(rest) = list.rest(me) {
        caller.call_for_rest(me, &rest, call)?;
    }
    Ok(Value::UNDEFINED)
}

fn mapped(me: &mut Evaluator<'_>, list: &List, call: &Call<'_>) -> Eval<Items> {
    let caller = Caller::new(me, list, call);
    let mut values = Vec::with_capacity(list.elements.len());
    for (index, item) in list.elements.iter().enumerate() {
        values.push(if is_gap(item) { Value::ABSENT } else { caller.call(me, item, index)? });
    }
    let rest = list.rest(me);
    if let Some(rest) = &rest {
        caller.call_for_rest(me, rest, call)?;
    }
    Ok(Items { values, rest })
}

fn map(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    me.spend_object()?;
    let items = mapped(me, &list, call)?;
    Ok(me.array_of_items(items))
}

fn flat_map(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let items = mapped(me, &list, call)?;
    let items = flattened(me, items, 1)?;
    Ok(me.array_of_items(items))
}

fn filter(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let caller = Caller::new(me, &list, call);
    let result = me.new_array(Vec::new());
    for (index, item) in list.elements.iter().enumerate().filter(|(_, it)| !is_gap(it)) {
        let truth = caller.call(me, item, index)?;
        let truth = truth_of_present(me, &truth);
        match me.decide(&truth, caller.at) {
            Decision::Known(false, _) => {}
            Decision::Known(true, facts) => {
                let item = me.with_facts(item.clone(), facts);
                let item = me.without_absent(&item);
                me.append(result, [item])?;
            }
            Decision::Open(test) => {
                let (mark, exits) = (me.path.mark(), me.exits.len());
                me.under(&test.yes, |me| {
                    let item = me.without_absent(item);
                    me.append(result, [item])
                })?;
                me.resume(mark, exits);
            }
        }
    }
    if let Some(rest) = list.rest(me) {
        caller.call_for_rest(me, &rest, call)?;
        me.open_up(result, &rest);
    }
    Ok(result.into())
}

/// What a test says of an element that may be missing.
fn truth_of_present(me: &mut Evaluator<'_>, truth: &Value) -> Value {
    me.map(truth, |_, it| match it.data {
        Data::Absent => Value::FALSE,
        _ => it.clone(),
    })
}

/// Goes through the elements until a test holds: each that may be the first one with what has to hold for that.
fn search(
    me: &mut Evaluator<'_>,
    list: &List,
    call: &Call<'_>,
    backward: bool,
    negated: bool,
    mut found: impl FnMut(&mut Evaluator<'_>, Option<(usize, &Value)>) -> Value,
) -> Eval {
    let caller = Caller::new(me, list, call);
    let (mark, exits) = (me.path.mark(), me.exits.len());
    let mut ways: Vec<Alternative> = Vec::new();
    let mut order: Vec<usize> = (0..list.elements.len()).collect();
    if backward {
        order.reverse();
    }
    let mut facts = crate::source::eval::FactSet::NONE;
    let mut is_over = false;
    for index in order {
        let Some(item) = list.elements.get(index) else { continue };
        let truth = if is_gap(item) {
            caller.call(me, &Value::UNDEFINED, index)?
        } else {
            caller.call(me, item, index)?
        };
        let is_missing = is_conditional_element(item);
        let truth = if negated && !is_missing { me.not(&truth) } else { truth_of_present(me, &truth) };
        match me.decide(&truth, caller.at) {
            Decision::Known(false, more) => facts = me.facts.union(facts, more),
            Decision::Known(true, more) => {
                facts = me.facts.union(facts, more);
                let guard = me.path.since_mark(mark);
                let value = found(me, Some((index, item)));
                ways.push(Alternative { value, guard, exact: true, tag: 0 });
                is_over = true;
                break;
            }
            Decision::Open(test) => {
                let mut guard = me.path.since_mark(mark);
                guard.extend_from_slice(&test.yes);
                let value = found(me, Some((index, item)));
                ways.push(Alternative { value, guard, exact: true, tag: 0 });
                for literal in test.no {
                    me.path.assume(literal);
                }
            }
        }
    }
    if !is_over {
        let guard = me.path.since_mark(mark);
        let value = match list.rest(me) {
            Some(rest) => {
                caller.call_for_rest(me, &rest, call)?;
                rest
            }
            None => found(me, None),
        };
        ways.push(Alternative { value, guard, exact: true, tag: 0 });
    }
    me.resume(mark, exits);
    let result = me.path.choose(ways);
    Ok(me.with_facts(result, facts))
}

fn find(me: &mut Evaluator<'_>, list: List, call: &Call<'_>, backward: bool, wanted: Wanted) -> Eval {
    search(me, &list, call, backward, false, |me, found| match (found, wanted) {
        (Some((_, item)), Wanted::Item) => present(me.without_absent(item)),
        (Some((index, _)), Wanted::Index) => Value::number(number(index)),
        (None, Wanted::Item) => Value::UNDEFINED,
        (None, Wanted::Index) => Value::number(-1.0),
    })
}

fn some_or_every(me: &mut Evaluator<'_>, list: List, call: &Call<'_>, every: bool) -> Eval {
    search(me, &list, call, false, every, |_, found| (found.is_some() != every).into())
}

fn reduce(me: &mut Evaluator<'_>, list: List, call: &Call<'_>, backward: bool) -> Eval {
    let mut items: Vec<(usize, Value)> = list.elements.iter().cloned().enumerate().collect();
    items.retain(|(_, it)| !is_gap(it));
    if backward {
        items.reverse();
    }
    let mut items = items.into_iter();
    let mut sum = if call.args.len() > 1 {
        call.arg(1)
    } else {
        match items.next() {
            Some((_, first)) => me.without_absent(&first),
            None => match list.rest(me) {
                Some(rest) => return Ok(rest),
                None => {
                    return Err(me.throw_error("TypeError", "Reduce of empty array with no initial value"));
                }
            },
        }
    };
    let sure = list.elements.iter().position(is_conditional_element).unwrap_or(usize::MAX);
    let callback = call.arg(0);
    for (index, item) in items {
        me.step()?;
        let index = if index <= sure {
            Value::number(number(index))
        } else {
            me.unknown(ReasonKind::Merged, "a position behind an element that may be missing")
        };
        sum = me.each(&item, |me, item| {
            if let Data::Absent = item.data {
                return Ok(sum.clone());
            }
            let args = [sum.clone(), item.clone(), index.clone(), list.object.into()];
            me.call(&callback, &Value::UNDEFINED, Arguments::of(args))
        })?;
    }
    if let Some(rest) = list.rest(me) {
        let before = sum.clone();
        me.unknown_turns(&rest, call.at, &[], |me| {
            let args = [before.clone(), rest.clone(), rest.clone(), list.object.into()];
            me.call(&callback, &Value::UNDEFINED, Arguments::of(args)).map(|_| ())
        })?;
        // An object that is filled on the way stays the one that it is.
        if sum.as_object().is_none() {
            return Ok(rest);
        }
    }
    Ok(sum)
}

fn sort(me: &mut Evaluator<'_>, list: List, call: &Call<'_>, in_place: bool) -> Eval {
    let compare = call.arg(0);
    let rest = list.rest(me);
    let can_sort = list.elements.iter().all(|it| !is_conditional_element(it));
    let elements = if can_sort { merge_sort(me, list.elements, &compare)? } else { list.elements };
    if in_place {
        me.set_elements(list.object, elements)?;
        return Ok(list.object.into());
    }
    Ok(me.array_of_items(Items { values: elements, rest }))
}

/// Sorts stably. Elements whose order is not known stay as they are.
fn merge_sort(me: &mut Evaluator<'_>, mut elements: Vec<Value>, compare: &Value) -> Eval<Vec<Value>> {
    if elements.len() < 2 {
        return Ok(elements);
    }
    let right = elements.split_off(elements.len() / 2);
    let left = me.deeper(|me| merge_sort(me, elements, compare))?;
    let right = me.deeper(|me| merge_sort(me, right, compare))?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        if order(me, a, b, compare)? == Ordering::Greater {
            merged.extend(right.next());
        } else {
            merged.extend(left.next());
        }
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}

fn order(me: &mut Evaluator<'_>, a: &Value, b: &Value, compare: &Value) -> Eval<Ordering> {
    me.step()?;
    match (a.is_undefined(), b.is_undefined()) {
        (true, true) => return Ok(Ordering::Equal),
        (true, false) => return Ok(Ordering::Greater),
        (false, true) => return Ok(Ordering::Less),
        (false, false) => {}
    }
    if compare.is_undefined() {
        let (a, b) = (me.to_text(a)?, me.to_text(b)?);
        return Ok(match (a.as_str(), b.as_str()) {
            (Some(a), Some(b)) => a.encode_utf16().cmp(b.encode_utf16()),
            _ => Ordering::Equal,
        });
    }
    let result = me.call(compare, &Value::UNDEFINED, Arguments::of([a.clone(), b.clone()]))?;
    let order = me.number_of(&result).and_then(|it| it.partial_cmp(&0.0));
    Ok(order.unwrap_or(Ordering::Equal))
}
