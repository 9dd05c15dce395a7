//! Modules: which instances there are, when each runs, and what it exports (rules, section 1.6).
//!
//! A module whose top level only declares things runs when one of its values is first needed; so does every module of
//! another package that is imported for its values: what it does to others it does through them. In an import cycle the
//! other side's exports are `undefined` so far, as in the `CommonJS` that Pi's loader makes of them.

use std::cell::OnceCell;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use rustc_hash::{FxHashMap, FxHashSet};

use super::heap::{InstanceId, ObjectId, ObjectKind, PropertyKey};
use super::native::Eval;
use super::path::Stop;
use super::scope::ScopeId;
use super::value::{Nature, Spot, Value};
use super::{Context, Evaluator, Frame, host};
use crate::install::ExtensionId;
use crate::location::Span;
use crate::source::ir::{BindingId, Dialect, Export, Expr, ExprId, Imported, Module, Stmt};
use crate::source::known::{Reason, ReasonKind};
use crate::source::modules::{Links, belongs_to};
use crate::source::problem::{LoadProblem, LoadProblemKind};
use crate::source::resolve::{Asking, Importer, ModuleFile, Resolution, Treatment};

/// How far a module has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing has happened.
    New,
    /// Its imports are being gone through.
    Visiting,
    /// Its imports have run; its own top level waits until it is needed.
    Waiting,
    /// Its top level is running, or has.
    Run,
}

/// Where an import leads.
#[derive(Debug, Clone)]
pub enum Target {
    /// To a module of the program.
    Instance(InstanceId),
    /// To a module of Node or Pi: its namespace.
    Namespace(Value),
    /// To something that is not known.
    Unknown(Value),
}

/// A module of the program as it runs.
#[derive(Debug)]
struct Instance {
    file: ModuleFile,
    module: Arc<Module>,
    scope: ScopeId,
    state: State,
    /// Whether its functions are bound.
    is_hoisted: bool,
    /// Whether its top level has run to its end.
    is_finished: bool,
    /// `export default expression`.
    default: Option<Value>,
    /// The object `module`, whose `exports` are what a `CommonJS` module gives.
    object: Option<ObjectId>,
    namespace: Option<ObjectId>,
    spots_from: u32,
    imports: FxHashMap<BindingId, u32>,
    exports: FxHashMap<Arc<str>, u32>,
    targets: FxHashMap<u32, Target>,
    /// Whether `import()` fails in it: code made by what jiti has transpiled, which it runs without the means for that.
    imports_nothing: bool,
    /// Where the requests lead, once somebody asks.
    links: OnceCell<Option<Links>>,
}

/// What one extension has for itself.
#[derive(Debug, Default)]
struct Own {
    /// The folder of its package.
    package: Utf8PathBuf,
    /// The modules that it gets afresh.
    modules: FxHashMap<ModuleFile, InstanceId>,
}

/// Every module that has been asked for.
#[derive(Debug)]
pub struct Instances {
    list: Vec<Instance>,
    /// The extension whose code runs.
    extension: ExtensionId,
    /// What each extension has for itself.
    own: FxHashMap<ExtensionId, Own>,
    /// Those that Node loads: shared between extensions.
    shared: FxHashMap<ModuleFile, InstanceId>,
    spots: u32,
    /// How many texts have been made functions.
    made: u32,
}

/// Texts that are made functions.
const MAX_MADE: u32 = 500;

/// How long chains of re-exports are followed.
pub const MAX_REEXPORTS: u32 = 64;

impl Instances {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// None yet.
    pub fn new() -> Self {
        Self {
            list: Vec::new(),
            extension: ExtensionId(0),
            own: FxHashMap::default(),
            shared: FxHashMap::default(),
            spots: 0,
            made: 0,
        }
    }

    /// Begins an extension, whose package lies in a folder.
    pub fn start_extension(&mut self, extension: ExtensionId, package: &Utf8Path) {
        self.own.insert(extension, Own { package: package.to_owned(), modules: FxHashMap::default() });
        self.switch_to(extension);
    }

    /// What is asked for from now on is asked for by this extension.
    pub fn switch_to(&mut self, extension: ExtensionId) {
        self.extension = extension;
    }

    fn of_file(&self, file: &ModuleFile) -> Option<InstanceId> {
        if is_shared(file) {
            return self.shared.get(file).copied();
        }
        self.own.get(&self.extension)?.modules.get(file).copied()
    }

    #[allow(clippy::indexing_slicing, reason = "ids are only made by `add`, and instances never go away")]
    fn get(&self, id: InstanceId) -> &Instance {
        &self.list[id.0 as usize]
    }

    #[allow(clippy::indexing_slicing, reason = "as above")]
    fn get_mut(&mut self, id: InstanceId) -> &mut Instance {
        &mut self.list[id.0 as usize]
    }

    /// The code of a module.
    pub fn module(&self, id: InstanceId) -> Arc<Module> {
        Arc::clone(&self.get(id).module)
    }

    /// The code of a module, for a look at it.
    pub fn module_ref(&self, id: InstanceId) -> &Module {
        &self.get(id).module
    }

    /// The module at a path, if it has been asked for.
    pub fn at_path(&self, path: &Utf8Path) -> Option<InstanceId> {
        let at = self.list.iter().rposition(|it| it.file.path == path)?;
        u32::try_from(at).ok().map(InstanceId)
    }

    /// Whether a module in this directory has been asked for.
    pub fn any_below(&self, directory: &Utf8Path) -> bool {
        self.list.iter().any(|it| below(&it.file.path, directory).is_some())
    }

    /// Whether a module that stands in this directory itself has been asked for.
    pub fn any_in(&self, directory: &Utf8Path) -> bool {
        self.list.iter().any(|it| below(&it.file.path, directory).is_some_and(|rest| !rest.contains('/')))
    }

    /// Whether `import()` fails in a module.
    pub fn imports_nothing(&self, id: InstanceId) -> bool {
        self.get(id).imports_nothing
    }

    /// Where a module stands.
    pub fn file(&self, id: InstanceId) -> &ModuleFile {
        &self.get(id).file
    }

    /// The number of an expression among those of all modules.
    pub fn spot(&self, id: InstanceId, expr: ExprId) -> Spot {
        Spot(self.get(id).spots_from + expr.0)
    }

    /// The place of an expression by its number.
    pub fn spot_span(&self, spot: Spot) -> Option<Span> {
        if spot == Spot::NONE {
            return None;
        }
        let at = self.list.partition_point(|it| it.spots_from <= spot.0).checked_sub(1)?;
        let instance = self.list.get(at)?;
        let expr = ExprId(spot.0 - instance.spots_from);
        ((expr.0 as usize) < instance.module.exprs.len()).then(|| instance.module.expr_span(expr))
    }

    /// The import of a module that binds a name: its request, and what is imported.
    pub fn import(&self, id: InstanceId, binding: BindingId) -> Option<(u32, Imported)> {
        let instance = self.get(id);
        let import = instance.module.imports.get(*instance.imports.get(&binding)? as usize)?;
        Some((import.request, import.imported.clone()))
    }

    /// The namespace object of a module, if one was made.
    pub fn namespace(&self, id: InstanceId) -> Option<ObjectId> {
        self.get(id).namespace
    }

    /// Sets the namespace object of a module.
    pub fn set_namespace(&mut self, id: InstanceId, namespace: ObjectId) {
        self.get_mut(id).namespace = Some(namespace);
    }

    /// Whether a module is still going through its imports.
    pub fn is_visiting(&self, id: InstanceId) -> bool {
        self.get(id).state == State::Visiting
    }

    /// Whether the top level of a module has run to its end.
    pub fn is_finished(&self, id: InstanceId) -> bool {
        self.get(id).is_finished
    }

    /// Whether code of a module has used the object `module`, or `exports`.
    pub fn has_object(&self, id: InstanceId) -> bool {
        self.get(id).object.is_some()
    }

    /// Sets the value of `export default`.
    pub fn set_default(&mut self, id: InstanceId, value: Value) {
        self.get_mut(id).default = Some(value);
    }

    fn add(&mut self, file: ModuleFile, module: Arc<Module>, scope: ScopeId) -> InstanceId {
        let id = self.add_apart(file.clone(), module, scope);
        if is_shared(&file) {
            self.shared.insert(file, id);
        } else {
            self.own.entry(self.extension).or_default().modules.insert(file, id);
        }
        id
    }

    /// Adds one that nobody can ask for.
    fn add_apart(&mut self, file: ModuleFile, module: Arc<Module>, scope: ScopeId) -> InstanceId {
        let id = InstanceId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        let numbered = |count: usize| 0..u32::try_from(count).unwrap_or(u32::MAX);
        let imports = module.imports.iter().zip(numbered(module.imports.len()));
        let imports = imports.map(|(it, at)| (it.binding, at)).collect();
        let exports = module.exports.iter().zip(numbered(module.exports.len()));
        let exports = exports
            .filter_map(|(it, at)| match it {
                Export::Binding { name, .. } | Export::From { name, .. } => Some((name.clone(), at)),
                Export::Default => Some(("default".into(), at)),
                Export::Star { .. } | Export::Assignment => None,
            })
            .collect();
        let spots_from = self.spots + 1;
        self.spots += u32::try_from(module.exprs.len()).unwrap_or(u32::MAX).max(1);
        self.list.push(Instance {
            file,
            module,
            scope,
            state: State::New,
            is_hoisted: false,
            is_finished: false,
            default: None,
            object: None,
            namespace: None,
            spots_from,
            imports,
            exports,
            targets: FxHashMap::default(),
            imports_nothing: false,
            links: OnceCell::new(),
        });
        id
    }
}

/// Why nothing is known of a module that Pi may well load.
pub fn reason_of(problem: &LoadProblem, at: Option<Span>) -> Reason {
    let kind = match problem.kind {
        LoadProblemKind::TooLarge => ReasonKind::FileTooLarge,
        LoadProblemKind::TooDeep | LoadProblemKind::TooManyModules => ReasonKind::BudgetExceeded,
        _ => ReasonKind::ModuleUnavailable,
    };
    Reason { kind, text: problem.explanation.clone(), at: problem.at.or(at) }
}

/// What follows a directory in a path below it. Both are normal, so that their texts tell.
fn below<'p>(path: &'p Utf8Path, directory: &Utf8Path) -> Option<&'p str> {
    path.as_str().strip_prefix(directory.as_str())?.strip_prefix('/')
}

fn is_shared(file: &ModuleFile) -> bool {
    matches!(file.treatment, Treatment::NativeEsm | Treatment::NativeCommonJs)
}

impl Evaluator<'_> {
    /// The instance of a file, made when first asked for.
    pub(super) fn instance(&mut self, file: &ModuleFile) -> Result<InstanceId, LoadProblem> {
        if let Some(id) = self.instances.of_file(file) {
            return Ok(id);
        }
        let module = self.world.modules.module(file)?;
        let scope = self.scopes.add_module(module.binding_names.len(), super::heap::Birth::default());
        Ok(self.instances.add(file.clone(), module, scope))
    }

    /// The function that a text of one function expression is; why not, if it is none. `import` in it starts from the module
    /// that asks.
    pub(super) fn function_of_text(&mut self, text: &str) -> Result<Value, Option<LoadProblemKind>> {
        if self.instances.made >= MAX_MADE {
            return Err(None);
        }
        self.instances.made += 1;
        let asking = self.world.sources.get(self.here.file);
        let maker = self.instances.list.iter().rfind(|it| it.module.file == self.here.file);
        let imports_nothing = maker.is_none_or(|it| it.imports_nothing || !is_shared(&it.file));
        let path = Utf8PathBuf::from(format!("{} (made code)", asking.path()));
        let module = match self.world.modules.made_code(&path, text) {
            Ok(module) => Arc::new(module),
            Err(problem) => return Err(Some(problem.kind)),
        };
        let [(Stmt::Expr(expr), _)] = &*module.body.statements else {
            return Err(Some(LoadProblemKind::Syntax));
        };
        let Expr::Function(function) = module.expr(*expr) else {
            return Err(Some(LoadProblemKind::Syntax));
        };
        let file = ModuleFile { path, treatment: Treatment::NativeEsm };
        let scope = self.scopes.add_module(module.binding_names.len(), super::heap::Birth::default());
        let id = self.instances.add_apart(file, Arc::clone(&module), scope);
        let instance = self.instances.get_mut(id);
        instance.state = State::Run;
        instance.imports_nothing = imports_nothing;
        instance.links = OnceCell::from(None);
        let cx = self.top_context(id, &module);
        Ok(self.closure(cx, *function, None).into())
    }

    fn top_context<'m>(&self, id: InstanceId, module: &'m Module) -> Context<'m> {
        Context { module, instance: id, scope: self.instances.get(id).scope }
    }

    /// Runs a module: its imports, then itself.
    pub(super) fn run_module(&mut self, id: InstanceId) -> Eval<()> {
        self.visit(id, true)?;
        self.run_top_level(id)
    }

    /// Goes through the imports of a module and runs those that have effects, in order; then itself if it has.
    /// `is_bare` when nothing is imported from it: then it is there for its effects.
    fn visit(&mut self, id: InstanceId, is_bare: bool) -> Eval<()> {
        if self.instances.get(id).state != State::New {
            return Ok(());
        }
        self.instances.get_mut(id).state = State::Visiting;
        let module = self.instances.module(id);
        let count = u32::try_from(module.requests.len()).unwrap_or(u32::MAX);
        for request in 0..count {
            if module.requests.get(request as usize).is_none_or(|it| it.erased) {
                continue;
            }
            let is_bare = !module.imports.iter().any(|it| it.request == request)
                && !module.exports.iter().any(|it| it.request() == Some(request));
            if !is_bare && self.leads_abroad(id, request) {
                continue;
            }
            if let Target::Instance(target) = self.target(id, request)? {
                self.deeper(|me| me.visit(target, is_bare))?;
                self.note_cycle(id, request, target);
            }
        }
        self.check_stars(id)?;
        if self.instances.get(id).state == State::Visiting {
            self.instances.get_mut(id).state = State::Waiting;
        }
        let has_effects = module.has_effects || self.is_commonjs(id);
        if has_effects && (is_bare || self.is_own(id)) { self.run_top_level(id) } else { Ok(()) }
    }

    /// Whether a request leads to a file that does not belong to the extension. It is looked at when one of its values is needed,
    /// which most never are.
    fn leads_abroad(&self, id: InstanceId, request: u32) -> bool {
        matches!(self.link_of(id, request), Some(Resolution::File(file)) if !self.is_own_file(file))
    }

    /// Where a request of a module leads; `None` when it is erased.
    fn link_of(&self, id: InstanceId, request: u32) -> Option<&Resolution> {
        let instance = self.instances.get(id);
        let links = instance.links.get_or_init(|| self.world.modules.links(&instance.file).ok());
        links.as_ref()?.get(request as usize)?.as_ref()
    }

    /// Where the import that a name is bound by leads.
    pub(super) fn import_of(&self, id: InstanceId, binding: BindingId) -> Option<&Resolution> {
        let instance = self.instances.get(id);
        let import = instance.module.imports.get(*instance.imports.get(&binding)? as usize)?;
        self.link_of(id, import.request)
    }

    /// Runs the top level of a module if it has not run.
    fn run_top_level(&mut self, id: InstanceId) -> Eval<()> {
        if self.instances.get(id).state == State::Run {
            return Ok(());
        }
        self.instances.get_mut(id).state = State::Run;
        let module = self.instances.module(id);
        let cx = self.top_context(id, &module);
        if module.dialect == Dialect::Json {
            let value = self.json_module(id)?;
            self.name_json_itself(&value)?;
            let instance = self.instances.get_mut(id);
            instance.default = Some(value);
            instance.is_finished = true;
            return Ok(());
        }
        let this = if module.is_esm { Value::UNDEFINED } else { self.module_exports(id)? };
        let frame = Frame {
            mark: self.path.mark(),
            this,
            home: None,
            new_target: None,
            code: None,
            top_level: Some(id),
            has_waited: false,
            arguments: None,
            awaits_super: false,
            is_async: false,
            segment: self.segment(),
            yields: None,
        };
        let here = self.here;
        let refuge = self.refuge();
        self.hoist_module(id);
        let result =
            self.activate(frame, |me| me.statements(cx, &module.body.statements).map(|()| Value::UNDEFINED));
        self.here = here;
        self.instances.get_mut(id).is_finished = true;
        // The top level has no `pi`: it can be given up on, and what it would have set is unknown.
        if matches!(result, Err(Stop::Abort)) && self.can_give_up_module() {
            let unknown = self.give_up(&refuge);
            self.grant_more();
            self.scopes.fill(cx.scope, &unknown);
            self.instances.get_mut(id).default.get_or_insert(unknown);
            return Ok(());
        }
        result.map(|_| ())
    }

    /// Binds the function declarations of a module: in an import cycle they are there before it runs.
    pub(super) fn hoist_module(&mut self, id: InstanceId) {
        if std::mem::replace(&mut self.instances.get_mut(id).is_hoisted, true) {
            return;
        }
        let module = self.instances.module(id);
        let cx = self.top_context(id, &module);
        let path = self.path.suspend();
        self.hoist(cx, &module.body.functions);
        self.path.restore(path);
    }

    /// Runs a module because one of its values is needed. It has been there since its importer began: whatever is assumed right now
    /// does not matter to it.
    pub(super) fn ensure_run(&mut self, id: InstanceId) -> Eval<()> {
        match self.instances.get(id).state {
            State::Run => Ok(()),
            State::Visiting => {
                self.hoist_module(id);
                Ok(())
            }
            State::New | State::Waiting => {
                let path = self.path.suspend();
                let control = std::mem::replace(&mut self.control, super::FactSet::NONE);
                let result = self.deeper(|me| me.run_module(id));
                self.path.restore(path);
                self.control = control;
                result
            }
        }
    }

    /// Whether a module has run, or would if it were needed: it is not about to import the current one.
    pub(super) fn has_come_to_run(&self, id: InstanceId) -> bool {
        matches!(self.instances.get(id).state, State::Waiting | State::Run)
    }

    /// Whether a module belongs to the package of the extension, not to one that it depends on.
    pub(super) fn is_own(&self, id: InstanceId) -> bool {
        self.is_own_file(self.instances.file(id))
    }

    /// The same of a file.
    pub(super) fn is_own_file(&self, file: &ModuleFile) -> bool {
        let own = self.instances.own.get(&self.instances.extension);
        own.is_some_and(|it| belongs_to(&file.path, &it.package))
    }

    /// Whether a module has run, or one from which it passes names on.
    pub(super) fn has_run(&self, file: &ModuleFile) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![file];
        while let Some(file) = open.pop() {
            let Some(id) = self.instances.of_file(file).filter(|it| seen.insert(*it)) else { continue };
            let instance = self.instances.get(id);
            if instance.state == State::Run {
                return true;
            }
            let passed_on = instance.module.exports.iter().filter_map(Export::request);
            open.extend(passed_on.filter_map(|request| match self.link_of(id, request) {
                Some(Resolution::File(file)) => Some(file),
                _ => None,
            }));
        }
        false
    }

    fn json_module(&mut self, id: InstanceId) -> Eval {
        let path = self.instances.file(id).path.clone();
        match self.world.files.read_text(&path) {
            Ok(text) => self.parse_json(&text),
            Err(error) => Err(self.throw_error("Error", &error.to_string())),
        }
    }

    /// Where a request of a module leads.
    pub(super) fn target(&mut self, id: InstanceId, request: u32) -> Eval<Target> {
        if let Some(target) = self.instances.get(id).targets.get(&request) {
            return Ok(target.clone());
        }
        let module = self.instances.module(id);
        let Some(it) = module.requests.get(request as usize) else {
            return Ok(Target::Unknown(Value::UNDEFINED));
        };
        let here = self.here;
        self.here = module.span(it.at);
        let target = match self.link_of(id, request) {
            Some(resolution) => self.follow(resolution.clone()),
            None => self.resolved(id, &it.specifier, Asking::Import),
        };
        self.here = here;
        let target = target?;
        self.instances.get_mut(id).targets.insert(request, target.clone());
        Ok(target)
    }

    pub(super) fn resolved(&mut self, from: InstanceId, specifier: &str, asking: Asking) -> Eval<Target> {
        let file = self.instances.file(from).clone();
        let importer = Importer { path: &file.path, treatment: file.treatment };
        let resolution = self.world.modules.resolve(importer, specifier, asking);
        self.follow(resolution)
    }

    fn follow(&mut self, resolution: Resolution) -> Eval<Target> {
        match resolution {
            Resolution::File(file) => match self.instance(&file) {
                Ok(id) => Ok(Target::Instance(id)),
                Err(problem) if problem.kind.is_failure() => {
                    let message = problem.message.to_string();
                    Err(self.throw_error("Error", &message))
                }
                Err(problem) => Ok(Target::Unknown(self.path.unknown(reason_of(&problem, Some(self.here))))),
            },
            Resolution::Host(module) => Ok(Target::Namespace(host::module(self, module))),
            Resolution::Builtin(name) => Ok(Target::Namespace(super::builtin::node::module(self, &name))),
            Resolution::Opaque(path) => {
                let what = format!("{} cannot be looked into", path.file_name().unwrap_or("the module"));
                // What a binary exports is at least there.
                let nature = if path.extension() == Some("node") { Nature::Object } else { Nature::Anything };
                Ok(Target::Unknown(self.unknown_of(nature, ReasonKind::ModuleUnavailable, what)))
            }
            Resolution::Missing(missing) => {
                let error = self.new_error("Error", &missing.message);
                self.put(error, "code", Value::string("MODULE_NOT_FOUND"));
                Err(self.trip(error.into()))
            }
        }
    }

    /// The namespace object of a module; for `CommonJS` what it exports.
    pub(super) fn namespace_of(&mut self, id: InstanceId) -> Eval {
        self.ensure_run(id)?;
        if self.is_commonjs(id) {
            return self.module_exports(id);
        }
        if self.instances.module(id).dialect == Dialect::Json {
            return Ok(self.instances.get(id).default.clone().unwrap_or(Value::UNDEFINED));
        }
        Ok(self.namespace_object(id).into())
    }

    fn namespace_object(&mut self, id: InstanceId) -> ObjectId {
        if let Some(object) = self.instances.get(id).namespace {
            return object;
        }
        let object = self.allocate(None, ObjectKind::Namespace(id));
        if self.instances.file(id).treatment == Treatment::Fresh {
            self.hide(object, "__esModule", Value::TRUE);
        }
        self.instances.get_mut(id).namespace = Some(object);
        object
    }

    pub(super) fn is_commonjs(&self, id: InstanceId) -> bool {
        let module = &self.instances.get(id).module;
        !module.is_esm && module.dialect != Dialect::Json
    }

    /// The value of an export; `None` when there is none of that name.
    pub(super) fn export_value(&mut self, id: InstanceId, name: &Arc<str>) -> Eval<Option<Value>> {
        self.export_nested(id, name, 0)
    }

    fn export_nested(&mut self, id: InstanceId, name: &Arc<str>, depth: u32) -> Eval<Option<Value>> {
        if depth > MAX_REEXPORTS {
            return Ok(None);
        }
        let module = self.instances.module(id);
        if module.exports.iter().any(|it| matches!(it, Export::Assignment)) || self.is_commonjs(id) {
            self.ensure_run(id)?;
            return self.commonjs_export(id, name).map(Some);
        }
        if module.dialect == Dialect::Json {
            self.ensure_run(id)?;
            let value = self.instances.get(id).default.clone().unwrap_or(Value::UNDEFINED);
            return if &**name == "default" {
                Ok(Some(value))
            } else {
                self.get_name(&value, name).map(Some)
            };
        }
        let Some(&at) = self.instances.get(id).exports.get(name) else {
            return self.star_export(id, &module, name, depth);
        };
        match module.exports.get(at as usize) {
            Some(Export::Binding { binding, .. }) => {
                self.ensure_run(id)?;
                let cx = self.top_context(id, &module);
                self.variable(cx, *binding).map(Some)
            }
            Some(Export::Default) => {
                self.ensure_run(id)?;
                let value = self.instances.get(id).default.clone();
                Ok(Some(value.map_or(Value::UNDEFINED, |it| self.path.settle(&it))))
            }
            Some(Export::From { request, imported, .. }) => {
                self.deeper(|me| me.imported(id, *request, imported)).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn star_export(
        &mut self,
        id: InstanceId,
        module: &Module,
        name: &Arc<str>,
        depth: u32,
    ) -> Eval<Option<Value>> {
        if &**name == "default" || self.is_ambiguous(id, module, name)? {
            return Ok(None);
        }
        for export in &module.exports {
            let Export::Star { request } = export else { continue };
            let value = match self.target(id, *request)? {
                Target::Instance(next) => self.export_nested(next, name, depth + 1)?,
                Target::Namespace(value) | Target::Unknown(value) => {
                    Some(self.get(&value, &PropertyKey::Name(name.clone()))?)
                }
            };
            if value.as_ref().is_some_and(|it| !it.is_undefined()) {
                return Ok(value);
            }
        }
        Ok(None)
    }

    /// What `import` sees of a `CommonJS` module.
    pub(super) fn commonjs_export(&mut self, id: InstanceId, name: &Arc<str>) -> Eval {
        let exports = self.module_exports(id)?;
        if &**name == "default" {
            let marked = match exports.as_object() {
                Some(_) => self.get_name(&exports, "__esModule")?,
                None => Value::UNDEFINED,
            };
            if self.truthiness(&marked) != Some(true) {
                return Ok(exports);
            }
        }
        if exports.is_nullish() {
            return Ok(Value::UNDEFINED);
        }
        self.get(&exports, &PropertyKey::Name(name.clone()))
    }

    /// The object `module` of a module.
    fn module_object(&mut self, id: InstanceId) -> ObjectId {
        if let Some(object) = self.instances.get(id).object {
            return object;
        }
        let path = self.path.suspend();
        let object = self.new_object();
        // jiti makes the names that a module exports properties of what `exports` is at first.
        let exports =
            if self.instances.get(id).module.is_esm { self.namespace_object(id) } else { self.new_object() };
        self.path.restore(path);
        self.put(object, "exports", exports.into());
        let file = self.instances.file(id).path.to_string();
        self.put(object, "filename", Value::string(file.clone()));
        self.put(object, "id", Value::string(file));
        self.instances.get_mut(id).object = Some(object);
        object
    }

    /// `module.exports`.
    pub(super) fn module_exports(&mut self, id: InstanceId) -> Eval {
        let object = self.module_object(id);
        self.get_name(&object.into(), "exports")
    }

    /// `module.exports = value`.
    pub(super) fn set_module_exports(&mut self, id: InstanceId, value: Value) -> Eval<()> {
        let object = self.module_object(id);
        self.write(object, &"exports".into(), value)
    }

    /// A name that the module does not declare; `Absent` when there is none.
    pub(super) fn global_or_absent(&mut self, cx: Context<'_>, name: &Arc<str>) -> Eval {
        match &**name {
            "undefined" => return Ok(Value::UNDEFINED),
            "arguments" => {
                let args = self.frames.iter().rev().find_map(|it| it.arguments.clone());
                if let Some(args) = args {
                    let array = self.new_array(args.values);
                    if let Some(rest) = args.rest {
                        self.open_up(array, &rest);
                    }
                    return Ok(array.into());
                }
            }
            "module" | "exports" | "require" | "__filename" | "__dirname"
                if self.instances.file(cx.instance).treatment != Treatment::NativeEsm =>
            {
                return self.module_local(cx.instance, name);
            }
            _ => {}
        }
        let global = self.realm.global;
        let key = PropertyKey::Name(name.clone());
        let there = self.has_own(global, &key)?;
        if self.truthiness(&there) == Some(false) {
            return Ok(Value::ABSENT);
        }
        let value = self.get_of(global, &key, &global.into())?;
        // What other globals hold may be something else the next time.
        let is_class = |it| self.realm.has(it) && self.heap.get(it).kind_of_native().is_some();
        if !value.as_object().is_some_and(is_class) && !matches!(&**name, "JSON" | "Math") {
            self.summaries.note_deed();
        }
        Ok(value)
    }

    fn module_local(&mut self, id: InstanceId, name: &str) -> Eval {
        let path = self.instances.file(id).path.clone();
        match name {
            "module" => Ok(self.module_object(id).into()),
            "exports" => self.module_exports(id),
            "require" => Ok(self.require_of(id)),
            "__filename" => Ok(Value::string(path.as_str())),
            _ => Ok(Value::string(path.parent().unwrap_or(Utf8Path::new("/")).as_str())),
        }
    }
}
