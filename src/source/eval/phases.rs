//! When what runs: the factory, what it waits for, and what is called after loading.
//!
//! Code that waits inside an asynchronous function goes on in a *segment* of its own. Whether that is still part of
//! the factory is known once it is clear who waits for it: a segment that nobody waits for happens later.

use super::branch::{Exit, ExitKind};
use super::budget::Budget;
use super::clock::{Clock, Moment};
use super::heap::{InstanceId, ObjectKind, SegmentId, Settler};
use super::native::Eval;
use super::path::Stop;
use super::record::RecordId;
use super::value::{Alternative, Data, Guard, Value};
use super::{Arguments, Evaluator, FactSet, FxHashMap};
use crate::install::{Entry, EntryKind, ExtensionId};
use crate::location::Span;
use crate::source::graph::Ahead;
use crate::source::ir::FunctionId;
use crate::source::known::{Reason, ReasonKind};
use crate::source::problem::LoadProblem;
use crate::source::registration::{Certainty, Evaluated, Failure, Phase};

/// A stretch of code that runs without waiting.
#[derive(Debug)]
struct Segment {
    phase: Option<Phase>,
    awaited_by: Option<SegmentId>,
    moment: Option<Moment>,
    /// Whether it is known how what it waited for came out, even if not when.
    is_sure: bool,
    /// The segment in which everything began that it belongs to.
    root: SegmentId,
}

/// What a promise is settled with.
#[derive(Debug, Default)]
pub struct Settlement {
    /// What it is fulfilled with, unless it surely is not.
    pub value: Option<Value>,
    /// The errors that it rejects with, each with what has to hold for that.
    pub rejections: Vec<(Guard, Value)>,
    /// What has run by then.
    pub segments: Vec<SegmentId>,
}

/// A callback that is called after loading.
#[derive(Debug)]
pub struct Task {
    /// Tells tasks apart.
    pub number: u32,
    extension: ExtensionId,
    /// What is called.
    pub function: Value,
    /// How.
    pub callback: Callback,
    /// What has to hold for it to be called.
    pub guard: Guard,
    /// What that it is called rests on.
    pub facts: FactSet,
    /// Where it was put off.
    pub at: Span,
    depth: u32,
    /// How many more times it is followed, being a timer that fires again and again.
    pub repeats: u32,
    /// Whether it is a timer that fires while Pi starts: what it throws ends Pi.
    pub is_soon: bool,
}

impl Task {
    /// The same task, to run once more.
    pub fn again(&self) -> Self {
        Self {
            function: self.function.clone(),
            callback: self.callback.clone(),
            guard: self.guard.clone(),
            ..*self
        }
    }
}

/// How a callback is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Callback {
    /// When; `None` for an unknown time.
    pub phase: Option<Phase>,
    /// With how many arguments, none of them known.
    pub arguments: usize,
    /// The registration whose payload is what the callback returns.
    pub result_of: Option<RecordId>,
}

impl Callback {
    /// One whose result does not matter.
    pub fn new(phase: Phase, arguments: usize) -> Self {
        Self { phase: Some(phase), arguments, result_of: None }
    }
}

/// What has run and what is to run.
#[derive(Debug)]
pub struct Schedule {
    /// The segment of the current code.
    pub current: SegmentId,
    segments: Vec<Segment>,
    /// The moments until which code has waited, with the segments in which it went on.
    waits: Vec<(Moment, SegmentId)>,
    root: SegmentId,
    /// What is called after loading.
    pub tasks: std::collections::VecDeque<Task>,
    /// How many tasks there have been.
    numbered: u32,
    /// What happens while an extension loads.
    pub clock: Clock,
    depth: u32,
    /// How many timers and microtasks are under way.
    pub callbacks: u32,
    /// How often callbacks of unknown time were put off, by their code.
    put_off: FxHashMap<(InstanceId, FunctionId), u32>,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            current: SegmentId(0),
            segments: vec![Segment {
                phase: None,
                awaited_by: None,
                moment: None,
                is_sure: false,
                root: SegmentId(0),
            }],
            waits: Vec::new(),
            root: SegmentId(0),
            tasks: std::collections::VecDeque::new(),
            numbered: 0,
            clock: Clock::default(),
            depth: 0,
            callbacks: 0,
            put_off: FxHashMap::default(),
        }
    }
}

/// Callbacks of one extension that are followed.
const MAX_TASKS: usize = 2_000;

/// Callbacks within callbacks that are followed.
const MAX_TASK_DEPTH: u32 = 3;

/// Callbacks of unknown time and the same code that are followed.
const MAX_ALIKE: u32 = 3;

impl Schedule {
    /// How many segments there are.
    pub fn segments(&self) -> usize {
        self.segments.len()
    }

    /// Whether everything has loaded.
    pub fn is_late(&self) -> bool {
        self.depth > 0
    }

    /// A new segment.
    pub fn add(&mut self, phase: Option<Phase>) -> SegmentId {
        let id = SegmentId(u32::try_from(self.segments.len()).unwrap_or(u32::MAX));
        self.segments.push(Segment {
            phase,
            awaited_by: None,
            moment: None,
            is_sure: false,
            root: self.root,
        });
        id
    }

    /// Code begins that nothing before it waits for.
    fn begin(&mut self, segment: SegmentId) {
        self.current = segment;
        self.root = segment;
        self.clock.clear();
        if let Some(it) = self.segments.get_mut(segment.0 as usize) {
            it.moment = Some(Moment::START);
            it.root = segment;
        }
    }

    /// The current code goes on only after these.
    pub fn awaits(&mut self, segments: &[SegmentId]) {
        let by = self.current;
        for &segment in segments {
            if segment != by
                && let Some(it) = self.segments.get_mut(segment.0 as usize)
            {
                it.awaited_by.get_or_insert(by);
            }
        }
    }

    /// The moment of a segment, if it is known.
    pub fn moment(&self, segment: SegmentId) -> Option<Moment> {
        self.segments.get(segment.0 as usize).and_then(|it| it.moment)
    }

    /// Says when a segment happens. What happens before it happens in its phase at the latest.
    pub fn set_moment(&mut self, segment: SegmentId, moment: Option<Moment>) {
        if let Some(it) = self.segments.get_mut(segment.0 as usize) {
            it.moment = moment;
        }
    }

    /// The current code goes on at a moment: what happens before it is over then.
    fn is_past(&mut self, moment: Moment) {
        let by = self.current;
        self.waits.push((moment, by));
    }

    /// When the last of some segments happens, if that is known of all.
    pub fn end_of(&self, segments: &[SegmentId]) -> Option<Moment> {
        segments.iter().try_fold(Moment::START, |last, it| Some(last.later(self.moment(*it)?)))
    }

    /// Whether it is known how what some segments waited for came out.
    pub fn are_sure(&self, segments: &[SegmentId]) -> bool {
        let is_sure = |it: &Segment| it.is_sure || it.moment.is_some();
        segments.iter().all(|it| self.segments.get(it.0 as usize).is_some_and(is_sure))
    }

    /// It is known how what the current segment waited for came out.
    pub fn make_sure(&mut self) {
        if let Some(it) = self.segments.get_mut(self.current.0 as usize) {
            it.is_sure = true;
        }
    }

    /// Whether nothing more is put off.
    fn is_full(&self) -> bool {
        self.depth >= MAX_TASK_DEPTH || self.tasks.len() >= MAX_TASKS
    }

    /// Where a task is among those that are to run.
    pub fn task_position(&self, number: u32) -> Option<usize> {
        self.tasks.iter().position(|it| it.number == number)
    }

    /// Takes a task out of those that are to run.
    pub fn take_task(&mut self, number: u32) -> Option<Task> {
        self.task_position(number).and_then(|it| self.tasks.remove(it))
    }

    /// When a segment happens.
    pub fn phase(&self, segment: SegmentId) -> Phase {
        let last = match self.awaited(segment) {
            Ok(phase) => return phase,
            Err(last) => last,
        };
        // Nobody waits for it, but somebody may have waited for longer.
        let Some(it) = self.segments.get(last.0 as usize) else { return Phase::Later };
        let waited = it.moment.and_then(|moment| {
            let mut longer = self.waits.iter().filter(|(until, by)| {
                *until >= moment && self.segments.get(by.0 as usize).is_some_and(|by| by.root == it.root)
            });
            longer.find_map(|(_, by)| self.awaited(*by).ok())
        });
        waited.unwrap_or(Phase::Later)
    }

    /// The phase of whoever waits for a segment in the end, or the last that nobody waits for.
    fn awaited(&self, segment: SegmentId) -> Result<Phase, SegmentId> {
        let mut at = segment;
        for _ in 0..self.segments.len() {
            let Some(it) = self.segments.get(at.0 as usize) else { break };
            if let Some(phase) = &it.phase {
                return Ok(phase.clone());
            }
            match it.awaited_by {
                Some(next) => at = next,
                None => break,
            }
        }
        Err(at)
    }
}

impl Evaluator<'_> {
    /// Loads one extension: its modules, then its factory.
    pub(super) fn load(&mut self, entry: &Entry, ahead: &mut Ahead<'_>) -> Option<Failure> {
        self.extension = entry.id;
        self.budget = Budget::of_extension();
        let package = self.world.modules.package_of(&entry.import_path);
        self.instances.start_extension(entry.id, package);
        self.reset();
        let segment = self.schedule.add(Some(Phase::Factory));
        self.schedule.begin(segment);
        self.uncaught.clear();
        self.detached.clear();
        if entry.kind != EntryKind::File {
            return None;
        }
        let path = &entry.import_path;
        let graph = ahead.take(path).unwrap_or_else(|| self.world.modules.load_graph(path));
        if let Some(problem) = graph.problem.as_ref().filter(|it| it.kind.is_failure()) {
            return Some(unloadable(problem));
        }
        let entry_file = graph.entry.ok_or(graph.problem);
        let instance = entry_file.and_then(|file| self.instance(&file).map_err(Some));
        let instance = match instance {
            Ok(instance) => instance,
            Err(problem) => return self.unknown_module(problem.as_ref()),
        };
        let result = self.run_module(instance).and_then(|()| self.entry_value(instance));
        let result = match result {
            Ok(factory) if !self.may_be_factory(&factory) => {
                return Some(Failure {
                    message: format!("Extension does not export a valid factory function: {}", entry.path),
                    explanation: "the module has no default export that is a function".into(),
                    at: None,
                    certainty: Certainty::Certain,
                });
            }
            Ok(factory) => self.run_factory(&factory),
            Err(stop) => Err(stop),
        };
        let failure = self.loaded(&result).or_else(|| self.unhandled_rejection());
        self.doubt_detached();
        self.mark_soon();
        failure
    }

    /// Back to the bottom frame, with nothing assumed.
    fn reset(&mut self) {
        self.frames.truncate(1);
        self.frame_mut().mark = 0;
        self.path.truncate(0);
        self.exits.clear();
        self.trail.clear();
        self.control = FactSet::NONE;
        self.forks = 0;
        self.tripped = false;
        self.guarded = 0;
        self.throws_noted = 0;
        self.writes = None;
        self.loop_nesting = 0;
    }

    /// The entry cannot be looked into.
    fn unknown_module(&mut self, problem: Option<&LoadProblem>) -> Option<Failure> {
        let problem = problem?;
        if problem.kind.is_failure() {
            return Some(unloadable(problem));
        }
        let reason = super::module::reason_of(problem, None);
        self.anything(reason);
        None
    }

    /// Pi takes whatever is a function (`core/extensions/loader.js`, `loadExtensionModule`).
    fn may_be_factory(&self, value: &Value) -> bool {
        match &value.data {
            Data::Unknown(_) => true,
            Data::Choice(choice) => choice.alternatives.iter().any(|it| self.may_be_factory(&it.value)),
            _ => self.is_callable(value),
        }
    }

    fn run_factory(&mut self, factory: &Value) -> Eval {
        let api = self.api_of(self.extension);
        if let Data::Unknown(unknown) = &factory.data {
            let reason = unknown.reason.clone();
            self.anything(reason);
            return Ok(Value::UNDEFINED);
        }
        if let Some(place) = self.function_place(factory) {
            self.here = place;
        }
        let result = self.call(factory, &Value::UNDEFINED, Arguments::of([Value::from(api)]))?;
        // The loader waits for what the factory returns.
        let result = self.await_value(&result)?;
        self.run_microtasks()?;
        // What needs no time beyond that is over by the time Pi goes on.
        if let Some(end) = self.schedule.moment(self.segment()) {
            self.schedule.is_past(end);
        }
        Ok(result)
    }

    /// What came of loading.
    fn loaded(&mut self, result: &Eval) -> Option<Failure> {
        let failure = match result {
            Err(Stop::Abort) => {
                self.out_of_budget();
                None
            }
            Ok(_) | Err(Stop::Dead) => {
                let certain = result.is_err();
                let throws = self.take_exits(0, |kind| matches!(kind, ExitKind::Throw(..)));
                if certain && throws.is_empty() && self.tripped {
                    self.unfollowed("every way through the code seems to throw");
                }
                self.failure(throws, certain)
            }
        };
        self.reset();
        failure
    }

    /// The failure that some throws amount to.
    fn failure(&mut self, throws: Vec<Exit>, certain: bool) -> Option<Failure> {
        let throws: Vec<Exit> =
            throws.into_iter().filter(|it| self.path.left_of(&it.guard).is_some()).collect();
        let first = throws.iter().find_map(|it| match &it.kind {
            ExitKind::Throw(value, at) => Some((value.clone(), *at)),
            _ => None,
        });
        let (error, at) = first?;
        self.reset();
        let ways = throws.into_iter().map(|it| it.guard).collect();
        let guard = self.any_of(ways);
        let certainty = if certain {
            Certainty::Certain
        } else {
            let conditions = self.conditions(&guard);
            if conditions.is_empty() { Certainty::Certain } else { Certainty::Conditional(conditions) }
        };
        let text = self.error_text(&error);
        Some(Failure {
            message: format!("Failed to load extension: {text}"),
            explanation: format!("loading it throws: {text}"),
            at,
            certainty,
        })
    }

    pub(super) fn error_text(&mut self, error: &Value) -> String {
        let is_error = error.as_object().is_some();
        let text = if is_error {
            self.get_name(error, "message").ok().and_then(|it| self.text_of(&it))
        } else {
            self.text_of(error)
        };
        text.map_or_else(|| "an error that is not known".to_owned(), |it| it.to_string())
    }

    /// The evaluation of a factory or handler ended before its code did.
    fn out_of_budget(&mut self) {
        let text = self.budget.exceeded.map_or("a budget was used up", super::budget::Exceeded::as_str);
        let at = self.here;
        self.path.truncate(0);
        self.anything(Reason { kind: ReasonKind::BudgetExceeded, text: text.into(), at: Some(at) });
    }

    /// `await value`.
    pub(super) fn await_value(&mut self, value: &Value) -> Eval {
        self.run_due_microtasks()?;
        let value = self.adopted(value)?;
        let result = self.each(&value, |me, value| match &value.data {
            Data::Unknown(_) => {
                me.run_microtasks()?;
                me.wait(None);
                Ok(value.clone())
            }
            Data::Object(object) => {
                if !matches!(me.heap.get(*object).kind, ObjectKind::Promise(_)) {
                    return Ok(value.clone());
                }
                me.force(*object)?;
                me.handled(value);
                let takes_time = match &me.heap.get(*object).kind {
                    ObjectKind::Promise(it) => !it.segments.is_empty() || me.is_pending(*object),
                    _ => false,
                };
                if takes_time {
                    me.run_microtasks()?;
                }
                let passed = me.pass_time(&[*object])?;
                let is_pending = me.is_pending(*object);
                let ObjectKind::Promise(promise) = &me.heap.get(*object).kind else {
                    return Ok(value.clone());
                };
                let promise = promise.clone();
                if passed || !promise.segments.is_empty() || is_pending {
                    let until = if is_pending { None } else { me.schedule.end_of(&promise.segments) };
                    let before = me.schedule.current;
                    let is_sure = !is_pending
                        && me.schedule.are_sure(&[before])
                        && me.schedule.are_sure(&promise.segments);
                    me.wait(until);
                    if is_sure && me.schedule.current != before {
                        me.schedule.make_sure();
                    }
                }
                me.schedule.awaits(&promise.segments);
                for (guard, error) in promise.rejections {
                    if !me.path.allows(&guard) {
                        continue;
                    }
                    let (mark, exits) = (me.path.mark(), me.exits.len());
                    let at = Some(me.here);
                    // That it throws rests on what the error rests on.
                    me.control = me.facts.union(me.control, error.facts);
                    me.under(&guard, |me| -> Eval<()> { Err(me.throw(error, at)) })?;
                    if guard.is_empty() {
                        return Err(Stop::Dead);
                    }
                    me.resume(mark, exits);
                }
                match promise.value {
                    Some(value) => Ok(me.path.settle(&value)),
                    None => Err(Stop::Dead),
                }
            }
            _ => Ok(value.clone()),
        });
        self.frame_mut().has_waited |= result.is_ok();
        result
    }

    /// The current function waits for something that takes time: what follows is a segment of its own.
    /// It ends at this moment, or at an unknown one.
    pub(super) fn wait(&mut self, until: Option<Moment>) {
        let until = match (self.schedule.moment(self.segment()), until) {
            (Some(now), Some(until)) => Some(now.later(until)),
            _ => None,
        };
        if !self.frame().is_async {
            if let Some(until) = until {
                self.schedule.is_past(until);
            }
            return;
        }
        let next = self.schedule.add(None);
        self.schedule.set_moment(next, until);
        // What the function did since it last waited comes before what it does now.
        let last = self.schedule.current;
        if last != self.frame().segment {
            self.schedule.current = next;
            self.schedule.awaits(&[last]);
        }
        self.schedule.current = next;
        if let Some(until) = until {
            self.schedule.is_past(until);
        }
    }

    /// What a promise comes to that is settled with a value: a promise of a promise is the inner one, errors included.
    pub(super) fn settlement(&mut self, value: &Value) -> Settlement {
        let value = self.path.settle(value);
        let Data::Choice(choice) = &value.data else {
            return self.settlement_of(&value);
        };
        let mut whole = Settlement::default();
        let mut ways = Vec::with_capacity(choice.alternatives.len());
        for alternative in &choice.alternatives {
            let part = self.settlement_of(&alternative.value);
            whole.segments.extend(part.segments);
            for (guard, error) in part.rejections {
                let mut both = alternative.guard.clone();
                if !alternative.exact {
                    both.push(self.path.one_of(choice.id, 1 << alternative.tag, self.here));
                }
                both.extend(guard);
                whole.rejections.push((both, error));
            }
            ways.extend(part.value.map(|value| Alternative { value, ..alternative.clone() }));
        }
        whole.value = (!ways.is_empty()).then(|| self.path.choose(ways));
        whole
    }

    /// The same of a value that is no choice.
    fn settlement_of(&mut self, value: &Value) -> Settlement {
        if let Some(object) = value.as_object() {
            // When a budget is used up here, that shows at the next step.
            let _ = self.force(object);
            self.handled(value);
            if let ObjectKind::Promise(promise) = &self.heap.get(object).kind {
                return Settlement {
                    value: promise.value.clone(),
                    rejections: promise.rejections.clone(),
                    segments: promise.segments.clone(),
                };
            }
        }
        Settlement { value: Some(value.clone()), ..Settlement::default() }
    }

    /// Puts off a callback of unknown time and unknown arguments. Gives its number, unless it is put off already.
    pub(super) fn call_later(&mut self, function: &Value) -> Option<u32> {
        const ARGUMENTS: usize = 3;
        if let Some(object) = function.as_object()
            && let ObjectKind::Function(closure) = &self.heap.get(object).kind
        {
            let count = self.schedule.put_off.entry((closure.module, closure.function)).or_default();
            *count += 1;
            if *count > MAX_ALIKE {
                return None;
            }
        }
        self.call_in(function, Callback { phase: None, arguments: ARGUMENTS, result_of: None })
    }

    /// Puts off a callback until its time comes. Gives its number, unless it is put off already.
    pub(super) fn call_in(&mut self, function: &Value, callback: Callback) -> Option<u32> {
        if self.schedule.is_full() {
            return None;
        }
        let extension = self.extension;
        let already =
            self.schedule.tasks.iter().any(|it| {
                it.extension == extension && it.function.is_same(function) && it.callback == callback
            });
        if already { None } else { self.put_off(function, callback) }
    }

    /// Puts off a callback even if it is put off already. Gives its number.
    pub(super) fn put_off(&mut self, function: &Value, callback: Callback) -> Option<u32> {
        if self.schedule.is_full() {
            return None;
        }
        let extension = self.extension;
        self.schedule.numbered += 1;
        let number = self.schedule.numbered;
        let task = Task {
            number,
            extension,
            function: function.clone(),
            callback,
            guard: self.path.since_mark(0),
            facts: self.control,
            at: self.here,
            depth: self.schedule.depth + 1,
            repeats: 0,
            is_soon: false,
        };
        self.schedule.tasks.push_back(task);
        Some(number)
    }

    /// A task is that of a timer that fires again and again: some of its turns are followed.
    pub(super) fn repeat_later(&mut self, number: u32) {
        const TURNS: u32 = 2;
        if let Some(at) = self.schedule.task_position(number)
            && let Some(task) = self.schedule.tasks.get_mut(at)
        {
            task.repeats = TURNS;
        }
    }

    /// Code that cannot be followed may settle a promise.
    pub(super) fn settled_outside(&mut self, promise: &Value) {
        if let Some(object) = promise.as_object()
            && let ObjectKind::Promise(it) = &mut self.heap.get_mut(object).kind
        {
            it.settler = Settler::Outside;
        }
    }

    /// Runs what is called after loading.
    pub(super) fn run_tasks(&mut self) {
        // Tasks of different extensions take turns: each extension goes on with what is left of its own.
        let mut budgets: FxHashMap<ExtensionId, Budget> = FxHashMap::default();
        while let Some(task) = self.schedule.tasks.pop_front() {
            let extension = task.extension;
            self.switch_to(extension);
            self.budget = budgets.remove(&extension).unwrap_or_else(|| {
                self.reach.start_extension();
                Budget::of_extension()
            });
            // Where nothing is left, that is said of whatever may register.
            self.run_if_it_matters(task);
            budgets.insert(extension, std::mem::take(&mut self.budget));
        }
    }

    /// Runs what is called after loading if it may register anything, or if its result is wanted.
    fn run_if_it_matters(&mut self, task: Task) {
        if task.callback.result_of.is_some() || task.is_soon || self.may_register(&task.function) {
            if let Some(repeats) = task.repeats.checked_sub(1) {
                let again = Task { repeats, ..task.again() };
                self.schedule.tasks.push_back(again);
            }
            self.run_task(task);
        }
    }

    /// From now on the code of this extension runs.
    fn switch_to(&mut self, extension: ExtensionId) {
        self.extension = extension;
        self.instances.switch_to(extension);
    }

    fn run_task(&mut self, task: Task) {
        self.reset();
        self.budget.start_handler();
        self.here = task.at;
        self.control = task.facts;
        self.schedule.depth = task.depth;
        let Callback { phase, arguments, result_of } = task.callback;
        let known = self.known_event(phase.as_ref());
        let segment = self.schedule.add(phase.or(Some(Phase::Later)));
        self.schedule.begin(segment);
        let mut args: Vec<Value> = (0..arguments)
            .map(|_| self.unknown(ReasonKind::SessionValue, "a value of the running session"))
            .collect();
        if let (Some(first), Some(event)) = (args.first_mut(), known) {
            *first = event;
        }
        let result = self.under(&task.guard, |me| {
            let result = me.call(&task.function, &Value::UNDEFINED, Arguments::of(args))?;
            let result = me.await_value(&result)?;
            me.run_microtasks()?;
            Ok(result)
        });
        if task.is_soon {
            let throws = self.take_exits(0, |kind| matches!(kind, ExitKind::Throw(..)));
            self.note_thrown(throws);
        }
        match (result, result_of) {
            // A handler that always throws gives nothing: Pi reports the error and goes on.
            (Ok(value), Some(record)) => self.set_payload(record, &value.unwrap_or(Value::UNDEFINED)),
            (Ok(_), None) => {}
            (Err(_), _) => {
                self.schedule.current = segment;
                self.out_of_budget();
            }
        }
        self.budget.end_handler();
        self.schedule.depth = 0;
        self.reset();
    }

    /// The event that a handler gets, where it is known beforehand: that of `resources_discover` at the start of a session
    /// (Pi: `dist/core/extensions/runner.js`, `emitResourcesDiscover`).
    fn known_event(&mut self, phase: Option<&Phase>) -> Option<Value> {
        let Some(Phase::Event(name)) = phase else { return None };
        if &**name != "resources_discover" {
            return None;
        }
        let event = self.new_object();
        self.put(event, "type", Value::string("resources_discover"));
        self.put(event, "cwd", Value::string(self.world.options.cwd.as_str()));
        self.put(event, "reason", Value::string("startup"));
        Some(event.into())
    }

    /// All that was found about an extension.
    pub(super) fn evaluated(&mut self, extension: ExtensionId, failure: Option<Failure>) -> Evaluated {
        let registrations = self.registrations(extension);
        Evaluated { extension, failure, registrations }
    }
}

fn unloadable(problem: &LoadProblem) -> Failure {
    Failure {
        message: format!("Failed to load extension: {}", problem.message),
        explanation: problem.explanation.to_string(),
        at: problem.at,
        certainty: Certainty::Certain,
    }
}
