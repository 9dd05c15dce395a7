//! Asynchronous code that goes on here as soon as it has waited, although Pi first runs what follows its call.
//!
//! Mostly that makes no difference. Where variables that it names are set in between, or where it fails, it may register
//! something else in Pi than here: then that is said.

use super::Evaluator;
use super::heap::{Closure, InstanceId, ObjectId, ObjectKind};
use super::scope::{Place, ScopeId};
use super::value::{Guard, Value};
use crate::location::Span;
use crate::source::ir::Range;

/// Calls of one extension that are looked at.
const MAX_CALLS: usize = 1_000;

/// Settings of variables that are kept in mind.
const MAX_SET: usize = 50_000;

/// A call that went on after an `await` before what followed it.
#[derive(Debug)]
struct Call {
    promise: ObjectId,
    at: Span,
    instance: InstanceId,
    range: Range,
    scope: ScopeId,
    /// How many variables had been set when it ended.
    from: usize,
    /// How many when somebody first waited for it.
    until: Option<usize>,
}

/// The calls of one extension, and the variables that were set since the first.
#[derive(Debug, Default)]
pub struct Detached {
    calls: Vec<Call>,
    set: Vec<Place>,
}

impl Detached {
    /// Forgets what was before.
    pub fn clear(&mut self) {
        self.calls.clear();
        self.set.clear();
    }

    /// A variable is set.
    pub fn note_set(&mut self, place: Place) {
        if !self.calls.is_empty() && self.set.len() < MAX_SET {
            self.set.push(place);
        }
    }

    /// Somebody waits for a promise.
    pub fn note_waited_for(&mut self, promise: ObjectId) {
        let set = self.set.len();
        for call in self.calls.iter_mut().filter(|it| it.promise == promise) {
            call.until.get_or_insert(set);
        }
    }
}

impl Evaluator<'_> {
    /// A call has ended that went on after an `await`.
    pub(super) fn note_detached(&mut self, promise: &Value, closure: &Closure, at: Span) {
        let Some(promise) = promise.as_object().filter(|_| self.detached.calls.len() < MAX_CALLS) else {
            return;
        };
        let range = self.instances.module(closure.module).function(closure.function).at;
        self.detached.calls.push(Call {
            promise,
            at,
            instance: closure.module,
            range,
            scope: closure.scope,
            from: self.detached.set.len(),
            until: None,
        });
    }

    /// Says of which calls it is not known what they register.
    pub(super) fn doubt_detached(&mut self) {
        let Detached { calls, set } = std::mem::take(&mut self.detached);
        for call in calls {
            let between = set.get(call.from..call.until.unwrap_or(set.len())).unwrap_or_default();
            let needs = |it| between.contains(&it);
            let is_doubtful = self.fails_unseen(call.promise)
                || (!between.is_empty() && self.names_variable(call.instance, call.range, call.scope, needs));
            if is_doubtful && self.range_registers(call.instance, call.range) {
                self.here = call.at;
                self.unfollowed("code that goes on only after what follows its call");
            }
        }
    }

    /// Whether a promise rejects for certain and nobody waits for it.
    fn fails_unseen(&self, promise: ObjectId) -> bool {
        let ObjectKind::Promise(it) = &self.heap.get(promise).kind else { return false };
        let is_certain = |it: &(Guard, Value)| self.path.left_of(&it.0).is_some_and(|it| it.is_empty());
        !it.is_handled && it.rejections.iter().any(is_certain)
    }
}
