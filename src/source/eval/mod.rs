//! The partial evaluator: runs the factory of each extension abstractly, with real values where they are known and
//! unknown ones where they are not, and writes down what it registers.
//!
//! | file | about |
//! |---|---|
//! | `value`, `heap`, `scope`, `fact` | what there is |
//! | `path`, `branch` | conditions: what is assumed, and both ways of what is not known |
//! | `expression`, `operator`, `pattern`, `statement`, `iteration`, `protocol`, `class` | the language |
//! | `generator`, `suspension`, `suspended_loop`, `yields` | generators |
//! | `property`, `writing`, `listing`, `call`, `native` | objects and functions |
//! | `module`, `loading`, `interop`, `star`, `phases`, `clock`, `detached`, `uncaught` | when what runs |
//! | `api`, `reach`, `record`, `snapshot` | `pi`, and what is handed on |
//! | `shown` | how messages show things |
//! | `builtin/`, `host/` | what the language, Node and Pi bring |
//! | `budget`, `summary`, `watch` | that all of this ends, and soon |

mod api;
mod branch;
mod budget;
mod builtin;
mod call;
mod class;
mod clock;
mod commonjs_names;
mod detached;
mod expression;
mod fact;
mod generator;
mod guard;
mod heap;
mod host;
mod interop;
mod iteration;
mod listing;
mod loading;
mod module;
mod native;
mod operator;
mod path;
mod pattern;
mod phases;
mod property;
mod protocol;
mod reach;
mod realm;
mod record;
mod scope;
mod shown;
mod snapshot;
mod star;
mod statement;
mod summary;
mod suspended_loop;
mod suspension;
#[cfg(test)]
mod tests;
mod uncaught;
mod value;
mod watch;
mod writing;
mod yields;

use std::rc::Rc;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use rustc_hash::FxHashMap;

use self::branch::Exit;
use self::budget::Budget;
use self::detached::Detached;
use self::fact::{FactSet, Facts};
use self::heap::{Heap, InstanceId, ObjectId, SegmentId};
use self::interop::Wrappings;
use self::module::Instances;
use self::path::{Path, Stop};
use self::phases::Schedule;
use self::reach::Reach;
use self::realm::Realm;
use self::record::Records;
use self::scope::{ScopeId, Scopes};
use self::summary::Summaries;
use self::uncaught::Uncaught;
use self::value::{Data, Nature, Unknown, Value};
use super::graph::Ahead;
use super::ir::{FunctionId, Module, Range};
use super::known::{Reason, ReasonKind};
use super::modules::Modules;
use super::registration::Evaluated;
use crate::environment::Environment;
use crate::files::Files;
use crate::install::{EntryKind, ExtensionId, LoadOrder};
use crate::location::{SourceMap, Span};

/// What the evaluator may look at.
#[derive(Clone, Copy)]
pub struct World<'a> {
    /// The files of the machine.
    pub files: &'a dyn Files,
    /// The process environment.
    pub environment: &'a Environment,
    /// Every text that was read.
    pub sources: &'a SourceMap,
    /// The parsed modules.
    pub modules: &'a Modules<'a>,
    /// Where Pi would run.
    pub options: &'a Options,
}

/// Where and how Pi would run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The working directory.
    pub cwd: Utf8PathBuf,
    /// Pi's agent directory.
    pub agent_dir: Utf8PathBuf,
}

/// Evaluates the extensions of a load order in execution order, over one `globalThis`.
pub fn evaluate(world: World<'_>, order: &LoadOrder) -> Vec<Evaluated> {
    std::thread::scope(|scope| {
        let run = || {
            let paths = entry_paths(order);
            world.modules.load_ahead(&paths, |ahead| Evaluator::new(world).extensions(order, ahead))
        };
        match std::thread::Builder::new().stack_size(budget::STACK_BYTES).spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => Vec::new(),
        }
    })
}

/// The modules that will be asked for, in this order.
fn entry_paths(order: &LoadOrder) -> Vec<&Utf8Path> {
    let executed = order.executed().into_iter();
    executed.filter(|it| it.kind == EntryKind::File).map(|it| &*it.import_path).collect()
}

/// A function call that is under way, or the top level of a module.
#[derive(Debug)]
struct Frame {
    /// Where the path stood when it began.
    mark: usize,
    this: Value,
    /// The object that `super` starts from.
    home: Option<ObjectId>,
    new_target: Option<ObjectId>,
    /// The function, if it is one of the program.
    code: Option<(InstanceId, FunctionId)>,
    /// The module whose top level it is, if it is one.
    top_level: Option<InstanceId>,
    /// Whether it has gone on after an `await`.
    has_waited: bool,
    arguments: Option<Arguments>,
    /// Whether `this` is there only once `super` is called.
    awaits_super: bool,
    is_async: bool,
    /// The segment in which it began.
    segment: SegmentId,
    /// What a generator has yielded.
    yields: Option<generator::Yields>,
}

/// The arguments of a call.
#[derive(Debug, Clone, Default)]
struct Arguments {
    /// Those that are known to be given.
    values: Vec<Value>,
    /// What further ones may be, after a spread that is not known.
    rest: Option<Value>,
}

impl Arguments {
    fn of(values: impl Into<Vec<Value>>) -> Self {
        Self { values: values.into(), rest: None }
    }
}

/// Where code is evaluated: a module and a scope of it.
#[derive(Clone, Copy)]
struct Context<'m> {
    module: &'m Module,
    instance: InstanceId,
    scope: ScopeId,
}

impl Context<'_> {
    fn in_scope(self, scope: ScopeId) -> Self {
        Self { scope, ..self }
    }
}

/// The state of an evaluation.
struct Evaluator<'a> {
    world: World<'a>,
    heap: Heap,
    scopes: Scopes,
    path: Path,
    facts: Facts,
    /// The facts that decide that the current code runs.
    control: FactSet,
    frames: Vec<Frame>,
    exits: Vec<Exit>,
    /// The calls that lead here.
    trail: Vec<Span>,
    /// How many unknown conditions were taken one way to get here, on the way in.
    forks: u32,
    /// Whether a way was left out because a built-in operation would throw on it.
    tripped: bool,
    /// How many `try` blocks with a handler surround the current code.
    guarded: u32,
    /// How many calls that may throw are told apart in the innermost of them.
    throws_noted: u32,
    /// Where writes are noted while the body of an unknown loop runs.
    writes: Option<Vec<iteration::Write>>,
    /// How many such loops surround the current code.
    loop_nesting: u32,
    /// Whether one of them will run its turn once more, whatever comes.
    runs_again: bool,
    /// The expression that is being evaluated.
    here: Span,
    budget: Budget,
    realm: Realm,
    instances: Instances,
    wrappings: Wrappings,
    uncaught: Uncaught,
    detached: Detached,
    schedule: Schedule,
    records: Records,
    reach: Reach,
    /// The extension whose code runs.
    extension: ExtensionId,
    /// Unknowns that follow from others, so that asking twice gives the same.
    derived: FxHashMap<(Derivation, u32), Value>,
    summaries: Summaries,
    /// The working directory, which `process.chdir` changes; `None` when it is not known any more.
    cwd: Option<Utf8PathBuf>,
    /// The texts of tagged templates: one object for each place.
    templates: FxHashMap<u32, ObjectId>,
    /// The places of the `yield`s of generators that can stand still at each of them.
    yields: FxHashMap<(InstanceId, FunctionId), Option<Rc<[Range]>>>,
    symbols: Vec<Arc<str>>,
    symbol_registry: FxHashMap<Arc<str>, value::SymbolId>,
}

/// How an unknown follows from another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Derivation {
    /// `unknown.key`.
    Property(heap::PropertyKey),
    /// An operator with a constant.
    Operator(&'static str, Arc<str>),
    /// `!unknown`.
    Not,
    /// `typeof unknown`.
    Typeof,
}

impl Evaluator<'_> {
    fn frame(&self) -> &Frame {
        // There is always one: `Evaluator::new` pushes the bottom frame, and `in_frame` pops only its own.
        #[allow(clippy::indexing_slicing, reason = "never empty")]
        &self.frames[self.frames.len() - 1]
    }

    fn frame_mut(&mut self) -> &mut Frame {
        let top = self.frames.len() - 1;
        #[allow(clippy::indexing_slicing, reason = "never empty")]
        &mut self.frames[top]
    }

    /// A value that cannot be known.
    fn unknown(&mut self, kind: ReasonKind, text: impl Into<Arc<str>>) -> Value {
        let at = Some(self.here);
        self.path.unknown(Reason { kind, text: text.into(), at })
    }

    /// A value of which no more than its type is known.
    fn unknown_of(&mut self, nature: Nature, kind: ReasonKind, text: impl Into<Arc<str>>) -> Value {
        let at = Some(self.here);
        self.path.unknown_of(Reason { kind, text: text.into(), at }, nature)
    }

    /// The unknown that follows from another in some way. The same each time; the reason is the other's.
    fn derive(&mut self, from: &Rc<Unknown>, how: Derivation) -> Value {
        if let Some(value) = self.derived.get(&(how.clone(), from.id)) {
            return value.clone();
        }
        let value = match &how {
            Derivation::Property(heap::PropertyKey::Name(name)) => {
                self.path.unknown_property(from.reason.clone(), name.clone())
            }
            _ => self.path.unknown(from.reason.clone()),
        };
        self.summaries.ask(from.id);
        self.derived.insert((how, from.id), value.clone());
        value
    }

    /// The same value resting on more facts.
    fn with_facts(&mut self, mut value: Value, facts: FactSet) -> Value {
        value.facts = self.facts.union(value.facts, facts);
        value
    }

    /// Throws an error of a built-in class.
    fn throw_error(&mut self, class: &'static str, message: &str) -> Stop {
        let error = self.new_error(class, message);
        self.trip(Value::from(error))
    }

    fn segment(&self) -> SegmentId {
        self.schedule.current
    }

    /// Every extension: first all factories, then what is called later.
    fn extensions(mut self, order: &LoadOrder, mut ahead: Ahead<'_>) -> Vec<Evaluated> {
        let mut failures = Vec::new();
        for entry in order.executed() {
            failures.push((entry.id, self.load(entry, &mut ahead)));
            self.freeze_payloads(entry.id);
        }
        self.run_tasks();
        let evaluated = failures.into_iter().map(|(id, failure)| {
            let failure = failure.or_else(|| self.uncaught.take_thrown(id));
            self.evaluated(id, failure)
        });
        evaluated.collect()
    }

    /// What a function of one expression computes: that is what a test by it tests.
    fn result_place(&self, value: &Value) -> Option<Span> {
        let heap::ObjectKind::Function(closure) = &self.heap.get(value.as_object()?).kind else {
            return None;
        };
        let module = self.instances.module(closure.module);
        match module.function(closure.function).body {
            super::ir::FunctionBody::Expr(expr) => Some(module.expr_span(expr)),
            super::ir::FunctionBody::Block(_) => None,
        }
    }

    /// Where a function or class is written.
    fn function_place(&self, value: &Value) -> Option<Span> {
        let (module, range) = self.code_of(value.as_object()?)?;
        Some(self.instances.module(module).span(range))
    }
}
