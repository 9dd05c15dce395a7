//! Iterators that the program wrote, as generators or by hand: each value is asked for when its turn comes, and an iterator is
//! told when a loop or pattern leaves it.

use super::branch::Decision;
use super::heap::{ObjectId, ObjectKind, PropertyKey};
use super::iteration::{Items, MAX_PULLED};
use super::native::Eval;
use super::path::Stop;
use super::suspension::Sent;
use super::value::{SymbolId, Value};
use super::{Arguments, Context, Evaluator};
use crate::location::Span;
use crate::source::ir::{BindingId, LabelId, PatternId, Range, Stmt};
use crate::source::known::ReasonKind;

/// What an iterator gives that is asked.
#[derive(Debug)]
pub enum Pulled {
    /// An item.
    Value(Value),
    /// Nothing more.
    End,
    /// All that is left, at once.
    Rest(Items),
    /// It is not known what.
    Open,
}

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
        for _ in 0..MAX_PULLED {
            self.step()?;
            let item = match self.pull(iterator, awaits, at)? {
                Pulled::Value(item) => item,
                Pulled::End => return Ok(()),
                Pulled::Rest(items) => {
                    return self.over_items(cx, items, at, labels, (bindings, target, body));
                }
                Pulled::Open => break,
            };
            let result = self.turn(labels, |me| once(me, item));
            if result == Err(Stop::Dead) {
                self.leave_iterator(iterator, awaits)?;
            }
            result?;
        }
        let rest = self.unknown(ReasonKind::NotModelled, "an iterator whose end is not known");
        self.unknown_turns(&rest, at, labels, |me| once(me, rest.clone()))
    }

    /// The iterator that a loop over a value asks for one item after the other, if there is one that is told apart.
    pub(super) fn asked_iterator(&mut self, value: &Value, awaits: bool) -> Eval<Option<Value>> {
        let Some(object) = value.as_object() else { return Ok(None) };
        if self.stand_for_loop(object) {
            return Ok(Some(value.clone()));
        }
        let Some(iterator) = self.written_iterator(object, value, awaits)? else { return Ok(None) };
        if self.is_asked(&iterator) {
            return Ok(Some(iterator));
        }
        let items = self.awaited_items(&iterator, awaits)?;
        Ok(Some(self.new_iterator(items, Value::UNDEFINED).into()))
    }

    /// Asks an iterator for the next item.
    pub(super) fn pull(&mut self, iterator: &Value, awaits: bool, at: Span) -> Eval<Pulled> {
        if let Some(pulled) = self.pull_of_generator(iterator, awaits)? {
            return Ok(pulled);
        }
        let next = self.get_name(iterator, "next")?;
        let mut step = self.call(&next, iterator, Arguments::default())?;
        if awaits {
            step = self.await_value(&step)?;
        }
        let done = self.get_name(&step, "done")?;
        match self.decide(&done, at) {
            Decision::Known(true, _) => return Ok(Pulled::End),
            Decision::Known(false, _) => {}
            Decision::Open(_) => return Ok(Pulled::Open),
        }
        let mut item = self.get_name(&step, "value")?;
        if awaits {
            item = self.await_value(&item)?;
        }
        Ok(Pulled::Value(item))
    }

    /// The same for a generator or another iterator that is known; `None` for others.
    pub(super) fn pull_of_generator(&mut self, iterator: &Value, awaits: bool) -> Eval<Option<Pulled>> {
        let Some(object) = iterator.as_object() else { return Ok(None) };
        let ObjectKind::Iterator { is_async, .. } = self.heap.get(object).kind else { return Ok(None) };
        if !self.stand_for_loop(object) {
            return self.awaited_items(iterator, awaits).map(|it| Some(Pulled::Rest(it)));
        }
        let mut stepped = None;
        let sent = Sent::Value(Value::UNDEFINED);
        if is_async {
            let promise = self.as_async(|me| {
                stepped = me.go_on_with(object, sent)?;
                Ok(Value::UNDEFINED)
            })?;
            self.await_value(&promise)?;
        } else {
            stepped = self.go_on_with(object, sent)?;
        }
        if self.heap.get(object).open.is_some() {
            return Ok(Some(Pulled::Open));
        }
        Ok(Some(match stepped {
            Some((value, true)) => {
                if let ObjectKind::Iterator { returns, .. } = &mut self.heap.get_mut(object).kind {
                    *returns = value;
                }
                Pulled::End
            }
            Some((value, false)) => Pulled::Value(if awaits { self.await_value(&value)? } else { value }),
            None => Pulled::Rest(self.awaited_items(iterator, awaits)?),
        }))
    }

    /// What a generator has returned that is over.
    pub(super) fn returned_value(&mut self, iterator: &Value) -> Value {
        let Some(object) = iterator.as_object() else { return Value::UNDEFINED };
        let ObjectKind::Iterator { returns, .. } = &mut self.heap.get_mut(object).kind else {
            return Value::UNDEFINED;
        };
        let returns = std::mem::replace(returns, Value::UNDEFINED);
        self.path.settle(&returns)
    }

    /// Tells an iterator that a loop has left it.
    pub(super) fn leave_iterator(&mut self, iterator: &Value, awaits: bool) -> Eval<()> {
        let method = self.get_name(iterator, "return")?;
        if self.is_callable(&method) {
            let result = self.call(&method, iterator, Arguments::default())?;
            if awaits {
                self.await_value(&result)?;
            }
        }
        Ok(())
    }
}
