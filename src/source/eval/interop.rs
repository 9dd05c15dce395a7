//! What a module gives to those that ask for it.
//!
//! Code that jiti transpiles does not get at a module itself but at a wrapping that jiti makes of it, for each module
//! that asks and each specifier that it asks by (jiti 2.7, `jitiInteropDefault`). Reading a name from the wrapping goes
//! like this:
//!
//! - `__esModule` is always true.
//! - `default` is the default export; where that is `null` or `undefined`, the module itself. Where the default export
//!   has a function `default` of its own and the module is marked as an ECMAScript module, it is that function.
//! - A name that the module has is read from it.
//! - A name that it lacks is read from its default export, if that is an object or a function but no promise; functions
//!   are bound to it.
//! - What has been read once stays: a name that changes later is not read again.
//!
//! What the default export is, is settled when the wrapping is made: in an import cycle the other side mostly has none
//! yet. JSON is not wrapped: it gets a hidden property `default` that is itself. `import` of what Node loads as
//! `CommonJS` wraps the namespace that Node makes of it, and `require` its exports.
//!
//! What Node loads itself follows Node's rules: no wrapping, and the default export of `CommonJS` is `module.exports`.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::expression::present;
use super::heap::{Bound, InstanceId, ObjectId, ObjectKind, PropertyKey};
use super::module::{MAX_REEXPORTS, Target};
use super::native::{Call, Eval};
use super::property::Found;
use super::value::{Alternative, Data, Value};
use super::{Context, Evaluator};
use crate::source::ir::{Atom, BindingId, Dialect, Export, Imported};
use crate::source::resolve::{Asking, Treatment};

/// A wrapping that jiti made of a module.
#[derive(Debug)]
struct Wrapping {
    target: InstanceId,
    asking: Asking,
    /// Whether it was made while the module was still importing others.
    is_early: bool,
    /// The default export of what is wrapped, once somebody asks.
    default: Option<(ObjectId, Value)>,
    /// What has been read.
    read: FxHashMap<PropertyKey, Value>,
    /// Names that do not change any more.
    constant: FxHashSet<Arc<str>>,
    /// The wrapping as an object.
    object: Option<(ObjectId, ObjectId)>,
}

/// Every wrapping.
#[derive(Debug, Default)]
pub struct Wrappings {
    list: Vec<Wrapping>,
    of_request: FxHashMap<(InstanceId, u32), usize>,
    /// How many modules that pass a name on are being followed.
    depth: u32,
    /// Whether reading leaves no trace.
    is_peeking: bool,
}

impl Evaluator<'_> {
    /// The value of an imported name; `undefined` for a name that is none.
    pub(super) fn import_value(&mut self, cx: Context<'_>, binding: BindingId) -> Eval {
        let Some((request, imported)) = self.instances.import(cx.instance, binding) else {
            return Ok(Value::UNDEFINED);
        };
        self.imported(cx.instance, request, &imported).map(present)
    }

    /// The same, as if it had not been read.
    pub(super) fn peek_import(&mut self, cx: Context<'_>, binding: BindingId) -> Eval {
        let before = std::mem::replace(&mut self.wrappings.is_peeking, true);
        let value = self.import_value(cx, binding);
        self.wrappings.is_peeking = before;
        value
    }

    /// What a module gets by a request.
    pub(super) fn imported(&mut self, from: InstanceId, request: u32, imported: &Imported) -> Eval {
        let target = self.target(from, request)?;
        match (target, imported) {
            (Target::Instance(id), _) => {
                if self.wrappings.depth > MAX_REEXPORTS {
                    return Ok(Value::UNDEFINED);
                }
                self.wrappings.depth += 1;
                let value = self.imported_from(from, request, id, imported);
                self.wrappings.depth -= 1;
                value
            }
            (Target::Namespace(value) | Target::Unknown(value), Imported::Namespace) => Ok(value),
            (Target::Namespace(value), Imported::Default) => self.default_of_namespace(&value),
            (Target::Unknown(value), Imported::Default) => self.get_name(&value, "default"),
            (Target::Namespace(value) | Target::Unknown(value), Imported::Named(name)) => {
                self.get(&value, &PropertyKey::Name(name.clone()))
            }
        }
    }

    fn imported_from(&mut self, from: InstanceId, request: u32, id: InstanceId, imported: &Imported) -> Eval {
        if self.is_json(id) {
            let value = self.namespace_of(id)?;
            return match imported {
                Imported::Namespace => self.json_namespace(&value),
                Imported::Default => Ok(value),
                Imported::Named(name) => self.get_name(&value, name),
            };
        }
        if self.instances.file(from).treatment == Treatment::Fresh {
            let at = self.wrapping_of(from, request, id);
            return match imported {
                Imported::Namespace => self.wrapping_object(at),
                Imported::Default => self.wrapped_name(at, &"default".into()),
                Imported::Named(name) => self.wrapped_name(at, &PropertyKey::Name(name.clone())),
            };
        }
        match imported {
            Imported::Namespace if self.is_commonjs(id) => {
                self.ensure_run(id)?;
                self.commonjs_namespace(id)
            }
            Imported::Namespace => self.namespace_of(id),
            Imported::Default if self.is_commonjs(id) => {
                self.ensure_run(id)?;
                self.module_exports(id)
            }
            Imported::Default => Ok(self.export_value(id, &"default".into())?.unwrap_or(Value::UNDEFINED)),
            Imported::Named(name) => Ok(self.export_value(id, name)?.unwrap_or(Value::UNDEFINED)),
        }
    }

    fn is_json(&self, id: InstanceId) -> bool {
        self.instances.module(id).dialect == Dialect::Json
    }

    /// Modules of Node are their own default export.
    fn default_of_namespace(&mut self, value: &Value) -> Eval {
        let Some(object) = value.as_object() else { return Ok(value.clone()) };
        let key = PropertyKey::from("default");
        if self.heap.get(object).properties.get(&key).is_some() {
            return self.get(value, &key);
        }
        Ok(value.clone())
    }

    /// Takes note that a module is imported that is itself still importing.
    pub(super) fn note_cycle(&mut self, from: InstanceId, request: u32, target: InstanceId) {
        if self.instances.is_visiting(target) && self.instances.file(from).treatment == Treatment::Fresh {
            let at = self.wrapping_of(from, request, target);
            if let Some(wrapping) = self.wrappings.list.get_mut(at) {
                wrapping.is_early = true;
            }
        }
    }

    /// The wrapping that a module gets by a request: one for each specifier.
    fn wrapping_of(&mut self, from: InstanceId, request: u32, target: InstanceId) -> usize {
        if let Some(&at) = self.wrappings.of_request.get(&(from, request)) {
            return at;
        }
        let module = self.instances.module(from);
        let specifier = module.requests.get(request as usize).map(|it| &it.specifier);
        let same = (0..request).find(|&it| {
            let earlier = module.requests.get(it as usize);
            earlier.is_some_and(|it| Some(&it.specifier) == specifier && !it.erased)
        });
        let at = match same.and_then(|it| self.wrappings.of_request.get(&(from, it)).copied()) {
            Some(at) => at,
            None => self.new_wrapping(target, Asking::Import),
        };
        self.wrappings.of_request.insert((from, request), at);
        if let Some(same) = same {
            self.wrappings.of_request.insert((from, same), at);
        }
        at
    }

    fn new_wrapping(&mut self, target: InstanceId, asking: Asking) -> usize {
        self.wrappings.list.push(Wrapping {
            target,
            asking,
            is_early: false,
            default: None,
            read: FxHashMap::default(),
            constant: FxHashSet::default(),
            object: None,
        });
        self.wrappings.list.len() - 1
    }

    /// What is wrapped.
    fn wrapped(&mut self, at: usize) -> Eval {
        let Some(wrapping) = self.wrappings.list.get(at) else { return Ok(Value::UNDEFINED) };
        let (target, asking) = (wrapping.target, wrapping.asking);
        self.ensure_run(target)?;
        if asking == Asking::Import && self.instances.file(target).treatment == Treatment::NativeCommonJs {
            return self.commonjs_namespace(target);
        }
        let assigns = self.instances.module(target).exports.iter().any(|it| matches!(it, Export::Assignment));
        if assigns || self.is_commonjs(target) || self.instances.has_object(target) {
            return self.module_exports(target);
        }
        self.namespace_of(target)
    }

    /// A wrapping as an object. What is no object is not wrapped; nor is a class, which code extends.
    fn wrapping_object(&mut self, at: usize) -> Eval {
        let wrapped = self.wrapped(at)?;
        self.map_wrapped(at, &wrapped)
    }

    fn map_wrapped(&mut self, at: usize, wrapped: &Value) -> Eval {
        self.each(wrapped, |me, it| {
            let Some(object) = it.as_object() else { return Ok(it.clone()) };
            if matches!(me.heap.get(object).kind, ObjectKind::Class(_) | ObjectKind::Proxy { .. }) {
                return Ok(it.clone());
            }
            if let Some((of, proxy)) = me.wrappings.list.get(at).and_then(|it| it.object)
                && of == object
            {
                return Ok(proxy.into());
            }
            let path = me.path.suspend();
            let handler = me.new_object();
            #[allow(clippy::cast_precision_loss, reason = "a small number")]
            let get = me.new_native_with("get", read_wrapped, Value::number(at as f64));
            me.put(handler, "get", get.into());
            let proxy = me.allocate(None, ObjectKind::Proxy { target: it.clone(), handler: handler.into() });
            me.path.restore(path);
            if let Some(wrapping) = me.wrappings.list.get_mut(at) {
                wrapping.object = Some((object, proxy));
            }
            Ok(proxy.into())
        })
    }

    fn wrapped_name(&mut self, at: usize, key: &PropertyKey) -> Eval {
        let wrapped = self.wrapped(at)?;
        self.read_wrapping(at, &wrapped, key)
    }

    /// Reads a name from a wrapping, by the rules above.
    fn read_wrapping(&mut self, at: usize, wrapped: &Value, key: &PropertyKey) -> Eval {
        self.each(wrapped, |me, wrapped| {
            let Some(object) = wrapped.as_object() else { return me.get(wrapped, key) };
            if let PropertyKey::Name(name) = key
                && &**name == "__esModule"
            {
                return Ok(Value::TRUE);
            }
            let default = me.wrapped_default(at, object)?;
            if *key == PropertyKey::from("default") {
                return me.default_of_wrapping(object, &default);
            }
            me.read_once(at, object, &default, key)
        })
    }

    /// The default export of what is wrapped, as it was when it was wrapped.
    fn wrapped_default(&mut self, at: usize, object: ObjectId) -> Eval {
        let Some(wrapping) = self.wrappings.list.get(at) else { return Ok(Value::UNDEFINED) };
        if let Some((of, value)) = &wrapping.default
            && *of == object
        {
            return Ok(self.path.settle(value));
        }
        let (target, is_early, asking) = (wrapping.target, wrapping.is_early, wrapping.asking);
        let value = if is_early && !self.has_hoisted_default(target) {
            Value::UNDEFINED
        } else {
            present(self.get_of(object, &"default".into(), &object.into())?)
        };
        if matches!(value.data, Data::Null) && asking == Asking::Import {
            // Whoever waits for the wrapping reads this of it.
            return Err(self.nullish_access(&value, &"then".into(), "read"));
        }
        if let Some(wrapping) = self.wrappings.list.get_mut(at) {
            wrapping.default = Some((object, value.clone()));
        }
        Ok(value)
    }

    /// Whether the default export of a module is a function declaration, which is there before it runs.
    fn has_hoisted_default(&self, id: InstanceId) -> bool {
        let module = self.instances.module(id);
        module.exports.iter().any(|it| match it {
            Export::Binding { name, binding } => {
                &**name == "default" && module.body.functions.iter().any(|it| it.0 == *binding)
            }
            _ => false,
        })
    }

    fn default_of_wrapping(&mut self, object: ObjectId, default: &Value) -> Eval {
        self.each(default, |me, default| {
            if default.is_nullish() {
                // The module itself, not wrapped.
                return Ok(object.into());
            }
            if default.as_object().is_none() {
                return Ok(default.clone());
            }
            let inner = me.get_name(default, "default")?;
            if !me.is_callable(&inner) {
                return Ok(default.clone());
            }
            let marked = me.get_of(object, &"__esModule".into(), &object.into())?;
            Ok(if me.truthiness(&marked) == Some(true) { inner } else { default.clone() })
        })
    }

    /// Reads a name other than `default`; from then on it stays.
    fn read_once(&mut self, at: usize, object: ObjectId, default: &Value, key: &PropertyKey) -> Eval {
        let stored = match self.wrappings.list.get(at) {
            Some(wrapping) => wrapping.read.get(key).cloned().unwrap_or(Value::ABSENT),
            None => Value::ABSENT,
        };
        let read = self.path.settle(&stored);
        if !read.may_be_absent() {
            return Ok(read);
        }
        let (now, stays) = self.read_now(at, object, default, key)?;
        let value = match &read.data {
            Data::Choice(choice) => {
                let ways = choice.alternatives.iter().map(|it| match it.value.data {
                    Data::Absent => Alternative { value: now.clone(), ..it.clone() },
                    _ => it.clone(),
                });
                let ways = ways.collect();
                self.path.choose(ways)
            }
            _ => now.clone(),
        };
        if stays || self.wrappings.is_peeking {
            return Ok(value);
        }
        let guard = self.path.since_mark(0);
        let frozen = self.path.written(&stored, now, &guard);
        if let Some(wrapping) = self.wrappings.list.get_mut(at) {
            wrapping.read.insert(key.clone(), frozen);
        }
        Ok(value)
    }

    /// What a name reads as now, and whether it always will.
    fn read_now(
        &mut self,
        at: usize,
        object: ObjectId,
        default: &Value,
        key: &PropertyKey,
    ) -> Eval<(Value, bool)> {
        if let (ObjectKind::Namespace(id), PropertyKey::Name(name)) = (&self.heap.get(object).kind, key) {
            let id = *id;
            let is_constant = self.wrappings.list.get(at).is_some_and(|it| it.constant.contains(name));
            match self.own(object, key)? {
                Found::Data(value) if !matches!(value.data, Data::Absent) => {
                    let stays =
                        is_constant || (self.instances.is_finished(id) && !self.is_changing(id, name)?);
                    if stays
                        && !is_constant
                        && let Some(wrapping) = self.wrappings.list.get_mut(at)
                    {
                        wrapping.constant.insert(name.clone());
                    }
                    return Ok((value, stays));
                }
                Found::Data(_) => return Ok((Value::UNDEFINED, false)),
                Found::Nothing => {}
                Found::Getter(_) | Found::Open(_) => {
                    return Ok((self.get_of(object, key, &object.into())?, false));
                }
            }
        } else {
            let there = self.has(&object.into(), key)?;
            if self.truthiness(&there) != Some(false) {
                return Ok((self.get_of(object, key, &object.into())?, false));
            }
        }
        let value = self.each(default, |me, default| me.member_of_default(default, key))?;
        Ok((value, false))
    }

    /// A name that a module lacks, read from its default export.
    fn member_of_default(&mut self, default: &Value, key: &PropertyKey) -> Eval {
        match &default.data {
            Data::Null | Data::Unknown(_) => self.get(default, key),
            Data::Object(object) if !matches!(self.heap.get(*object).kind, ObjectKind::Promise(_)) => {
                let value = present(self.get(default, key)?);
                Ok(self.map(&value, |me, it| {
                    if !me.is_callable(it) {
                        return it.clone();
                    }
                    let bound = Bound { target: it.clone(), this: default.clone(), args: Vec::new() };
                    let prototype = me.realm.function;
                    me.allocate(Some(prototype), ObjectKind::Bound(Box::new(bound))).into()
                }))
            }
            _ => Ok(Value::UNDEFINED),
        }
    }

    /// What `import * as name` gives for JSON: its names and a default export, which is all of it.
    fn json_namespace(&mut self, value: &Value) -> Eval {
        self.each(value, |me, value| {
            let namespace = me.allocate(None, ObjectKind::Ordinary);
            me.put(namespace, "default", value.clone());
            if let Some(object) = value.as_object() {
                for (name, value) in me.own_entries(object)? {
                    if &*name != "default" {
                        me.put(namespace, &name, value);
                    }
                }
            }
            Ok(namespace.into())
        })
    }

    /// jiti makes JSON its own default export.
    pub(super) fn name_json_itself(&mut self, value: &Value) -> Eval<()> {
        if let Some(object) = value.as_object() {
            let has = self.has_own(object, &"default".into())?;
            if self.truthiness(&has) == Some(false) {
                self.hide(object, "default", value.clone());
            }
        }
        Ok(())
    }

    /// What `import()` and `require` of a specifier give.
    pub(super) fn load_namespace(&mut self, from: InstanceId, specifier: &str, asking: Asking) -> Eval {
        let is_wrapped = self.instances.file(from).treatment == Treatment::Fresh;
        match self.resolved(from, specifier, asking)? {
            Target::Instance(id) => {
                self.deeper(|me| me.run_module(id))?;
                if is_wrapped && !self.is_json(id) {
                    let at = self.new_wrapping(id, asking);
                    let wrapped = self.wrapped(at)?;
                    if let Some(object) = wrapped.as_object() {
                        self.wrapped_default(at, object)?;
                    }
                    return self.map_wrapped(at, &wrapped);
                }
                if asking == Asking::Import && self.is_commonjs(id) {
                    return self.commonjs_namespace(id);
                }
                let value = self.namespace_of(id)?;
                if asking == Asking::Import && self.is_json(id) {
                    return self.json_namespace(&value);
                }
                Ok(value)
            }
            Target::Namespace(value) if asking == Asking::Require => self.default_of_namespace(&value),
            Target::Namespace(value) | Target::Unknown(value) => Ok(value),
        }
    }

    /// The namespace that Node makes of a `CommonJS` module: its exports as names, and all of them as the default.
    fn commonjs_namespace(&mut self, id: InstanceId) -> Eval {
        let is_finished = self.instances.is_finished(id);
        if let Some(namespace) = self.instances.namespace(id).filter(|_| is_finished) {
            return Ok(namespace.into());
        }
        let exports = self.module_exports(id)?;
        let path = self.path.suspend();
        let found = self.names_found_by_node(id);
        let result = self.new_commonjs_namespace(&exports, found.as_ref());
        self.path.restore(path);
        let namespace = result?;
        if is_finished {
            self.instances.set_namespace(id, namespace);
        }
        Ok(namespace.into())
    }

    fn new_commonjs_namespace(
        &mut self,
        exports: &Value,
        by_node: Option<&FxHashSet<Atom>>,
    ) -> Eval<ObjectId> {
        let found = self.allocate(None, ObjectKind::Ordinary);
        if exports.as_object().is_some() {
            self.copy_into(found, exports)?;
            let marked = self.get_name(exports, "__esModule")?;
            if self.truthiness(&marked) == Some(true) {
                self.put(found, "__esModule", Value::TRUE);
            }
        }
        self.put(found, "default", exports.clone());
        self.put(found, "module.exports", exports.clone());
        let mut names = self.own_names(found, false)?;
        if let Some(by_node) = by_node {
            let always = ["default", "module.exports"];
            names.retain(|it| by_node.contains(it) || always.contains(&&**it));
            // What is found and never set is there all the same.
            let missing: Vec<Atom> = by_node.iter().filter(|it| !names.contains(it)).cloned().collect();
            names.extend(missing);
        }
        names.sort_unstable();
        let namespace = self.allocate(None, ObjectKind::Ordinary);
        for name in names {
            let value = self.get_of(found, &PropertyKey::Name(name.clone()), &found.into())?;
            self.put(namespace, &name, value);
        }
        if let Some(unknown) = self.heap.get(found).open.clone() {
            self.heap.get_mut(namespace).open = Some(unknown);
        }
        Ok(namespace)
    }

    /// What an entry gives as its factory (Pi: `core/extensions/loader.js`, `loadExtensionModule`; jiti, `import` with
    /// `default`): what its wrapping has as `default`, else all of it. A promise is waited for.
    pub(super) fn entry_value(&mut self, id: InstanceId) -> Eval {
        let value = if self.is_json(id) {
            self.namespace_of(id)?
        } else {
            let at = self.new_wrapping(id, Asking::Import);
            let wrapped = self.wrapped(at)?;
            self.each(&wrapped, |me, it| match &it.data {
                Data::Object(_) => me.read_wrapping(at, it, &"default".into()),
                _ => Ok(it.clone()),
            })?
        };
        self.await_value(&value)
    }
}

/// The trap of a wrapping as an object.
fn read_wrapped(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "made from an index")]
    let at = call.data.as_number().unwrap_or(0.0) as usize;
    let Some(key) = me.known_key(&call.arg(1))? else { return Ok(Value::UNDEFINED) };
    me.read_wrapping(at, &call.arg(0), &key)
}
