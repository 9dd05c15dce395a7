//! Loops of generators that stand still inside them; see `suspension`.

use super::branch::ExitKind;
use super::iteration::{Items, Turn};
use super::native::Eval;
use super::path::Stop;
use super::protocol::Pulled;
use super::statement::is_constant_true;
use super::suspension::{Flow, Level, Step};
use super::value::Value;
use super::{Context, Evaluator};
use crate::source::ir::{BindingId, ExprId, Range, Stmt};

/// What a `for … of` goes over.
enum Over {
    /// Values from a position on.
    Items(Vec<Value>, usize),
    /// What an iterator of the program gives.
    Asked(Value),
    /// Values of which it is not known which come.
    Open(Items),
}

impl Over {
    /// Values that are all known to come, or those that are not.
    fn of(items: Items) -> Result<Self, Items> {
        let is_known = items.rest.is_none() && !items.values.iter().any(Value::may_be_absent);
        if is_known { Ok(Self::Items(items.values, 0)) } else { Err(items) }
    }
}

impl Evaluator<'_> {
    pub(super) fn step_of_loop(&mut self, cx: Context<'_>, statement: &Stmt, step: &mut Step) -> Eval<Flow> {
        let (bindings, test, update, body, mut is_first) = match statement {
            Stmt::While { test, body } => (&[][..], Some(*test), None, &**body, false),
            Stmt::DoWhile { body, test } => (&[][..], Some(*test), None, &**body, true),
            Stmt::For { bindings, test, update, body, .. } => (&**bindings, *test, *update, &**body, false),
            _ => return Err(step.lose()),
        };
        let mut resumed = !step.to.is_empty();
        let mut inner = match (step.to.pop(), statement) {
            (Some(Level::Turn(scope)), _) => cx.in_scope(scope),
            (Some(_), _) => return Err(step.lose()),
            (None, Stmt::For { init, .. }) => {
                let outer = self.block_context(cx, bindings);
                if let Some(init) = init {
                    self.statement(outer, &init.0, init.1)?;
                    self.still_sure(step)?;
                }
                outer
            }
            (None, _) => cx,
        };
        let exits = self.exits.len();
        if step.rushes {
            let mark = self.path.mark();
            let mut result = Ok(());
            if resumed {
                result = self.turn(&[], |me| me.step_of(inner, &body.0, body.1, step).map(|_| ()));
            }
            if result.is_ok() {
                result = self.rest_of_loop(inner, (bindings, test, update, body));
            }
            self.land_loop(result, mark, exits, &[])?;
            return Ok(Flow::On);
        }
        loop {
            self.step()?;
            if !resumed
                && !is_first
                && let Some(expr) = test
            {
                match self.step_of_test(inner, expr, step)? {
                    Ok(true) => {}
                    Ok(false) => return Ok(Flow::On),
                    Err((test, value)) => {
                        step.rush()?;
                        let mark = self.path.mark();
                        let result = self.conditional_turns(&test.yes, &value, &[], &mut |me| {
                            me.statement(inner, &body.0, body.1)?;
                            for effect in update.into_iter().chain(Some(expr)) {
                                me.eval(inner, effect)?;
                            }
                            Ok(())
                        });
                        self.land_loop(result, mark, exits, &[])?;
                        return Ok(Flow::On);
                    }
                }
            }
            is_first = false;
            resumed = false;
            let mark = self.path.mark();
            match self.turn_of(inner, body, step)? {
                Some(Flow::Still) => {
                    step.at.push(Level::Turn(inner.scope));
                    return Ok(Flow::Still);
                }
                Some(Flow::On) if step.rushes => {
                    let result = self.rest_of_loop(inner, (bindings, test, update, body));
                    self.land_loop(result, mark, exits, &[])?;
                    return Ok(Flow::On);
                }
                Some(Flow::On) => {}
                None => return Ok(Flow::On),
            }
            inner = self.copied_scope(inner, bindings);
            if let Some(update) = update {
                self.eval(inner, update)?;
                self.still_sure(step)?;
            }
        }
    }

    /// What is left of a loop behind a turn where the generator runs to its end.
    fn rest_of_loop(
        &mut self,
        cx: Context<'_>,
        (bindings, test, update, body): (&[BindingId], Option<ExprId>, Option<ExprId>, &(Stmt, Range)),
    ) -> Eval<()> {
        self.turns(cx, &[], |me, cx, turn| {
            let cx = if turn == Turn::Perhaps { cx } else { me.copied_scope(cx, bindings) };
            if let Some(update) = update {
                me.eval(cx, update)?;
            }
            Ok((cx, test, body, is_constant_true(cx, test)))
        })
    }

    /// A turn of a loop; `None` where it ends the loop.
    fn turn_of(&mut self, cx: Context<'_>, body: &(Stmt, Range), step: &mut Step) -> Eval<Option<Flow>> {
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let result = self.step_of(cx, &body.0, body.1, step);
        if step.rushes && result != Err(Stop::Abort) && !step.is_lost {
            // Some of the ways through the turn may go on with the next one.
            let result =
                self.land(result.map(|_| ()), mark, exits, |it| matches!(it, ExitKind::Continue(None)));
            return result.map(|()| Some(Flow::On));
        }
        if result != Err(Stop::Dead) || step.is_lost {
            return result.map(Some);
        }
        match self.exits.get(step.exits).map(|it| &it.kind) {
            Some(ExitKind::Break(None)) => {
                self.exits.truncate(step.exits);
                Ok(None)
            }
            Some(ExitKind::Continue(None)) => {
                self.exits.truncate(step.exits);
                Ok(Some(Flow::On))
            }
            _ => Err(Stop::Dead),
        }
    }

    pub(super) fn step_of_items(&mut self, cx: Context<'_>, statement: &Stmt, step: &mut Step) -> Eval<Flow> {
        let Stmt::ForOf { bindings, target, iterable, awaits, body } = statement else {
            return Err(step.lose());
        };
        let at = cx.module.expr_span(*iterable);
        let each = (&**bindings, *target, &**body);
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let (mut inner, mut over) = match step.to.pop() {
            Some(Level::Of(scope, items, at)) => (Some(cx.in_scope(scope)), Over::Items(items, at)),
            Some(Level::Asked(scope, iterator)) => (Some(cx.in_scope(scope)), Over::Asked(iterator)),
            Some(_) => return Err(step.lose()),
            None => {
                let value = self.eval(cx, *iterable)?;
                self.still_sure(step)?;
                self.here = at;
                let value = self.path.settle(&value);
                if let Some(iterator) = self.asked_iterator(&value, *awaits)? {
                    (None, Over::Asked(iterator))
                } else {
                    let items = self.awaited_items(&value, *awaits)?;
                    self.still_sure(step)?;
                    (None, Over::of(items).unwrap_or_else(Over::Open))
                }
            }
        };
        loop {
            self.step()?;
            let turn = if let Some(turn) = inner.take() {
                turn
            } else {
                let item = match &mut over {
                    Over::Items(items, at) => items.get(*at).cloned(),
                    Over::Asked(iterator) => {
                        let iterator = iterator.clone();
                        let pulled = self.pull(&iterator, *awaits, at)?;
                        self.still_sure(step)?;
                        match pulled {
                            Pulled::Value(item) => Some(item),
                            Pulled::End => None,
                            Pulled::Rest(items) => {
                                over = Over::of(items).unwrap_or_else(Over::Open);
                                continue;
                            }
                            Pulled::Open => return Err(step.lose()),
                        }
                    }
                    Over::Open(items) => {
                        step.rush()?;
                        let items = std::mem::take(items);
                        let result = self.over_items(cx, items, at, &[], each);
                        self.land_loop(result, mark, exits, &[])?;
                        return Ok(Flow::On);
                    }
                };
                let Some(item) = item else { return Ok(Flow::On) };
                let turn = self.block_context(cx, bindings);
                self.bind(turn, *target, item, !bindings.is_empty())?;
                self.still_sure(step)?;
                turn
            };
            let flow = self.turn_of(turn, body, step);
            if let Over::Asked(iterator) = &over
                && matches!(flow, Ok(None) | Err(Stop::Dead))
                && !step.is_lost
            {
                self.leave_iterator(iterator, *awaits)?;
            }
            match flow? {
                Some(Flow::Still) => {
                    step.at.push(match over {
                        Over::Items(items, at) => Level::Of(turn.scope, items, at),
                        Over::Asked(iterator) => Level::Asked(turn.scope, iterator),
                        Over::Open(_) => return Err(step.lose()),
                    });
                    return Ok(Flow::Still);
                }
                Some(Flow::On) => {
                    if let Over::Items(_, at) = &mut over {
                        *at += 1;
                    }
                    if step.rushes {
                        let result = match over {
                            Over::Items(items, from) => {
                                let values = items.into_iter().skip(from).collect();
                                self.over_items(cx, Items { values, rest: None }, at, &[], each)
                            }
                            Over::Asked(iterator) => {
                                self.over_iterator(cx, &iterator, (at, *awaits), &[], each)
                            }
                            Over::Open(_) => Ok(()),
                        };
                        self.land_loop(result, mark, exits, &[])?;
                        return Ok(Flow::On);
                    }
                }
                None => return Ok(Flow::On),
            }
        }
    }
}
