//! What a value leads to: whether code that gets it gets at `pi`, and whether calling it may register anything.
//!
//! Most handlers only use the session. Following them would take time and end in budgets for nothing, so that a
//! callback is followed only if code that it leads to names one of `pi`'s registering methods.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Evaluator;
use super::heap::{Closure, InstanceId, ObjectId, ObjectKind, Slot};
use super::value::{Data, Value};
use crate::source::ir::{BindingId, Expr, ExprId, FunctionId, Key, Module, Pattern, Range};

/// How many objects are looked at before the answer is yes.
const MAX_SEARCHED: usize = 20_000;

/// Where a module mentions what matters here, by position.
#[derive(Debug)]
struct Mentions {
    /// Names of variables.
    variables: Vec<(u32, BindingId)>,
    /// Names of registering methods, and code that is loaded at run time.
    registering: Vec<u32>,
}

/// What has been found out so far.
#[derive(Debug, Default)]
pub struct Reach {
    mentions: FxHashMap<InstanceId, Rc<Mentions>>,
    /// Objects from which nothing that registers is reached.
    harmless: FxHashSet<ObjectId>,
    /// What is known of functions by their code: closures of the same code are taken to be alike.
    by_code: FxHashMap<(InstanceId, FunctionId), bool>,
}

impl Reach {
    /// What one extension has is looked at afresh after the next has changed it.
    pub fn start_extension(&mut self) {
        self.harmless.clear();
        self.by_code.clear();
    }
}

/// Whether a name is that of a registering method.
fn registers(name: &str) -> bool {
    matches!(
        name,
        "registerTool"
            | "registerCommand"
            | "registerFlag"
            | "registerShortcut"
            | "registerMessageRenderer"
            | "registerEntryRenderer"
            | "registerProvider"
            | "unregisterProvider"
    )
}

/// Whether a dynamic import may load code of the extension; packages do not register on their own.
fn may_be_own(module: &Module, specifier: ExprId) -> bool {
    match module.expr(specifier) {
        Expr::String(text) => text.starts_with('.') || text.starts_with('#') || text.starts_with('/'),
        _ => true,
    }
}

impl Mentions {
    fn of(module: &Module) -> Self {
        let mut variables = Vec::new();
        let mut registering = Vec::new();
        for (expr, range) in &module.exprs {
            match expr {
                Expr::Local(binding) => variables.push((range.start, *binding)),
                Expr::Member { property: name, .. } | Expr::String(name) if registers(name) => {
                    registering.push(range.start);
                }
                Expr::ImportCall(specifier) if may_be_own(module, *specifier) => {
                    registering.push(range.start);
                }
                _ => {}
            }
        }
        for (pattern, range) in &module.patterns {
            if let Pattern::Object { properties, .. } = pattern
                && properties.iter().any(|(key, _)| matches!(key, Key::Name(name) if registers(name)))
            {
                registering.push(range.start);
            }
        }
        variables.sort_unstable();
        registering.sort_unstable();
        Self { variables, registering }
    }

    fn registers_within(&self, range: Range) -> bool {
        let from = self.registering.partition_point(|&it| it < range.start);
        self.registering.get(from).is_some_and(|&it| it < range.end)
    }

    fn variables_within(&self, range: Range) -> impl Iterator<Item = BindingId> {
        let from = self.variables.partition_point(|it| it.0 < range.start);
        let within = self.variables.get(from..).unwrap_or_default();
        within.iter().take_while(move |it| it.0 < range.end).map(|it| it.1)
    }
}

impl Evaluator<'_> {
    /// Whether calling a value may register something.
    pub(super) fn may_register(&mut self, value: &Value) -> bool {
        let code = value.as_object().and_then(|it| match &self.heap.get(it).kind {
            ObjectKind::Function(closure) => Some((closure.module, closure.function)),
            _ => None,
        });
        if let Some(&known) = code.and_then(|it| self.reach.by_code.get(&it)) {
            return known;
        }
        let answer = self.leads_to_registering(value);
        if let Some(code) = code {
            self.reach.by_code.insert(code, answer);
        }
        answer
    }

    fn leads_to_registering(&mut self, value: &Value) -> bool {
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut open = objects_of(value);
        while let Some(object) = open.pop() {
            if self.reach.harmless.contains(&object) || !seen.insert(object) {
                continue;
            }
            if seen.len() > MAX_SEARCHED || self.registers_itself(object) {
                return true;
            }
            self.add_neighbours(object, &mut open);
        }
        self.reach.harmless.extend(seen);
        false
    }

    /// Whether an object is a registering method taken from `pi`, or code that names one.
    fn registers_itself(&mut self, object: ObjectId) -> bool {
        match &self.heap.get(object).kind {
            ObjectKind::Native(native) => is_registering_method(native.name),
            ObjectKind::Function(closure) => {
                let (module, function) = (closure.module, closure.function);
                self.code_registers(module, function)
            }
            ObjectKind::Class(class) => {
                let (id, class) = (class.module, class.class);
                let module = self.instances.module(id);
                self.mentions(id).registers_within(module.class(class).at)
            }
            _ => false,
        }
    }

    fn code_registers(&mut self, id: InstanceId, function: FunctionId) -> bool {
        let module = self.instances.module(id);
        self.mentions(id).registers_within(module.function(function).at)
    }

    fn mentions(&mut self, id: InstanceId) -> Rc<Mentions> {
        if let Some(known) = self.reach.mentions.get(&id) {
            return Rc::clone(known);
        }
        let mentions = Rc::new(Mentions::of(&self.instances.module(id)));
        self.reach.mentions.insert(id, Rc::clone(&mentions));
        mentions
    }

    fn add_neighbours(&mut self, object: ObjectId, open: &mut Vec<ObjectId>) {
        let it = self.heap.get(object);
        // The object `pi` itself is harmless: what counts is code that names its methods.
        if it.properties.iter().any(|(_, it)| self.is_registering_slot(&it.slot)) {
            return;
        }
        for (_, property) in it.properties.iter() {
            match &property.slot {
                Slot::Data(value) => open.extend(objects_of(value)),
                Slot::Accessor { get, set } => open.extend(get.iter().chain(set.iter()).copied()),
            }
        }
        open.extend(it.prototype);
        let closure = match &it.kind {
            ObjectKind::Function(closure) => Some(closure.clone()),
            ObjectKind::Array(elements) => {
                open.extend(elements.iter().flat_map(objects_of));
                None
            }
            ObjectKind::Map(entries) | ObjectKind::Set(entries) => {
                for (key, value) in entries.present() {
                    open.extend(objects_of(key));
                    open.extend(objects_of(value));
                }
                None
            }
            ObjectKind::Proxy { target, handler } => {
                open.extend(objects_of(target));
                open.extend(objects_of(handler));
                None
            }
            ObjectKind::Bound(bound) => {
                open.extend(objects_of(&bound.target));
                open.extend(objects_of(&bound.this));
                open.extend(bound.args.iter().flat_map(objects_of));
                None
            }
            ObjectKind::Promise(promise) => {
                open.extend(promise.value.iter().flat_map(objects_of));
                None
            }
            ObjectKind::Class(class) => {
                open.extend(class.parent.iter().flat_map(objects_of));
                let (id, class, scope) = (class.module, class.class, class.scope);
                let range = self.instances.module(id).class(class).at;
                self.add_variables(id, range, scope, open);
                None
            }
            _ => None,
        };
        if let Some(closure) = closure {
            self.add_closure(&closure, open);
        }
    }

    fn is_registering_slot(&self, slot: &Slot) -> bool {
        let Slot::Data(Value { data: Data::Object(object), .. }) = slot else { return false };
        matches!(&self.heap.get(*object).kind, ObjectKind::Native(it) if is_registering_method(it.name))
    }

    fn add_closure(&mut self, closure: &Closure, open: &mut Vec<ObjectId>) {
        open.extend(closure.this.iter().flat_map(objects_of));
        open.extend(closure.home);
        let range = self.instances.module(closure.module).function(closure.function).at;
        self.add_variables(closure.module, range, closure.scope, open);
    }

    /// The objects in the variables that code within a range names.
    fn add_variables(
        &mut self,
        id: InstanceId,
        range: Range,
        scope: super::scope::ScopeId,
        open: &mut Vec<ObjectId>,
    ) {
        let mentions = self.mentions(id);
        let module = self.instances.module(id);
        let cx = super::Context { module: &module, instance: id, scope };
        for binding in mentions.variables_within(range) {
            let Some(place) = self.scopes.find(scope, binding) else { continue };
            let value = self.scopes.get(place);
            if matches!(value.data, Data::Absent) {
                if let Ok(value) = self.import_value(cx, binding) {
                    open.extend(objects_of(&value));
                }
            } else {
                open.extend(objects_of(value));
            }
        }
    }

    /// Whether code that gets this value gets at `pi`.
    pub(super) fn reaches_api(&self, value: &Value) -> bool {
        const MAX_SEARCHED: usize = 400;
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut open: Vec<ObjectId> = objects_of(value);
        while let Some(object) = open.pop() {
            if !seen.insert(object) || seen.len() > MAX_SEARCHED {
                continue;
            }
            let it = self.heap.get(object);
            match &it.kind {
                ObjectKind::Native(native) if is_registering_method(native.name) => return true,
                ObjectKind::Array(elements) => open.extend(elements.iter().flat_map(objects_of)),
                ObjectKind::Proxy { target, .. } => open.extend(objects_of(target)),
                ObjectKind::Bound(bound) => {
                    open.extend(objects_of(&bound.target));
                    open.extend(objects_of(&bound.this));
                }
                ObjectKind::Promise(promise) => open.extend(promise.value.iter().flat_map(objects_of)),
                // What functions close over is theirs: they are followed when they are called.
                ObjectKind::Function(_) | ObjectKind::Class(_) | ObjectKind::Native(_) => continue,
                _ => {}
            }
            for (_, property) in it.properties.iter() {
                if let Slot::Data(value) = &property.slot {
                    open.extend(objects_of(value));
                }
            }
        }
        false
    }
}

/// Whether a built-in function is one of `pi`'s registering methods.
fn is_registering_method(name: &str) -> bool {
    name.strip_prefix("pi.").is_some_and(registers)
}

fn objects_of(value: &Value) -> Vec<ObjectId> {
    match &value.data {
        Data::Object(object) => vec![*object],
        Data::Choice(choice) => choice.alternatives.iter().filter_map(|it| it.value.as_object()).collect(),
        _ => Vec::new(),
    }
}
