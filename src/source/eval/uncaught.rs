//! Errors that nobody catches and that end Pi's process soon after loading: promises that reject without anybody who
//! handles it, and timers that throw.

use rustc_hash::FxHashSet;

use super::Evaluator;
use super::branch::{Exit, ExitKind};
use super::clock::Moment;
use super::heap::{ObjectId, ObjectKind};
use super::value::{Data, Value};
use crate::install::ExtensionId;
use crate::location::Span;
use crate::source::registration::{Certainty, Failure};

/// Until when, in milliseconds since an extension began to load, an error counts as keeping Pi from starting. Pi takes
/// many times as long to start.
const SOON: f64 = 50.0;

/// What may end Pi.
#[derive(Debug, Default)]
pub struct Uncaught {
    /// Promises that reject, with the code that made them.
    rejecting: Vec<(ObjectId, Span)>,
    /// Errors of code that has waited. It runs here before what follows its call, in Pi after that, which may be what keeps it from
    /// failing: nothing certain is said of them.
    late: FxHashSet<ObjectId>,
    /// What timers have thrown.
    thrown: Vec<(ExtensionId, Failure)>,
}

impl Uncaught {
    /// Forgets the promises of before.
    pub fn clear(&mut self) {
        self.rejecting.clear();
    }

    /// What a timer of an extension has thrown.
    pub fn take_thrown(&mut self, extension: ExtensionId) -> Option<Failure> {
        let at = self.thrown.iter().position(|it| it.0 == extension)?;
        Some(self.thrown.remove(at).1)
    }
}

impl Evaluator<'_> {
    /// A promise of the program was made or settled: whether it rejects is looked at once the extension has loaded.
    pub(super) fn note_rejecting(&mut self, promise: &Value) {
        let Some(object) = promise.as_object() else { return };
        if let ObjectKind::Promise(it) = &self.heap.get(object).kind
            && !it.rejections.is_empty()
            && !it.is_handled
        {
            self.uncaught.rejecting.push((object, self.here));
        }
    }

    /// A promise of code that has waited was made.
    pub(super) fn note_late(&mut self, promise: &Value) {
        if let Some(object) = promise.as_object()
            && let ObjectKind::Promise(it) = &self.heap.get(object).kind
        {
            self.uncaught.late.extend(it.rejections.iter().filter_map(|it| it.1.as_object()));
        }
    }

    /// Somebody waits for a promise, or may: what it rejects with is theirs.
    pub(super) fn handled(&mut self, promise: &Value) {
        let alternatives = match &promise.data {
            Data::Choice(choice) => {
                choice.alternatives.iter().filter_map(|it| it.value.as_object()).collect()
            }
            _ => Vec::from_iter(promise.as_object()),
        };
        for object in alternatives {
            self.detached.note_waited_for(object);
            if let ObjectKind::Promise(it) = &mut self.heap.get_mut(object).kind {
                it.is_handled = true;
            }
        }
    }

    /// The failure of an extension that has loaded but of whose promises one rejects without being handled.
    pub(super) fn unhandled_rejection(&mut self) -> Option<Failure> {
        for (object, at) in std::mem::take(&mut self.uncaught.rejecting) {
            let ObjectKind::Promise(it) = &self.heap.get(object).kind else { continue };
            let is_soon = self.schedule.end_of(&it.segments).is_some_and(|it| it.is_within(SOON));
            let is_late =
                |error: &Value| error.as_object().is_some_and(|it| self.uncaught.late.contains(&it));
            if it.is_handled || !is_soon || it.rejections.iter().any(|it| is_late(&it.1)) {
                continue;
            }
            let certain =
                it.rejections.iter().find(|it| self.path.left_of(&it.0).is_some_and(|it| it.is_empty()));
            if let Some((_, error)) = certain {
                let error = error.clone();
                let text = self.error_text(&error);
                let explanation = format!("a promise that nobody handles rejects, which ends Pi: {text}");
                return Some(uncaught(text, explanation, Some(at)));
            }
        }
        None
    }

    /// What a timer that was set while loading threw.
    pub(super) fn note_thrown(&mut self, throws: Vec<Exit>) {
        for exit in throws {
            let ExitKind::Throw(error, at) = exit.kind else { continue };
            if self.path.left_of(&exit.guard).is_some_and(|it| it.is_empty()) {
                let text = self.error_text(&error);
                let explanation = format!("a timer throws, which ends Pi: {text}");
                let failure = uncaught(text, explanation, at);
                self.uncaught.thrown.push((self.extension, failure));
                return;
            }
        }
    }

    /// Marks the tasks of timers that fire soon after loading.
    pub(super) fn mark_soon(&mut self) {
        for number in self.schedule.clock.due_within(SOON) {
            if let Some(at) = self.schedule.task_position(number)
                && let Some(task) = self.schedule.tasks.get_mut(at)
            {
                task.is_soon = true;
            }
        }
    }
}

impl Moment {
    fn is_within(self, milliseconds: f64) -> bool {
        self.milliseconds() <= milliseconds
    }
}

fn uncaught(message: String, explanation: String, at: Option<Span>) -> Failure {
    Failure { message, explanation, at, certainty: Certainty::Certain }
}
