//! Generators.
//!
//! A generator begins when it is first asked for a value. It then runs to its end at once: when all of its values are wanted
//! that makes no difference. When they are asked for one by one, what it does behind each of the first ones hangs on a
//! condition of its own, which is false until the next value is asked for (see [`super::path::Path::settle_for_good`]).
//! What `next(value)` and `throw(error)` hand to it is not known by then: it is unknown inside.

use super::branch::ExitKind;
use super::heap::{Closure, ObjectId, ObjectKind, Suspended};
use super::iteration::{Items, MAX_PULLED};
use super::native::Eval;
use super::path::Stop;
use super::value::{CondId, Guard, Literal, Value};
use super::{Arguments, Evaluator};
use crate::location::Span;
use crate::source::known::{Reason, ReasonKind};

/// What a generator yields while it runs.
#[derive(Debug, Default)]
pub struct Yields {
    /// The values.
    pub values: Vec<Value>,
    /// What it does behind each of them hangs on these; `None` when all values are wanted.
    pub stages: Option<Vec<CondId>>,
    /// Whether `yield` gives what somebody sends.
    is_driven: bool,
    /// Where the path stood when it began.
    mark: usize,
    /// How many `try` blocks surrounded it then.
    guarded: u32,
    /// That an error is thrown into it behind so many values.
    thrown_into: Vec<(usize, CondId)>,
}

impl Yields {
    /// Of a generator that runs from a point of the path on.
    pub(super) fn from(mark: usize) -> Self {
        Self { mark, ..Self::default() }
    }
}

/// What a generator throws behind some of its values.
#[derive(Debug)]
pub struct Thrown {
    /// Behind how many.
    after: usize,
    /// What has to hold for it.
    guard: Guard,
    error: Value,
    at: Option<Span>,
}

/// How a generator is asked for its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// For all at once.
    All,
    /// For one after the other, by a loop that may end before.
    OneByOne,
    /// By `next`, which may send values.
    Driven,
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
        let module = self.instances.module(closure.module);
        let kind = ObjectKind::Iterator {
            is_async: module.function(closure.function).is_async,
            items: Vec::new(),
            next: 0,
            returns: Value::UNDEFINED,
            suspended: Some(Box::new(suspended)),
            standing: None,
            stages: Vec::new(),
            throws: Vec::new(),
            thrown_into: Vec::new(),
        };
        self.allocate(Some(prototype), kind).into()
    }

    /// Runs a generator that has not begun.
    pub(super) fn begin_generator(&mut self, object: ObjectId, asked: Asked) -> Eval<()> {
        let ObjectKind::Iterator { suspended, .. } = &mut self.heap.get_mut(object).kind else {
            return Ok(());
        };
        let Some(call) = suspended.take() else { return Ok(()) };
        let one_by_one = asked != Asked::All;
        let yields = Yields {
            values: Vec::new(),
            stages: one_by_one.then(Vec::new),
            is_driven: asked == Asked::Driven,
            mark: self.path.mark(),
            guarded: self.guarded,
            thrown_into: Vec::new(),
        };
        let segment = self.segment();
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let (result, yields) = self.run_generator(*call, yields)?;
        let throws = if asked == Asked::Driven {
            self.throws_of_stages(yields.stages.as_deref().unwrap_or_default(), mark, exits)
        } else {
            Vec::new()
        };
        let result = result.unwrap_or(Value::UNDEFINED);
        let last = self.segment();
        if last != segment && !self.frame().is_async {
            // Whoever asks waits for it.
            self.schedule.current = segment;
            self.schedule.awaits(&[last]);
        }
        for &(_, cond) in &yields.thrown_into {
            self.path.settle_for_good(cond, Some(false));
        }
        let is_cut = yields.values.len() >= if one_by_one { MAX_STAGED } else { MAX_PULLED };
        if let ObjectKind::Iterator { items, returns, stages, throws: later, thrown_into, .. } =
            &mut self.heap.get_mut(object).kind
        {
            *later = throws;
            *thrown_into = yields.thrown_into;
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

    /// What a generator throws behind a value concerns whoever asks for the next one.
    fn throws_of_stages(&mut self, stages: &[CondId], mark: usize, exits: usize) -> Vec<Thrown> {
        let below = self.frame().mark;
        let mut throws = Vec::new();
        for exit in self.exits.split_off(exits) {
            let own = exit.guard.get(mark.saturating_sub(below)..).unwrap_or_default();
            let after = stages.iter().rposition(|stage| own.iter().any(|it| it.cond() == *stage));
            match (&exit.kind, after) {
                (ExitKind::Throw(error, at), Some(after)) => throws.push(Thrown {
                    after: after + 1,
                    guard: own.iter().copied().filter(|it| !stages.contains(&it.cond())).collect(),
                    error: error.clone(),
                    at: *at,
                }),
                _ => self.exits.push(exit),
            }
        }
        if !throws.is_empty() {
            self.resume(mark, exits);
        }
        throws
    }

    /// Throws what a generator throws that goes on behind this many values.
    pub(super) fn throw_behind(&mut self, object: ObjectId, values: usize) -> Eval<()> {
        let ObjectKind::Iterator { throws, .. } = &mut self.heap.get_mut(object).kind else { return Ok(()) };
        if throws.is_empty() {
            return Ok(());
        }
        let (now, later): (Vec<_>, Vec<_>) =
            std::mem::take(throws).into_iter().partition(|it| it.after == values);
        *throws = later;
        for it in now {
            let (mark, exits) = (self.path.mark(), self.exits.len());
            let is_sure = it.guard.is_empty();
            if is_sure
                && let ObjectKind::Iterator { items, next, returns, .. } = &mut self.heap.get_mut(object).kind
            {
                *next = items.len() + 1;
                *returns = Value::UNDEFINED;
            }
            self.under(&it.guard, |me| -> Eval<()> { Err(me.throw(it.error, it.at)) })?;
            if is_sure {
                return Err(Stop::Dead);
            }
            self.resume(mark, exits);
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
        if delegate {
            return self.yield_all(&value);
        }
        self.yield_one(value)?;
        let Some(yields) = self.frame().yields.as_ref().filter(|it| it.is_driven) else {
            return Ok(Value::UNDEFINED);
        };
        let (guarded, behind) = (yields.guarded, yields.values.len());
        let sent = self.unknown(ReasonKind::NotModelled, "what is sent to a generator");
        if self.guarded > guarded {
            self.may_be_thrown_into(behind)?;
        }
        Ok(sent)
    }

    /// An error may be thrown into a generator instead of a value being sent: inside its `try` both ways count.
    fn may_be_thrown_into(&mut self, behind: usize) -> Eval<()> {
        let reason = Reason {
            kind: ReasonKind::NotModelled,
            text: "what is thrown into a generator".into(),
            at: Some(self.here),
        };
        let is_thrown = Literal::new(self.path.fresh(self.here, reason.clone()), true);
        let Some(yields) = self.frame_mut().yields.as_mut() else { return Ok(()) };
        if yields.thrown_into.len() >= MAX_STAGES {
            return Ok(());
        }
        yields.thrown_into.push((behind, is_thrown.cond()));
        let error = self.path.unknown(reason);
        let at = Some(self.here);
        self.under(&[is_thrown], |me| -> Eval<()> { Err(me.throw(error, at)) })?;
        self.path.assume(is_thrown.negated());
        Ok(())
    }

    /// `yield*`: everything that a value yields, and then what its iterator returns.
    fn yield_all(&mut self, value: &Value) -> Eval {
        let value = self.path.settle(value);
        let iterator = match value.as_object() {
            Some(object) => self.iterator_of(object, &value)?,
            None => None,
        };
        let Some(iterator) = iterator else {
            let items = self.items_of(&value)?;
            self.yield_items(items)?;
            return Ok(if value.is_settled() { Value::UNDEFINED } else { self.returned_by(&value) });
        };
        let Some(object) = iterator.as_object() else {
            let items = self.items_of(&iterator)?;
            self.yield_items(items)?;
            return Ok(self.returned_by(&iterator));
        };
        let ObjectKind::Iterator { suspended, .. } = &mut self.heap.get_mut(object).kind else {
            let (items, returns) = self.pull_from(&iterator)?;
            self.yield_items(items)?;
            return Ok(returns);
        };
        let Some(call) = suspended.take() else {
            let items = self.items_of(&iterator)?;
            let returns = match &self.heap.get(object).kind {
                ObjectKind::Iterator { returns, .. } => returns.clone(),
                _ => Value::UNDEFINED,
            };
            self.yield_items(items)?;
            return Ok(self.path.settle(&returns));
        };
        // What the inner generator yields, the outer one does.
        let Some(yields) = self.frame_mut().yields.take() else { return Ok(Value::UNDEFINED) };
        let (result, yields) = self.deeper(|me| me.run_generator(*call, yields))?;
        self.frame_mut().yields = Some(yields);
        self.keep_stage();
        result.ok_or(Stop::Dead)
    }

    /// What an iterator returns that is not known.
    fn returned_by(&mut self, iterator: &Value) -> Value {
        match iterator.as_unknown() {
            Some(unknown) => self.path.unknown(unknown.reason.clone()),
            None => self.unknown(ReasonKind::NotModelled, "what an iterator returns"),
        }
    }

    pub(super) fn yield_items(&mut self, items: Items) -> Eval<()> {
        for item in items.values {
            self.yield_one(item)?;
        }
        Ok(())
    }

    fn yield_one(&mut self, item: Value) -> Eval<()> {
        let Some(yields) = self.frame().yields.as_ref() else { return Ok(()) };
        let (stages, mark) = (yields.stages.is_some(), yields.mark);
        let guard = self.path.since_mark(mark);
        let guard = if stages { self.without_stages(&guard) } else { guard };
        let item = self.path.written(&Value::ABSENT, item, &guard);
        let limit = if stages { MAX_STAGED } else { MAX_PULLED };
        let Some(yields) = &mut self.frame_mut().yields else { return Ok(()) };
        if yields.values.len() >= limit {
            return Err(Stop::Dead);
        }
        yields.values.push(item);
        self.add_stage();
        Ok(())
    }

    /// A generator that has begun is left, or an error is thrown into it: what it still does is not known.
    /// Whether it has not begun or is over, so that nothing more happens in it.
    pub(super) fn interrupt(&mut self, object: ObjectId, by_error: bool) -> bool {
        let is_sure = self.path.since_birth(self.heap.get(object).birth).is_empty();
        let ObjectKind::Iterator { items, next, suspended, stages, returns, throws, thrown_into, .. } =
            &mut self.heap.get_mut(object).kind
        else {
            return false;
        };
        let is_over = suspended.take().is_some() || *next > items.len();
        let given = *next;
        let left: Vec<CondId> = stages.drain(..).skip(given.saturating_sub(1)).collect();
        let thrown_into = std::mem::take(thrown_into);
        items.clear();
        throws.clear();
        *next = 1;
        *returns = Value::UNDEFINED;
        let mut is_caught = false;
        for (behind, cond) in thrown_into.into_iter().filter(|it| by_error && it.0 >= given) {
            is_caught |= behind == given;
            self.path.settle_for_good(cond, None);
            if behind == given && is_sure {
                self.path.settle_for_good(cond, Some(true));
            }
        }
        for (index, stage) in left.into_iter().enumerate() {
            self.path.settle_for_good(stage, None);
            if index == 0 && is_caught && is_sure {
                self.path.settle_for_good(stage, Some(true));
                self.records.resume(stage);
            }
        }
        is_over
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
        self.path.assume(Literal::new(stage, true));
        if let Some(stages) = self.frame_mut().yields.as_mut().and_then(|it| it.stages.as_mut()) {
            stages.push(stage);
        }
    }

    /// Where a construct of a generator ends in which it yielded, it is still in the stage of the last value.
    pub(super) fn keep_stage(&mut self) {
        let stages = self.frame().yields.as_ref().and_then(|it| it.stages.as_ref());
        if let Some(&stage) = stages.and_then(|it| it.last()) {
            self.path.assume(Literal::new(stage, true));
        }
    }

    /// Values are there for whoever asks for them: a guard without the stages of this generator.
    pub(super) fn without_stages(&self, guard: &[Literal]) -> Vec<Literal> {
        let stages = self.frame().yields.as_ref().and_then(|it| it.stages.as_deref()).unwrap_or_default();
        guard.iter().copied().filter(|it| !stages.contains(&it.cond())).collect()
    }
}
