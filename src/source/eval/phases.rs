//! When what runs: the factory, what it waits for, and what is called after loading.
//!
//! Code that waits inside an asynchronous function goes on in a *segment* of its own. Whether that is still part of
//! the factory is known once it is clear who waits for it: a segment that nobody waits for happens later.

use super::branch::{Exit, ExitKind};
use super::heap::{InstanceId, ObjectKind, SegmentId};
use super::native::Eval;
use super::path::Stop;
use super::record::RecordId;
use super::value::{Data, Guard, Value};
use super::{Arguments, Evaluator, FactSet, FxHashMap};
use crate::install::{Entry, EntryKind, ExtensionId};
use crate::location::Span;
use crate::source::graph::Ahead;
use crate::source::ir::FunctionId;
use crate::source::known::{Reason, ReasonKind};
use crate::source::problem::LoadProblem;
use crate::source::registration::{Certainty, Evaluated, Failure, Phase};

/// A stretch of code that runs without waiting.
#[derive(Debug, Default)]
struct Segment {
    phase: Option<Phase>,
    awaited_by: Option<SegmentId>,
}

/// A callback that is called after loading.
#[derive(Debug)]
struct Task {
    extension: ExtensionId,
    function: Value,
    callback: Callback,
    guard: Guard,
    facts: FactSet,
    at: Span,
    depth: u32,
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
    tasks: std::collections::VecDeque<Task>,
    depth: u32,
    /// How often callbacks of unknown time were put off, by their code.
    put_off: FxHashMap<(InstanceId, FunctionId), u32>,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            current: SegmentId(0),
            segments: vec![Segment::default()],
            tasks: std::collections::VecDeque::new(),
            depth: 0,
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
    /// Whether everything has loaded.
    pub fn is_late(&self) -> bool {
        self.depth > 0
    }

    /// A new segment.
    pub fn add(&mut self, phase: Option<Phase>) -> SegmentId {
        let id = SegmentId(u32::try_from(self.segments.len()).unwrap_or(u32::MAX));
        self.segments.push(Segment { phase, awaited_by: None });
        id
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

    /// When a segment happens.
    pub fn phase(&self, segment: SegmentId) -> Phase {
        let mut at = segment;
        for _ in 0..self.segments.len() {
            let Some(it) = self.segments.get(at.0 as usize) else { break };
            if let Some(phase) = &it.phase {
                return phase.clone();
            }
            match it.awaited_by {
                Some(next) => at = next,
                None => break,
            }
        }
        Phase::Later
    }
}

impl Evaluator<'_> {
    /// Loads one extension: its modules, then its factory.
    pub(super) fn load(&mut self, entry: &Entry, ahead: &mut Ahead) -> Option<Failure> {
        self.extension = entry.id;
        self.budget.start_extension();
        self.instances.start_extension();
        self.reset();
        let segment = self.schedule.add(Some(Phase::Factory));
        self.schedule.current = segment;
        if entry.kind != EntryKind::File {
            return None;
        }
        self.package = self.package_of(&entry.import_path);
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
        self.loaded(&result)
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
        self.await_value(&result)
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

    fn error_text(&mut self, error: &Value) -> String {
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
        self.each(value, |me, value| match &value.data {
            Data::Unknown(_) => {
                me.wait();
                Ok(value.clone())
            }
            Data::Object(object) => {
                let ObjectKind::Promise(promise) = &me.heap.get(*object).kind else {
                    return Ok(value.clone());
                };
                let promise = promise.clone();
                me.schedule.awaits(&promise.segments);
                if !promise.segments.is_empty() || promise.is_pending {
                    me.wait();
                    me.schedule.awaits(&promise.segments);
                }
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
        })
    }

    /// The current function waits for something that takes time: what follows is a segment of its own.
    pub(super) fn wait(&mut self) {
        if !self.frame().is_async {
            return;
        }
        let next = self.schedule.add(None);
        // What the function did since it last waited comes before what it does now.
        let last = self.schedule.current;
        if last != self.frame().segment {
            self.schedule.current = next;
            self.schedule.awaits(&[last]);
        }
        self.schedule.current = next;
    }

    /// The value of a promise for one who returns it: a promise of a promise is the inner one.
    pub(super) fn unwrapped(&mut self, value: &Value, segments: &mut Vec<SegmentId>) -> Value {
        let mut found = Vec::new();
        let result = self.map(value, |me, it| {
            let Some(object) = it.as_object() else { return it.clone() };
            match &me.heap.get(object).kind {
                ObjectKind::Promise(promise) => {
                    found.extend_from_slice(&promise.segments);
                    promise.value.clone().unwrap_or(Value::UNDEFINED)
                }
                _ => it.clone(),
            }
        });
        segments.extend(found);
        result
    }

    /// Puts off a callback of unknown time and unknown arguments.
    pub(super) fn call_later(&mut self, function: &Value) {
        const ARGUMENTS: usize = 3;
        if let Some(object) = function.as_object()
            && let ObjectKind::Function(closure) = &self.heap.get(object).kind
        {
            let count = self.schedule.put_off.entry((closure.module, closure.function)).or_default();
            *count += 1;
            if *count > MAX_ALIKE {
                return;
            }
        }
        self.call_in(function, Callback { phase: None, arguments: ARGUMENTS, result_of: None });
    }

    /// Puts off a callback until its time comes.
    pub(super) fn call_in(&mut self, function: &Value, callback: Callback) {
        if self.schedule.depth >= MAX_TASK_DEPTH || self.schedule.tasks.len() >= MAX_TASKS {
            return;
        }
        let extension = self.extension;
        let already =
            self.schedule.tasks.iter().any(|it| {
                it.extension == extension && it.function.is_same(function) && it.callback == callback
            });
        if already {
            return;
        }
        let task = Task {
            extension,
            function: function.clone(),
            callback,
            guard: self.path.since_mark(0),
            facts: self.control,
            at: self.here,
            depth: self.schedule.depth + 1,
        };
        self.schedule.tasks.push_back(task);
    }

    /// Runs what is called after loading.
    pub(super) fn run_tasks(&mut self) {
        let mut begun: Vec<ExtensionId> = Vec::new();
        while let Some(task) = self.schedule.tasks.pop_front() {
            if !begun.contains(&task.extension) {
                begun.push(task.extension);
                self.budget.start_extension();
                self.reach.start_extension();
            }
            if self.budget.is_spent() {
                continue;
            }
            if task.callback.result_of.is_some() || self.may_register(&task.function) {
                self.run_task(task);
            }
        }
    }

    fn run_task(&mut self, task: Task) {
        self.reset();
        self.budget.start_handler();
        self.extension = task.extension;
        self.here = task.at;
        self.control = task.facts;
        self.schedule.depth = task.depth;
        let Callback { phase, arguments, result_of } = task.callback;
        let known = self.known_event(phase.as_ref());
        let segment = self.schedule.add(phase.or(Some(Phase::Later)));
        self.schedule.current = segment;
        let mut args: Vec<Value> = (0..arguments)
            .map(|_| self.unknown(ReasonKind::SessionValue, "a value of the running session"))
            .collect();
        if let (Some(first), Some(event)) = (args.first_mut(), known) {
            *first = event;
        }
        let result = self.under(&task.guard, |me| {
            let result = me.call(&task.function, &Value::UNDEFINED, Arguments::of(args))?;
            me.await_value(&result)
        });
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
