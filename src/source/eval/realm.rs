//! The objects that are there before any code runs, and how objects are made.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::heap::{
    Heap, Object, ObjectId, ObjectKind, Promise, Properties, Property, PropertyKey, SegmentId, Settler,
};
use super::native::{Code, NativeFunction};
use super::value::{SymbolId, Value};
use super::{Evaluator, World, builtin};
use crate::install::ExtensionId;
use crate::location::Span;

/// Room for unknowns that follow from others, so that their table seldom grows. Only what is used of it is ever touched.
const ROOM_FOR_DERIVED: usize = 1 << 14;

/// The built-in objects that the evaluator itself needs.
#[derive(Debug)]
pub struct Realm {
    /// `globalThis`.
    pub global: ObjectId,
    /// `Object.prototype`.
    pub object: ObjectId,
    /// `Function.prototype`.
    pub function: ObjectId,
    /// The prototypes of asynchronous functions, of generators, and of asynchronous generators.
    pub functions: [ObjectId; 3],
    /// `Array.prototype`.
    pub array: ObjectId,
    /// `String.prototype`.
    pub string: ObjectId,
    /// `Number.prototype`.
    pub number: ObjectId,
    /// `Boolean.prototype`.
    pub boolean: ObjectId,
    /// `Symbol.prototype`.
    pub symbol: ObjectId,
    /// `BigInt.prototype`.
    pub bigint: ObjectId,
    /// `Map.prototype`.
    pub map: ObjectId,
    /// `Set.prototype`.
    pub set: ObjectId,
    /// `Promise.prototype`.
    pub promise: ObjectId,
    /// `RegExp.prototype`.
    pub regexp: ObjectId,
    /// The prototype of iterators and generators.
    pub iterator: ObjectId,
    /// `Error.prototype`.
    pub error: ObjectId,
    /// The prototypes of the other error classes.
    pub errors: FxHashMap<&'static str, ObjectId>,
    /// Modules of Node and of Pi, made when first asked for.
    pub modules: FxHashMap<Arc<str>, ObjectId>,
    /// Compiled regular expressions.
    pub regexps: builtin::Programs,
    /// How many of the first objects are built in.
    pub objects: usize,
    /// What the program has written to, the last last.
    pub written: Vec<(camino::Utf8PathBuf, builtin::node::written::Made)>,
}

impl Realm {
    fn empty(heap: &mut Heap) -> Self {
        let object = heap.add(blank(None));
        let mut make = || heap.add(blank(Some(object)));
        Self {
            global: make(),
            object,
            function: make(),
            functions: [make(), make(), make()],
            array: make(),
            string: make(),
            number: make(),
            boolean: make(),
            symbol: make(),
            bigint: make(),
            map: make(),
            set: make(),
            promise: make(),
            regexp: make(),
            iterator: make(),
            error: make(),
            errors: FxHashMap::default(),
            modules: FxHashMap::default(),
            regexps: builtin::Programs::default(),
            objects: 0,
            written: Vec::new(),
        }
    }

    /// Whether an object is built in.
    pub fn has(&self, object: ObjectId) -> bool {
        object.index() < self.objects
    }
}

fn blank(prototype: Option<ObjectId>) -> Object {
    Object {
        birth: super::heap::Birth::default(),
        prototype,
        properties: Properties::default(),
        kind: ObjectKind::Ordinary,
        open: None,
        listed: None,
        integrity: super::heap::Integrity::Free,
        is_plain: std::cell::Cell::new(false),
    }
}

impl<'a> Evaluator<'a> {
    /// An evaluator with the built-ins in place.
    pub(super) fn new(world: World<'a>) -> Self {
        let mut heap = Heap::new();
        let realm = Realm::empty(&mut heap);
        let nowhere = world.sources.add("", "");
        let mut evaluator = Self {
            world,
            heap,
            realm,
            scopes: super::Scopes::new(),
            path: super::Path::default(),
            facts: super::Facts::default(),
            control: super::FactSet::NONE,
            frames: vec![super::Frame {
                mark: 0,
                this: Value::UNDEFINED,
                home: None,
                new_target: None,
                code: None,
                top_level: None,
                has_waited: false,
                arguments: None,
                awaits_super: false,
                is_async: false,
                segment: SegmentId(0),
                yields: None,
            }],
            exits: Vec::new(),
            trail: Vec::new(),
            forks: 0,
            tripped: false,
            guarded: 0,
            throws_noted: 0,
            writes: None,
            loop_nesting: 0,
            runs_again: false,
            here: Span::new(nowhere, 0, 0),
            budget: super::Budget::default(),
            instances: super::Instances::new(),
            wrappings: super::Wrappings::default(),
            uncaught: super::Uncaught::default(),
            detached: super::Detached::default(),
            schedule: super::Schedule::default(),
            records: super::Records::default(),
            reach: super::Reach::default(),
            extension: ExtensionId(0),
            derived: FxHashMap::with_capacity_and_hasher(ROOM_FOR_DERIVED, rustc_hash::FxBuildHasher),
            summaries: super::Summaries::default(),
            cwd: Some(world.options.cwd.clone()),
            templates: super::FxHashMap::default(),
            yields: FxHashMap::default(),
            symbols: [
                "iterator",
                "asyncIterator",
                "hasInstance",
                "toPrimitive",
                "toStringTag",
                "dispose",
                "asyncDispose",
            ]
            .map(|it| Arc::from(format!("Symbol.{it}")))
            .to_vec(),
            symbol_registry: FxHashMap::default(),
        };
        builtin::install(&mut evaluator);
        evaluator.realm.objects = evaluator.heap.len();
        evaluator
    }

    /// Takes in an object that is made now.
    pub(super) fn allocate(&mut self, prototype: Option<ObjectId>, kind: ObjectKind) -> ObjectId {
        let birth = self.path.birth();
        self.heap.add(Object {
            birth,
            prototype,
            properties: Properties::default(),
            kind,
            open: None,
            listed: None,
            integrity: super::heap::Integrity::Free,
            is_plain: std::cell::Cell::new(false),
        })
    }

    /// `{}`.
    pub(super) fn new_object(&mut self) -> ObjectId {
        let prototype = self.realm.object;
        self.allocate(Some(prototype), ObjectKind::Ordinary)
    }

    /// An array of these elements.
    pub(super) fn new_array(&mut self, elements: Vec<Value>) -> ObjectId {
        let prototype = self.realm.array;
        self.allocate(Some(prototype), ObjectKind::Array(elements))
    }

    /// A built-in function.
    pub(super) fn new_native(&mut self, name: &'static str, code: Code) -> ObjectId {
        self.new_native_with(name, code, Value::UNDEFINED)
    }

    /// A built-in function that holds a value.
    pub(super) fn new_native_with(&mut self, name: &'static str, code: Code, data: Value) -> ObjectId {
        let prototype = self.realm.function;
        let function = NativeFunction { name, code, data, constructs: false };
        let object = self.allocate(Some(prototype), ObjectKind::Native(function));
        self.reach.note_native(object, name);
        object
    }

    /// A built-in class with its prototype object.
    pub(super) fn new_native_class(
        &mut self,
        name: &'static str,
        code: Code,
        prototype: ObjectId,
    ) -> ObjectId {
        let function_prototype = self.realm.function;
        let function = NativeFunction { name, code, data: Value::UNDEFINED, constructs: true };
        let class = self.allocate(Some(function_prototype), ObjectKind::Native(function));
        self.hide(class, "prototype", Value::from(prototype));
        self.hide(prototype, "constructor", Value::from(class));
        class
    }

    /// Adds a built-in method.
    pub(super) fn method(&mut self, object: ObjectId, name: &'static str, code: Code) {
        let short = name.rsplit('.').next().unwrap_or(name);
        let function = self.new_native(name, code);
        self.hide(object, short, Value::from(function));
    }

    /// Adds a property that loops do not see.
    pub(super) fn hide(&mut self, object: ObjectId, name: &str, value: Value) {
        self.heap.get_mut(object).properties.insert(name.into(), Property::hidden(value));
    }

    /// Adds a property of a new object.
    pub(super) fn put(&mut self, object: ObjectId, name: &str, value: Value) {
        self.heap.get_mut(object).properties.insert(name.into(), Property::plain(value));
    }

    /// An error of a built-in class.
    pub(super) fn new_error(&mut self, class: &'static str, message: &str) -> ObjectId {
        let prototype = self.realm.errors.get(class).copied().unwrap_or(self.realm.error);
        let error = self.allocate(Some(prototype), ObjectKind::Error);
        self.hide(error, "message", Value::string(message));
        self.hide(error, "stack", Value::string(format!("{class}: {message}")));
        error
    }

    /// A promise that settles with this value.
    pub(super) fn new_promise(&mut self, value: Value, segments: Vec<SegmentId>) -> ObjectId {
        let prototype = self.realm.promise;
        let promise = Promise {
            value: Some(value),
            rejections: Vec::new(),
            segments,
            pending: Value::FALSE,
            settler: Settler::Program,
            is_queued: false,
            is_handled: false,
            made_in: self.segment(),
        };
        self.allocate(Some(prototype), ObjectKind::Promise(Box::new(promise)))
    }

    /// A symbol of its own.
    pub(super) fn new_symbol(&mut self, description: Arc<str>) -> SymbolId {
        let id = SymbolId(u32::try_from(self.symbols.len()).unwrap_or(u32::MAX));
        self.symbols.push(description);
        id
    }

    /// `Symbol.for(key)`.
    pub(super) fn registered_symbol(&mut self, key: &Arc<str>) -> SymbolId {
        if let Some(&id) = self.symbol_registry.get(key) {
            return id;
        }
        let id = self.new_symbol(key.clone());
        self.symbol_registry.insert(key.clone(), id);
        id
    }

    /// The name of a property for a value that is used as one; `None` when it is not known.
    pub(super) fn property_key(&self, value: &Value) -> Option<PropertyKey> {
        match value.data {
            super::Data::Symbol(id) => Some(PropertyKey::Symbol(id)),
            _ => self.text_of(value).map(PropertyKey::Name),
        }
    }
}
