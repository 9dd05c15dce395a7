//! Calls that need not be followed again.
//!
//! Code that goes through a text of which nothing is known takes long, since all of its ways are followed, and comes to another text
//! of which nothing is known. Settings are read that way, one file after the other by the same code. So what such
//! a call came to is kept, where it changed nothing and could not have gone another way because of what was known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Evaluator;
use super::budget::Code;
use super::fact::FactSet;
use super::heap::{Closure, Object, ObjectId, ObjectKind, PropertyKey, Slot};
use super::value::{Data, Nature, Value};
use super::watch::Watch;

/// What a call takes at least, in steps, to be worth remembering.
const MIN_STEPS: u32 = 200;

/// What is remembered of one piece of code.
const MAX_SUMMARIES: usize = 8;

/// Properties of an object that is handed over.
const MAX_PROPERTIES: usize = 8;

/// Functions that code leads to.
const MAX_FUNCTIONS: usize = 32;

/// The calls that are remembered.
#[derive(Debug, Default)]
pub struct Summaries {
    of: FxHashMap<Code, Vec<Summary>>,
    /// Unknowns about which something has been asked.
    asked: FxHashSet<u32>,
    /// How often something was done that leaves traces which are not seen otherwise.
    deeds: u32,
}

impl Summaries {
    /// Notes that something follows from an unknown.
    pub fn ask(&mut self, unknown: u32) {
        self.asked.insert(unknown);
    }

    /// Notes a call of a built-in function.
    pub fn note_native(&mut self, name: &str) {
        if !only_computes(name) {
            self.note_deed();
        }
    }

    /// Notes something that leaves traces.
    pub fn note_deed(&mut self) {
        self.deeds += 1;
    }
}

/// What a call came to.
#[derive(Debug)]
struct Summary {
    arguments: Vec<Argument>,
    /// What the code and the functions that it leads to close over.
    captured: Vec<Value>,
    result: Outcome,
}

/// An unknown that follows from an argument.
#[derive(Debug, Clone, Copy)]
struct Outcome {
    /// Which argument.
    from: usize,
    nature: Nature,
}

/// An argument, as far as calls that take it are alike.
#[derive(Debug)]
enum Argument {
    /// Not known, but for its type.
    Unknown(Nature),
    /// A primitive value.
    Primitive(Value),
    /// An object with nothing but such properties.
    Record(Vec<(PropertyKey, Value)>),
}

impl Argument {
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unknown(a), Self::Unknown(b)) => a == b,
            (Self::Primitive(a), Self::Primitive(b)) => a.is_same(b),
            (Self::Record(a), Self::Record(b)) => {
                let mut pairs = a.iter().zip(b);
                a.len() == b.len() && pairs.all(|(a, b)| a.0 == b.0 && a.1.is_same(&b.1))
            }
            _ => false,
        }
    }
}

/// A call that may be remembered, and how things stood before it.
pub struct Question {
    arguments: Vec<Argument>,
    /// Whether nothing had been asked about the unknowns among them.
    is_open: bool,
    /// How many objects and scopes there were, and which had been changed.
    objects: (usize, Watch),
    scopes: (usize, Watch),
    standing: Standing,
    steps: u32,
}

/// How far everything has come that grows when something is done.
#[derive(Debug, PartialEq, Eq)]
struct Standing {
    deeds: u32,
    exits: usize,
    path: usize,
    segments: usize,
    instances: usize,
    tripped: bool,
}

impl Evaluator<'_> {
    /// What a call comes to if it is like one before.
    pub(super) fn summary(&mut self, closure: &Closure, args: &[Value]) -> Option<Value> {
        let code = (closure.module, closure.function);
        if !self.summaries.of.contains_key(&code) {
            return None;
        }
        let arguments = self.likeness(args)?;
        let captured = self.captured(closure)?;
        let summaries = self.summaries.of.get(&code)?;
        let summary = summaries.iter().find(|it| {
            all_alike(&it.arguments, &arguments, Argument::is_like)
                && all_alike(&it.captured, &captured, Value::is_same)
        })?;
        let Outcome { from, nature } = summary.result;
        let reason = args.get(from)?.as_unknown()?.reason.clone();
        let value = self.path.unknown_of(reason, nature);
        let rests_on = args.iter().chain(&captured);
        let facts = rests_on.fold(FactSet::NONE, |facts, it| self.facts.union(facts, it.facts));
        Some(self.with_facts(value, facts))
    }

    /// Notes how things stand before a call that may be remembered.
    pub(super) fn question(&mut self, args: &[Value]) -> Option<Question> {
        let arguments = self.likeness(args)?;
        let mut unknowns = args.iter().filter_map(Value::as_unknown);
        Some(Question {
            arguments,
            is_open: !unknowns.any(|it| self.summaries.asked.contains(&it.id) || self.path.has_tested(it)),
            objects: (self.heap.len(), self.heap.changes.begin()),
            scopes: (self.scopes.len(), self.scopes.changes.begin()),
            standing: self.standing(),
            steps: self.budget.steps_left(),
        })
    }

    /// Remembers what a call came to, if another like it would come to the same. Whether it is remembered.
    pub(super) fn remember(
        &mut self,
        question: Question,
        closure: &Closure,
        args: &[Value],
        result: Option<&Value>,
    ) -> bool {
        let (objects, before) = &question.objects;
        let changes_objects = self.heap.changes.end(before, *objects);
        let (scopes, before) = &question.scopes;
        let changes_variables = self.scopes.changes.end(before, *scopes);
        let took = question.steps.saturating_sub(self.budget.steps_left());
        if changes_objects || changes_variables || took < MIN_STEPS || !question.is_open {
            return false;
        }
        let (Some(result), true) = (result, self.standing() == question.standing) else { return false };
        let Some(nature) = nature_of_unknown(result) else { return false };
        let Some(from) = args.iter().position(has_only_type) else { return false };
        let Some(captured) = self.captured(closure) else { return false };
        let summaries = self.summaries.of.entry((closure.module, closure.function)).or_default();
        if summaries.len() >= MAX_SUMMARIES {
            return false;
        }
        let result = Outcome { from, nature };
        summaries.push(Summary { arguments: question.arguments, captured, result });
        true
    }

    fn standing(&self) -> Standing {
        Standing {
            deeds: self.summaries.deeds,
            exits: self.exits.len(),
            path: self.path.mark(),
            segments: self.schedule.segments(),
            instances: self.instances.len(),
            tripped: self.tripped,
        }
    }

    /// The arguments, if there is one of which only the type is known, and all others are known altogether.
    fn likeness(&self, args: &[Value]) -> Option<Vec<Argument>> {
        if !args.iter().any(has_only_type) {
            return None;
        }
        args.iter()
            .map(|it| match &it.data {
                Data::Unknown(unknown) if has_only_type(it) => Some(Argument::Unknown(unknown.nature)),
                Data::Object(object) => self.as_record(*object),
                _ => is_primitive(it).then(|| Argument::Primitive(it.clone())),
            })
            .collect()
    }

    fn as_record(&self, object: ObjectId) -> Option<Argument> {
        let it = self.heap.get(object);
        let is_plain = matches!(it.kind, ObjectKind::Ordinary) && it.prototype == Some(self.realm.object);
        if !is_plain || it.open.is_some() || it.listed.is_some() {
            return None;
        }
        let mut record = Vec::new();
        for (key, property) in it.properties.iter().take(MAX_PROPERTIES + 1) {
            match &property.slot {
                Slot::Data(value) if is_primitive(value) && record.len() < MAX_PROPERTIES => {
                    record.push((key.clone(), value.clone()));
                }
                _ => return None,
            }
        }
        Some(Argument::Record(record))
    }

    /// The values that code and the functions that it leads to close over: primitive ones and functions; `None` where there are
    /// others.
    fn captured(&mut self, closure: &Closure) -> Option<Vec<Value>> {
        let mut captured = Vec::new();
        let mut functions: Vec<ObjectId> = Vec::new();
        let mut open = vec![closure.clone()];
        while let Some(function) = open.pop() {
            for value in self.captured_by(&function)? {
                if let Some(object) = value.as_object() {
                    let it = self.heap.get(object);
                    match &it.kind {
                        ObjectKind::Native(_) => {}
                        ObjectKind::Function(_) if functions.contains(&object) => {}
                        ObjectKind::Function(inner) if functions.len() < MAX_FUNCTIONS => {
                            functions.push(object);
                            open.push((**inner).clone());
                            captured.extend(held_by(it)?);
                        }
                        _ => return None,
                    }
                } else if !is_primitive(&value) {
                    return None;
                }
                captured.push(value);
            }
        }
        Some(captured)
    }

    /// The values of the variables that the code of a function names and that are not its own.
    fn captured_by(&mut self, closure: &Closure) -> Option<Vec<Value>> {
        let module = self.instances.module(closure.module);
        let code = module.function(closure.function);
        let cx = super::Context { module: &module, instance: closure.module, scope: closure.scope };
        let named = self.named_variables(&module, code.at);
        let mut values = Vec::new();
        for &(binding, _) in &*named {
            let Some(place) = self.scopes.find(closure.scope, binding) else { continue };
            let mut value = self.scopes.get(place).clone();
            if matches!(value.data, Data::Absent) && self.import_of(closure.module, binding).is_some() {
                value = self.peek_import(cx, binding).ok()?;
            }
            values.push(self.path.settle(&value));
        }
        Some(values)
    }
}

/// What a function has as properties: primitive values; `None` where there are others.
fn held_by(function: &Object) -> Option<Vec<Value>> {
    let own = function.properties.iter().filter(|(key, _)| **key != "prototype".into());
    own.map(|(_, property)| match &property.slot {
        Slot::Data(value) => is_primitive(value).then(|| value.clone()),
        Slot::Accessor { .. } => None,
    })
    .collect()
}

/// Whether no more is known of a value than that it is a text, or a number.
fn has_only_type(value: &Value) -> bool {
    value.as_unknown().is_some_and(|it| it.nature.type_name().is_some())
}

/// What is known of a value that is not known, in whichever way it came about: `None` where it is, or where it may be an object.
fn nature_of_unknown(value: &Value) -> Option<Nature> {
    let choice = match &value.data {
        Data::Unknown(unknown) => return Some(unknown.nature),
        Data::Choice(choice) => choice,
        _ => return None,
    };
    let alternatives = || choice.alternatives.iter().map(|it| &it.value);
    let is_text = |it: &Value| match &it.data {
        Data::String(..) => true,
        Data::Unknown(unknown) => unknown.nature.type_name() == Some("string"),
        _ => false,
    };
    let is_covered = alternatives().all(|it| is_primitive(it) || it.as_unknown().is_some())
        && alternatives().any(|it| it.as_unknown().is_some());
    let nature = if alternatives().all(is_text) { Nature::Text } else { Nature::Anything };
    is_covered.then_some(nature)
}

fn is_primitive(value: &Value) -> bool {
    match value.data {
        Data::Absent
        | Data::Undefined
        | Data::Null
        | Data::Bool(_)
        | Data::Number(_)
        | Data::BigInt(_)
        | Data::String(..)
        | Data::Symbol(_) => true,
        Data::Object(_) | Data::Choice(_) | Data::Unknown(_) => false,
    }
}

fn all_alike<T>(a: &[T], b: &[T], is_like: impl Fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_like(a, b))
}

/// Whether a built-in function does nothing but compute: what it changes are objects.
fn only_computes(name: &str) -> bool {
    let class = name.split(['.', '[']).next().unwrap_or(name);
    matches!(
        class,
        "Array"
            | "BigInt"
            | "Boolean"
            | "JSON"
            | "Map"
            | "Math"
            | "Number"
            | "Object"
            | "RegExp"
            | "Set"
            | "String"
            | "Symbol"
            | "isFinite"
            | "isNaN"
            | "parseFloat"
            | "parseInt"
    )
}
