//! What a value leads to: whether code that gets it gets at `pi`, and whether calling it may register anything.
//!
//! Most handlers only use the session. Following them would take time and end in budgets for nothing, so that a
//! callback is followed only if code that it leads to names one of `pi`'s registering methods.

mod graph;
mod search;

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use self::graph::{Graphs, Texts};
use self::search::Searched;
use super::Evaluator;
use super::heap::{Closure, InstanceId, ObjectId, ObjectKind, Slot};
use super::scope::{Place, ScopeId};
use super::value::{Data, Value};
use crate::install::ExtensionId;
use crate::source::ir::{BindingId, FunctionId, Module, Range};
use crate::source::mentions::{Mentions, Named, registers};
use crate::source::resolve::Resolution;

/// How many objects are looked at before the answer is yes.
const MAX_SEARCHED: usize = 100_000;

/// What has been found out so far.
#[derive(Debug, Default)]
pub struct Reach {
    searched: Searched,
    /// Which objects are registering methods of `pi`, by their places.
    registering: Vec<bool>,
    /// What is known of functions by their code: closures of the same code are taken to be alike.
    by_code: FxHashMap<(InstanceId, FunctionId), bool>,
    texts: Texts,
    graphs: FxHashMap<ExtensionId, Graphs>,
}

impl Reach {
    /// Notes a built-in function that has been made.
    pub fn note_native(&mut self, object: ObjectId, name: &str) {
        if is_registering_method(name) {
            self.registering.resize(object.index() + 1, false);
            self.registering[object.index()] = true;
        }
    }

    fn is_registering(&self, object: ObjectId) -> bool {
        self.registering.get(object.index()).copied().unwrap_or(false)
    }

    /// What one extension has is looked at afresh after the next has changed it.
    pub fn start_extension(&mut self) {
        self.searched.clear();
        self.by_code.clear();
    }
}

/// What code does that an object leads to, short of registering anything itself.
#[derive(Debug, Clone, Copy, Default)]
struct Traits {
    /// Some of the code loads code that is not known.
    loads_unknown: bool,
    /// Some of the code does more with `pi` than calling its methods: code that it loads may get it.
    hands_api_on: bool,
    /// Some of the code does so and uses code of packages, which may be what gets it.
    hands_api_abroad: bool,
}

impl Traits {
    fn with(self, other: Self) -> Self {
        Self {
            loads_unknown: self.loads_unknown || other.loads_unknown,
            hands_api_on: self.hands_api_on || other.hands_api_on,
            hands_api_abroad: self.hands_api_abroad || other.hands_api_abroad,
        }
    }

    /// Whether code that is not seen may register something.
    fn may_register(self) -> bool {
        self.hands_api_abroad || (self.loads_unknown && self.hands_api_on)
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

    /// Whether a value leads to an object of some kind. Also true when there is more to look at than the limit.
    pub(super) fn leads_to(
        &mut self,
        value: &Value,
        limit: usize,
        is_it: impl Fn(&Self, ObjectId) -> bool,
    ) -> bool {
        let mut open: Vec<ObjectId> = value.objects().collect();
        let mut seen = FxHashSet::default();
        while let Some(object) = open.pop() {
            if !seen.insert(object) {
                continue;
            }
            if seen.len() > limit || is_it(self, object) {
                return true;
            }
            self.add_neighbours(object, &mut open);
        }
        false
    }

    /// Where the code of a function or class stands.
    pub(super) fn code_of(&self, object: ObjectId) -> Option<(InstanceId, Range)> {
        match &self.heap.get(object).kind {
            ObjectKind::Function(it) => {
                Some((it.module, self.instances.module_ref(it.module).function(it.function).at))
            }
            ObjectKind::Class(it) => {
                Some((it.module, self.instances.module_ref(it.module).class(it.class).at))
            }
            _ => None,
        }
    }

    /// Whether code names a registering method, or loads code that does.
    pub(super) fn range_registers(&mut self, id: InstanceId, range: Range) -> bool {
        let mentions = self.mentions(id);
        self.code_registers(id, range, &mentions)
    }

    /// The same, with what its module mentions.
    fn code_registers(&mut self, id: InstanceId, range: Range, mentions: &Mentions) -> bool {
        mentions.registers_within(range)
            || mentions.loaded_within(range).any(|specifier| self.import_registers(id, specifier))
    }

    /// Whether code names a variable that lives in one of some places.
    pub(super) fn names_variable(
        &mut self,
        id: InstanceId,
        range: Range,
        scope: ScopeId,
        is_it: impl Fn(Place) -> bool,
    ) -> bool {
        let module = self.instances.module(id);
        let named = self.named_variables(&module, range);
        named.iter().any(|it| self.scopes.find(scope, it.0).is_some_and(&is_it))
    }

    /// The variables that code within a range names, each once.
    pub(super) fn named_variables(&mut self, module: &Module, range: Range) -> Rc<[Named]> {
        self.reach.texts.variables(self.world.modules, module, range)
    }

    fn mentions(&mut self, id: InstanceId) -> Arc<Mentions> {
        let module = self.instances.module(id);
        self.reach.texts.mentions(self.world.modules, &module)
    }

    /// Adds the objects to which an object leads in one step. What code of its own does with `pi` is returned.
    fn add_neighbours(&mut self, object: ObjectId, open: &mut Vec<ObjectId>) -> Traits {
        let it = self.heap.get(object);
        // The object `pi` itself is harmless: what counts is code that names its methods.
        if self.is_api(object) {
            return Traits { hands_api_on: true, ..Traits::default() };
        }
        for (_, property) in it.properties.iter() {
            match &property.slot {
                Slot::Data(value) => open.extend(value.objects()),
                Slot::Accessor { get, set } => open.extend(get.iter().chain(set.iter()).copied()),
            }
        }
        open.extend(it.prototype);
        let closure = match &it.kind {
            ObjectKind::Function(closure) => Some(closure.clone()),
            ObjectKind::Array(elements) => {
                open.extend(elements.iter().flat_map(Value::objects));
                None
            }
            ObjectKind::Map(entries) | ObjectKind::Set(entries) => {
                for (key, value) in entries.present() {
                    open.extend(key.objects());
                    open.extend(value.objects());
                }
                None
            }
            ObjectKind::Proxy { target, handler } => {
                open.extend(target.objects());
                open.extend(handler.objects());
                None
            }
            ObjectKind::Bound(bound) => {
                open.extend(bound.target.objects());
                open.extend(bound.this.objects());
                open.extend(bound.args.iter().flat_map(Value::objects));
                None
            }
            ObjectKind::Promise(promise) => {
                open.extend(promise.value.iter().flat_map(Value::objects));
                None
            }
            ObjectKind::Class(class) => {
                open.extend(class.parent.iter().flat_map(Value::objects));
                let (id, class, scope) = (class.module, class.class, class.scope);
                let module = self.instances.module(id);
                let named = self.named_variables(&module, module.class(class).at);
                let cx = super::Context { module: &module, instance: id, scope };
                return self.add_variables(cx, &named, open);
            }
            _ => None,
        };
        closure.map(|it| self.add_closure(&it, open)).unwrap_or_default()
    }

    /// Whether a name is bound by an import of code that cannot register something, being neither the extension's own nor that of a
    /// package made for Pi; and if so, whether it is code that was read.
    fn import_cannot_register(&mut self, id: InstanceId, binding: BindingId) -> Option<bool> {
        match self.import_of(id, binding)? {
            Resolution::File(file) if self.is_own_file(file) => None,
            Resolution::File(file) => {
                let file = file.clone();
                (!self.knows_pi(&file)).then_some(true)
            }
            Resolution::Host(_) | Resolution::Builtin(_) => Some(false),
            Resolution::Opaque(_) | Resolution::Missing(_) => None,
        }
    }

    /// Whether an import leads to code that has not run, so that it holds nothing yet, and that names no registering method.
    fn import_is_harmless(&mut self, id: InstanceId, binding: BindingId) -> bool {
        let Some(Resolution::File(file)) = self.import_of(id, binding) else { return false };
        let file = file.clone();
        !self.has_run(&file) && !self.graph_registers(&file)
    }

    /// Whether an object is `pi`, or made in its likeness.
    fn is_api(&self, object: ObjectId) -> bool {
        self.heap.get(object).properties.iter().any(|(_, it)| self.is_registering_slot(&it.slot))
    }

    fn is_registering_slot(&self, slot: &Slot) -> bool {
        matches!(slot, Slot::Data(Value { data: Data::Object(object), .. }) if self.reach.is_registering(*object))
    }

    fn add_closure(&mut self, closure: &Closure, open: &mut Vec<ObjectId>) -> Traits {
        open.extend(closure.this.iter().flat_map(Value::objects));
        open.extend(closure.home);
        let module = self.instances.module(closure.module);
        let mentions = self.reach.texts.mentions(self.world.modules, &module);
        let cx = super::Context { module: &module, instance: closure.module, scope: closure.scope };
        if let Some(named) = mentions.variables_of(closure.function) {
            return self.add_variables(cx, named, open);
        }
        let named = self.named_variables(&module, module.function(closure.function).at);
        self.add_variables(cx, &named, open)
    }

    /// The objects in variables that code names.
    fn add_variables(&mut self, cx: super::Context<'_>, named: &[Named], open: &mut Vec<ObjectId>) -> Traits {
        let (id, scope) = (cx.instance, cx.scope);
        let (mut hands_on, mut goes_abroad) = (false, false);
        for &(binding, is_handed_on) in named {
            if let Some(is_file) = self.import_cannot_register(id, binding) {
                goes_abroad |= is_file;
                continue;
            }
            let Some(place) = self.scopes.find(scope, binding) else { continue };
            let value = self.scopes.get(place);
            let value = if matches!(value.data, Data::Absent) {
                if self.import_is_harmless(id, binding) {
                    continue;
                }
                let Ok(value) = self.peek_import(cx, binding) else { continue };
                value
            } else {
                value.clone()
            };
            hands_on |= is_handed_on && value.objects().any(|it| self.is_api(it));
            open.extend(value.objects().filter(|&it| is_handed_on || !self.is_api(it)));
        }
        Traits { hands_api_abroad: hands_on && goes_abroad, ..Traits::default() }
    }

    /// Whether code that gets this value gets at `pi`.
    pub(super) fn reaches_api(&self, value: &Value) -> bool {
        const MAX_SEARCHED: usize = 400;
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut open: Vec<ObjectId> = value.objects().collect();
        while let Some(object) = open.pop() {
            if !seen.insert(object) || seen.len() > MAX_SEARCHED {
                continue;
            }
            let it = self.heap.get(object);
            match &it.kind {
                ObjectKind::Native(_) if self.reach.is_registering(object) => return true,
                ObjectKind::Array(elements) => open.extend(elements.iter().flat_map(Value::objects)),
                ObjectKind::Proxy { target, .. } => open.extend(target.objects()),
                ObjectKind::Bound(bound) => {
                    open.extend(bound.target.objects());
                    open.extend(bound.this.objects());
                }
                ObjectKind::Promise(promise) => open.extend(promise.value.iter().flat_map(Value::objects)),
                // What functions close over is theirs: they are followed when they are called.
                ObjectKind::Function(_) | ObjectKind::Class(_) | ObjectKind::Native(_) => continue,
                _ => {}
            }
            for (_, property) in it.properties.iter() {
                if let Slot::Data(value) = &property.slot {
                    open.extend(value.objects());
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
