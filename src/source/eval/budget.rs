//! Bounds on everything that grows while code runs, so that every input ends.

use super::Evaluator;
use super::native::Eval;
use super::path::Stop;

/// The stack of the evaluating thread. Only what is used is ever touched.
pub const STACK_BYTES: usize = 1 << 30;

/// Steps for the factory of one extension, imports included.
const FACTORY_STEPS: u32 = 3_000_000;

/// Steps for all that one extension does after loading.
const LATE_STEPS: u32 = 1_000_000;

/// Steps for one handler.
const HANDLER_STEPS: u32 = 100_000;

/// Nested expressions, statements and calls.
const MAX_DEPTH: u32 = 6_000;

/// Nested calls.
pub const MAX_CALLS: usize = 400;

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
}

impl Budget {
    /// Begins an extension.
    pub fn start_extension(&mut self) {
        *self = Self { steps: FACTORY_STEPS, late_steps: LATE_STEPS, ..Self::default() };
    }

    /// Begins a handler: its share of what is left for all of them.
    pub fn start_handler(&mut self) {
        self.depth = 0;
        self.exceeded = None;
        self.steps = self.late_steps.min(HANDLER_STEPS);
        self.late_steps -= self.steps;
    }

    /// Ends a handler: what it did not use is there for others.
    pub fn end_handler(&mut self) {
        self.late_steps += self.steps;
    }
}

impl Evaluator<'_> {
    /// Takes a step.
    #[inline]
    pub(super) fn step(&mut self) -> Eval<()> {
        let cost = 1 + std::mem::take(&mut self.path.effort);
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
        self.budget.exceeded.get_or_insert(what);
        Stop::Abort
    }
}
