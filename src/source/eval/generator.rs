//! Generators.
//!
//! A generator begins when it is first asked for a value. It then runs to its end at once: when all of its values are wanted
//! that makes no difference. When they are asked for one by one, what it does behind each of the first ones hangs on a
//! condition of its own, which is false until the next value is asked for (see [`super::path::Path::settle_for_good`]).

use super::heap::{Closure, ObjectId, ObjectKind, Suspended};
use super::iteration::{Items, MAX_PULLED};
use super::native::Eval;
use super::path::Stop;
use super::value::{CondId, Literal, Value};
use super::{Arguments, Evaluator};
use crate::source::known::{Reason, ReasonKind};

/// What a generator yields while it runs.
#[derive(Debug, Default)]
pub struct Yields {
    /// The values.
    pub values: Vec<Value>,
    /// What it does behind each of them hangs on these; `None` when all values are wanted.
    pub stages: Option<Vec<CondId>>,
}

/// Values that are told apart when they are asked for one by one.
const MAX_STAGES: usize = 10;

/// Values of a generator that may be without end.
const MAX_STAGED: usize = 300;

impl Evaluator<'_> {
    /// The generator object of a call.
    pub(super) fn new_generator(&mut self, closure: &Closure, this: Value, arguments: Arguments) -> Value {
        let prototype = self.realm.iterator;
        let suspended = Suspended { closure: closure.clone(), this, arguments };
        let kind = ObjectKind::Iterator {
            items: Vec::new(),
            next: 0,
            returns: Value::UNDEFINED,
            suspended: Some(Box::new(suspended)),
            stages: Vec::new(),
        };
        self.allocate(Some(prototype), kind).into()
    }

    /// Runs a generator that has not begun.
    pub(super) fn begin_generator(&mut self, object: ObjectId, one_by_one: bool) -> Eval<()> {
        let ObjectKind::Iterator { suspended, .. } = &mut self.heap.get_mut(object).kind else {
            return Ok(());
        };
        let Some(call) = suspended.take() else { return Ok(()) };
        let yields = Yields { values: Vec::new(), stages: one_by_one.then(Vec::new) };
        let (result, yields) = self.run_generator(*call, yields)?;
        let is_cut = yields.values.len() >= if one_by_one { MAX_STAGED } else { MAX_PULLED };
        if let ObjectKind::Iterator { items, returns, stages, .. } = &mut self.heap.get_mut(object).kind {
            *items = yields.values;
            *returns = result;
            *stages = yields.stages.unwrap_or_default();
        }
        if is_cut {
            let rest = self.unknown(ReasonKind::NotModelled, "an iterator whose end is not known");
            self.open_up(object, &rest);
        }
        Ok(())
    }

    /// The next value of a generator that is asked for one by one.
    pub(super) fn next_item(&mut self, object: ObjectId) -> Option<Value> {
        let ObjectKind::Iterator { items, next, .. } = &mut self.heap.get_mut(object).kind else {
            return None;
        };
        let at = *next;
        *next += 1;
        let item = items.get(at).cloned();
        self.go_on(object, at);
        Some(self.path.settle(&item?))
    }

    /// A generator goes on behind the first values, this many of them.
    pub(super) fn go_on(&mut self, object: ObjectId, values: usize) {
        let ObjectKind::Iterator { stages, .. } = &self.heap.get(object).kind else { return };
        let passed: Vec<CondId> = stages.iter().take(values).copied().collect();
        let is_sure = self.path.since_birth(self.heap.get(object).birth).is_empty();
        for stage in passed {
            self.path.settle_for_good(stage, is_sure.then_some(true));
            if is_sure {
                self.records.resume(stage);
            }
        }
    }

    /// `yield`, `yield*`.
    pub(super) fn yield_value(&mut self, value: Value, delegate: bool) -> Eval {
        let returned = match value.as_object().filter(|_| delegate).map(|it| &self.heap.get(it).kind) {
            Some(ObjectKind::Iterator { .. }) => value.as_object(),
            _ => None,
        };
        let items = if delegate { self.items_of(&value)? } else { Items { values: vec![value], rest: None } };
        for item in items.values {
            let mark = self.frame().mark;
            let guard = self.path.since_mark(mark);
            let Some(stages) = self.frame().yields.as_ref().map(|it| it.stages.is_some()) else {
                return Ok(Value::UNDEFINED);
            };
            let guard = if stages { self.without_stages(&guard) } else { guard };
            let item = self.path.written(&Value::ABSENT, item, &guard);
            let limit = if stages { MAX_STAGED } else { MAX_PULLED };
            let Some(yields) = &mut self.frame_mut().yields else { return Ok(Value::UNDEFINED) };
            if yields.values.len() >= limit {
                return Err(Stop::Dead);
            }
            yields.values.push(item);
            self.add_stage();
        }
        if let Some(object) = returned
            && let ObjectKind::Iterator { returns, .. } = &self.heap.get(object).kind
        {
            return Ok(returns.clone());
        }
        if delegate || self.frame().yields.as_ref().is_some_and(|it| it.stages.is_none()) {
            return Ok(Value::UNDEFINED);
        }
        Ok(self.unknown(ReasonKind::NotModelled, "what is sent to a generator"))
    }

    /// What follows a value that was yielded is a stage of its own.
    fn add_stage(&mut self) {
        let stages = self.frame().yields.as_ref().and_then(|it| it.stages.as_ref());
        if stages.is_none_or(|it| it.len() >= MAX_STAGES) {
            return;
        }
        let reason = Reason {
            kind: ReasonKind::NotModelled,
            text: "whether a generator goes on".into(),
            at: Some(self.here),
        };
        let stage = self.path.fresh(self.here, reason);
        self.path.settle_for_good(stage, Some(false));
        self.path.assume(Literal { cond: stage, holds: true });
        if let Some(stages) = self.frame_mut().yields.as_mut().and_then(|it| it.stages.as_mut()) {
            stages.push(stage);
        }
    }

    /// Where a construct of a generator ends in which it yielded, it is still in the stage of the last value.
    pub(super) fn keep_stage(&mut self) {
        let stages = self.frame().yields.as_ref().and_then(|it| it.stages.as_ref());
        if let Some(&stage) = stages.and_then(|it| it.last()) {
            self.path.assume(Literal { cond: stage, holds: true });
        }
    }

    /// Values are there for whoever asks for them: a guard without the stages of this generator.
    fn without_stages(&self, guard: &[Literal]) -> Vec<Literal> {
        let stages = self.frame().yields.as_ref().and_then(|it| it.stages.as_deref()).unwrap_or_default();
        guard.iter().copied().filter(|it| !stages.contains(&it.cond)).collect()
    }
}
