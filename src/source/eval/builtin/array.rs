//! `Array` and the methods of arrays that take no callback.
//!
//! Elements that are there only under a condition have `Absent` as an alternative; the positions behind them
//! are not known then.

use std::rc::Rc;

use super::units::{clamped, number, relative};
use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::budget;
use crate::source::eval::expression::present;
use crate::source::eval::heap::{ObjectId, ObjectKind, Property, PropertyKey};
use crate::source::eval::iteration::Items;
use crate::source::eval::native::{Call, Code, Eval};
use crate::source::eval::operator::strict_equal;
use crate::source::eval::property::is_conditional_element;
use crate::source::eval::value::{Data, SymbolId, Unknown, Value};
use crate::source::ir::BinaryOp;
use crate::source::known::ReasonKind;

const STATICS: Methods = &[
    ("Array.isArray", is_array),
    ("Array.of", |me, call| of_class(me, call, of)),
    ("Array.from", |me, call| of_class(me, call, from)),
];

const METHODS: Methods = &[
    ("Array.prototype.at", |me, call| on_array(me, call, at)),
    ("Array.prototype.concat", |me, call| on_array(me, call, concat)),
    ("Array.prototype.entries", |me, call| on_array(me, call, entries)),
    ("Array.prototype.fill", |me, call| on_array(me, call, fill)),
    ("Array.prototype.flat", |me, call| on_array(me, call, flat)),
    ("Array.prototype.includes", |me, call| on_array(me, call, includes)),
    ("Array.prototype.indexOf", |me, call| on_array(me, call, index_of)),
    ("Array.prototype.join", |me, call| on_array(me, call, join)),
    ("Array.prototype.toLocaleString", |me, call| on_array(me, call, join_locally)),
    ("Array.prototype.keys", |me, call| on_array(me, call, keys)),
    ("Array.prototype.lastIndexOf", |me, call| on_array(me, call, last_index_of)),
    ("Array.prototype.pop", |me, call| on_array(me, call, |me, it, call| take_one(me, it, call, true))),
    ("Array.prototype.push", push),
    ("Array.prototype.reverse", |me, call| on_array(me, call, reverse)),
    ("Array.prototype.shift", |me, call| on_array(me, call, |me, it, call| take_one(me, it, call, false))),
    ("Array.prototype.slice", |me, call| on_array(me, call, slice)),
    ("Array.prototype.splice", |me, call| on_array(me, call, |me, it, call| splice(me, it, call, true))),
    ("Array.prototype.toReversed", |me, call| on_array(me, call, to_reversed)),
    ("Array.prototype.toSpliced", |me, call| on_array(me, call, |me, it, call| splice(me, it, call, false))),
    ("Array.prototype.toString", |me, call| on_array(me, call, |me, it, call| join_with(me, it, call, ","))),
    ("Array.prototype.unshift", |me, call| on_array(me, call, unshift)),
    ("Array.prototype.with", |me, call| on_array(me, call, with)),
];

/// An array and what it holds as seen from here.
pub(super) struct List {
    /// The array.
    pub(super) object: ObjectId,
    /// Its elements: gaps are `Absent`.
    pub(super) elements: Vec<Value>,
    /// Set when there may be more.
    pub(super) open: Option<Rc<Unknown>>,
}

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.array;
    let class = me.global_class("Array", construct, prototype);
    me.methods(class, STATICS);
    me.methods(prototype, METHODS);
    let values = me.new_native("Array.prototype.values", |me, call| on_array(me, call, values));
    me.hide(prototype, "values", values.into());
    let key = PropertyKey::Symbol(SymbolId::ITERATOR);
    me.heap.get_mut(prototype).properties.insert(key, Property::hidden(values.into()));
}

impl List {
    /// Whether every position is known.
    pub(super) fn is_exact(&self) -> bool {
        self.open.is_none() && !self.elements.iter().any(is_conditional_element)
    }

    /// The elements in order, gaps as `undefined`.
    pub(super) fn items(&self, me: &mut Evaluator<'_>) -> Items {
        let present = |it: &Value| if is_conditional_element(it) { it.clone() } else { present(it.clone()) };
        Items { values: self.elements.iter().map(present).collect(), rest: self.rest(me) }
    }

    /// What further elements may be.
    pub(super) fn rest(&self, me: &mut Evaluator<'_>) -> Option<Value> {
        self.open.as_ref().map(|it| me.path.unknown(it.reason.clone()))
    }
}

/// Runs a method for every array that `this` may be.
pub(super) fn on_array(
    me: &mut Evaluator<'_>,
    call: &Call<'_>,
    code: fn(&mut Evaluator<'_>, List, &Call<'_>) -> Eval,
) -> Eval {
    me.each(call.this, |me, this| {
        let list = list_of(me, this)?;
        match list {
            Some(list) => {
                me.steps(list.elements.len() / 8)?;
                let object = list.object;
                let result = code(me, list, call)?;
                if makes_like(call.name) {
                    like(me, object, &result);
                }
                Ok(result)
            }
            None => match &this.data {
                Data::Unknown(unknown) => {
                    let value = me.path.unknown(unknown.reason.clone());
                    me.hand_over(call.args, &value)?;
                    Ok(value)
                }
                _ => me.not_modelled(call),
            },
        }
    })
}

/// Whether a method gives an array of the class of the one that it is called on.
fn makes_like(name: &str) -> bool {
    matches!(
        name.rsplit('.').next(),
        Some("concat" | "filter" | "flat" | "flatMap" | "map" | "slice" | "splice")
    )
}

/// Makes an array one of the class of another.
fn like(me: &mut Evaluator<'_>, of: ObjectId, made: &Value) {
    let prototype = me.heap.get(of).prototype;
    if prototype == Some(me.realm.array) || prototype.is_none() {
        return;
    }
    if let Some(made) = made.as_object().filter(|it| *it != of)
        && matches!(me.heap.get(made).kind, ObjectKind::Array(_))
    {
        me.heap.get_mut(made).prototype = prototype;
    }
}

/// An array, or something that is gone over like one.
fn list_of(me: &mut Evaluator<'_>, this: &Value) -> Eval<Option<List>> {
    let Some(object) = this.as_object() else {
        if let Data::String(..) = this.data {
            let elements = me.items_of(this)?.values;
            let object = me.new_array(elements.clone());
            return Ok(Some(List { object, elements, open: None }));
        }
        return Ok(None);
    };
    let it = me.heap.get(object);
    Ok(match &it.kind {
        ObjectKind::Array(elements) => {
            let elements = elements.iter().map(|it| me.path.settle(it)).collect::<Vec<_>>();
            // What the path rules out is not there; a gap stays a gap.
            let stored = elements.into_iter().zip(elements_of(it));
            let elements = stored
                .filter(|(seen, stored)| {
                    !matches!(seen.data, Data::Absent) || matches!(stored.data, Data::Absent)
                })
                .map(|(seen, _)| seen)
                .collect();
            Some(List { object, elements, open: it.open.clone() })
        }
        ObjectKind::Proxy { target, .. } => {
            let target = target.clone();
            me.deeper(|me| list_of(me, &target))?
        }
        _ => None,
    })
}

fn elements_of(object: &crate::source::eval::heap::Object) -> &[Value] {
    match &object.kind {
        ObjectKind::Array(elements) => elements,
        _ => &[],
    }
}

impl Evaluator<'_> {
    /// A new array of these items.
    pub(super) fn array_of_items(&mut self, items: Items) -> Value {
        let array = self.new_array(items.values);
        if let Some(rest) = items.rest {
            self.open_up(array, &rest);
        }
        array.into()
    }

    /// Replaces all elements of an array; under the conditions of the path.
    pub(super) fn set_elements(&mut self, array: ObjectId, mut elements: Vec<Value>) -> Eval<()> {
        let old = elements_of(self.heap.get(array)).len();
        if self.path.since_birth(self.heap.get(array).birth).is_empty()
            && let ObjectKind::Array(slots) = &mut self.heap.get_mut(array).kind
        {
            *slots = elements;
            return self.note_contents(array);
        }
        let wanted = elements.len();
        if wanted < old {
            elements.resize(old, Value::ABSENT);
        }
        for (index, element) in elements.into_iter().enumerate() {
            self.write_element(array, index, element)?;
        }
        // What is gone in every case is no gap.
        if let ObjectKind::Array(slots) = &mut self.heap.get_mut(array).kind {
            while slots.len() > wanted && slots.last().is_some_and(|it| matches!(it.data, Data::Absent)) {
                slots.pop();
            }
        }
        Ok(())
    }

    fn note_contents(&mut self, array: ObjectId) -> Eval<()> {
        self.note_write(crate::source::eval::iteration::Write::Contents(array));
        Ok(())
    }
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if let ([Value { data: Data::Number(length), .. }], None) = (call.args, call.rest) {
        if length.fract() != 0.0 || *length < 0.0 || *length >= 4_294_967_296.0 {
            return Err(me.throw_error("RangeError", "Invalid array length"));
        }
        let length = clamped(*length, usize::MAX >> 12);
        if length > budget::MAX_ELEMENTS {
            return Err(me.exceed(budget::Exceeded::Memory));
        }
        me.steps(length / 8)?;
        return finish(me, call, vec![Value::ABSENT; length], None);
    }
    if let ([Value { data: Data::Unknown(_), .. }], None) = (call.args, call.rest) {
        return finish(me, call, Vec::new(), call.args.first());
    }
    finish(me, call, call.args.to_vec(), call.rest)
}

fn finish(me: &mut Evaluator<'_>, call: &Call<'_>, elements: Vec<Value>, rest: Option<&Value>) -> Eval {
    let prototype = me.prototype_for(call, me.realm.array);
    let array = me.allocate(Some(prototype), ObjectKind::Array(elements));
    if let Some(rest) = rest {
        me.open_up(array, rest);
    }
    Ok(array.into())
}

fn is_array(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| {
        let object = values.first().and_then(Value::as_object);
        Ok(object.is_some_and(|it| is_array_object(me, it, 0)).into())
    })
}

fn is_array_object(me: &Evaluator<'_>, object: ObjectId, depth: u32) -> bool {
    match &me.heap.get(object).kind {
        ObjectKind::Array(_) => true,
        ObjectKind::Proxy { target, .. } if depth < 16 => {
            target.as_object().is_some_and(|it| is_array_object(me, it, depth + 1))
        }
        _ => false,
    }
}

fn of(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    finish(me, call, call.args.to_vec(), call.rest)
}

/// What a static method makes is of the class that it is called on.
fn of_class(me: &mut Evaluator<'_>, call: &Call<'_>, code: Code) -> Eval {
    let made = code(me, call)?;
    if let Some(class) = call.this_object()
        && let ObjectKind::Class(_) = me.heap.get(class).kind
        && let Some(prototype) = me.get_of(class, &"prototype".into(), call.this)?.as_object()
        && let Some(made) = made.as_object()
    {
        me.heap.get_mut(made).prototype = Some(prototype);
    }
    Ok(made)
}

/// `Array.from`: of something iterable, or of something with a length.
fn from(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let source = call.arg(0);
    let items = me.each(&source, |me, source| {
        if let Some(object) = source.as_object() {
            let iterate = me.get_of(object, &PropertyKey::Symbol(SymbolId::ITERATOR), source)?;
            let is_built_in = !matches!(me.heap.get(object).kind, ObjectKind::Ordinary);
            if iterate.is_nullish() && !is_built_in {
                return by_length(me, source);
            }
        }
        if !source.is_settled() || source.as_object().is_some() || source.as_str().is_some() {
            let items = me.items_of(source)?;
            return Ok(me.array_of_items(items));
        }
        if source.is_nullish() {
            return Err(me.throw_error("TypeError", "object is not iterable"));
        }
        Ok(me.new_array(Vec::new()).into())
    })?;
    if !call.has(1) {
        return Ok(items);
    }
    let map = me.get_name(&items, "map")?;
    me.call(&map, &items, Arguments::of([call.arg(1)]))
}

fn by_length(me: &mut Evaluator<'_>, source: &Value) -> Eval {
    let length = me.get_name(source, "length")?;
    let Some(count) = me.number_of(&length) else {
        let array = me.new_array(Vec::new());
        let why = me.unknown(ReasonKind::NotModelled, "a list of unknown length");
        me.open_up(array, &why);
        return Ok(array.into());
    };
    let count = if count.is_nan() { 0 } else { clamped(count, usize::MAX >> 12) };
    if count > budget::MAX_ELEMENTS {
        return Err(me.exceed(budget::Exceeded::Memory));
    }
    me.steps(count)?;
    let mut elements = Vec::with_capacity(count);
    for index in 0..count {
        elements.push(me.get_name(source, &index.to_string())?);
    }
    Ok(me.new_array(elements).into())
}

/// Unknown because of elements that are there only under conditions.
fn unclear(me: &mut Evaluator<'_>, list: &List) -> Value {
    match &list.open {
        Some(open) => me.path.unknown(open.reason.clone()),
        None => me.unknown(ReasonKind::Merged, "an array of unknown length"),
    }
}

fn unclear_array(me: &mut Evaluator<'_>, list: &List) -> Value {
    let why = unclear(me, list);
    let array = me.new_array(Vec::new());
    me.open_up(array, &why);
    array.into()
}

fn at(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| {
        let position =
            values.first().and_then(|it| me.number_of(it)).filter(|it| !it.is_nan()).unwrap_or(0.0);
        let position = position.trunc();
        if position >= 0.0 {
            let index = clamped(position, usize::MAX >> 12);
            let element = me.element(list.object, index);
            return Ok(present(element));
        }
        if !list.is_exact() {
            return Ok(unclear(me, &list));
        }
        let index = number(list.elements.len()) + position;
        let element = (index >= 0.0).then(|| list.elements.get(clamped(index, usize::MAX >> 12))).flatten();
        Ok(present(element.cloned().unwrap_or(Value::UNDEFINED)))
    })
}

fn concat(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let mut rest = list.rest(me);
    let mut elements = list.elements;
    for arg in call.args {
        let arg = me.path.settle(arg);
        let is_list = |it: &Value| it.as_object().is_some_and(|it| is_array_object(me, it, 0));
        let spreads = match &arg.data {
            Data::Choice(choice) => choice.alternatives.iter().any(|it| is_list(&it.value)),
            _ => is_list(&arg),
        };
        if spreads {
            let items = me.items_of(&arg)?;
            elements.extend(items.values);
            rest = rest.or(items.rest);
        } else if let Data::Unknown(_) = arg.data {
            rest = rest.or(Some(arg));
        } else {
            elements.push(arg);
        }
    }
    let rest = rest.or(call.rest.cloned());
    Ok(me.array_of_items(Items { values: elements, rest }))
}

fn keys(me: &mut Evaluator<'_>, list: List, _: &Call<'_>) -> Eval {
    let rest = list.rest(me);
    let values = (0..list.elements.len()).map(|it| Value::number(number(it))).collect();
    Ok(me.new_iterator(Items { values, rest }, Value::UNDEFINED).into())
}

fn values(me: &mut Evaluator<'_>, list: List, _: &Call<'_>) -> Eval {
    let items = list.items(me);
    Ok(me.new_iterator(items, Value::UNDEFINED).into())
}

fn entries(me: &mut Evaluator<'_>, list: List, _: &Call<'_>) -> Eval {
    let items = list.items(me);
    let mut values = Vec::with_capacity(items.values.len());
    for (index, item) in items.values.into_iter().enumerate() {
        values.push(me.map(&item, |me, item| match item.data {
            Data::Absent => Value::ABSENT,
            _ => me.new_array(vec![Value::number(number(index)), item.clone()]).into(),
        }));
    }
    Ok(me.new_iterator(Items { values, rest: items.rest }, Value::UNDEFINED).into())
}

fn position(
    me: &Evaluator<'_>,
    call: &Call<'_>,
    index: usize,
    length: usize,
    otherwise: usize,
) -> Option<usize> {
    let arg = call.arg(index);
    if arg.is_undefined() {
        return Some(otherwise);
    }
    me.number_of(&arg).map(|it| relative(it, length))
}

fn fill(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let length = list.elements.len();
    let (from, to) = (position(me, call, 1, length, 0), position(me, call, 2, length, length));
    if let (Some(from), Some(to), true) = (from, to, list.is_exact()) {
        let mut elements = list.elements;
        for element in elements.iter_mut().take(to).skip(from) {
            *element = call.arg(0);
        }
        me.set_elements(list.object, elements)?;
    } else {
        let why = unclear(me, &list);
        me.open_up(list.object, &why);
    }
    Ok(list.object.into())
}

fn flat(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let depth = if call.has(0) { me.number_of(&call.arg(0)).unwrap_or(1.0) } else { 1.0 };
    let items = list.items(me);
    let result = flattened(me, items, clamped(depth, 32))?;
    Ok(me.array_of_items(result))
}

/// Puts the elements of inner arrays in their place.
pub(super) fn flattened(me: &mut Evaluator<'_>, items: Items, depth: usize) -> Eval<Items> {
    let mut result = Items { values: Vec::with_capacity(items.values.len()), rest: items.rest };
    for item in items.values {
        let is_list = |it: &Value| it.as_object().is_some_and(|it| is_array_object(me, it, 0));
        let (lists, others) = match &item.data {
            Data::Choice(choice) => {
                let lists = choice.alternatives.iter().filter(|it| is_list(&it.value)).count();
                (lists, choice.alternatives.len() - lists)
            }
            _ => (usize::from(is_list(&item)), usize::from(!is_list(&item))),
        };
        if depth == 0 || lists == 0 {
            if let (Data::Unknown(_), true) = (&item.data, depth > 0) {
                result.rest = result.rest.or(Some(item));
            } else {
                result.values.push(item);
            }
            continue;
        }
        if others > 0 {
            // Lists and others in one place: the lists are spread, the others (`null`, mostly) left out.
            let lists = me.map(&item, |me, it| match it.as_object() {
                Some(_) => it.clone(),
                None => me.new_array(Vec::new()).into(),
            });
            let inner = me.items_of(&lists)?;
            result.values.extend(inner.values);
            result.rest = result.rest.or(inner.rest);
            continue;
        }
        let inner = me.items_of(&item)?;
        let inner = me.deeper(|me| flattened(me, inner, depth - 1))?;
        result.values.extend(inner.values);
        result.rest = result.rest.or(inner.rest);
        me.steps(result.values.len() / 64)?;
    }
    Ok(result)
}

/// `===`, but `NaN` is itself.
fn same_value_zero(a: &Value, b: &Value) -> bool {
    match (&a.data, &b.data) {
        (Data::Number(a), Data::Number(b)) if a.is_nan() && b.is_nan() => true,
        _ => strict_equal(a, b),
    }
}

fn includes(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let wanted = me.path.settle(&call.arg(0));
    if wanted.is_settled() && list.elements.iter().any(|it| same_value_zero(&present(it.clone()), &wanted)) {
        return Ok(Value::TRUE);
    }
    let mut equal = Vec::new();
    for element in &list.elements {
        if element.is_settled() && wanted.is_settled() {
            continue;
        }
        let is_equal = if is_conditional_element(element) {
            me.map(element, |_, it| match it.data {
                Data::Absent => Value::FALSE,
                Data::Unknown(_) => it.clone(),
                _ if wanted.is_settled() => same_value_zero(it, &wanted).into(),
                _ => it.clone(),
            })
        } else {
            me.binary(BinaryOp::StrictEqual, element, &wanted)?
        };
        equal.push(is_equal);
    }
    if list.open.is_some() {
        let unknown = unclear(me, &list);
        equal.push(unknown);
    }
    any_of(me, call.name, &equal)
}

/// Whether one of some truths holds.
fn any_of(me: &mut Evaluator<'_>, name: &'static str, truths: &[Value]) -> Eval {
    match truths {
        [] => Ok(Value::FALSE),
        [only] => Ok(only.clone()),
        _ => me.combine(name, truths, |me, truths| {
            Ok(truths.iter().any(|it| me.truthiness(it) == Some(true)).into())
        }),
    }
}

fn index_of(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let length = list.elements.len();
    let from = position(me, call, 1, length, 0);
    let wanted = me.path.settle(&call.arg(0));
    let all_settled = list.elements.iter().all(Value::is_settled) && wanted.is_settled();
    let (Some(from), true) = (from, all_settled) else { return Ok(unclear(me, &list)) };
    let found = list.elements.iter().skip(from).position(|it| strict_equal(it, &wanted));
    match (found, &list.open) {
        (None, Some(_)) => Ok(unclear(me, &list)),
        (found, _) => Ok(Value::number(found.map_or(-1.0, |it| number(from + it)))),
    }
}

fn last_index_of(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let wanted = me.path.settle(&call.arg(0));
    let all_settled = list.elements.iter().all(Value::is_settled) && wanted.is_settled();
    if !list.is_exact() || !all_settled || call.has(1) {
        return Ok(unclear(me, &list));
    }
    let found = list.elements.iter().rposition(|it| strict_equal(it, &wanted));
    Ok(Value::number(found.map_or(-1.0, number)))
}

fn join(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    if !call.has(0) {
        return join_with(me, list, call, ",");
    }
    let separator = me.to_text(&call.arg(0))?;
    match separator.as_str().cloned() {
        Some(separator) => join_with(me, list, call, &separator),
        None => Ok(me.unknown(ReasonKind::NotModelled, "text joined by something unknown")),
    }
}

/// Texts and small numbers look the same everywhere.
fn join_locally(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let is_plain = |it: &Value| match &it.data {
        Data::String(..) | Data::Undefined | Data::Null => true,
        Data::Number(it) => it.fract() == 0.0 && it.abs() < 1000.0,
        _ => false,
    };
    if list.elements.iter().all(is_plain) { join_with(me, list, call, ",") } else { me.not_modelled(call) }
}

fn join_with(me: &mut Evaluator<'_>, list: List, call: &Call<'_>, separator: &str) -> Eval {
    if list.open.is_some() {
        return Ok(unclear(me, &list));
    }
    let conditional: Vec<bool> = list.elements.iter().map(is_conditional_element).collect();
    let mut texts = Vec::with_capacity(list.elements.len());
    for element in &list.elements {
        texts.push(if element.as_object().is_some() { me.to_text(element)? } else { element.clone() });
    }
    me.combine(call.name, &texts, |me, texts| {
        let mut result = String::new();
        let mut is_first = true;
        for (text, is_conditional) in texts.iter().zip(&conditional) {
            if *is_conditional && matches!(text.data, Data::Absent) {
                continue;
            }
            if !is_first {
                result.push_str(separator);
            }
            is_first = false;
            if !text.is_nullish() {
                let Some(text) = me.text_of(text) else { return me.not_modelled(call) };
                result.push_str(&text);
            }
            if result.len() > budget::MAX_STRING {
                break;
            }
        }
        me.spend_string(result.len())?;
        Ok(Value::string(result))
    })
}

/// Most lists are made by it: what they hold already is not looked at.
fn push(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    match call.this_object().map(|it| (it, &me.heap.get(it).kind)) {
        Some((object, ObjectKind::Array(_))) => {
            me.append(object, call.args.iter().cloned())?;
            if let Some(rest) = call.rest {
                me.open_up(object, rest);
            }
            Ok(me.array_length(object))
        }
        _ => on_array(me, call, push_onto),
    }
}

fn push_onto(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    me.append(list.object, call.args.iter().cloned())?;
    if let Some(rest) = call.rest {
        me.open_up(list.object, rest);
    }
    Ok(me.array_length(list.object))
}

fn unshift(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let mut elements = call.args.to_vec();
    elements.extend(list.elements);
    me.set_elements(list.object, elements)?;
    if let Some(rest) = call.rest {
        me.open_up(list.object, rest);
    }
    Ok(me.array_length(list.object))
}

/// `pop` and `shift`.
fn take_one(me: &mut Evaluator<'_>, list: List, _: &Call<'_>, from_end: bool) -> Eval {
    let end = if from_end { list.elements.last() } else { list.elements.first() };
    let is_known = match end {
        Some(end) => !is_conditional_element(end) && (!from_end || list.open.is_none()),
        None => list.open.is_none(),
    };
    if !is_known {
        let value = unclear(me, &list);
        me.open_up(list.object, &value);
        return Ok(value);
    }
    let mut elements = list.elements;
    let taken = match from_end {
        true => elements.pop(),
        false if elements.is_empty() => None,
        false => Some(elements.remove(0)),
    };
    me.steps(elements.len() / 64)?;
    me.set_elements(list.object, elements)?;
    Ok(present(taken.unwrap_or(Value::UNDEFINED)))
}

fn reverse(me: &mut Evaluator<'_>, list: List, _: &Call<'_>) -> Eval {
    let mut elements = list.elements;
    elements.reverse();
    me.set_elements(list.object, elements)?;
    Ok(list.object.into())
}

fn to_reversed(me: &mut Evaluator<'_>, list: List, _: &Call<'_>) -> Eval {
    let mut items = list.items(me);
    items.values.reverse();
    Ok(me.array_of_items(items))
}

fn slice(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let is_whole = !call.has(0) && !call.has(1) && call.rest.is_none();
    if is_whole || (me.number_of(&call.arg(0)) == Some(0.0) && !call.has(1)) {
        let rest = list.rest(me);
        return Ok(me.array_of_items(Items { values: list.elements, rest }));
    }
    let length = list.elements.len();
    let (from, to) = (position(me, call, 0, length, 0), position(me, call, 1, length, length));
    let (Some(from), Some(to), true) = (from, to, list.is_exact()) else {
        return Ok(unclear_array(me, &list));
    };
    let values = list.elements.get(from..to.max(from)).unwrap_or_default().to_vec();
    Ok(me.new_array(values).into())
}

/// `splice` and `toSpliced`.
fn splice(me: &mut Evaluator<'_>, list: List, call: &Call<'_>, in_place: bool) -> Eval {
    let length = list.elements.len();
    let from = position(me, call, 0, length, 0);
    let count = match call.args.len() {
        0 => Some(0),
        1 => Some(length),
        _ => me.number_of(&call.arg(1)).map(|it| clamped(it, length)),
    };
    let (Some(from), Some(count), true) = (from, count, list.is_exact()) else {
        let why = unclear(me, &list);
        if in_place {
            me.append(list.object, call.args.iter().skip(2).cloned())?;
            me.open_up(list.object, &why);
        }
        return Ok(unclear_array(me, &list));
    };
    let mut elements = list.elements;
    let to = (from + count).min(length);
    let inserted = call.args.iter().skip(2).cloned();
    let removed: Vec<Value> = elements.splice(from..to, inserted).collect();
    if !in_place {
        return Ok(me.new_array(elements).into());
    }
    me.set_elements(list.object, elements)?;
    Ok(me.new_array(removed).into())
}

fn with(me: &mut Evaluator<'_>, list: List, call: &Call<'_>) -> Eval {
    let length = number(list.elements.len());
    let Some(index) = me.number_of(&call.arg(0)).filter(|_| list.is_exact()) else {
        return Ok(unclear_array(me, &list));
    };
    let index = if index < 0.0 { index + length } else { index };
    if !(0.0..length).contains(&index) {
        return Err(me.throw_error("RangeError", &format!("Invalid index : {index}")));
    }
    let mut elements = list.elements;
    if let Some(slot) = elements.get_mut(clamped(index, usize::MAX >> 12)) {
        *slot = call.arg(1);
    }
    Ok(me.new_array(elements).into())
}
