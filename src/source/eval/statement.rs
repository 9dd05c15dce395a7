//! Statements.

use super::branch::{Decision, Exit, ExitKind, MAX_WAYS};
use super::guard::{either_guard, is_either_exact};
use super::heap::{Property, PropertyKey, Slot};
use super::native::Eval;
use super::path::{Asks, Stop, Test, Tested};
use super::value::{Alternative, Data, Guard, SymbolId, Value};
use super::{Arguments, Context, Evaluator};
use crate::location::Span;
use crate::source::ir::{
    BinaryOp, BindingId, Block, Case, Catch, EnumMember, Expr, ExprId, FunctionId, LabelId, Range, Stmt,
};

impl Evaluator<'_> {
    /// Runs a block with a scope of its own.
    pub(super) fn block(&mut self, cx: Context<'_>, block: &Block) -> Eval<()> {
        let inner = self.block_context(cx, &block.bindings);
        self.statements_of(inner, block)
    }

    /// Runs the statements of a block in a scope that has its names already.
    pub(super) fn statements_of(&mut self, cx: Context<'_>, block: &Block) -> Eval<()> {
        self.hoist(cx, &block.functions);
        self.statements(cx, &block.statements)
    }

    /// The context inside a block that declares these names.
    pub(super) fn block_context<'m>(&mut self, cx: Context<'m>, names: &[BindingId]) -> Context<'m> {
        if names.is_empty() {
            return cx;
        }
        let birth = self.path.birth();
        cx.in_scope(self.scopes.add_block(cx.scope, names, birth))
    }

    /// Binds function declarations.
    pub(super) fn hoist(&mut self, cx: Context<'_>, functions: &[(BindingId, FunctionId)]) {
        for &(binding, function) in functions {
            let closure = self.closure(cx, function, None);
            if let Some(place) = self.scopes.find(cx.scope, binding) {
                self.scopes.set(place, closure.into());
            }
        }
    }

    /// Runs statements in a scope that has their names already.
    pub(super) fn statements(&mut self, cx: Context<'_>, statements: &[(Stmt, Range)]) -> Eval<()> {
        for (statement, range) in statements {
            self.statement(cx, statement, *range)?;
        }
        Ok(())
    }

    /// Runs a statement.
    pub(super) fn statement(&mut self, cx: Context<'_>, statement: &Stmt, range: Range) -> Eval<()> {
        match statement {
            Stmt::Expr(expr) => self.eval(cx, *expr).map(|_| ()),
            Stmt::Declare { target, value } => {
                let value = match value {
                    Some(value) => self.eval(cx, *value)?,
                    None => Value::UNDEFINED,
                };
                self.bind(cx, *target, value, true)
            }
            Stmt::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(cx, *value)?,
                    None => Value::UNDEFINED,
                };
                let value = self.with_facts(value, self.control);
                Err(self.leave(ExitKind::Return(value)))
            }
            Stmt::Empty => Ok(()),
            _ => self.deeper(|me| me.compound(cx, statement, range)),
        }
    }

    fn compound(&mut self, cx: Context<'_>, statement: &Stmt, range: Range) -> Eval<()> {
        match statement {
            Stmt::If { test, then, otherwise } => self.if_statement(cx, *test, then, otherwise.as_deref()),
            Stmt::Block(block) => self.block(cx, block),
            Stmt::For { .. }
            | Stmt::ForIn { .. }
            | Stmt::ForOf { .. }
            | Stmt::While { .. }
            | Stmt::DoWhile { .. } => self.loop_statement(cx, statement, &[]),
            Stmt::Labeled { label, body } => self.labeled(cx, *label, body),
            Stmt::Throw(value) => {
                let at = cx.module.expr_span(*value);
                let value = self.eval(cx, *value)?;
                Err(self.throw(value, Some(at)))
            }
            Stmt::Break(label) => Err(self.leave(ExitKind::Break(*label))),
            Stmt::Continue(label) => Err(self.leave(ExitKind::Continue(*label))),
            Stmt::Switch { value, bindings, functions, cases } => {
                let inner = self.block_context(cx, bindings);
                self.hoist(inner, functions);
                let subject = cx.module.expr_span(*value);
                let value = self.eval(cx, *value)?;
                self.switch(inner, (&value, subject), cases)
            }
            Stmt::Try { block, catch, finally } => {
                self.try_statement(cx, block, catch.as_deref(), finally.as_deref())
            }
            Stmt::Class { binding, class } => {
                self.class(cx, *class, Some(*binding))?;
                Ok(())
            }
            Stmt::Enum { binding, members } => self.enumeration(cx, *binding, members),
            Stmt::Namespace { binding, body, exported } => self.namespace(cx, *binding, body, exported),
            Stmt::Dispose { binding, awaits } => self.dispose(cx, *binding, *awaits),
            Stmt::ExportDefault(value) => {
                let value = self.eval(cx, *value)?;
                self.instances.set_default(cx.instance, value);
                Ok(())
            }
            Stmt::ExportAssignment(value) => {
                let value = self.eval(cx, *value)?;
                self.set_module_exports(cx.instance, value)
            }
            Stmt::Unsupported => {
                self.here = cx.module.span(range);
                self.unfollowed("a statement that is not modelled");
                Ok(())
            }
            // The simple ones are handled by the caller.
            _ => Ok(()),
        }
    }

    fn if_statement(
        &mut self,
        cx: Context<'_>,
        test: ExprId,
        then: &(Stmt, Range),
        otherwise: Option<&(Stmt, Range)>,
    ) -> Eval<()> {
        let value = self.eval(cx, test)?;
        let at = cx.module.expr_span(test);
        match self.decide(&value, at) {
            Decision::Known(truth, facts) => {
                let (taken, other) = if truth { (Some(then), otherwise) } else { (otherwise, Some(then)) };
                let before = self.control;
                self.control = self.facts.union(before, facts);
                let result = match taken {
                    Some((statement, range)) => self.statement(cx, statement, *range),
                    None => Ok(()),
                };
                // Where the way that was not taken leaves or writes, what follows rests on the facts as well.
                if !other.is_some_and(|(it, _)| leaves_traces(it)) {
                    self.control = before;
                }
                result
            }
            Decision::Open(test) => self.either_way(cx, &test, then, otherwise),
        }
    }

    /// Both ways of an `if` of which it is not known which one is taken.
    pub(super) fn either_way(
        &mut self,
        cx: Context<'_>,
        test: &Test,
        then: &(Stmt, Range),
        otherwise: Option<&(Stmt, Range)>,
    ) -> Eval<()> {
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let first = self.under(&test.yes, |me| me.statement(cx, &then.0, then.1))?;
        let second = self.under(&test.no, |me| match otherwise {
            Some((statement, range)) => me.statement(cx, statement, *range),
            None => Ok(()),
        })?;
        self.resume(mark, exits);
        first.or(second).ok_or(Stop::Dead)
    }

    fn labeled(&mut self, cx: Context<'_>, label: LabelId, body: &(Stmt, Range)) -> Eval<()> {
        let mut labels = vec![label];
        let mut inner = body;
        while let Stmt::Labeled { label, body } = &inner.0 {
            labels.push(*label);
            inner = body;
        }
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let result = match &inner.0 {
            Stmt::For { .. }
            | Stmt::ForIn { .. }
            | Stmt::ForOf { .. }
            | Stmt::While { .. }
            | Stmt::DoWhile { .. } => self.loop_statement(cx, &inner.0, &labels),
            statement => self.statement(cx, statement, inner.1),
        };
        self.land(
            result,
            mark,
            exits,
            |kind| matches!(kind, ExitKind::Break(Some(it)) if labels.contains(it)),
        )
    }

    /// Ends a construct that catches some exits: they and its regular end go on from here.
    pub(super) fn land(
        &mut self,
        result: Eval<()>,
        mark: usize,
        exits: usize,
        catches: impl Fn(&ExitKind) -> bool,
    ) -> Eval<()> {
        if result == Err(Stop::Abort) {
            return result;
        }
        let caught = self.take_exits(exits, catches);
        self.resume(mark, exits);
        if result.is_ok() || !caught.is_empty() { Ok(()) } else { Err(Stop::Dead) }
    }

    /// Takes the exits since a point that a construct catches.
    pub(super) fn take_exits(&mut self, from: usize, catches: impl Fn(&ExitKind) -> bool) -> Vec<Exit> {
        if self.exits.len() <= from {
            return Vec::new();
        }
        let later = self.exits.split_off(from);
        let (caught, others): (Vec<_>, Vec<_>) = later.into_iter().partition(|it| catches(&it.kind));
        self.exits.extend(others);
        caught
    }

    fn switch(&mut self, cx: Context<'_>, (value, subject): (&Value, Span), cases: &[Case]) -> Eval<()> {
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let mut alive = false;
        let mut decided = false;
        for (index, case) in cases.iter().enumerate() {
            let Some(test) = case.test else { continue };
            let expected = self.eval(cx, test)?;
            let at = cx.module.expr_span(test);
            self.here = at;
            let equal = self.binary(BinaryOp::StrictEqual, value, &expected)?;
            match self.decide(&equal, Tested { at, asks: Asks::Case(subject) }) {
                Decision::Known(true, facts) => {
                    self.control = self.facts.union(self.control, facts);
                    alive |= self.under(&[], |me| me.cases(cx, cases, index))?.is_some();
                    decided = true;
                    break;
                }
                Decision::Known(false, facts) => {
                    self.control = self.facts.union(self.control, facts);
                }
                Decision::Open(test) => {
                    alive |= self.under(&test.yes, |me| me.cases(cx, cases, index))?.is_some();
                    for &literal in &test.no {
                        self.path.assume(literal);
                    }
                }
            }
        }
        if !decided {
            let default = cases.iter().position(|it| it.test.is_none()).unwrap_or(cases.len());
            alive |= self.under(&[], |me| me.cases(cx, cases, default))?.is_some();
        }
        let result = if alive { Ok(()) } else { Err(Stop::Dead) };
        self.land(result, mark, exits, |kind| matches!(kind, ExitKind::Break(None)))
    }

    /// Runs the cases of a switch from one on.
    fn cases(&mut self, cx: Context<'_>, cases: &[Case], from: usize) -> Eval<()> {
        for case in cases.get(from..).unwrap_or_default() {
            self.statements(cx, &case.statements)?;
        }
        Ok(())
    }

    fn try_statement(
        &mut self,
        cx: Context<'_>,
        block: &Block,
        catch: Option<&Catch>,
        finally: Option<&Block>,
    ) -> Eval<()> {
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let throws_before = std::mem::take(&mut self.throws_noted);
        // What is only passed on makes no difference: bundlers wrap every module in such a `try`.
        let guards = catch.is_some_and(|it| !rethrows(it));
        self.guarded += u32::from(guards);
        let result = self.block(cx, block);
        self.guarded -= u32::from(guards);
        self.throws_noted = throws_before;
        if result == Err(Stop::Abort) {
            return result;
        }
        self.behind_try(cx, result, (mark, exits), (catch, finally))
    }

    /// What follows the block of a `try`, before which path and exits stood at these points.
    pub(super) fn behind_try(
        &mut self,
        cx: Context<'_>,
        result: Eval<()>,
        (mark, exits): (usize, usize),
        (catch, finally): (Option<&Catch>, Option<&Block>),
    ) -> Eval<()> {
        self.path.truncate(mark);
        self.keep_stage();
        let mut alive = result.is_ok();
        if let Some(catch) = catch {
            let caught = self.take_exits(exits, |kind| matches!(kind, ExitKind::Throw(..)));
            if !caught.is_empty() {
                let (guard, error) = self.caught(caught, mark);
                let guard = self.without_stages(&guard);
                alive |= self.under(&guard, |me| me.handler(cx, catch, error))?.is_some();
            }
        }
        if let Some(finally) = finally {
            let before = self.exits.len();
            self.path.truncate(mark);
            self.keep_stage();
            let result = self.block(cx, finally);
            self.path.truncate(mark);
            if result.is_err() {
                // It overrides how the others left.
                let own = self.exits.split_off(before);
                self.exits.truncate(exits);
                self.exits.extend(own);
                return result;
            }
            self.overridden(exits, before);
        }
        self.resume(mark, exits);
        if alive { Ok(()) } else { Err(Stop::Dead) }
    }

    /// Ways out of a `finally` override those of its `try`: the exits between the two points happen only where none of the
    /// later ones does.
    fn overridden(&mut self, from: usize, until: usize) {
        let own: Vec<Guard> = self.exits.iter().skip(until).map(|it| it.guard.clone()).collect();
        if own.is_empty() || from >= until {
            return;
        }
        let mut exits = self.exits.split_off(from);
        let own_exits = exits.split_off(until - from);
        for mut exit in exits {
            if own.iter().any(|guard| guard.iter().all(|it| exit.guard.contains(it))) {
                continue;
            }
            for guard in &own {
                let missing: Guard = guard.iter().copied().filter(|it| !exit.guard.contains(it)).collect();
                exit.guard.push(self.path.none_of(&missing));
            }
            self.exits.push(exit);
        }
        self.exits.extend(own_exits);
    }

    /// When one of some throws is taken, and what is caught then.
    pub(super) fn caught(&mut self, throws: Vec<Exit>, mark: usize) -> (Guard, Value) {
        let skip = mark.saturating_sub(self.frame().mark);
        let mut ways: Vec<Guard> = Vec::new();
        let mut errors = Vec::new();
        for exit in throws {
            let ExitKind::Throw(value, _) = exit.kind else { continue };
            let guard = exit.guard.get(skip..).unwrap_or_default().to_vec();
            errors.push(Alternative { value, guard: guard.clone(), exact: false, tag: 0 });
            ways.push(guard);
        }
        let error = self.path.choose(errors);
        (self.any_of(ways), error)
    }

    /// That one of several conjunctions holds, as one.
    pub(super) fn any_of(&mut self, ways: Vec<Guard>) -> Guard {
        if ways.len() > MAX_WAYS {
            return self.any_of_many(&ways);
        }
        let mut merged: Vec<Guard> = Vec::new();
        for way in ways {
            self.path.spend(merged.len() * way.len() / 16);
            match merged.iter().position(|it| is_either_exact(it, &way)) {
                Some(at) => {
                    let old = merged.remove(at);
                    merged.push(either_guard(&old, &way).0);
                }
                None => merged.push(way),
            }
        }
        if merged.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        if let [_] = merged.as_slice() {
            return merged.remove(0);
        }
        let none: Guard = merged.iter().map(|it| self.path.none_of(it)).collect();
        vec![self.path.none_of(&none)]
    }

    /// That one of too many conjunctions to be told apart holds: what they have in common, and one condition that stands for
    /// the rest.
    fn any_of_many(&mut self, ways: &[Guard]) -> Guard {
        let Some((first, others)) = ways.split_first() else { return Guard::new() };
        let mut common = first.clone();
        for way in others {
            self.path.spend(1 + way.len() / 16);
            common = either_guard(&common, way).0;
        }
        if ways.iter().any(|it| it.len() == common.len()) {
            return common;
        }
        common.push(self.in_one_of_many_ways());
        common
    }

    pub(super) fn handler(&mut self, cx: Context<'_>, catch: &Catch, error: Value) -> Eval<()> {
        let inner = self.block_context(cx, &catch.bindings);
        if let Some(param) = catch.param {
            self.bind(inner, param, error, true)?;
        }
        self.block(inner, &catch.body)
    }

    /// Calls the method by which a resource is disposed of.
    fn dispose(&mut self, cx: Context<'_>, binding: BindingId, awaits: bool) -> Eval<()> {
        let resource = self.variable(cx, binding)?;
        self.each(&resource, |me, resource| {
            if resource.is_nullish() {
                return Ok(Value::UNDEFINED);
            }
            let mut method = Value::UNDEFINED;
            if awaits {
                method = me.get(resource, &PropertyKey::Symbol(SymbolId::ASYNC_DISPOSE))?;
            }
            if method.is_nullish() {
                method = me.get(resource, &PropertyKey::Symbol(SymbolId::DISPOSE))?;
            }
            let result = me.call(&method, resource, Arguments::default())?;
            if awaits { me.await_value(&result) } else { Ok(result) }
        })
        .map(|_| ())
    }

    fn enumeration(&mut self, cx: Context<'_>, binding: BindingId, members: &[EnumMember]) -> Eval<()> {
        let object = match self.declared_before(cx, binding).as_object() {
            Some(existing) => existing,
            None => self.new_object(),
        };
        self.declare(cx, binding, object.into());
        let mut next = Some(0.0);
        for member in members {
            let value = match member.value {
                Some(value) => self.eval(cx, value)?,
                None => next.map_or(Value::UNDEFINED, Value::number),
            };
            next = value.as_number().map(|it| it + 1.0);
            self.write(object, &PropertyKey::Name(member.name.clone()), value.clone())?;
            if let Some(number) = value.as_number() {
                let key = PropertyKey::Name(super::operator::number_text(number).into());
                self.write(object, &key, Value::string(member.name.clone()))?;
            }
        }
        Ok(())
    }

    /// What an earlier part of an enum or namespace has made.
    fn declared_before(&self, cx: Context<'_>, binding: BindingId) -> Value {
        match self.scopes.find(cx.scope, binding) {
            Some(place) => self.path.settle(self.scopes.get(place)),
            None => Value::UNDEFINED,
        }
    }

    fn namespace(
        &mut self,
        cx: Context<'_>,
        binding: BindingId,
        body: &Block,
        exported: &[(crate::source::ir::Atom, BindingId)],
    ) -> Eval<()> {
        let object = match self.declared_before(cx, binding).as_object() {
            Some(existing) => existing,
            None => self.new_object(),
        };
        self.declare(cx, binding, object.into());
        let inner = self.block_context(cx, &body.bindings);
        self.statements_of(inner, body)?;
        for (name, binding) in exported {
            let value = self.variable(inner, *binding)?;
            let property =
                Property { slot: Slot::Data(value), enumerable: true, writable: true, is_fixed: false };
            self.heap.get_mut(object).properties.insert(PropertyKey::Name(name.clone()), property);
        }
        Ok(())
    }

    /// A call of code that cannot be followed may throw: inside `try` both ways count. Few such calls are told apart.
    /// `what` is the callee.
    pub(super) fn may_throw(&mut self, what: &Value) -> Eval<()> {
        const TOLD_APART: u32 = 3;
        if self.guarded == 0 || self.throws_noted >= TOLD_APART {
            return Ok(());
        }
        if what.as_unknown().and_then(|it| it.property.as_deref()).is_some_and(never_throws) {
            return Ok(());
        }
        self.throws_noted += 1;
        let reason = match &what.data {
            Data::Unknown(unknown) => unknown.reason.clone(),
            _ => {
                super::value::reason(crate::source::known::ReasonKind::UnknownFunction, "the call may throw")
            }
        };
        let literal = self.path.throwing(self.here, reason.clone());
        let error = self.path.unknown(reason);
        let at = Some(self.here);
        self.under(&[literal], |me| -> Eval<()> { Err(me.throw(error, at)) })?;
        self.path.assume(literal.negated());
        Ok(())
    }
}

/// Whether a method has the name of a built-in one that does not throw: what it belongs to is not known, but a value that has
/// it is as good as a string, array, map, promise, emitter or timer.
fn never_throws(method: &str) -> bool {
    matches!(
        method,
        "add"
            | "addListener"
            | "at"
            | "charAt"
            | "charCodeAt"
            | "concat"
            | "delete"
            | "endsWith"
            | "entries"
            | "every"
            | "filter"
            | "find"
            | "findIndex"
            | "findLast"
            | "flat"
            | "flatMap"
            | "forEach"
            | "get"
            | "has"
            | "includes"
            | "indexOf"
            | "join"
            | "keys"
            | "lastIndexOf"
            | "map"
            | "match"
            | "matchAll"
            | "off"
            | "on"
            | "once"
            | "padEnd"
            | "padStart"
            | "pop"
            | "push"
            | "reduce"
            | "ref"
            | "removeListener"
            | "replace"
            | "replaceAll"
            | "reverse"
            | "search"
            | "set"
            | "shift"
            | "slice"
            | "some"
            | "sort"
            | "splice"
            | "split"
            | "startsWith"
            | "substring"
            | "test"
            | "then"
            | "toFixed"
            | "toISOString"
            | "toLowerCase"
            | "toString"
            | "toUpperCase"
            | "trim"
            | "trimEnd"
            | "trimStart"
            | "unref"
            | "unshift"
            | "values"
    )
}

/// Whether a handler ends by throwing in any case.
fn rethrows(catch: &Catch) -> bool {
    let ends = catch.body.statements.iter().find_map(|(statement, _)| match statement {
        Stmt::Throw(_) => Some(true),
        Stmt::Expr(_) | Stmt::Declare { .. } | Stmt::Empty => None,
        _ => Some(false),
    });
    ends == Some(true)
}

/// Whether skipping a statement makes a difference to what follows: it leaves the function or loop, or assigns.
fn leaves_traces(statement: &Stmt) -> bool {
    let any = |it: &[(Stmt, Range)]| it.iter().any(|(it, _)| leaves_traces(it));
    match statement {
        // An expression statement is an assignment or a call, which may assign as well.
        Stmt::Return(_) | Stmt::Throw(_) | Stmt::Break(_) | Stmt::Continue(_) | Stmt::Expr(_) => true,
        Stmt::If { then, otherwise, .. } => {
            leaves_traces(&then.0) || otherwise.as_ref().is_some_and(|it| leaves_traces(&it.0))
        }
        Stmt::Block(block) => any(&block.statements),
        Stmt::For { body, .. }
        | Stmt::ForIn { body, .. }
        | Stmt::ForOf { body, .. }
        | Stmt::While { body, .. }
        | Stmt::DoWhile { body, .. }
        | Stmt::Labeled { body, .. } => leaves_traces(&body.0),
        Stmt::Switch { cases, .. } => cases.iter().any(|it| any(&it.statements)),
        Stmt::Try { block, catch, finally } => {
            any(&block.statements)
                || catch.as_ref().is_some_and(|it| any(&it.body.statements))
                || finally.as_ref().is_some_and(|it| any(&it.statements))
        }
        _ => false,
    }
}

/// Whether an expression is the constant `true`: a loop on it ends only by leaving.
pub fn is_constant_true(cx: Context<'_>, test: Option<ExprId>) -> bool {
    match test.map(|it| cx.module.expr(it)) {
        None | Some(Expr::Bool(true)) => true,
        Some(Expr::Number(number)) => *number != 0.0,
        _ => false,
    }
}
