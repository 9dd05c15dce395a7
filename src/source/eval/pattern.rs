//! Binding patterns and assignment targets.

use std::sync::Arc;

use super::branch::Decision;
use super::expression::{mode_of, present};
use super::heap::{ObjectKind, PropertyKey};
use super::iteration::{Items, Write};
use super::native::Eval;
use super::property::is_conditional_element;
use super::protocol::Pulled;
use super::value::{Alternative, Data, Value};
use super::{Context, Evaluator};
use crate::source::ir::{BindingId, Key, Pattern, PatternId};
use crate::source::known::ReasonKind;

impl Evaluator<'_> {
    /// Binds or assigns a value. A declaration sets its variables whatever the path: they are new.
    pub(super) fn bind(&mut self, cx: Context<'_>, id: PatternId, value: Value, declares: bool) -> Eval<()> {
        match cx.module.pattern(id) {
            Pattern::Local(binding) => {
                if declares {
                    self.declare(cx, *binding, value);
                } else {
                    self.assign_variable(cx, *binding, value);
                }
                Ok(())
            }
            Pattern::Constant(_) => {
                self.here = cx.module.pattern_span(id);
                Err(self.throw_error("TypeError", "Assignment to constant variable."))
            }
            Pattern::Global(name) => {
                let global = self.realm.global;
                if cx.module.is_strict {
                    let there = self.global_or_absent(cx, name)?;
                    if matches!(there.data, Data::Absent) {
                        self.here = cx.module.pattern_span(id);
                        return Err(self.throw_error("ReferenceError", &format!("{name} is not defined")));
                    }
                }
                self.write(global, &PropertyKey::Name(name.clone()), value)
            }
            Pattern::Member(member) => {
                let member = *member;
                let (object, key) = self.target_of(cx, member)?;
                self.here = cx.module.expr_span(member);
                self.assign_member(&object, key.as_ref(), value, mode_of(cx))
            }
            Pattern::Default { pattern, default } => {
                let (pattern, default) = (*pattern, *default);
                let value = self.or_default(cx, &value, default)?;
                self.bind(cx, pattern, value, declares)
            }
            Pattern::Object { properties, rest } => {
                self.here = cx.module.pattern_span(id);
                self.bind_object(cx, properties, *rest, &value, declares)
            }
            Pattern::Array { elements, rest } => {
                self.here = cx.module.pattern_span(id);
                self.bind_array(cx, elements, *rest, &value, declares)
            }
        }
    }

    fn target_of(
        &mut self,
        cx: Context<'_>,
        member: crate::source::ir::ExprId,
    ) -> Eval<(Value, Option<PropertyKey>)> {
        use crate::source::ir::Expr;
        Ok(match cx.module.expr(member) {
            Expr::Member { object, property, .. } => {
                (self.eval(cx, *object)?, Some(PropertyKey::Name(property.clone())))
            }
            Expr::Private { object, name, .. } => {
                (self.eval(cx, *object)?, Some(PropertyKey::Private(name.clone())))
            }
            Expr::Index { object, index, .. } => {
                let object = self.eval(cx, *object)?;
                let index = self.eval(cx, *index)?;
                let key = self.known_key(&index)?;
                (object, key)
            }
            Expr::SuperMember { property } => {
                (self.frame().this.clone(), Some(PropertyKey::Name(property.clone())))
            }
            _ => (Value::UNDEFINED, None),
        })
    }

    /// Sets a variable that is being declared.
    pub(super) fn declare(&mut self, cx: Context<'_>, binding: BindingId, value: Value) {
        let Some(place) = self.scopes.find(cx.scope, binding) else { return };
        let value = self.with_facts(value, self.control);
        let value = if self.scopes.is_hoisted(place) {
            // It is there, as something else, where the declaration is not reached.
            let guard = self.path.since_birth(self.scopes.birth(place));
            let old = self.scopes.get(place).clone();
            self.path.written(&old, value, &guard)
        } else {
            value
        };
        self.detached.note_set(place);
        self.scopes.set(place, value);
    }

    /// Sets a variable; under the conditions of the path.
    pub(super) fn assign_variable(&mut self, cx: Context<'_>, binding: BindingId, value: Value) {
        let Some(place) = self.scopes.find(cx.scope, binding) else { return };
        let guard = self.path.since_birth(self.scopes.birth(place));
        let value = self.with_facts(value, self.control);
        let value = if guard.is_empty() {
            value
        } else {
            self.note_write(Write::Variable(place));
            let old = present(self.scopes.get(place).clone());
            self.path.written(&old, value, &guard)
        };
        self.detached.note_set(place);
        self.scopes.set(place, value);
    }

    /// `value`, or the default where it is `undefined`.
    fn or_default(&mut self, cx: Context<'_>, value: &Value, default: crate::source::ir::ExprId) -> Eval {
        let value = self.path.settle(value);
        if value.is_undefined() {
            let facts = value.facts;
            let result = self.eval(cx, default)?;
            return Ok(self.with_facts(result, facts));
        }
        let Data::Choice(choice) = &value.data else { return Ok(value) };
        if !choice.alternatives.iter().any(|it| it.value.is_undefined()) {
            return Ok(value);
        }
        let missing = self.map(&value, |_, it| Value::from(it.is_undefined()).resting_on(it.facts));
        let at = self.here;
        match self.decide(&missing, at) {
            Decision::Known(true, _) => self.eval(cx, default),
            Decision::Known(false, _) => Ok(value),
            Decision::Open(test) => {
                self.fork(&test, |me| me.eval(cx, default), |me| Ok(me.without_undefined(&value)))
            }
        }
    }

    fn without_undefined(&mut self, value: &Value) -> Value {
        let value = self.path.settle(value);
        let Data::Choice(choice) = &value.data else { return value };
        let left = choice.alternatives.iter().filter(|it| !it.value.is_undefined()).cloned().collect();
        self.path.choose(left)
    }

    fn bind_object(
        &mut self,
        cx: Context<'_>,
        properties: &[(Key, PatternId)],
        rest: Option<PatternId>,
        value: &Value,
        declares: bool,
    ) -> Eval<()> {
        if value.is_nullish() {
            let what = self.text_of(value).unwrap_or_else(|| "undefined".into());
            return Err(
                self.throw_error("TypeError", &format!("Cannot destructure '{what}' as it is {what}."))
            );
        }
        let here = self.here;
        let mut taken: Vec<Arc<str>> = Vec::new();
        for (key, pattern) in properties {
            let key = self.key(cx, key)?;
            self.here = here;
            let element = match &key {
                Some(key) => self.get(value, key)?,
                None => self.unknown(ReasonKind::NotModelled, "a computed name"),
            };
            if let Some(PropertyKey::Name(name)) = key {
                taken.push(name);
            }
            self.bind(cx, *pattern, element, declares)?;
        }
        if let Some(rest) = rest {
            let object = self.new_object();
            self.copy_into(object, value)?;
            for name in taken {
                self.delete(&Value::from(object), &PropertyKey::Name(name))?;
            }
            self.bind(cx, rest, object.into(), declares)?;
        }
        Ok(())
    }

    fn bind_array(
        &mut self,
        cx: Context<'_>,
        elements: &[Option<PatternId>],
        rest: Option<PatternId>,
        value: &Value,
        declares: bool,
    ) -> Eval<()> {
        let (values, rest_of) = self.places_of(value, elements.len(), rest.is_some())?;
        for (pattern, element) in elements.iter().zip(values) {
            if let Some(pattern) = pattern {
                self.bind(cx, *pattern, element, declares)?;
            }
        }
        if let Some(rest) = rest {
            self.bind(cx, rest, rest_of, declares)?;
        }
        Ok(())
    }

    /// What a value yields at its first `count` places, and an array of what comes behind them. The alternatives of a choice are
    /// taken one by one: what is at a place in one of them is not at the next place in another.
    fn places_of(&mut self, value: &Value, count: usize, with_rest: bool) -> Eval<(Vec<Value>, Value)> {
        let value = self.path.settle(value);
        let Data::Choice(choice) = &value.data else { return self.places_of_one(&value, count, with_rest) };
        let mut places: Vec<Vec<Alternative>> = vec![Vec::new(); count + 1];
        for alternative in choice.alternatives.iter().filter(|it| !it.value.is_nullish()) {
            let (values, rest) = self.places_of_one(&alternative.value, count, with_rest)?;
            for (place, value) in places.iter_mut().zip(values.into_iter().chain([rest])) {
                place.push(Alternative { value, ..alternative.clone() });
            }
        }
        if places.iter().any(Vec::is_empty) {
            return self.places_of_one(&Value::UNDEFINED, count, with_rest);
        }
        let facts = value.facts;
        let mut values = Vec::with_capacity(places.len());
        for place in places {
            let chosen = self.path.choose(place);
            values.push(self.with_facts(chosen, facts));
        }
        let rest = values.pop().unwrap_or(Value::UNDEFINED);
        Ok((values, rest))
    }

    fn places_of_one(&mut self, value: &Value, count: usize, with_rest: bool) -> Eval<(Vec<Value>, Value)> {
        let taken = if with_rest { None } else { self.taken(value, count)? };
        let items = match taken {
            Some(items) => items,
            None => self.items_of(value)?,
        };
        let beyond = items.rest;
        let places = (0..count).map(|at| self.place_among(&items.values, at, beyond.as_ref())).collect();
        if !with_rest {
            return Ok((places, Value::UNDEFINED));
        }
        let array = self.new_array(items.values.into_iter().skip(count).collect());
        if let Some(beyond) = &beyond {
            self.open_up(array, beyond);
        }
        Ok((places, array.into()))
    }

    /// The first values of an iterator, which is told then that no more are wanted; `None` for what is gone over directly.
    fn taken(&mut self, value: &Value, count: usize) -> Eval<Option<Items>> {
        let Some(object) = value.as_object() else { return Ok(None) };
        let it = self.heap.get(object);
        if let ObjectKind::Iterator { suspended: None, standing: None, items, .. } = &it.kind {
            if it.open.is_some() || items.iter().any(Value::may_be_absent) {
                return Ok(None);
            }
            let values = (0..count).map_while(|_| self.next_item(object)).collect();
            return Ok(Some(Items { values, rest: None }));
        }
        let Some(iterator) = self.asked_iterator(value, false)? else { return Ok(None) };
        let mut taken = Items::default();
        while taken.values.len() < count {
            let at = self.here;
            match self.pull(&iterator, false, at)? {
                Pulled::Value(item) => taken.values.push(item),
                Pulled::End => return Ok(Some(taken)),
                Pulled::Rest(items) => {
                    taken.values.extend(items.values);
                    taken.rest = items.rest;
                    return Ok(Some(taken));
                }
                Pulled::Open => {
                    let rest = self.unknown(ReasonKind::NotModelled, "an iterator whose end is not known");
                    taken.rest = Some(rest);
                    return Ok(Some(taken));
                }
            }
        }
        self.leave_iterator(&iterator, false)?;
        Ok(Some(taken))
    }

    /// What is at a place when some of what comes before may be missing.
    fn place_among(&mut self, items: &[Value], at: usize, beyond: Option<&Value>) -> Value {
        const MAX_UNSURE: usize = 4;
        let unsure: Vec<usize> = (0..items.len().min(at + 1))
            .filter(|&it| items.get(it).is_some_and(is_conditional_element))
            .collect();
        let Some(&first) = unsure.first() else {
            let item = items.get(at).or(beyond).cloned();
            return item.map_or(Value::UNDEFINED, present);
        };
        let behind = items.get(first + 1..).unwrap_or_default();
        if unsure.len() > MAX_UNSURE {
            return self
                .unknown(ReasonKind::TooManyValues, "an element of a list of which much may be missing");
        }
        let Some(item) = items.get(first) else { return Value::UNDEFINED };
        let missing = self.place_among(behind, at - first, beyond);
        let there = if at == first { item.clone() } else { self.place_among(behind, at - first - 1, beyond) };
        let Data::Choice(choice) = &item.data else { return there };
        let alternatives = choice.alternatives.iter().map(|it| {
            let value = match it.value.data {
                Data::Absent => missing.clone(),
                _ if at == first => it.value.clone(),
                _ => there.clone(),
            };
            Alternative { value, ..it.clone() }
        });
        self.path.choose(alternatives.collect())
    }
}
