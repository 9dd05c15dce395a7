//! Timers and microtasks while an extension loads.
//!
//! Pi waits for what a factory returns, so that timers fire while the factory waits for a promise that only they settle.
//! Node's loop is followed in that case: the timers fire in the order in which they are due until the promise is settled.
//! Segments whose time is known are told apart by it: what nobody waits for is part of the factory if it happens before
//! something that the factory waits for. Whatever waits for the outside world has no known time.

use super::heap::{ObjectId, ObjectKind, SegmentId, Settler};
use super::native::Eval;
use super::phases::Task;
use super::value::{Data, Value};
use super::{Arguments, Evaluator};

/// A moment since the extension began to load: milliseconds, and the order of those that fall together.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Moment {
    milliseconds: f64,
    order: u32,
}

impl Moment {
    /// When an extension begins to load, or a callback to run.
    pub const START: Self = Self { milliseconds: 0.0, order: 0 };

    /// The milliseconds since then.
    pub fn milliseconds(self) -> f64 {
        self.milliseconds
    }

    /// The later of two.
    pub fn later(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

/// A timer that has not fired.
#[derive(Debug)]
struct Timer {
    /// The number of its task.
    task: u32,
    due: Moment,
    /// The milliseconds after which it fires again.
    interval: Option<f64>,
}

/// A function that runs as soon as the code that put it off waits or ends.
#[derive(Debug)]
struct Microtask {
    /// The number of its task.
    task: u32,
    /// How many frames there were when it was put off.
    depth: usize,
    segment: SegmentId,
}

/// What is put off while an extension loads.
#[derive(Debug, Default)]
pub struct Clock {
    timers: Vec<Timer>,
    microtasks: Vec<Microtask>,
    /// Microtasks that are put off once a promise is settled that another one settles.
    waiting: Vec<(ObjectId, Microtask)>,
    set: u32,
}

/// Timers that fire while one promise is waited for.
const MAX_FIRED: usize = 64;

/// Objects that are looked at for what may settle a promise.
const MAX_SEARCHED: usize = 2_000;

/// How soon a timer of Node's fires at the earliest.
pub const SOONEST: f64 = 1.0;

impl Clock {
    /// The numbers of the tasks of timers that are due within some milliseconds.
    pub fn due_within(&self, milliseconds: f64) -> Vec<u32> {
        self.timers.iter().filter(|it| it.due.milliseconds <= milliseconds).map(|it| it.task).collect()
    }

    /// Forgets what has not happened: it is left to the tasks.
    pub fn clear(&mut self) {
        self.timers.clear();
        self.microtasks.clear();
        self.waiting.clear();
    }
}

impl Evaluator<'_> {
    /// Sets a timer: its task runs after some milliseconds, and again after each interval.
    pub(super) fn set_timer(&mut self, task: u32, delay: &Value, interval: bool) {
        let Some(now) = self.schedule.moment(self.segment()) else { return };
        let delay = match delay.data {
            Data::Undefined | Data::Null | Data::Absent => SOONEST,
            Data::Number(it) if it.is_nan() => SOONEST,
            Data::Number(it) => it,
            _ => return,
        };
        self.schedule.clock.set += 1;
        let due = Moment { milliseconds: now.milliseconds + delay, order: self.schedule.clock.set };
        self.schedule.clock.timers.push(Timer { task, due, interval: interval.then_some(delay) });
    }

    /// Takes back a timer by the number of its task.
    pub(super) fn clear_timer(&mut self, number: u32) {
        let Some(at) = self.schedule.task_position(number) else {
            self.schedule.clock.timers.retain(|it| it.task != number);
            return;
        };
        let Some(task) = self.schedule.tasks.get(at) else { return };
        // The assumptions since the task was put off.
        let guard: Vec<_> =
            self.path.since_mark(0).into_iter().filter(|it| !task.guard.contains(it)).collect();
        if guard.is_empty() {
            self.schedule.tasks.remove(at);
            self.schedule.clock.timers.retain(|it| it.task != number);
            return;
        }
        let stays = self.path.none_of(&guard);
        if let Some(task) = self.schedule.tasks.get_mut(at) {
            task.guard.push(stays);
        }
    }

    /// Puts off a microtask: it runs once the current code waits or ends.
    pub(super) fn put_off_microtask(&mut self, task: Option<u32>) {
        let (depth, segment) = (self.frames.len(), self.segment());
        self.schedule.clock.microtasks.extend(task.map(|task| Microtask { task, depth, segment }));
    }

    /// Puts off a microtask once a promise is settled.
    pub(super) fn put_off_behind(&mut self, promise: ObjectId, task: u32) {
        let microtask = Microtask { task, depth: self.frames.len(), segment: self.segment() };
        self.schedule.clock.waiting.push((promise, microtask));
    }

    /// A promise has been settled by a microtask: those that waited for it are put off now.
    pub(super) fn release_waiting(&mut self, promise: ObjectId) {
        let clock = &mut self.schedule.clock;
        let (released, waiting) =
            std::mem::take(&mut clock.waiting).into_iter().partition(|it| it.0 == promise);
        clock.waiting = waiting;
        let released: Vec<(ObjectId, Microtask)> = released;
        clock.microtasks.extend(released.into_iter().map(|it| it.1));
    }

    /// Runs the microtasks that come before what code that now waits does next, but not those that they put off.
    pub(super) fn run_due_microtasks(&mut self) -> Eval<()> {
        let depth = self.frames.len();
        let due = self.schedule.clock.microtasks.iter().filter(|it| it.depth >= depth);
        let due: Vec<u32> = due.map(|it| it.task).collect();
        for task in due {
            if let Some(at) = self.schedule.clock.microtasks.iter().position(|it| it.task == task) {
                self.run_microtask(at)?;
            }
        }
        Ok(())
    }

    /// Runs the microtasks that were put off by code that now waits.
    pub(super) fn run_microtasks(&mut self) -> Eval<()> {
        let depth = self.frames.len();
        loop {
            let Some(at) = self.schedule.clock.microtasks.iter().position(|it| it.depth >= depth) else {
                return Ok(());
            };
            self.run_microtask(at)?;
        }
    }

    /// Runs microtasks until a promise is settled that one of them settles.
    pub(super) fn force(&mut self, promise: ObjectId) -> Eval<()> {
        let is_queued = |me: &Self| match &me.heap.get(promise).kind {
            ObjectKind::Promise(it) => it.is_queued,
            _ => false,
        };
        while is_queued(self) && !self.schedule.clock.microtasks.is_empty() {
            self.run_microtask(0)?;
        }
        Ok(())
    }

    fn run_microtask(&mut self, at: usize) -> Eval<()> {
        let microtask = self.schedule.clock.microtasks.remove(at);
        match self.schedule.take_task(microtask.task) {
            Some(task) => self.run_now(&task, microtask.segment),
            None => Ok(()),
        }
    }

    /// Lets time pass until a promise is settled, if only timers can settle it. Whether any time passed.
    pub(super) fn pass_time(&mut self, promises: &[ObjectId]) -> Eval<bool> {
        if !self.waits_for_timers(promises) {
            return Ok(false);
        }
        let mut passed = false;
        for _ in 0..MAX_FIRED {
            if !promises.iter().all(|it| self.is_pending(*it)) || !self.fire_next()? {
                break;
            }
            passed = true;
        }
        Ok(passed)
    }

    /// Whether promises are all pending, and nothing but timers can settle them.
    fn waits_for_timers(&mut self, promises: &[ObjectId]) -> bool {
        !self.schedule.clock.timers.is_empty()
            && promises.iter().all(|it| self.is_pending(*it))
            && !promises.iter().any(|it| self.may_be_settled_outside(*it))
    }

    /// Whether a promise is pending as seen from here.
    pub(super) fn is_pending(&self, promise: ObjectId) -> bool {
        match &self.heap.get(promise).kind {
            ObjectKind::Promise(it) => !matches!(self.path.settle(&it.pending).data, Data::Bool(false)),
            _ => false,
        }
    }

    /// Whether something other than timers may settle a promise: what it waits for is not known then.
    fn may_be_settled_outside(&mut self, promise: ObjectId) -> bool {
        let ObjectKind::Promise(it) = &self.heap.get(promise).kind else { return true };
        if it.settler == Settler::Outside {
            return true;
        }
        let clock = &self.schedule.clock;
        let timers = clock.timers.iter().map(|it| it.task);
        let waiting = clock.waiting.iter().map(|it| it.1.task);
        let timers: Vec<u32> =
            timers.chain(clock.microtasks.iter().map(|it| it.task)).chain(waiting).collect();
        let others: Vec<Value> = self
            .schedule
            .tasks
            .iter()
            .filter(|it| it.callback.phase.is_none() && !timers.contains(&it.number))
            .map(|it| it.function.clone())
            .collect();
        others.iter().any(|it| {
            self.leads_to(it, MAX_SEARCHED, |me, object| match &me.heap.get(object).kind {
                ObjectKind::Native(native) => native.is_settler() && native.data.as_object() == Some(promise),
                _ => false,
            })
        })
    }

    /// Fires the timer that is due next. Whether there was one.
    fn fire_next(&mut self) -> Eval<bool> {
        let timers = &mut self.schedule.clock.timers;
        let earlier = |a: &(usize, &Timer), b: &(usize, &Timer)| {
            a.1.due.partial_cmp(&b.1.due).unwrap_or(std::cmp::Ordering::Equal)
        };
        let Some((at, _)) = timers.iter().enumerate().min_by(earlier) else { return Ok(false) };
        let timer = timers.remove(at);
        let Some(task) = self.schedule.take_task(timer.task) else { return Ok(true) };
        if let Some(interval) = timer.interval {
            self.schedule.clock.set += 1;
            let due = Moment {
                milliseconds: timer.due.milliseconds + interval.max(SOONEST),
                order: self.schedule.clock.set,
            };
            self.schedule.clock.timers.push(Timer { due, ..timer });
            self.schedule.tasks.push_back(task.again());
        }
        let segment = self.schedule.add(None);
        self.schedule.set_moment(segment, Some(timer.due));
        self.run_now(&task, segment)?;
        self.run_microtasks()?;
        Ok(true)
    }

    /// Runs a callback in a segment, whoever is running. What it throws concerns nobody here.
    fn run_now(&mut self, task: &Task, segment: SegmentId) -> Eval<()> {
        let before = std::mem::replace(&mut self.schedule.current, segment);
        let control = std::mem::replace(&mut self.control, task.facts);
        let guarded = std::mem::replace(&mut self.guarded, 0);
        let here = std::mem::replace(&mut self.here, task.at);
        self.schedule.callbacks += 1;
        let result = self.under(&task.guard, |me| {
            me.as_async(|me| me.call(&task.function, &Value::UNDEFINED, Arguments::default()))
        });
        self.schedule.callbacks -= 1;
        self.schedule.current = before;
        self.control = control;
        self.guarded = guarded;
        self.here = here;
        result.map(|_| ())
    }
}
