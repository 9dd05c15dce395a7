//! What a value leads to: whether code that gets it gets at `pi`, and whether calling it may register anything.
//!
//! Most handlers only use the session. Following them would take time and end in budgets for nothing, so that a
//! callback is followed only if code that it leads to names one of `pi`'s registering methods.

use std::rc::Rc;

use camino::Utf8PathBuf;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Evaluator;
use super::heap::{Closure, InstanceId, ObjectId, ObjectKind, Slot};
use super::value::{Data, Value};
use crate::source::ir::{Atom, BindingId, Expr, FunctionId, Key, Module, Pattern, Range};
use crate::source::resolve::{Asking, Importer, ModuleFile, Resolution};

/// How many objects are looked at before the answer is yes.
const MAX_SEARCHED: usize = 20_000;

/// Where a module mentions what matters here, by position.
#[derive(Debug)]
struct Mentions {
    /// Names of variables, and whether more is done with them than asking for a property.
    variables: Vec<(u32, BindingId, bool)>,
    /// Names of registering methods.
    registering: Vec<u32>,
    /// Code that is loaded at run time and not known.
    unknown: Vec<u32>,
    /// Modules that are loaded at run time.
    loading: Vec<(u32, Atom)>,
}

/// What has been found out so far.
#[derive(Debug, Default)]
pub struct Reach {
    mentions: FxHashMap<InstanceId, Rc<Mentions>>,
    /// Objects from which nothing that registers is reached.
    harmless: FxHashSet<ObjectId>,
    /// What is known of functions by their code: closures of the same code are taken to be alike.
    by_code: FxHashMap<(InstanceId, FunctionId), bool>,
    /// What is known of modules that are loaded at run time, with all that they import.
    loaded: FxHashMap<ModuleFile, bool>,
    /// Whether the package in a folder knows of Pi.
    knows_pi: FxHashMap<Utf8PathBuf, bool>,
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

/// Whether a specifier may lead to code of the extension; packages do not register on their own.
fn may_be_own(specifier: &str) -> bool {
    specifier.starts_with(['.', '#', '/'])
}

impl Mentions {
    fn of(module: &Module) -> Self {
        let mut variables = Vec::new();
        let mut registering = Vec::new();
        let mut unknown = Vec::new();
        let mut loading = Vec::new();
        let mut only_asked = FxHashSet::default();
        for (expr, range) in &module.exprs {
            match expr {
                Expr::Local(binding) => variables.push((range.start, *binding, true)),
                Expr::Member { object, property: name, .. } => {
                    if let Expr::Local(_) = module.expr(*object) {
                        only_asked.insert(module.expr_span(*object).start);
                    }
                    if registers(name) {
                        registering.push(range.start);
                    }
                }
                Expr::String(name) if registers(name) => registering.push(range.start),
                Expr::ImportCall(specifier) => match module.expr(*specifier) {
                    Expr::String(text) if may_be_own(text) => loading.push((range.start, text.clone())),
                    Expr::String(_) => {}
                    _ => unknown.push(range.start),
                },
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
        for (start, _, is_handed_on) in &mut variables {
            *is_handed_on = !only_asked.contains(start);
        }
        variables.sort_unstable();
        registering.sort_unstable();
        unknown.sort_unstable();
        loading.sort_unstable();
        Self { variables, registering, unknown, loading }
    }

    fn registers_within(&self, range: Range) -> bool {
        any_within(&self.registering, range)
    }

    fn loads_unknown_within(&self, range: Range) -> bool {
        any_within(&self.unknown, range)
    }

    fn loaded_within(&self, range: Range) -> impl Iterator<Item = &Atom> {
        let from = self.loading.partition_point(|it| it.0 < range.start);
        let within = self.loading.get(from..).unwrap_or_default();
        within.iter().take_while(move |it| it.0 < range.end).map(|it| &it.1)
    }

    fn variables_within(&self, range: Range) -> impl Iterator<Item = (BindingId, bool)> {
        let from = self.variables.partition_point(|it| it.0 < range.start);
        let within = self.variables.get(from..).unwrap_or_default();
        within.iter().take_while(move |it| it.0 < range.end).map(|it| (it.1, it.2))
    }
}

fn any_within(starts: &[u32], range: Range) -> bool {
    let from = starts.partition_point(|&it| it < range.start);
    starts.get(from).is_some_and(|&it| it < range.end)
}

/// Objects that a value leads to.
#[derive(Default)]
struct Search {
    open: Vec<ObjectId>,
    seen: FxHashSet<ObjectId>,
    /// Some of the code loads code that is not known.
    loads_unknown: bool,
    /// Some of the code does more with `pi` than calling its methods: code that it loads may get it.
    hands_api_on: bool,
    /// Some of the code does so and uses code of packages, which may be what gets it.
    hands_api_abroad: bool,
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
        let mut search = Search { open: objects_of(value), ..Search::default() };
        while let Some(object) = search.open.pop() {
            if self.reach.harmless.contains(&object) || !search.seen.insert(object) {
                continue;
            }
            if search.seen.len() > MAX_SEARCHED || self.registers_itself(object) {
                return true;
            }
            search.loads_unknown |= self.loads_unknown(object);
            self.add_neighbours(object, &mut search);
            if search.hands_api_abroad || (search.loads_unknown && search.hands_api_on) {
                return true;
            }
        }
        if !search.loads_unknown && !search.hands_api_on {
            self.reach.harmless.extend(search.seen);
        }
        false
    }

    /// Whether a value leads to an object of some kind. Also true when there is more to look at than the limit.
    pub(super) fn leads_to(
        &mut self,
        value: &Value,
        limit: usize,
        is_it: impl Fn(&Self, ObjectId) -> bool,
    ) -> bool {
        let mut search = Search { open: objects_of(value), ..Search::default() };
        while let Some(object) = search.open.pop() {
            if !search.seen.insert(object) {
                continue;
            }
            if search.seen.len() > limit || is_it(self, object) {
                return true;
            }
            self.add_neighbours(object, &mut search);
        }
        false
    }

    fn loads_unknown(&mut self, object: ObjectId) -> bool {
        self.code_of(object).is_some_and(|(id, range)| self.mentions(id).loads_unknown_within(range))
    }

    /// Where the code of a function or class stands.
    pub(super) fn code_of(&self, object: ObjectId) -> Option<(InstanceId, Range)> {
        match &self.heap.get(object).kind {
            ObjectKind::Function(it) => {
                Some((it.module, self.instances.module(it.module).function(it.function).at))
            }
            ObjectKind::Class(it) => Some((it.module, self.instances.module(it.module).class(it.class).at)),
            _ => None,
        }
    }

    /// Whether an object is a registering method taken from `pi`, or code that names one.
    fn registers_itself(&mut self, object: ObjectId) -> bool {
        if let ObjectKind::Native(native) = &self.heap.get(object).kind {
            return is_registering_method(native.name);
        }
        self.code_of(object).is_some_and(|(id, range)| self.range_registers(id, range))
    }

    fn range_registers(&mut self, id: InstanceId, range: Range) -> bool {
        let mentions = self.mentions(id);
        mentions.registers_within(range)
            || mentions.loaded_within(range).any(|specifier| self.import_registers(id, specifier))
    }

    /// Whether a module that is loaded at run time, or anything that it imports, names a registering method.
    fn import_registers(&mut self, from: InstanceId, specifier: &str) -> bool {
        let importer = self.instances.file(from);
        let importer = Importer { path: &importer.path, treatment: importer.treatment };
        let Resolution::File(root) = self.world.modules.resolve(importer, specifier, Asking::Import) else {
            return false;
        };
        if let Some(&known) = self.reach.loaded.get(&root) {
            return known;
        }
        let answer = self.graph_registers(&root);
        self.reach.loaded.insert(root, answer);
        answer
    }

    fn graph_registers(&mut self, root: &ModuleFile) -> bool {
        let modules = self.world.modules;
        let mut seen = FxHashSet::from_iter([root.clone()]);
        let mut open = vec![root.clone()];
        while let Some(file) = open.pop() {
            if !self.is_own_file(&file) && !self.knows_pi(&file) {
                continue;
            }
            let Ok(module) = modules.module(&file) else { continue };
            let mentions = Mentions::of(&module);
            if seen.len() > MAX_SEARCHED || !mentions.registering.is_empty() || !mentions.unknown.is_empty() {
                return true;
            }
            let importer = Importer { path: &file.path, treatment: file.treatment };
            let resolve = |it: &(u32, Atom)| modules.resolve(importer, &it.1, Asking::Import);
            let loaded = mentions.loading.iter().map(resolve);
            let linked = modules.links(&file).unwrap_or_default();
            for it in loaded.chain(linked.iter().flatten().cloned()) {
                if let Resolution::File(file) = it
                    && seen.insert(file.clone())
                {
                    open.push(file);
                }
            }
        }
        false
    }

    /// Whether a package that an extension uses is made for Pi, so that it may register what it is handed `pi` for.
    fn knows_pi(&mut self, file: &ModuleFile) -> bool {
        let folder = self.world.modules.package_of(&file.path).to_owned();
        if let Some(&known) = self.reach.knows_pi.get(&folder) {
            return known;
        }
        let manifest = self.world.files.read_text(&folder.join("package.json"));
        let answer = manifest.is_ok_and(|it| it.contains("pi-coding-agent"));
        self.reach.knows_pi.insert(folder, answer);
        answer
    }

    fn mentions(&mut self, id: InstanceId) -> Rc<Mentions> {
        if let Some(known) = self.reach.mentions.get(&id) {
            return Rc::clone(known);
        }
        let mentions = Rc::new(Mentions::of(&self.instances.module(id)));
        self.reach.mentions.insert(id, Rc::clone(&mentions));
        mentions
    }

    fn add_neighbours(&mut self, object: ObjectId, search: &mut Search) {
        let it = self.heap.get(object);
        // The object `pi` itself is harmless: what counts is code that names its methods.
        if self.is_api(object) {
            search.hands_api_on = true;
            return;
        }
        let open = &mut search.open;
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
                self.add_variables(id, range, scope, search);
                None
            }
            _ => None,
        };
        if let Some(closure) = closure {
            self.add_closure(&closure, search);
        }
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

    /// Whether an object is `pi`, or made in its likeness.
    fn is_api(&self, object: ObjectId) -> bool {
        self.heap.get(object).properties.iter().any(|(_, it)| self.is_registering_slot(&it.slot))
    }

    fn is_registering_slot(&self, slot: &Slot) -> bool {
        let Slot::Data(Value { data: Data::Object(object), .. }) = slot else { return false };
        matches!(&self.heap.get(*object).kind, ObjectKind::Native(it) if is_registering_method(it.name))
    }

    fn add_closure(&mut self, closure: &Closure, search: &mut Search) {
        search.open.extend(closure.this.iter().flat_map(objects_of));
        search.open.extend(closure.home);
        let range = self.instances.module(closure.module).function(closure.function).at;
        self.add_variables(closure.module, range, closure.scope, search);
    }

    /// The objects in the variables that code within a range names.
    fn add_variables(
        &mut self,
        id: InstanceId,
        range: Range,
        scope: super::scope::ScopeId,
        search: &mut Search,
    ) {
        let mentions = self.mentions(id);
        let module = self.instances.module(id);
        let cx = super::Context { module: &module, instance: id, scope };
        let (mut hands_on, mut goes_abroad) = (false, false);
        let mut seen = FxHashSet::default();
        for (binding, is_handed_on) in mentions.variables_within(range).filter(|it| seen.insert(*it)) {
            if let Some(is_file) = self.import_cannot_register(id, binding) {
                goes_abroad |= is_file;
                continue;
            }
            let Some(place) = self.scopes.find(scope, binding) else { continue };
            let value = self.scopes.get(place);
            let objects = if matches!(value.data, Data::Absent) {
                self.import_value(cx, binding).map(|it| objects_of(&it)).unwrap_or_default()
            } else {
                objects_of(value)
            };
            hands_on |= is_handed_on && objects.iter().any(|&it| self.is_api(it));
            search.open.extend(objects.into_iter().filter(|&it| is_handed_on || !self.is_api(it)));
        }
        search.hands_api_abroad |= hands_on && goes_abroad;
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
