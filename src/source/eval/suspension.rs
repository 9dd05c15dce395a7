//! Generators that stand still between two of their values.
//!
//! One that is asked by `next`, by a loop or by a pattern runs until it yields and goes on from there with what it is sent.
//! That works as long as every `yield` stands where nothing has to be remembered but statements; for others see `generator`.
//! Where it is not known which way the generator takes, it runs to its end at once for a loop, which sends nothing; for
//! others it is not known where it goes on.

use std::rc::Rc;

use super::branch::{Decision, ExitKind};
use super::generator::Yields;
use super::heap::{ObjectId, ObjectKind, Suspended};
use super::iteration::MAX_PULLED;
use super::native::Eval;
use super::path::{Stop, Test};
use super::protocol::Pulled;
use super::scope::ScopeId;
use super::value::Value;
use super::yields::yields_of;
use super::{Arguments, Context, Evaluator, FactSet, Frame};
use crate::source::ir::{Block, Expr, ExprId, Function, FunctionBody, Module, Range, Stmt};
use crate::source::known::ReasonKind;

/// A generator that stands still.
#[derive(Debug)]
pub struct Standing {
    call: Suspended,
    frame: Frame,
    /// Where it stands, the outermost statement first.
    levels: Vec<Level>,
    /// The places of its `yield`s.
    yields: Rc<[Range]>,
    /// What its way so far rests on.
    control: FactSet,
    /// Whether a loop goes over it, which sends nothing: where it is no longer known which way it takes, it may run to its
    /// end at once.
    may_rush: bool,
}

/// Where one of the statements around a `yield` stands.
#[derive(Debug)]
pub(super) enum Level {
    /// A block: its scope, and the statement that is under way.
    Block(ScopeId, usize),
    /// An `if`: whether the test held.
    Way(bool),
    /// A loop: the scope of its body.
    Turn(ScopeId),
    /// A `for … of`: the scope of its body, what is gone over, and the turn.
    Of(ScopeId, Vec<Value>, usize),
    /// A `for … of` that asks an iterator of the program: the scope of its body.
    Asked(ScopeId, Value),
    /// A `try`.
    Try,
    /// A `yield`; the iterator that a `yield*` goes through.
    Yield(Option<Value>),
}

/// What is sent to a generator.
#[derive(Debug, Clone)]
pub enum Sent {
    /// By `next`.
    Value(Value),
    /// By `throw`.
    Error(Value),
    /// By `return`.
    Return(Value),
}

/// A step that is under way.
pub(super) struct Step {
    /// Where it goes on: the levels still to be entered, the outermost last.
    pub(super) to: Vec<Level>,
    /// Where it stands still again, the innermost first.
    pub(super) at: Vec<Level>,
    pub(super) sent: Option<Sent>,
    pub(super) yielded: Option<Value>,
    pub(super) yields: Rc<[Range]>,
    /// Where path and exits stood when it began.
    pub(super) mark: usize,
    pub(super) exits: usize,
    /// Set when it is not known which way it takes.
    pub(super) is_lost: bool,
    /// Whether it may run to the end of the generator instead.
    pub(super) may_rush: bool,
    /// Whether it does: its values are kept by the frame.
    pub(super) rushes: bool,
}

/// How a statement ends that may hold a `yield`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// Regularly.
    On,
    /// It stands still.
    Still,
}

impl Step {
    fn holds(&self, range: Range) -> bool {
        self.yields.iter().any(|it| range.start <= it.start && it.end <= range.end)
    }

    pub(super) fn lose(&mut self) -> Stop {
        self.is_lost = true;
        Stop::Dead
    }

    /// Runs to the end of the generator from here on, if it may.
    pub(super) fn rush(&mut self) -> Eval<()> {
        if !self.may_rush {
            return Err(self.lose());
        }
        self.rushes = true;
        self.sent = None;
        Ok(())
    }
}

impl Evaluator<'_> {
    /// Makes a generator that has not begun one that stands still, if it can be followed that way.
    pub(super) fn stand_still(&mut self, object: ObjectId) {
        let ObjectKind::Iterator { suspended: Some(call), .. } = &self.heap.get(object).kind else { return };
        let call = (**call).clone();
        let module = self.instances.module(call.closure.module);
        let code = module.function(call.closure.function);
        if !self.path.since_birth(self.heap.get(object).birth).is_empty() {
            return;
        }
        let key = (call.closure.module, call.closure.function);
        let known = self.yields.entry(key).or_insert_with(|| yields_of(&module, code).map(Into::into));
        let Some(yields) = known.clone() else { return };
        let frame = Frame {
            mark: 0,
            this: call.this.clone(),
            home: call.closure.home,
            new_target: None,
            code: Some((call.closure.module, call.closure.function)),
            top_level: None,
            has_waited: false,
            arguments: code.uses_arguments.then(|| call.arguments.clone()),
            awaits_super: false,
            is_async: code.is_async,
            segment: self.segment(),
            yields: None,
        };
        let standing =
            Standing { call, frame, levels: Vec::new(), yields, control: self.control, may_rush: false };
        if let ObjectKind::Iterator { suspended, standing: slot, .. } = &mut self.heap.get_mut(object).kind {
            *suspended = None;
            *slot = Some(Box::new(standing));
        }
    }

    /// Lets a generator that stands still go on: what `next` gives. `None` when it does not stand still.
    pub(super) fn go_on_with(&mut self, object: ObjectId, sent: Sent) -> Eval<Option<(Value, bool)>> {
        let is_sure = self.path.since_birth(self.heap.get(object).birth).is_empty();
        let ObjectKind::Iterator { standing, .. } = &mut self.heap.get_mut(object).kind else {
            return Ok(None);
        };
        let Some(mut it) = standing.take() else { return Ok(None) };
        let may_rush = it.may_rush && matches!(sent, Sent::Value(_));
        if !is_sure && !may_rush {
            return Ok(Some(self.lost(object, &it)));
        }
        let module = self.instances.module(it.call.closure.module);
        let code = module.function(it.call.closure.function);
        let mut step = Step {
            to: std::mem::take(&mut it.levels),
            at: Vec::new(),
            sent: Some(sent),
            yielded: None,
            yields: Rc::clone(&it.yields),
            mark: self.path.mark(),
            exits: self.exits.len(),
            is_lost: false,
            may_rush,
            rushes: !is_sure,
        };
        let (here, control, segment) = (self.here, self.control, self.segment());
        self.control = self.facts.union(control, it.control);
        let frame = Frame {
            mark: step.mark,
            segment,
            yields: Some(Yields::from(step.mark)),
            arguments: it.frame.arguments.clone(),
            this: it.frame.this.clone(),
            ..it.frame
        };
        self.trail.push(here);
        let mut reached = self.control;
        let (result, frame) = self.activate_frame(frame, |me| {
            let flow = me.step_of_body(code, &module, &it.call, &mut step);
            reached = me.control;
            flow.map(|_| Value::UNDEFINED)
        });
        self.trail.pop();
        self.here = here;
        self.control = control;
        let last = self.segment();
        if last != segment && !self.frame().is_async {
            self.schedule.current = segment;
            self.schedule.awaits(&[last]);
        }
        if step.is_lost {
            return Ok(Some(self.lost(object, &it)));
        }
        if step.rushes {
            let values = frame.and_then(|it| it.yields).unwrap_or_default().values;
            return self.rushed(object, values, result).map(|()| None);
        }
        let Some(yielded) = step.yielded else {
            if let ObjectKind::Iterator { next, .. } = &mut self.heap.get_mut(object).kind {
                *next = 1;
            }
            return result.map(|it| Some((it, true)));
        };
        it.levels = step.at;
        it.control = reached;
        if let ObjectKind::Iterator { standing, .. } = &mut self.heap.get_mut(object).kind {
            *standing = Some(it);
        }
        Ok(Some((yielded, false)))
    }

    /// Lets a generator that stands still run to its end: its values become items.
    pub(super) fn run_out(&mut self, object: ObjectId) -> Eval<()> {
        let mut stepped = Vec::new();
        while let Some((value, is_done)) = self.go_on_with(object, Sent::Value(Value::UNDEFINED))? {
            if is_done || self.heap.get(object).open.is_some() {
                break;
            }
            if stepped.len() >= MAX_PULLED {
                let rest = self.unknown(ReasonKind::NotModelled, "an iterator whose end is not known");
                self.open_up(object, &rest);
                break;
            }
            stepped.push(value);
        }
        if let ObjectKind::Iterator { items, next, .. } = &mut self.heap.get_mut(object).kind
            && !stepped.is_empty()
        {
            (*items, *next) = (stepped, 0);
        }
        Ok(())
    }

    /// Keeps what a generator yields that has run to its end.
    fn rushed(&mut self, object: ObjectId, values: Vec<Value>, result: Eval) -> Eval<()> {
        let result = match result {
            Err(Stop::Dead) if !values.is_empty() => Value::UNDEFINED,
            other => other?,
        };
        let is_cut = values.len() >= MAX_PULLED;
        if let ObjectKind::Iterator { items, next, returns, .. } = &mut self.heap.get_mut(object).kind {
            (*items, *next, *returns) = (values, 0, result);
        }
        if is_cut {
            let rest = self.unknown(ReasonKind::NotModelled, "an iterator whose end is not known");
            self.open_up(object, &rest);
        }
        Ok(())
    }

    /// What is left of a `yield*` where the generator runs to its end.
    fn rest_of_delegate(&mut self, iterator: &Value) -> Eval {
        let items = self.items_of(iterator)?;
        self.yield_items(items)?;
        Ok(self.returned_value(iterator))
    }

    /// Lets a generator that has not begun stand still for a loop that goes over it. Whether it does.
    pub(super) fn stand_for_loop(&mut self, object: ObjectId) -> bool {
        self.stand_still(object);
        let ObjectKind::Iterator { standing: Some(it), .. } = &mut self.heap.get_mut(object).kind else {
            return false;
        };
        it.may_rush = true;
        true
    }

    /// It is not known where a generator goes on: it may do anything that it can.
    fn lost(&mut self, object: ObjectId, it: &Standing) -> (Value, bool) {
        let function: Value = {
            let kind = ObjectKind::Function(Box::new(it.call.closure.clone()));
            let prototype = self.realm.function;
            self.allocate(Some(prototype), kind).into()
        };
        let given = it.call.arguments.values.iter().any(|it| self.reaches_api(it));
        if given || self.may_register(&function) {
            self.unfollowed("a generator of which it is not known where it goes on");
        }
        let unknown =
            self.unknown(ReasonKind::NotModelled, "a generator of which it is not known where it goes on");
        self.open_up(object, &unknown);
        (unknown, false)
    }

    fn step_of_body(
        &mut self,
        code: &Function,
        module: &Module,
        call: &Suspended,
        step: &mut Step,
    ) -> Eval<Flow> {
        let FunctionBody::Block(block) = &code.body else { return Ok(Flow::On) };
        let instance = call.closure.module;
        if step.to.is_empty() {
            if !matches!(step.sent, Some(Sent::Value(_))) {
                // It has not begun: nothing in it can catch that.
                return Err(self.take_sent(step).err().unwrap_or(Stop::Dead));
            }
            step.sent = None;
            let scope = self.activation_scope(&call.closure, code);
            let cx = Context { module, instance, scope };
            self.bind_parameters(cx, code, call.arguments.clone())?;
            self.hoist(cx, &block.functions);
            self.still_sure(step)?;
            return self.step_of_statements(cx, block, 0, step);
        }
        let Some(Level::Block(scope, at)) = step.to.pop() else { return Err(step.lose()) };
        self.step_of_statements(Context { module, instance, scope }, block, at, step)
    }

    /// Whether it is still known which way a step takes.
    pub(super) fn still_sure(&mut self, step: &mut Step) -> Eval<()> {
        if step.rushes || self.exits.len() == step.exits && self.path.mark() == step.mark {
            Ok(())
        } else {
            step.rush()
        }
    }

    /// The same where a way has ended: by one exit that is taken in any case.
    fn surely_left(&mut self, step: &mut Step) -> Stop {
        if step.rushes {
            return Stop::Dead;
        }
        let exits = self.exits.get(step.exits..).unwrap_or_default();
        let is_sure = match exits {
            [] => true,
            [only] => only.guard.is_empty() && self.path.mark() == step.mark,
            _ => false,
        };
        if is_sure { Stop::Dead } else { step.rush().err().unwrap_or(Stop::Dead) }
    }

    fn step_of_statements(
        &mut self,
        cx: Context<'_>,
        block: &Block,
        from: usize,
        step: &mut Step,
    ) -> Eval<Flow> {
        for (at, (statement, range)) in block.statements.iter().enumerate().skip(from) {
            if self.step_of(cx, statement, *range, step)? == Flow::Still {
                step.at.push(Level::Block(cx.scope, at));
                return Ok(Flow::Still);
            }
        }
        Ok(Flow::On)
    }

    pub(super) fn step_of(
        &mut self,
        cx: Context<'_>,
        statement: &Stmt,
        range: Range,
        step: &mut Step,
    ) -> Eval<Flow> {
        self.step()?;
        if step.to.is_empty() && (step.rushes || !step.holds(range)) {
            return match self.statement(cx, statement, range) {
                Ok(()) => self.still_sure(step).map(|()| Flow::On),
                Err(Stop::Dead) => Err(self.surely_left(step)),
                Err(Stop::Abort) => Err(Stop::Abort),
            };
        }
        self.deeper(|me| me.step_inside(cx, statement, step))
    }

    fn step_inside(&mut self, cx: Context<'_>, statement: &Stmt, step: &mut Step) -> Eval<Flow> {
        match statement {
            Stmt::Expr(expr) => match cx.module.expr(*expr) {
                Expr::Assign { target, value } => {
                    let Some(value) = self.step_of_yield(cx, *value, step)? else { return Ok(Flow::Still) };
                    self.bind(cx, *target, value, false)?;
                    self.still_sure(step).map(|()| Flow::On)
                }
                _ => Ok(match self.step_of_yield(cx, *expr, step)? {
                    Some(_) => Flow::On,
                    None => Flow::Still,
                }),
            },
            Stmt::Declare { target, value: Some(value) } => {
                let Some(value) = self.step_of_yield(cx, *value, step)? else { return Ok(Flow::Still) };
                self.bind(cx, *target, value, true)?;
                self.still_sure(step).map(|()| Flow::On)
            }
            Stmt::Return(Some(value)) => {
                let Some(value) = self.step_of_yield(cx, *value, step)? else { return Ok(Flow::Still) };
                let value = self.with_facts(value, self.control);
                Err(self.leave(ExitKind::Return(value)))
            }
            Stmt::Block(block) => self.step_of_block(cx, block, step),
            Stmt::If { test, then, otherwise } => {
                let way = match step.to.pop() {
                    Some(Level::Way(way)) => way,
                    Some(_) => return Err(step.lose()),
                    None => match self.step_of_test(cx, *test, step)? {
                        Ok(way) => way,
                        Err((test, _)) => {
                            step.rush()?;
                            self.either_way(cx, &test, then, otherwise.as_deref())?;
                            return Ok(Flow::On);
                        }
                    },
                };
                let taken = if way { Some(&**then) } else { otherwise.as_deref() };
                let Some((inner, range)) = taken else { return Ok(Flow::On) };
                let flow = self.step_of(cx, inner, *range, step)?;
                if flow == Flow::Still {
                    step.at.push(Level::Way(way));
                }
                Ok(flow)
            }
            Stmt::While { .. } | Stmt::DoWhile { .. } | Stmt::For { .. } => {
                self.step_of_loop(cx, statement, step)
            }
            Stmt::ForOf { .. } => self.step_of_items(cx, statement, step),
            Stmt::Try { .. } => self.step_of_try(cx, statement, step),
            _ => Err(step.lose()),
        }
    }

    fn step_of_block(&mut self, cx: Context<'_>, block: &Block, step: &mut Step) -> Eval<Flow> {
        match step.to.pop() {
            Some(Level::Block(scope, at)) => self.step_of_statements(cx.in_scope(scope), block, at, step),
            Some(_) => Err(step.lose()),
            None => {
                let inner = self.block_context(cx, &block.bindings);
                self.hoist(inner, &block.functions);
                self.step_of_statements(inner, block, 0, step)
            }
        }
    }

    /// The way that a test takes, or the test of which it is not known.
    pub(super) fn step_of_test(
        &mut self,
        cx: Context<'_>,
        test: ExprId,
        step: &mut Step,
    ) -> Eval<Result<bool, (Test, Value)>> {
        let value = match self.eval(cx, test) {
            Err(Stop::Dead) => return Err(self.surely_left(step)),
            other => other?,
        };
        self.still_sure(step)?;
        match self.decide(&value, cx.module.expr_span(test)) {
            Decision::Known(truth, facts) => {
                self.control = self.facts.union(self.control, facts);
                Ok(Ok(truth))
            }
            Decision::Open(test) => Ok(Err((test, value))),
        }
    }

    /// A `try` whose block yields.
    fn step_of_try(&mut self, cx: Context<'_>, statement: &Stmt, step: &mut Step) -> Eval<Flow> {
        let Stmt::Try { block, catch, finally } = statement else { return Err(step.lose()) };
        if step.to.pop().is_some_and(|it| !matches!(it, Level::Try)) {
            return Err(step.lose());
        }
        let (mark, exits) = (self.path.mark(), self.exits.len());
        self.guarded += u32::from(catch.is_some());
        let mut result = self.step_of_block(cx, block, step);
        self.guarded -= u32::from(catch.is_some());
        if step.rushes && !step.is_lost && result != Err(Stop::Abort) {
            let result = result.map(|_| ());
            return self
                .behind_try(cx, result, (mark, exits), (catch.as_deref(), finally.as_deref()))
                .map(|()| Flow::On);
        }
        if result == Ok(Flow::Still) {
            step.at.push(Level::Try);
            return result;
        }
        if result == Err(Stop::Abort) || step.is_lost {
            return result;
        }
        if result == Err(Stop::Dead)
            && let Some(catch) = catch
            && let Some(ExitKind::Throw(error, _)) = self.exits.get(step.exits).map(|it| &it.kind)
        {
            let error = error.clone();
            self.exits.truncate(step.exits);
            result = match self.handler(cx, catch, error) {
                Ok(()) => self.still_sure(step).map(|()| Flow::On),
                Err(Stop::Dead) => Err(self.surely_left(step)),
                Err(Stop::Abort) => Err(Stop::Abort),
            };
        }
        let Some(finally) = finally else { return result };
        if step.is_lost || result == Err(Stop::Abort) {
            return result;
        }
        let left = self.exits.split_off(step.exits);
        match self.block(cx, finally) {
            Ok(()) => self.still_sure(step)?,
            Err(Stop::Dead) => return Err(self.surely_left(step)),
            Err(Stop::Abort) => return Err(Stop::Abort),
        }
        self.exits.extend(left);
        result
    }

    /// A `yield` where it is all of an expression: `None` when it stands still.
    fn step_of_yield(&mut self, cx: Context<'_>, id: ExprId, step: &mut Step) -> Eval<Option<Value>> {
        let Expr::Yield { value, delegate } = cx.module.expr(id) else { return Err(step.lose()) };
        let iterator = match step.to.pop() {
            Some(Level::Yield(None)) => {
                self.here = cx.module.expr_span(id);
                return self.take_sent(step).map(Some);
            }
            Some(Level::Yield(Some(iterator))) if step.rushes => {
                return self.rest_of_delegate(&iterator).map(Some);
            }
            Some(Level::Yield(Some(iterator))) => iterator,
            Some(_) => return Err(step.lose()),
            None => {
                let given = match value {
                    Some(value) => self.eval(cx, *value),
                    None => Ok(Value::UNDEFINED),
                };
                let given = match given {
                    Err(Stop::Dead) => return Err(self.surely_left(step)),
                    other => other?,
                };
                self.still_sure(step)?;
                self.here = cx.module.expr_span(id);
                if step.rushes {
                    return self.yield_value(given, *delegate).map(Some);
                }
                if !delegate {
                    let given = if self.frame().is_async { self.await_value(&given)? } else { given };
                    self.still_sure(step)?;
                    if step.rushes {
                        return self.yield_value(given, false).map(Some);
                    }
                    step.yielded = Some(given);
                    step.at.push(Level::Yield(None));
                    return Ok(None);
                }
                let given = self.path.settle(&given);
                let found = match given.as_object() {
                    Some(object) => self.iterator_of(object, &given)?,
                    None => None,
                };
                step.sent = Some(Sent::Value(Value::UNDEFINED));
                if let Some(found) = found {
                    found
                } else {
                    let items = self.items_of(&given)?;
                    self.new_iterator(items, Value::UNDEFINED).into()
                }
            }
        };
        self.here = cx.module.expr_span(id);
        self.step_of_delegate(&iterator, step)
    }

    /// One step of what a `yield*` goes through.
    fn step_of_delegate(&mut self, iterator: &Value, step: &mut Step) -> Eval<Option<Value>> {
        let (name, value) = match step.sent.clone() {
            Some(Sent::Error(error)) => ("throw", error),
            Some(Sent::Return(value)) => ("return", value),
            Some(Sent::Value(value)) => ("next", value),
            None => ("next", Value::UNDEFINED),
        };
        if step.may_rush && name == "next" {
            match self.pull_of_generator(iterator, self.frame().is_async)? {
                Some(Pulled::Value(value)) => {
                    self.still_sure(step)?;
                    if step.rushes {
                        self.yield_value(value, false)?;
                        return self.rest_of_delegate(iterator).map(Some);
                    }
                    step.yielded = Some(value);
                    step.at.push(Level::Yield(Some(iterator.clone())));
                    return Ok(None);
                }
                Some(Pulled::End) => {
                    self.still_sure(step)?;
                    step.sent = None;
                    return Ok(Some(self.returned_value(iterator)));
                }
                Some(Pulled::Rest(items)) => {
                    step.rush()?;
                    self.yield_items(items)?;
                    return Ok(Some(self.returned_value(iterator)));
                }
                Some(Pulled::Open) | None => {}
            }
        }
        let method = self.get_name(iterator, name)?;
        if method.is_nullish() && name != "next" {
            return self.take_sent(step).map(Some);
        }
        let result = match self.call(&method, iterator, Arguments::of([value])) {
            Err(Stop::Dead) => return Err(self.surely_left(step)),
            other => other?,
        };
        let result = if self.frame().is_async { self.await_value(&result)? } else { result };
        let done = self.get_name(&result, "done")?;
        let value = self.get_name(&result, "value")?;
        self.still_sure(step)?;
        let at = self.here;
        match self.decide(&done, at) {
            Decision::Known(true, _) if name == "return" => Err(self.leave(ExitKind::Return(value))),
            Decision::Known(true, _) => {
                step.sent = None;
                Ok(Some(value))
            }
            Decision::Known(false, _) if step.rushes => {
                self.yield_value(value, false)?;
                self.rest_of_delegate(iterator).map(Some)
            }
            Decision::Known(false, _) => {
                step.yielded = Some(value);
                step.at.push(Level::Yield(Some(iterator.clone())));
                Ok(None)
            }
            Decision::Open(_) => Err(step.lose()),
        }
    }

    /// What a `yield` gives.
    fn take_sent(&mut self, step: &mut Step) -> Eval {
        match step.sent.take() {
            Some(Sent::Value(value)) => Ok(value),
            Some(Sent::Error(error)) => {
                let at = Some(self.here);
                Err(self.throw(error, at))
            }
            Some(Sent::Return(value)) => Err(self.leave(ExitKind::Return(value))),
            None => Ok(Value::UNDEFINED),
        }
    }
}
