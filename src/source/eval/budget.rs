//! Bounds on everything that grows while code runs, so that every input ends.

use rustc_hash::FxHashSet;

use super::Evaluator;
use super::fact::FactSet;
use super::heap::{InstanceId, SegmentId};
use super::native::Eval;
use super::path::Stop;
use super::value::Value;
use crate::location::Span;
use crate::source::ir::FunctionId;
use crate::source::known::ReasonKind;

/// The stack of the evaluating thread. Only what is used is ever touched.
pub const STACK_BYTES: usize = 1 << 30;

/// Steps for the factory of one extension, imports included.
const FACTORY_STEPS: u32 = 3_000_000;

/// Steps for all that one extension does after loading.
const LATE_STEPS: u32 = 50_000;

/// Steps for one handler.
const HANDLER_STEPS: u32 = 10_000;

/// Steps for one call, after loading, of code that cannot register anything.
const HARMLESS_STEPS: u32 = 1_000;

/// Nested expressions, statements and calls.
const MAX_DEPTH: u32 = 40_000;

/// Nested calls.
pub const MAX_CALLS: usize = 3_000;

/// Calls of one function inside itself when it is not known whether it would call itself again.
pub const MAX_UNSURE_RECURSION: usize = 3;

/// Bytes of one string.
pub const MAX_STRING: usize = 1 << 22;

/// Bytes of all strings that one extension builds.
const MAX_STRINGS: usize = 1 << 27;

/// Elements of one array.
pub const MAX_ELEMENTS: usize = 1 << 21;

/// Objects of all extensions together.
const MAX_OBJECTS: usize = 1_500_000;

/// How often code that cannot register anything is given up on so that the rest can go on.
const RESCUES: u32 = 8;

/// Steps for the rest after such code was given up on, as a part of what there was to begin with.
const RESCUE_SHARE: u32 = 8;

/// Which budget was used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exceeded {
    /// Steps.
    Steps,
    /// Depth of nested code.
    Depth,
    /// Memory.
    Memory,
}

impl Exceeded {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Steps => "the code takes too many steps to follow",
            Self::Depth => "the code is nested too deeply to follow",
            Self::Memory => "the code builds more data than is kept",
        }
    }
}

/// What is left.
#[derive(Debug, Default)]
pub struct Budget {
    steps: u32,
    late_steps: u32,
    depth: u32,
    strings: usize,
    /// Set when something was used up.
    pub exceeded: Option<Exceeded>,
    granted: u32,
    rescues: u32,
    /// How many more calls are given up on before one is taken as the one to blame.
    passed_over: u32,
    /// Code that was given up on after loading: it is not tried again.
    too_long: FxHashSet<Code>,
}

/// The code of a function.
pub type Code = (InstanceId, FunctionId);

/// The state of an evaluation at a place to which it can return when what follows is given up on.
#[derive(Debug)]
pub struct Refuge {
    path: usize,
    exits: usize,
    frames: usize,
    trail: usize,
    depth: u32,
    forks: u32,
    guarded: u32,
    throws_noted: u32,
    loop_nesting: u32,
    runs_again: bool,
    control: FactSet,
    segment: SegmentId,
    here: Span,
}

impl Budget {
    /// What an extension begins with.
    pub fn of_extension() -> Self {
        Self { steps: FACTORY_STEPS, granted: FACTORY_STEPS, late_steps: LATE_STEPS, ..Self::default() }
    }

    /// Begins a handler: its share of what is left for all of them.
    pub fn start_handler(&mut self) {
        self.depth = 0;
        self.exceeded = None;
        self.steps = self.late_steps.min(HANDLER_STEPS);
        self.granted = self.steps;
        self.late_steps -= self.steps;
        self.rescues = 0;
        self.passed_over = 0;
    }
    /// Ends a handler: what it did not use is there for others.
    pub fn end_handler(&mut self) {
        self.late_steps += self.steps;
    }

    /// Keeps all but the share of a harmless call back.
    pub fn hold_back(&mut self) -> u32 {
        let held = self.steps.saturating_sub(HARMLESS_STEPS);
        self.steps -= held;
        held
    }

    /// Gives back what was kept.
    pub fn release(&mut self, held: u32) {
        self.steps += held;
    }

    /// The steps that are left.
    pub fn steps_left(&self) -> u32 {
        self.steps
    }

    /// How much code was given up on after loading.
    pub fn given_up_on(&self) -> usize {
        self.too_long.len()
    }

    /// Code was given up on. It is to blame unless code that it calls was since `before`.
    pub fn blame(&mut self, code: Code, before: usize) {
        if self.too_long.len() == before {
            self.too_long.insert(code);
        }
    }

    /// Whether code was given up on before.
    pub fn takes_too_long(&self, code: Code) -> bool {
        self.too_long.contains(&code)
    }
}

impl Evaluator<'_> {
    /// Takes a step.
    #[inline]
    pub(super) fn step(&mut self) -> Eval<()> {
        let cost = 1 + self.path.take_effort();
        if self.budget.steps < cost {
            return Err(self.exceed(Exceeded::Steps));
        }
        self.budget.steps -= cost;
        Ok(())
    }

    /// Takes several steps at once, for natives that loop.
    pub(super) fn steps(&mut self, count: usize) -> Eval<()> {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        if self.budget.steps < count {
            return Err(self.exceed(Exceeded::Steps));
        }
        self.budget.steps -= count;
        Ok(())
    }

    /// Runs something one level deeper.
    #[inline]
    pub(super) fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        self.step()?;
        if self.budget.depth >= MAX_DEPTH {
            return Err(self.exceed(Exceeded::Depth));
        }
        self.budget.depth += 1;
        let result = run(self);
        self.budget.depth -= 1;
        result
    }

    /// Accounts for the making of a string.
    pub(super) fn spend_string(&mut self, bytes: usize) -> Eval<()> {
        self.budget.strings += bytes;
        if bytes > MAX_STRING || self.budget.strings > MAX_STRINGS {
            return Err(self.exceed(Exceeded::Memory));
        }
        Ok(())
    }

    /// Accounts for the making of an object.
    pub(super) fn spend_object(&mut self) -> Eval<()> {
        if self.heap.len() >= MAX_OBJECTS {
            return Err(self.exceed(Exceeded::Memory));
        }
        Ok(())
    }

    /// Ends the evaluation.
    pub(super) fn exceed(&mut self, what: Exceeded) -> Stop {
        if self.budget.exceeded.is_none() {
            self.budget.exceeded = Some(what);
            self.budget.passed_over = self.budget.rescues;
        }
        Stop::Abort
    }

    /// Notes where the evaluation stands.
    pub(super) fn refuge(&self) -> Refuge {
        Refuge {
            path: self.path.mark(),
            exits: self.exits.len(),
            frames: self.frames.len(),
            trail: self.trail.len(),
            depth: self.budget.depth,
            forks: self.forks,
            guarded: self.guarded,
            throws_noted: self.throws_noted,
            loop_nesting: self.loop_nesting,
            runs_again: self.runs_again,
            control: self.control,
            segment: self.schedule.current,
            here: self.here,
        }
    }

    /// Whether steps were used up. Code that is nested without end throws sooner or later, so that it is not enough to
    /// leave it out.
    pub(super) fn is_out_of_steps(&self) -> bool {
        self.budget.exceeded == Some(Exceeded::Steps)
    }

    /// Gives some steps for the rest once something was given up on.
    pub(super) fn grant_more(&mut self) {
        self.budget.rescues += 1;
        self.budget.steps = self.budget.steps.max(self.budget.granted / RESCUE_SHARE);
    }

    /// Whether the evaluation may go on without a call, of code in this module, in which a budget was used up. The innermost is to
    /// blame first; when that does not help, the call by which the extension's own code entered a package, and in code of
    /// its own one further out.
    pub(super) fn can_give_up(
        &mut self,
        callee: InstanceId,
        is_harmless: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        let has_tried = self.budget.rescues > 0;
        let (enters, is_inside) = self.entry_into_package(callee);
        if !self.may_give_up() || (has_tried && is_inside) || !is_harmless(self) {
            return false;
        }
        (has_tried && enters) || self.is_to_blame()
    }

    /// Whether a call enters a package from the extension's own code, and whether it is one further inside.
    fn entry_into_package(&self, callee: InstanceId) -> (bool, bool) {
        let callers = self.frames.iter().rev().filter_map(|it| it.code.map(|it| it.0).or(it.top_level));
        let mut callers = callers.map(|id| self.is_own(id));
        match callers.next() {
            Some(false) => (false, callers.any(|is_own| is_own)),
            Some(true) => (!self.is_own(callee), false),
            None => (false, false),
        }
    }

    fn may_give_up(&self) -> bool {
        self.is_out_of_steps() && self.budget.rescues < RESCUES
    }

    /// The first so many that could be given up on are passed over.
    fn is_to_blame(&mut self) -> bool {
        let is_passed_over = self.budget.passed_over > 0;
        self.budget.passed_over = self.budget.passed_over.saturating_sub(1);
        !is_passed_over
    }

    /// The same for the top level of a module, which is the outermost that can be given up on.
    pub(super) fn can_give_up_module(&mut self) -> bool {
        self.may_give_up()
    }

    /// What code comes to that takes too long.
    pub(super) fn result_of_too_long(&mut self) -> Value {
        self.unknown(ReasonKind::BudgetExceeded, Exceeded::Steps.as_str())
    }

    /// Goes on from a place as if what followed had come to something unknown.
    pub(super) fn give_up(&mut self, refuge: &Refuge) -> Value {
        let text = self.budget.exceeded.map_or("a budget was used up", Exceeded::as_str);
        self.path.truncate(refuge.path);
        self.exits.truncate(refuge.exits);
        self.frames.truncate(refuge.frames);
        self.trail.truncate(refuge.trail);
        self.forks = refuge.forks;
        self.guarded = refuge.guarded;
        self.throws_noted = refuge.throws_noted;
        self.loop_nesting = refuge.loop_nesting;
        self.runs_again = refuge.runs_again;
        self.control = refuge.control;
        self.schedule.current = refuge.segment;
        self.here = refuge.here;
        self.budget.depth = refuge.depth;
        self.budget.exceeded = None;
        self.unknown(ReasonKind::BudgetExceeded, text)
    }
}
