//! Loops over iterators that the program wrote: each value is asked for when its turn comes, and an iterator is told when a
//! loop leaves it.

use super::branch::Decision;
use super::heap::{ObjectId, ObjectKind, PropertyKey};
use super::iteration::MAX_PULLED;
use super::native::Eval;
use super::path::Stop;
use super::value::{SymbolId, Value};
use super::{Arguments, Context, Evaluator};
use crate::location::Span;
use crate::source::ir::{BindingId, LabelId, PatternId, Range, Stmt};
use crate::source::known::ReasonKind;

impl Evaluator<'_> {
    /// The iterator that a loop over an object of the program asks for its values, if it is one that the program wrote.
    pub(super) fn written_iterator(
        &mut self,
        object: ObjectId,
        value: &Value,
        awaits: bool,
    ) -> Eval<Option<Value>> {
        if !matches!(self.heap.get(object).kind, ObjectKind::Ordinary) || self.heap.get(object).open.is_some()
        {
            return Ok(None);
        }
        let mut method = Value::UNDEFINED;
        if awaits {
            method = self.get_of(object, &PropertyKey::Symbol(SymbolId::ASYNC_ITERATOR), value)?;
        }
        if method.is_nullish() {
            method = self.get_of(object, &PropertyKey::Symbol(SymbolId::ITERATOR), value)?;
        }
        let is_plain = match method.as_object().map(|it| &self.heap.get(it).kind) {
            Some(ObjectKind::Function(closure)) => {
                !self.instances.module(closure.module).function(closure.function).is_generator
            }
            _ => false,
        };
        if is_plain { self.call(&method, value, Arguments::default()).map(Some) } else { Ok(None) }
    }

    /// Whether an iterator is asked by its method `next`, and not one that is known otherwise.
    pub(super) fn is_asked(&self, iterator: &Value) -> bool {
        iterator.as_object().is_some_and(|it| {
            let it = self.heap.get(it);
            matches!(it.kind, ObjectKind::Ordinary) && it.open.is_none()
        })
    }

    /// Runs a loop over an iterator of the program.
    pub(super) fn over_iterator(
        &mut self,
        cx: Context<'_>,
        iterator: &Value,
        (at, awaits): (Span, bool),
        labels: &[LabelId],
        (bindings, target, body): (&[BindingId], PatternId, &(Stmt, Range)),
    ) -> Eval<()> {
        let once = |me: &mut Self, item: Value| {
            let inner = me.block_context(cx, bindings);
            me.bind(inner, target, item, !bindings.is_empty())?;
            me.statement(inner, &body.0, body.1)
        };
        let next = self.get_name(iterator, "next")?;
        for _ in 0..MAX_PULLED {
            self.step()?;
            let mut step = self.call(&next, iterator, Arguments::default())?;
            if awaits {
                step = self.await_value(&step)?;
            }
            let done = self.get_name(&step, "done")?;
            match self.decide(&done, at) {
                Decision::Known(true, _) => return Ok(()),
                Decision::Known(false, _) => {}
                Decision::Open(_) => break,
            }
            let mut item = self.get_name(&step, "value")?;
            if awaits {
                item = self.await_value(&item)?;
            }
            let result = self.turn(labels, |me| once(me, item));
            if result == Err(Stop::Dead) {
                self.leave_iterator(iterator)?;
            }
            result?;
        }
        let rest = self.unknown(ReasonKind::NotModelled, "an iterator whose end is not known");
        self.unknown_turns(&rest, at, labels, |me| once(me, rest.clone()))
    }

    /// Tells an iterator that a loop has left it.
    fn leave_iterator(&mut self, iterator: &Value) -> Eval<()> {
        let method = self.get_name(iterator, "return")?;
        if self.is_callable(&method) {
            self.call(&method, iterator, Arguments::default())?;
        }
        Ok(())
    }
}
