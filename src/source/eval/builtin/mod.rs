//! What the language and Node bring: one file per class or family of functions.
//!
//! Functions are natives (see `native`). Those without effects run once for every combination of the alternatives
//! of their arguments ([`Evaluator::pure`]); whatever is not modelled gives an unknown with a reason, and callbacks
//! that are handed to it run later.

#![allow(
    clippy::unnecessary_wraps,
    clippy::needless_pass_by_value,
    reason = "every built-in function has the signature of `Code`, whether it can fail or not"
)]

mod abort;
mod array;
mod array_callback;
mod bigint;
mod buffer;
mod collation;
mod collection;
mod console;
mod crypto;
mod date;
mod error;
mod event_target;
mod function;
mod global;
mod iterator;
mod json;
mod math;
mod member;
pub(super) mod node;
mod number;
mod object;
pub(super) mod opaque;
pub(super) mod process;
mod promise;
mod proxy;
mod regexp;
mod string;
mod string_regexp;
mod symbol;
mod timer;
mod units;
mod uri;
mod web;

pub(super) use self::regexp::Programs;

use std::rc::Rc;

use super::heap::{ObjectId, ObjectKind, Property};
use super::native::{Call, Code, Eval};
use super::value::{Alternative, Data, Guard, Unknown, Value};
use super::{Derivation, Evaluator};
use crate::source::known::ReasonKind;

/// Names and code of methods. The part after the last dot is the property.
pub(super) type Methods = &'static [(&'static str, Code)];

/// Puts everything in place.
pub fn install(evaluator: &mut Evaluator<'_>) {
    object::install(evaluator);
    function::install(evaluator);
    error::install(evaluator);
    array::install(evaluator);
    array_callback::install(evaluator);
    string::install(evaluator);
    string_regexp::install(evaluator);
    number::install(evaluator);
    bigint::install(evaluator);
    symbol::install(evaluator);
    math::install(evaluator);
    json::install(evaluator);
    regexp::install(evaluator);
    collection::install(evaluator);
    iterator::install(evaluator);
    promise::install(evaluator);
    proxy::install(evaluator);
    date::install(evaluator);
    console::install(evaluator);
    timer::install(evaluator);
    uri::install(evaluator);
    web::install(evaluator);
    process::install(evaluator);
    global::install(evaluator);
    member::install(evaluator);
}

/// Combinations of alternatives that a pure function is run for.
const MAX_COMBINATIONS: usize = 64;

/// One value for each argument, and what has to hold for these to be the ones.
struct Combination {
    values: Vec<Value>,
    guard: Guard,
    exact: bool,
    /// The choices that have been decided, and how.
    chosen: Vec<(u32, u8)>,
}

impl Evaluator<'_> {
    /// Adds methods to an object.
    fn methods(&mut self, object: ObjectId, methods: Methods) {
        for &(name, code) in methods {
            self.method(object, name, code);
        }
    }

    /// Adds a class to the global object.
    fn global_class(&mut self, name: &'static str, code: Code, prototype: ObjectId) -> ObjectId {
        let class = self.new_native_class(name, code, prototype);
        let global = self.realm.global;
        self.hide(global, name, class.into());
        class
    }

    /// Adds an object to the global object.
    fn global_object(&mut self, name: &'static str, methods: Methods) -> ObjectId {
        let object = self.new_object();
        self.methods(object, methods);
        let global = self.realm.global;
        self.hide(global, name, object.into());
        object
    }

    /// A plain object of these properties.
    fn object_of<const N: usize>(&mut self, properties: [(&str, Value); N]) -> Value {
        let object = self.new_object();
        for (name, value) in properties {
            self.put(object, name, value);
        }
        object.into()
    }

    /// Adds a constant that loops do not see and code cannot change.
    fn constant(&mut self, object: ObjectId, name: &str, value: Value) {
        let property = Property { writable: false, ..Property::hidden(value) };
        self.heap.get_mut(object).properties.insert(name.into(), property);
    }

    /// The prototype for what `new` makes: that of the class that is constructed, else the given one.
    fn prototype_for(&mut self, call: &Call<'_>, otherwise: ObjectId) -> ObjectId {
        let Some(class) = call.new_target else { return otherwise };
        let prototype = self.get_of(class, &"prototype".into(), &class.into());
        prototype.ok().and_then(|it| it.as_object()).unwrap_or(otherwise)
    }

    /// An unknown that follows from another by way of a function with these other arguments: the same each time.
    fn unknown_from(&mut self, from: &Rc<Unknown>, function: &'static str, values: &[Value]) -> Value {
        let mut text = String::new();
        for value in values {
            match &value.data {
                Data::Object(_) | Data::Choice(_) | Data::Symbol(_) => {
                    return self.path.unknown(from.reason.clone());
                }
                Data::Unknown(it) => {
                    text.push('\u{1}');
                    text.push_str(&it.id.to_string());
                }
                _ => {
                    text.push('\u{2}');
                    text.push_str(&self.text_of(value).unwrap_or_default());
                }
            }
        }
        self.derive(from, Derivation::Operator(function, text.into()))
    }

    /// Runs a function without effects on `this` and the arguments of a call: for every combination of their
    /// alternatives. Unknown when one of them is.
    pub(super) fn pure(&mut self, call: &Call<'_>, run: impl FnMut(&mut Self, &[Value]) -> Eval) -> Eval {
        let mut values = Vec::with_capacity(call.args.len() + 2);
        values.push(call.this.clone());
        values.extend_from_slice(call.args);
        values.extend(call.rest.cloned());
        self.combine(call.name, &values, run)
    }

    /// As [`Evaluator::pure`], for values at hand.
    pub(super) fn combine(
        &mut self,
        name: &'static str,
        values: &[Value],
        mut run: impl FnMut(&mut Self, &[Value]) -> Eval,
    ) -> Eval {
        let values: Vec<Value> = values.iter().map(|it| self.path.settle(it)).collect();
        let mut facts = super::FactSet::NONE;
        for value in &values {
            facts = self.facts.union(facts, value.facts);
        }
        if values.iter().all(Value::is_settled) {
            let result = run(self, &values)?;
            return Ok(self.with_facts(result, facts));
        }
        let Some(combinations) = combinations(&values) else {
            return Ok(self.unknown(ReasonKind::TooManyValues, format!("{name}() of too many values")));
        };
        let mut results = Vec::with_capacity(combinations.len());
        for it in combinations {
            let unknown = it.values.iter().find_map(|it| it.as_unknown().cloned());
            let value = match unknown {
                Some(unknown) => self.unknown_from(&unknown, name, &it.values),
                None => run(self, &it.values)?,
            };
            results.push(Alternative { value, guard: it.guard, exact: it.exact, tag: 0 });
        }
        let result = self.path.choose(results);
        Ok(self.with_facts(result, facts))
    }

    /// What an object that is an array holds, if all of it is known.
    fn settled_elements(&self, value: &Value) -> Option<Vec<Value>> {
        let object = self.heap.get(value.as_object()?);
        match &object.kind {
            ObjectKind::Array(elements) if object.open.is_none() => {
                let all: Vec<Value> = elements.iter().map(|it| self.path.settle(it)).collect();
                all.iter().all(Value::is_settled).then_some(all)
            }
            _ => None,
        }
    }

    /// Unknown because it is not modelled.
    fn not_modelled(&mut self, call: &Call<'_>) -> Eval {
        Ok(self.unknown(ReasonKind::NotModelled, format!("{}() is not modelled", call.name)))
    }
}

/// Every way to take one alternative of each value; `None` when there are too many.
fn combinations(values: &[Value]) -> Option<Vec<Combination>> {
    let mut all =
        vec![Combination { values: Vec::new(), guard: Vec::new(), exact: true, chosen: Vec::new() }];
    for value in values {
        let Data::Choice(choice) = &value.data else {
            for it in &mut all {
                it.values.push(value.clone());
            }
            continue;
        };
        let mut next = Vec::with_capacity(all.len() * choice.alternatives.len());
        for it in &all {
            let chosen = it.chosen.iter().find(|(id, _)| *id == choice.id).map(|(_, tag)| *tag);
            for alternative in &choice.alternatives {
                let clashes = alternative.guard.iter().any(|literal| it.guard.contains(&literal.negated()));
                if clashes || chosen.is_some_and(|tag| tag != alternative.tag) {
                    continue;
                }
                let mut combination = Combination {
                    values: it.values.clone(),
                    guard: it.guard.clone(),
                    exact: it.exact && alternative.exact,
                    chosen: it.chosen.clone(),
                };
                combination.values.push(alternative.value.clone());
                combination.chosen.push((choice.id, alternative.tag));
                for literal in &alternative.guard {
                    if !combination.guard.contains(literal) {
                        combination.guard.push(*literal);
                    }
                }
                next.push(combination);
            }
        }
        if next.is_empty() || next.len() > MAX_COMBINATIONS {
            return None;
        }
        all = next;
    }
    Some(all)
}
