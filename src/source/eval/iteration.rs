//! Loops, and what they go over.

use std::sync::Arc;

use super::branch::{Decision, ExitKind};
use super::expression::present;
use super::generator::Asked;
use super::heap::{ObjectId, ObjectKind, Property, PropertyKey, Slot};
use super::native::Eval;
use super::path::{Stop, Test};
use super::property::is_conditional_element;
use super::scope::Place;
use super::statement::is_constant_true;
use super::value::{Alternative, Data, Guard, Literal, Nature, SymbolId, Value};
use super::{Arguments, Context, Evaluator};
use crate::location::Span;
use crate::source::ir::{BindingId, LabelId, PatternId, Range, Stmt};
use crate::source::known::ReasonKind;

/// What a value yields when it is gone over.
#[derive(Debug, Default)]
pub struct Items {
    /// The values in order; those that come only under a condition have `Absent` as an alternative.
    pub values: Vec<Value>,
    /// What further ones may be, when there may be more.
    pub rest: Option<Value>,
}

/// A place that was written to.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// A variable.
    Variable(Place),
    /// A property.
    Property(ObjectId, PropertyKey),
    /// The contents of an array or collection.
    Contents(ObjectId),
}

/// Which turn of a loop with a test is prepared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The first.
    First,
    /// One that follows for sure.
    Next,
    /// One that may follow, or any number of them.
    Perhaps,
}

/// Turns of a loop that waits for something before it counts as one that goes on for ever.
const WAITING_TURNS: u32 = 2;

/// Values taken from an iterator of the program.
pub const MAX_PULLED: usize = 10_000;

/// Nested unknown loops that run twice to see what their own effects do to them.
const MAX_RERUN_NESTING: u32 = 2;

impl Evaluator<'_> {
    /// What a value yields.
    pub(super) fn items_of(&mut self, value: &Value) -> Eval<Items> {
        let value = self.path.settle(value);
        let facts = value.facts;
        let mut items = match &value.data {
            Data::Object(object) => self.items_of_object(*object, &value)?,
            Data::String(text, _) => {
                Items { values: text.chars().map(|it| Value::string(it.to_string())).collect(), rest: None }
            }
            Data::Choice(choice) => {
                let mut all = Items::default();
                for alternative in &choice.alternatives {
                    if alternative.value.is_nullish() {
                        continue;
                    }
                    let part = self.items_of(&alternative.value)?;
                    for item in part.values {
                        let item = self.conditional(item, &alternative.guard, alternative.exact);
                        all.values.push(item);
                    }
                    all.rest = all.rest.or(part.rest);
                }
                all
            }
            Data::Unknown(unknown) => {
                Items { values: Vec::new(), rest: Some(self.path.unknown(unknown.reason.clone())) }
            }
            _ => {
                let text = self.text_of(&value).unwrap_or_else(|| "value".into());
                return Err(self.throw_error("TypeError", &format!("{text} is not iterable")));
            }
        };
        if facts != super::FactSet::NONE {
            for item in &mut items.values {
                item.facts = self.facts.union(item.facts, facts);
            }
        }
        Ok(items)
    }

    /// An item that is there only under a guard.
    fn conditional(&mut self, item: Value, guard: &[Literal], exact: bool) -> Value {
        if guard.is_empty() {
            return if exact {
                item
            } else {
                self.path.choose(vec![
                    Alternative { value: item, guard: Vec::new(), exact: false, tag: 0 },
                    Alternative { value: Value::ABSENT, guard: Vec::new(), exact: false, tag: 0 },
                ])
            };
        }
        let missing = self.path.none_of(guard);
        self.path.choose(vec![
            Alternative { value: item, guard: guard.to_vec(), exact, tag: 0 },
            Alternative { value: Value::ABSENT, guard: vec![missing], exact, tag: 0 },
        ])
    }

    fn items_of_object(&mut self, object: ObjectId, value: &Value) -> Eval<Items> {
        self.begin_generator(object, Asked::All)?;
        self.run_out(object)?;
        let open = self.heap.get(object).open.clone();
        let rest = open.map(|it| self.path.unknown(it.reason.clone()));
        match &self.heap.get(object).kind {
            ObjectKind::Array(elements) => {
                let count = elements.len();
                let values = elements.iter().map(|it| match it.data {
                    Data::Absent => Value::UNDEFINED,
                    _ => self.path.settle(it),
                });
                let values: Vec<_> = values.filter(|it| !matches!(it.data, Data::Absent)).collect();
                self.steps(count / 8)?;
                Ok(Items { values, rest })
            }
            ObjectKind::Set(set) => {
                let values = set.present().map(|(_, value)| self.path.settle(value)).collect();
                Ok(Items { values, rest })
            }
            ObjectKind::Map(map) => {
                let entries: Vec<(Value, Value)> = map.present().cloned().collect();
                let values = entries
                    .into_iter()
                    .map(|(key, value)| {
                        let value = self.path.settle(&value);
                        self.map(&value, |me, value| match value.data {
                            Data::Absent => Value::ABSENT,
                            _ => me.new_array(vec![key.clone(), value.clone()]).into(),
                        })
                    })
                    .collect();
                Ok(Items { values, rest })
            }
            ObjectKind::Iterator { items, next, .. } => {
                let values = items.get(*next..).unwrap_or_default().to_vec();
                self.go_on(object, usize::MAX);
                if let ObjectKind::Iterator { items, next, .. } = &mut self.heap.get_mut(object).kind {
                    *next = items.len();
                }
                Ok(Items { values, rest })
            }
            ObjectKind::Opaque(class) if class.ends_with("Array") => {
                match self.elements_of_typed_array(object, class) {
                    Some(values) => Ok(Items { values, rest }),
                    None => self.pull_items(object, value),
                }
            }
            _ => self.pull_items(object, value),
        }
    }

    /// What a typed array of a known length yields: numbers that are not known.
    fn elements_of_typed_array(&mut self, object: ObjectId, class: &str) -> Option<Vec<Value>> {
        const MAX_ELEMENTS: usize = 256;
        let Slot::Data(length) = &self.heap.get(object).properties.get(&"length".into())?.slot else {
            return None;
        };
        let length = length.as_number()?;
        let count = (0..=MAX_ELEMENTS)
            .find(|it| u32::try_from(*it).is_ok_and(|it| f64::from(it).to_bits() == length.to_bits()))?;
        let nature = if class.starts_with("Big") { Nature::Anything } else { Nature::Number };
        let what = format!("what a {class} holds");
        Some((0..count).map(|_| self.unknown_of(nature, ReasonKind::NotModelled, what.clone())).collect())
    }

    /// Goes through the iterator protocol of an object.
    fn pull_items(&mut self, object: ObjectId, value: &Value) -> Eval<Items> {
        let Some(iterator) = self.iterator_of(object, value)? else {
            return self.items_of_object(object, value);
        };
        if let Data::Unknown(_) = iterator.data {
            return Ok(Items { values: Vec::new(), rest: Some(iterator) });
        }
        if let Some(id) = iterator.as_object()
            && id != object
            && matches!(
                self.heap.get(id).kind,
                ObjectKind::Iterator { .. } | ObjectKind::Array(_) | ObjectKind::Set(_) | ObjectKind::Map(_)
            )
        {
            return self.items_of_object(id, &iterator);
        }
        self.pull_from(&iterator).map(|(items, _)| items)
    }

    /// The iterator of an object, which may be itself; none for those that are gone over directly.
    pub(super) fn iterator_of(&mut self, object: ObjectId, value: &Value) -> Eval<Option<Value>> {
        match &self.heap.get(object).kind {
            ObjectKind::Iterator { .. } => return Ok(Some(value.clone())),
            ObjectKind::Array(_) | ObjectKind::Set(_) | ObjectKind::Map(_) => return Ok(None),
            _ => {}
        }
        let mut method = self.get_of(object, &PropertyKey::Symbol(SymbolId::ITERATOR), value)?;
        if method.is_nullish() {
            method = self.get_of(object, &PropertyKey::Symbol(SymbolId::ASYNC_ITERATOR), value)?;
        }
        if let Data::Unknown(_) = method.data {
            return Ok(Some(method));
        }
        if method.is_nullish() {
            // What an object inherits from something unknown may be an iterator.
            if let Some(unknown) = self.open_along_prototypes(object) {
                return Ok(Some(self.path.unknown(unknown.reason.clone())));
            }
            return Err(self.throw_error("TypeError", "object is not iterable"));
        }
        self.call(&method, value, Arguments::default()).map(Some)
    }

    /// What an iterator yields, and what it returns in the end.
    pub(super) fn pull_from(&mut self, iterator: &Value) -> Eval<(Items, Value)> {
        let next = self.get_name(iterator, "next")?;
        let mut items = Items::default();
        while items.values.len() < MAX_PULLED {
            let step = self.call(&next, iterator, Arguments::default())?;
            let step = self.await_value(&step)?;
            let done = self.get_name(&step, "done")?;
            let at = self.here;
            match self.decide(&done, at) {
                Decision::Known(true, _) => {
                    let returns = self.get_name(&step, "value")?;
                    return Ok((items, returns));
                }
                Decision::Known(false, _) => {
                    let value = self.get_name(&step, "value")?;
                    items.values.push(value);
                }
                Decision::Open(_) => break,
            }
        }
        let rest = self.unknown(ReasonKind::NotModelled, "an iterator whose end is not known");
        items.rest = Some(rest.clone());
        Ok((items, rest))
    }

    /// Runs a loop. `labels` are its own.
    pub(super) fn loop_statement(
        &mut self,
        cx: Context<'_>,
        statement: &Stmt,
        labels: &[LabelId],
    ) -> Eval<()> {
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let result = match statement {
            Stmt::ForOf { bindings, target, iterable, awaits, body } => {
                let value = self.eval(cx, *iterable)?;
                let at = cx.module.expr_span(*iterable);
                self.here = at;
                let value = self.path.settle(&value);
                if let Some(object) = value.as_object() {
                    if self.stand_for_loop(object) {
                        let each = (&**bindings, *target, &**body);
                        let result = self.over_iterator(cx, &value, (at, *awaits), labels, each);
                        return self.land_loop(result, mark, exits, labels);
                    }
                    if may_leave(&body.0) {
                        self.begin_generator(object, Asked::OneByOne)?;
                    }
                    if self.is_live(object) {
                        let each = (&**bindings, *target, &**body);
                        let result = self.over_live(cx, (&value, object), (at, *awaits), labels, each);
                        return self.land_loop(result, mark, exits, labels);
                    }
                    if let Some(iterator) = self.written_iterator(object, &value, *awaits)? {
                        let each = (&**bindings, *target, &**body);
                        let result = if self.is_asked(&iterator) {
                            self.over_iterator(cx, &iterator, (at, *awaits), labels, each)
                        } else {
                            let items = self.awaited_items(&iterator, *awaits)?;
                            self.over_items(cx, items, at, labels, each)
                        };
                        return self.land_loop(result, mark, exits, labels);
                    }
                }
                let items = self.awaited_items(&value, *awaits)?;
                self.over_items(cx, items, at, labels, (bindings, *target, body))
            }
            Stmt::ForIn { bindings, target, object, body } => {
                let value = self.eval(cx, *object)?;
                let at = cx.module.expr_span(*object);
                self.here = at;
                let items = self.keys_in(&value)?;
                self.over_keys(cx, (&value, items), at, labels, (bindings, *target, body))
            }
            Stmt::For { bindings, init, test, update, body } => {
                let outer = self.block_context(cx, bindings);
                if let Some(init) = init {
                    self.statement(outer, &init.0, init.1)?;
                }
                self.turns(outer, labels, |me, cx, turn| {
                    // Each turn has variables of its own, which start as those of the last. Where it is not known how many
                    // turns there are, those of one stand for all, and have to show that they change.
                    let cx = if turn == Turn::Next { me.copied_scope(cx, bindings) } else { cx };
                    if turn != Turn::First
                        && let Some(update) = update
                    {
                        me.eval(cx, *update)?;
                    }
                    Ok((cx, *test, &**body, is_constant_true(cx, *test)))
                })
            }
            Stmt::While { test, body } => self.turns(cx, labels, |_, cx, _| {
                Ok((cx, Some(*test), &**body, is_constant_true(cx, Some(*test))))
            }),
            Stmt::DoWhile { body, test } => self.turns(cx, labels, |_, cx, turn| {
                let test_before = (turn != Turn::First).then_some(*test);
                Ok((cx, test_before, &**body, is_constant_true(cx, Some(*test))))
            }),
            _ => Ok(()),
        };
        self.land_loop(result, mark, exits, labels)
    }

    /// What a value yields, each waited for if asked.
    pub(super) fn awaited_items(&mut self, value: &Value, awaits: bool) -> Eval<Items> {
        let mut items = self.items_of(value)?;
        if awaits {
            for item in &mut items.values {
                *item = self.await_value(item)?;
            }
            if items.rest.is_some() {
                self.wait(None);
            }
        }
        Ok(items)
    }

    pub(super) fn land_loop(
        &mut self,
        result: Eval<()>,
        mark: usize,
        exits: usize,
        labels: &[LabelId],
    ) -> Eval<()> {
        self.land(result, mark, exits, |kind| match kind {
            ExitKind::Break(None) => true,
            ExitKind::Break(Some(label)) => labels.contains(label),
            _ => false,
        })
    }

    /// Whether a loop over an object sees what its body adds to it or takes away: arrays, sets, maps, and iterators, which
    /// are asked for one value after the other.
    fn is_live(&self, object: ObjectId) -> bool {
        let it = self.heap.get(object);
        match &it.kind {
            ObjectKind::Array(_) => self.is_plain(object),
            ObjectKind::Set(_) | ObjectKind::Map(_) => true,
            ObjectKind::Iterator { suspended, standing, .. } => suspended.is_none() && standing.is_none(),
            _ => false,
        }
    }

    /// The element at a position of something that is gone over live: `None` behind the last.
    pub(super) fn live_item(&mut self, object: ObjectId, at: usize) -> Option<Value> {
        match &self.heap.get(object).kind {
            ObjectKind::Array(elements) => elements.get(at).map(|it| match it.data {
                Data::Absent => Value::UNDEFINED,
                _ => self.path.settle(it),
            }),
            ObjectKind::Set(set) => set.entries.get(at).map(|it| self.path.settle(&it.1)),
            ObjectKind::Map(map) => {
                let (key, value) = map.entries.get(at)?.clone();
                let value = self.path.settle(&value);
                Some(self.map(&value, |me, value| match value.data {
                    Data::Absent => Value::ABSENT,
                    _ => me.new_array(vec![key.clone(), value.clone()]).into(),
                }))
            }
            ObjectKind::Iterator { .. } => self.next_item(object),
            _ => None,
        }
    }

    fn over_live(
        &mut self,
        cx: Context<'_>,
        (value, object): (&Value, ObjectId),
        (at, awaits): (Span, bool),
        labels: &[LabelId],
        (bindings, target, body): (&[BindingId], PatternId, &(Stmt, Range)),
    ) -> Eval<()> {
        let once = |me: &mut Self, item: Value| {
            let inner = me.block_context(cx, bindings);
            me.bind(inner, target, item, !bindings.is_empty())?;
            me.statement(inner, &body.0, body.1)
        };
        let mut index = 0;
        while let Some(item) = self.live_item(object, index) {
            index += 1;
            self.step()?;
            let item = self.with_facts(item, value.facts);
            let item = if awaits { self.await_value(&item)? } else { item };
            self.turn(labels, |me| me.if_present(&item, at, once))?;
        }
        if let Some(unknown) = self.heap.get(object).open.clone() {
            let rest = self.path.unknown(unknown.reason.clone());
            self.unknown_turns(&rest, at, labels, |me| once(me, rest.clone()))?;
        }
        Ok(())
    }

    pub(super) fn copied_scope<'m>(&mut self, cx: Context<'m>, bindings: &[BindingId]) -> Context<'m> {
        if bindings.is_empty() {
            return cx;
        }
        let birth = self.path.birth();
        let Some(scope) = self.scopes.copy(cx.scope, birth) else { return cx };
        cx.in_scope(scope)
    }

    /// What `for … in` goes over.
    fn keys_in(&mut self, value: &Value) -> Eval<Items> {
        let value = self.path.settle(value);
        match &value.data {
            Data::Object(object) => {
                let object = *object;
                let entries = self.keys_along_prototypes(object)?;
                let rest = self.heap.get(object).open.clone().map(|it| self.path.unknown(it.reason.clone()));
                let values =
                    entries.into_iter().map(|(name, value)| self.name_of_entry(&name, &value)).collect();
                Ok(Items { values, rest })
            }
            Data::Choice(choice) => {
                let mut all = Items::default();
                for alternative in &choice.alternatives {
                    let part = self.keys_in(&alternative.value)?;
                    for item in part.values {
                        let item = self.conditional(item, &alternative.guard, alternative.exact);
                        all.values.push(item);
                    }
                    all.rest = all.rest.or(part.rest);
                }
                Ok(all)
            }
            Data::Unknown(unknown) => {
                Ok(Items { values: Vec::new(), rest: Some(self.path.unknown(unknown.reason.clone())) })
            }
            Data::String(text, _) => {
                let length = text.encode_utf16().count();
                self.steps(length / 8)?;
                let values = (0..length).map(|it| Value::string(it.to_string())).collect();
                Ok(Items { values, rest: None })
            }
            _ => Ok(Items::default()),
        }
    }

    /// Goes over the keys of a value: those that the body deletes do not come.
    fn over_keys(
        &mut self,
        cx: Context<'_>,
        (value, items): (&Value, Items),
        at: Span,
        labels: &[LabelId],
        each: (&[BindingId], PatternId, &(Stmt, Range)),
    ) -> Eval<()> {
        let Some(object) = value.as_object() else { return self.over_items(cx, items, at, labels, each) };
        let Items { values, rest } = items;
        for item in values {
            if let Some(name) = item.as_str() {
                let there = self.has(&object.into(), &PropertyKey::Name(name.clone()))?;
                if self.truthiness(&there) == Some(false) {
                    continue;
                }
            }
            let one = Items { values: vec![item], rest: None };
            self.over_items(cx, one, at, labels, each)?;
        }
        self.over_items(cx, Items { values: Vec::new(), rest }, at, labels, each)
    }

    /// The name of an entry as a value: absent where the entry is.
    pub(super) fn name_of_entry(&mut self, name: &Arc<str>, value: &Value) -> Value {
        if !value.may_be_absent() {
            return Value::string(name.clone()).resting_on(value.facts);
        }
        self.map(value, |_, it| match it.data {
            Data::Absent => Value::ABSENT,
            _ => Value::string(name.clone()),
        })
    }

    pub(super) fn over_items(
        &mut self,
        cx: Context<'_>,
        items: Items,
        at: Span,
        labels: &[LabelId],
        (bindings, target, body): (&[BindingId], PatternId, &(Stmt, Range)),
    ) -> Eval<()> {
        let once = |me: &mut Self, item: Value| {
            let inner = me.block_context(cx, bindings);
            me.bind(inner, target, item, !bindings.is_empty())?;
            me.statement(inner, &body.0, body.1)
        };
        for item in items.values {
            self.step()?;
            self.turn(labels, |me| me.if_present(&item, at, once))?;
        }
        if let Some(rest) = items.rest {
            self.unknown_turns(&rest, at, labels, |me| once(me, rest.clone()))?;
        }
        Ok(())
    }

    /// Runs something with an item if it is there.
    pub(super) fn if_present(
        &mut self,
        item: &Value,
        at: Span,
        run: impl FnOnce(&mut Self, Value) -> Eval<()>,
    ) -> Eval<()> {
        let item = self.path.settle(item);
        if !is_conditional_element(&item) {
            return match item.data {
                Data::Absent => Ok(()),
                _ => run(self, item),
            };
        }
        let there = self.map(&item, |_, it| (!matches!(it.data, Data::Absent)).into());
        match self.decide(&there, at) {
            Decision::Known(false, _) => Ok(()),
            Decision::Known(true, _) => {
                let item = self.without_absent(&item);
                run(self, item)
            }
            Decision::Open(test) => {
                let (mark, exits) = (self.path.mark(), self.exits.len());
                self.under(&test.yes, |me| {
                    let item = me.without_absent(&item);
                    run(me, item)
                })?;
                self.resume(mark, exits);
                Ok(())
            }
        }
    }

    /// A value without its absent alternatives.
    pub(super) fn without_absent(&mut self, value: &Value) -> Value {
        let value = self.path.settle(value);
        let Data::Choice(choice) = &value.data else { return value };
        let left: Vec<_> =
            choice.alternatives.iter().filter(|it| !matches!(it.value.data, Data::Absent)).cloned().collect();
        match left.as_slice() {
            [only] => only.value.clone(),
            _ => self.path.choose(left),
        }
    }

    /// One turn of a loop: `continue` ends it.
    pub(super) fn turn(&mut self, labels: &[LabelId], run: impl FnOnce(&mut Self) -> Eval<()>) -> Eval<()> {
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let result = run(self);
        if result.is_ok() && self.exits.len() == exits {
            return result;
        }
        self.land(result, mark, exits, |kind| match kind {
            ExitKind::Continue(None) => true,
            ExitKind::Continue(Some(label)) => labels.contains(label),
            _ => false,
        })
    }

    /// Turns of a loop of which it is not known how many there are: run once, under the condition that there is one.
    pub(super) fn unknown_turns(
        &mut self,
        why: &Value,
        at: Span,
        labels: &[LabelId],
        mut run: impl FnMut(&mut Self) -> Eval<()>,
    ) -> Eval<()> {
        let reason = match &why.data {
            Data::Unknown(unknown) => unknown.reason.clone(),
            _ => super::value::reason(ReasonKind::Merged, "it is not known how often the loop turns"),
        };
        let cond = self.path.fresh(at, reason);
        let yes = vec![Literal::new(cond, true)];
        self.conditional_turns(&yes, why, labels, &mut run)
    }

    pub(super) fn conditional_turns(
        &mut self,
        guard: &Guard,
        why: &Value,
        labels: &[LabelId],
        run: &mut dyn FnMut(&mut Self) -> Eval<()>,
    ) -> Eval<()> {
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let (scopes, objects) = (self.scopes.len(), self.heap.len());
        let outer = self.writes.replace(Vec::new());
        self.loop_nesting += 1;
        // What is written within is written again when a loop around this one runs once more.
        let is_rerun = self.loop_nesting <= MAX_RERUN_NESTING && !self.runs_again;
        let runs_again = std::mem::replace(&mut self.runs_again, is_rerun);
        let first = self.under(guard, |me| me.turn(labels, |me| run(me)));
        self.runs_again = runs_again;
        let mut written = self.writes.take().unwrap_or_default();
        // What a turn made itself is new in the next one, unless it was kept in something older.
        let is_older = |it: &Write| match it {
            Write::Variable(place) => place.is_among_first(scopes),
            Write::Property(object, _) | Write::Contents(object) => object.index() < objects,
        };
        if !written.iter().any(is_older) {
            written.clear();
        }
        let result = match first {
            Ok(_) if !written.is_empty() => {
                self.forget(&written, why);
                if is_rerun {
                    let again = self.under(guard, |me| me.turn(labels, |me| run(me)));
                    self.forget(&written, why);
                    again.map(|_| ())
                } else {
                    Ok(())
                }
            }
            other => other.map(|_| ()),
        };
        self.loop_nesting -= 1;
        self.writes = outer;
        for write in written {
            self.note_write(write);
        }
        self.resume(mark, exits);
        result
    }

    /// Notes a write for the unknown loop around it.
    pub(super) fn note_write(&mut self, write: Write) {
        if let Some(writes) = &mut self.writes
            && !writes.contains(&write)
        {
            writes.push(write);
        }
    }

    /// After turns of unknown number, what they wrote may hold other values as well.
    fn forget(&mut self, written: &[Write], why: &Value) {
        let reason = match &why.data {
            Data::Unknown(unknown) => unknown.reason.clone(),
            _ => super::value::reason(ReasonKind::Merged, "it is set in a loop of unknown length"),
        };
        for write in written {
            let other = self.path.unknown(reason.clone());
            match write {
                Write::Variable(place) => {
                    let value = self.scopes.get(*place).clone();
                    let value = self.perhaps(value, other);
                    self.scopes.set(*place, value);
                }
                Write::Property(object, key) => {
                    let Some(Property { slot: Slot::Data(value), .. }) =
                        self.heap.get(*object).properties.get(key)
                    else {
                        continue;
                    };
                    let value = value.clone();
                    let value = self.perhaps(value, other);
                    if let Some(property) = self.heap.get_mut(*object).properties.get_mut(key) {
                        property.slot = Slot::Data(value);
                    }
                }
                Write::Contents(object) => self.open_up(*object, &other),
            }
        }
    }

    /// A value or another one. Objects and functions stay: it is their places in lists that loops change.
    fn perhaps(&mut self, value: Value, other: Value) -> Value {
        let unsure = |value| Alternative { value, guard: Vec::new(), exact: false, tag: 0 };
        self.path.choose(vec![unsure(value), unsure(other)])
    }

    /// Runs a loop with a test. `next` prepares a turn: its context, its test, its body, and whether the test is a
    /// constant.
    pub(super) fn turns<'m, F>(&mut self, cx: Context<'m>, labels: &[LabelId], mut next: F) -> Eval<()>
    where
        F: FnMut(
            &mut Self,
            Context<'m>,
            Turn,
        ) -> Eval<(Context<'m>, Option<crate::source::ir::ExprId>, &'m (Stmt, Range), bool)>,
    {
        let mut at = cx;
        let mut waiting = 0;
        let mut turn = Turn::First;
        loop {
            self.step()?;
            let (inner, test, body, endless) = next(self, at, turn)?;
            at = inner;
            turn = Turn::Next;
            if let Some(test) = test {
                let value = self.eval(inner, test)?;
                let span = inner.module.expr_span(test);
                match self.decide(&value, span) {
                    Decision::Known(true, facts) => {
                        self.control = self.facts.union(self.control, facts);
                    }
                    Decision::Known(false, facts) => {
                        self.control = self.facts.union(self.control, facts);
                        return Ok(());
                    }
                    Decision::Open(Test { yes, .. }) => {
                        return self.conditional_turns(&yes, &value, labels, &mut |me| {
                            me.statement(inner, &body.0, body.1)?;
                            next(me, inner, Turn::Perhaps)?;
                            me.eval(inner, test).map(|_| ())
                        });
                    }
                }
            }
            let segment = self.segment();
            self.turn(labels, |me| me.statement(inner, &body.0, body.1))?;
            if segment != self.segment() {
                waiting += 1;
                if waiting > WAITING_TURNS {
                    return if endless { Err(Stop::Dead) } else { Ok(()) };
                }
            }
        }
    }

    /// The items as an iterator object.
    pub(super) fn new_iterator(&mut self, items: Items, returns: Value) -> ObjectId {
        let prototype = self.realm.iterator;
        let values =
            items.values.into_iter().map(|it| if is_conditional_element(&it) { it } else { present(it) });
        let kind = ObjectKind::Iterator {
            is_async: false,
            items: values.collect(),
            next: 0,
            returns,
            suspended: None,
            standing: None,
            stages: Vec::new(),
            throws: Vec::new(),
            thrown_into: Vec::new(),
        };
        let iterator = self.allocate(Some(prototype), kind);
        if let Some(rest) = items.rest {
            self.open_up(iterator, &rest);
        }
        iterator
    }
}

/// Whether a statement may leave the loop around it.
fn may_leave(statement: &Stmt) -> bool {
    let any = |it: &[(Stmt, Range)]| it.iter().any(|(it, _)| may_leave(it));
    match statement {
        Stmt::Return(_) | Stmt::Throw(_) | Stmt::Break(_) | Stmt::Continue(Some(_)) => true,
        Stmt::If { then, otherwise, .. } => {
            may_leave(&then.0) || otherwise.as_ref().is_some_and(|it| may_leave(&it.0))
        }
        Stmt::Block(block) => any(&block.statements),
        Stmt::For { body, .. }
        | Stmt::ForIn { body, .. }
        | Stmt::ForOf { body, .. }
        | Stmt::While { body, .. }
        | Stmt::DoWhile { body, .. }
        | Stmt::Labeled { body, .. } => may_leave(&body.0),
        Stmt::Switch { cases, .. } => cases.iter().any(|it| any(&it.statements)),
        Stmt::Try { block, catch, finally } => {
            any(&block.statements)
                || catch.as_ref().is_some_and(|it| any(&it.body.statements))
                || finally.as_ref().is_some_and(|it| any(&it.statements))
        }
        _ => false,
    }
}
