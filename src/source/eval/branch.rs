//! Ways through the code: tests that go both ways, and how returns, throws, breaks and continues leave them.

use std::rc::Rc;

use super::Evaluator;
use super::fact::FactSet;
use super::guard::{either_guard, is_either_exact};
use super::native::Eval;
use super::path::{Stop, Test, Tested};
use super::value::{Alternative, Choice, Data, Guard, Literal, Value};
use crate::location::Span;
use crate::source::ir::LabelId;
use crate::source::known::{Reason, ReasonKind};

/// A way out of a function, loop or `try` that is under way to what catches it.
#[derive(Debug)]
pub struct Exit {
    /// Which kind.
    pub kind: ExitKind,
    /// What was assumed when it was taken, from the mark of the frame on.
    pub guard: Guard,
}

/// Kinds of exits.
#[derive(Debug)]
pub enum ExitKind {
    /// `return`.
    Return(Value),
    /// `throw`.
    Throw(Value, Option<Span>),
    /// `break`.
    Break(Option<LabelId>),
    /// `continue`.
    Continue(Option<LabelId>),
}

/// How a test comes out.
#[derive(Debug)]
pub enum Decision {
    /// One way, resting on these facts.
    Known(bool, FactSet),
    /// Either.
    Open(Test),
}

/// How many ways out of a construct are told apart.
pub(super) const MAX_WAYS: usize = 64;

/// What a test makes of the alternatives of a choice.
#[derive(Default)]
struct Split {
    yes: u8,
    no: u8,
    open: Vec<(u8, Guard, Literal)>,
}

impl Evaluator<'_> {
    /// Leaves the current way through the code.
    pub(super) fn leave(&mut self, kind: ExitKind) -> Stop {
        let mark = self.frame().mark;
        let guard = self.path.since_mark(mark);
        self.exits.push(Exit { kind, guard });
        Stop::Dead
    }

    /// Throws a value. What is thrown because a call of unknown code threw, and is not caught any more, is as if that call stood in
    /// no `try`: such calls are taken not to throw.
    pub(super) fn throw(&mut self, value: Value, at: Option<Span>) -> Stop {
        if self.guarded == 0 && self.path.assumes_a_throw() {
            self.tripped = true;
            return Stop::Dead;
        }
        self.leave(ExitKind::Throw(value, at))
    }

    /// Throws the error of a built-in operation. Where an unknown condition led here, the way is taken as one that does not
    /// happen: programs are taken not to trip over `undefined` and the like, which is rather what is not known about them.
    pub(super) fn trip(&mut self, error: Value) -> Stop {
        if self.forks > 0 && self.guarded == 0 {
            self.tripped = true;
            return Stop::Dead;
        }
        let at = Some(self.here);
        self.throw(error, at)
    }

    /// Whether JavaScript takes a settled value as true; `None` when it is not known.
    #[allow(clippy::unused_self, reason = "asked like the other questions about values")]
    pub(super) fn truthiness(&self, value: &Value) -> Option<bool> {
        match &value.data {
            Data::Absent | Data::Undefined | Data::Null => Some(false),
            Data::Bool(it) => Some(*it),
            Data::Number(it) => Some(*it != 0.0 && !it.is_nan()),
            Data::BigInt(it) => Some(&**it != "0"),
            Data::String(it, _) => Some(!it.is_empty()),
            Data::Symbol(_) | Data::Object(_) => Some(true),
            Data::Unknown(unknown) => unknown.nature.truth(),
            Data::Choice(_) => None,
        }
    }

    /// Decides a test by the truth of a value, as far as it can be decided.
    pub(super) fn decide(&mut self, value: &Value, tested: impl Into<Tested>) -> Decision {
        let (value, tested) = (self.path.settle(value), tested.into());
        match &value.data {
            Data::Unknown(unknown) if unknown.nature.truth().is_none() => {
                let literal = self.path.truth_of(unknown, tested);
                match self.path.value(literal.cond()) {
                    Some(truth) => Decision::Known(truth == literal.holds(), value.facts),
                    None => Decision::Open(Test { yes: vec![literal], no: vec![literal.negated()] }),
                }
            }
            Data::Choice(choice) => self.decide_choice(choice, value.facts, tested),
            _ => Decision::Known(self.truthiness(&value).unwrap_or(true), value.facts),
        }
    }

    fn decide_choice(&mut self, choice: &Rc<Choice>, facts: FactSet, tested: Tested) -> Decision {
        let mut split = Split::default();
        let mut all_facts = facts;
        for alternative in &choice.alternatives {
            all_facts = self.facts.union(all_facts, alternative.value.facts);
            let bit = 1 << alternative.tag;
            match self.truth_within(alternative, tested) {
                Ok(true) => split.yes |= bit,
                Ok(false) => split.no |= bit,
                Err(literal) => split.open.push((bit, alternative.guard.clone(), literal)),
            }
        }
        match (split.yes, split.no, split.open.is_empty()) {
            (_, 0, true) => Decision::Known(true, all_facts),
            (0, _, true) => Decision::Known(false, all_facts),
            _ => Decision::Open(self.test_of(choice, &split, tested)),
        }
    }

    /// The truth of one alternative given its own guard, or the literal that it hangs on.
    fn truth_within(&mut self, alternative: &Alternative, tested: Tested) -> Result<bool, Literal> {
        let Data::Unknown(unknown) = &alternative.value.data else {
            return Ok(self.truthiness(&alternative.value).unwrap_or(true));
        };
        if let Some(truth) = unknown.nature.truth() {
            return Ok(truth);
        }
        let literal = self.path.truth_of(unknown, tested);
        if alternative.guard.contains(&literal) {
            return Ok(true);
        }
        if alternative.guard.contains(&literal.negated()) {
            return Ok(false);
        }
        match self.path.value(literal.cond()) {
            Some(truth) => Ok(truth == literal.holds()),
            None => Err(literal),
        }
    }

    fn test_of(&mut self, choice: &Rc<Choice>, split: &Split, tested: Tested) -> Test {
        match split.open.as_slice() {
            [] => {
                let no_alone = exact_guard(choice, split.no);
                if let Some(guard) = exact_guard(choice, split.yes) {
                    let no = no_alone.unwrap_or_else(|| vec![self.path.none_of(&guard)]);
                    Test { yes: guard, no }
                } else if let Some(guard) = no_alone {
                    let yes = vec![self.path.none_of(&guard)];
                    Test { yes, no: guard }
                } else {
                    let literal = self.path.one_of(choice.id, split.yes, tested);
                    Test { yes: vec![literal], no: vec![literal.negated()] }
                }
            }
            [(bit, guard, literal)] if split.yes == 0 && exact_guard(choice, *bit).is_some() => {
                let mut yes = guard.clone();
                yes.push(*literal);
                let no = vec![self.path.none_of(&yes)];
                Test { yes, no }
            }
            [(bit, guard, literal)] if split.no == 0 && exact_guard(choice, *bit).is_some() => {
                let mut no = guard.clone();
                no.push(literal.negated());
                let yes = vec![self.path.none_of(&no)];
                Test { yes, no }
            }
            open => {
                let undecided = open.iter().fold(0, |mask, (bit, ..)| mask | bit);
                let reason = reason_of(choice, tested.at);
                let cond = self.path.fresh(tested, reason);
                let mut yes = vec![Literal::new(cond, true)];
                let mut no = vec![Literal::new(cond, false)];
                if split.no != 0 {
                    yes.push(self.path.one_for(choice.id, split.yes | undecided, tested, true));
                }
                if split.yes != 0 {
                    no.push(self.path.one_for(choice.id, split.no | undecided, tested, false));
                }
                Test { yes, no }
            }
        }
    }

    /// Runs code under assumptions. `None` when they cannot hold, or when no way leads to the code's end.
    /// Call [`Evaluator::resume`] when all ways are through.
    pub(super) fn under<T>(
        &mut self,
        guard: &[Literal],
        run: impl FnOnce(&mut Self) -> Eval<T>,
    ) -> Eval<Option<T>> {
        if !self.path.allows(guard) {
            return Ok(None);
        }
        let mark = self.path.mark();
        for &literal in guard {
            // Assuming one may have ruled out the next.
            if self.path.value(literal.cond()) == Some(!literal.holds()) {
                self.path.truncate(mark);
                return Ok(None);
            }
            self.path.assume(literal);
        }
        let is_fork = u32::from(self.path.mark() > mark);
        self.forks += is_fork;
        let result = run(self);
        self.forks -= is_fork;
        self.path.truncate(mark);
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Dead) => Ok(None),
            Err(Stop::Abort) => Err(Stop::Abort),
        }
    }

    /// After code that may have left at some places: whatever follows happens only if it did not leave there.
    /// `mark` and `exits` are where path and exits stood before that code.
    pub(super) fn resume(&mut self, mark: usize, exits: usize) {
        self.path.truncate(mark);
        self.keep_stage();
        if self.exits.len() <= exits {
            return;
        }
        let skip = mark.saturating_sub(self.frame().mark);
        let mut left: Vec<Guard> = Vec::new();
        let mut many = false;
        for exit in self.exits.get(exits..).unwrap_or_default() {
            let guard = exit.guard.get(skip..).unwrap_or_default().to_vec();
            self.path.spend(1 + guard.len() / 4);
            many |= left.len() >= MAX_WAYS;
            if !many {
                add_way(&mut left, guard);
            }
        }
        if many {
            let stays = self.in_one_of_many_ways();
            self.path.assume(stays);
        }
        for guard in left {
            if !guard.is_empty() {
                let stays = self.path.none_of(&guard);
                self.path.assume(stays);
            }
        }
    }

    /// A condition of its own for what happens on some of too many ways to be told apart.
    pub(super) fn in_one_of_many_ways(&mut self) -> Literal {
        let reason = Reason {
            kind: ReasonKind::TooManyValues,
            text: "the code before may have left in many ways".into(),
            at: Some(self.here),
        };
        Literal::new(self.path.fresh(self.here, reason), true)
    }

    /// Evaluates both ways of a test and joins what they come to.
    pub(super) fn fork(
        &mut self,
        test: &Test,
        yes: impl FnOnce(&mut Self) -> Eval,
        no: impl FnOnce(&mut Self) -> Eval,
    ) -> Eval {
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let first = self.under(&test.yes, yes)?;
        let second = self.under(&test.no, no)?;
        self.resume(mark, exits);
        match (first, second) {
            (Some(a), Some(b)) => Ok(self.path.choose(vec![
                Alternative { value: a, guard: test.yes.clone(), exact: true, tag: 0 },
                Alternative { value: b, guard: test.no.clone(), exact: true, tag: 0 },
            ])),
            (Some(only), None) | (None, Some(only)) => Ok(only),
            (None, None) => Err(Stop::Dead),
        }
    }

    /// Runs a function for each alternative of a value, under its guard, and joins the results. A value that is no
    /// choice is handed on as it is.
    pub(super) fn each(&mut self, value: &Value, mut run: impl FnMut(&mut Self, &Value) -> Eval) -> Eval {
        let value = self.path.settle(value);
        let Data::Choice(choice) = &value.data else { return run(self, &value) };
        let (mark, exits) = (self.path.mark(), self.exits.len());
        let mut results = Vec::with_capacity(choice.alternatives.len());
        for alternative in &choice.alternatives {
            let mut guard = alternative.guard.clone();
            if !alternative.exact {
                guard.push(self.path.one_of(choice.id, 1 << alternative.tag, self.here));
            }
            if let Some(result) = self.under(&guard, |me| run(me, &alternative.value))? {
                results.push(Alternative { value: result, guard, exact: true, tag: 0 });
            }
        }
        self.resume(mark, exits);
        if results.is_empty() { Err(Stop::Dead) } else { Ok(self.path.choose(results)) }
    }

    /// Like [`Evaluator::each`] for functions without effects: no conditions are assumed while it runs.
    pub(super) fn map(&mut self, value: &Value, mut run: impl FnMut(&mut Self, &Value) -> Value) -> Value {
        let value = self.path.settle(value);
        let Data::Choice(choice) = &value.data else { return run(self, &value) };
        let results = choice
            .alternatives
            .iter()
            .map(|it| Alternative { value: run(self, &it.value), ..it.clone() })
            .collect();
        self.path.choose(results)
    }
}

/// Why a choice is not decided: the reason of an unknown in it, else that ways were merged.
fn reason_of(choice: &Choice, at: Span) -> Reason {
    choice.alternatives.iter().find_map(|it| it.value.as_unknown()).map_or_else(
        || Reason {
            kind: ReasonKind::Merged,
            text: "it differs between ways through the code".into(),
            at: Some(at),
        },
        |unknown| unknown.reason.clone(),
    )
}

/// The guard of the only alternative of a mask, if its guard says exactly when it is the one.
fn exact_guard(choice: &Choice, mask: u8) -> Option<Guard> {
    if mask.count_ones() != 1 {
        return None;
    }
    let alternative = choice.alternatives.iter().find(|it| mask & (1 << it.tag) != 0)?;
    (alternative.exact && !alternative.guard.is_empty()).then(|| alternative.guard.clone())
}

/// Adds a way out to a list of such, merged with one that differs from it in a single condition.
fn add_way(ways: &mut Vec<Guard>, new: Guard) {
    for at in 0..ways.len() {
        let Some(old) = ways.get(at) else { break };
        if is_either_exact(old, &new) {
            let (both, _) = either_guard(old, &new);
            ways.remove(at);
            return add_way(ways, both);
        }
    }
    ways.push(new);
}
