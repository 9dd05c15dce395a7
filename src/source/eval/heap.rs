//! Objects. They live in an arena for as long as the evaluator does and are named by [`ObjectId`]s.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Arguments;
use super::generator::Thrown;
use super::native::NativeFunction;
use super::scope::ScopeId;
use super::suspension::Standing;
use super::value::{CondId, Data, Guard, SymbolId, Unknown, Value};
use super::watch::Watch;
use crate::catalog::NodeObject;
use crate::source::ir::{ClassId, FunctionId};

/// An object of the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);

impl ObjectId {
    /// Its place in tables of all objects.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A module of the evaluation; see `module`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(pub u32);

/// How far the path had come when something was made: writes to it are conditional only on what came later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Birth(pub u32);

/// The name of a property.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PropertyKey {
    /// A string. Array indexes in JavaScript's spelling.
    Name(Arc<str>),
    /// A symbol.
    Symbol(SymbolId),
    /// `#name`. Not told apart by class: one that is not declared does not parse.
    Private(Arc<str>),
}

impl From<&str> for PropertyKey {
    fn from(it: &str) -> Self {
        Self::Name(it.into())
    }
}

/// What a property holds.
#[derive(Debug, Clone)]
pub enum Slot {
    /// A value; [`Data::Absent`] (perhaps as one alternative) when the property is not there.
    Data(Value),
    /// A getter and a setter.
    Accessor {
        /// The function that gives the value.
        get: Option<ObjectId>,
        /// The function that takes it.
        set: Option<ObjectId>,
    },
}

/// A property.
#[derive(Debug, Clone)]
pub struct Property {
    /// Its value or accessors.
    pub slot: Slot,
    /// Whether loops and spreads see it.
    pub enumerable: bool,
    /// Whether assignments change it.
    pub writable: bool,
    /// Whether it can neither be deleted nor defined anew.
    pub is_fixed: bool,
}

impl Property {
    /// As an assignment makes it.
    pub fn plain(value: Value) -> Self {
        Self { slot: Slot::Data(value), enumerable: true, writable: true, is_fixed: false }
    }

    /// As built-in methods are.
    pub fn hidden(value: Value) -> Self {
        Self { slot: Slot::Data(value), enumerable: false, writable: true, is_fixed: false }
    }

    /// Whether it is surely not there.
    pub fn is_absent(&self) -> bool {
        matches!(&self.slot, Slot::Data(Value { data: Data::Absent, .. }))
    }
}

/// From this many properties on, an index is kept beside the list.
const INDEXED_FROM: usize = 12;

/// The properties of an object in the order in which they were made.
#[derive(Debug, Default)]
pub struct Properties {
    list: Vec<(PropertyKey, Property)>,
    index: Option<Box<FxHashMap<PropertyKey, u32>>>,
}

impl Properties {
    fn position(&self, key: &PropertyKey) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(key).map(|&at| at as usize),
            None => self.list.iter().position(|(it, _)| it == key),
        }
    }

    /// The property of this name, absent ones included.
    pub fn get(&self, key: &PropertyKey) -> Option<&Property> {
        self.position(key).and_then(|at| self.list.get(at)).map(|(_, property)| property)
    }

    /// The property of this name, to be changed.
    pub fn get_mut(&mut self, key: &PropertyKey) -> Option<&mut Property> {
        let at = self.position(key)?;
        self.list.get_mut(at).map(|(_, property)| property)
    }

    /// Adds or replaces; a replaced one keeps its place, one that was absent moves to the end.
    pub fn insert(&mut self, key: PropertyKey, property: Property) {
        match self.position(&key) {
            Some(at) if self.list.get(at).is_some_and(|(_, it)| it.is_absent()) => {
                self.list.remove(at);
                self.list.push((key, property));
                self.rebuild_index();
            }
            Some(at) => {
                if let Some((_, it)) = self.list.get_mut(at) {
                    *it = property;
                }
            }
            None => {
                if let Some(index) = &mut self.index {
                    index.insert(key.clone(), u32::try_from(self.list.len()).unwrap_or(u32::MAX));
                }
                self.list.push((key, property));
                if self.index.is_none() && self.list.len() > INDEXED_FROM {
                    self.rebuild_index();
                }
            }
        }
    }

    fn rebuild_index(&mut self) {
        self.index = (self.list.len() > INDEXED_FROM).then(|| {
            let numbered = self.list.iter().zip(0..);
            Box::new(numbered.map(|((key, _), at)| (key.clone(), at)).collect())
        });
    }

    /// All in order, absent ones included.
    pub fn iter(&self) -> impl Iterator<Item = (&PropertyKey, &Property)> {
        self.list.iter().map(|(key, property)| (key, property))
    }

    /// All in order, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&PropertyKey, &mut Property)> {
        self.list.iter_mut().map(|(key, property)| (&*key, property))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// A function of the program with what it closes over.
#[derive(Debug, Clone)]
pub struct Closure {
    /// The module that it is written in.
    pub module: InstanceId,
    /// Its code.
    pub function: FunctionId,
    /// What it closes over.
    pub scope: ScopeId,
    /// `this` of an arrow.
    pub this: Option<Value>,
    /// Where `super` starts: the object that holds the method.
    pub home: Option<ObjectId>,
    /// The constructor's `this` cell and `new.target` for arrows within constructors.
    pub new_target: Option<ObjectId>,
}

/// The call of a generator that has not begun.
#[derive(Debug, Clone)]
pub struct Suspended {
    /// The generator.
    pub closure: Closure,
    /// Its `this`.
    pub this: Value,
    /// Its arguments.
    pub arguments: Arguments,
}

/// A class of the program.
#[derive(Debug, Clone)]
pub struct ClassObject {
    /// The module that it is written in.
    pub module: InstanceId,
    /// Its code.
    pub class: ClassId,
    /// What it closes over.
    pub scope: ScopeId,
    /// The class that it extends; unknown when that is not known.
    pub parent: Option<Value>,
    /// Its `prototype`.
    pub prototype: ObjectId,
    /// The keys of fields, computed when the class was made.
    pub field_keys: Rc<[Option<PropertyKey>]>,
}

/// `f.bind(this, …args)`.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The function.
    pub target: Value,
    /// Its `this`.
    pub this: Value,
    /// The first arguments.
    pub args: Vec<Value>,
}

/// Entries of a `Map` or `Set` in order. A removed one is [`Data::Absent`].
#[derive(Debug, Default)]
pub struct Collection {
    /// Keys and values; a set holds each key as its value as well.
    pub entries: Vec<(Value, Value)>,
    index: FxHashMap<CollectionKey, u32>,
}

/// A key of a collection by which it is found quickly.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum CollectionKey {
    Undefined,
    Null,
    Bool(bool),
    Number(u64),
    Text(Arc<str>),
    BigInt(Arc<str>),
    Symbol(SymbolId),
    Object(ObjectId),
    Unknown(u32),
}

fn collection_key(value: &Value) -> Option<CollectionKey> {
    Some(match &value.data {
        Data::Undefined | Data::Absent => CollectionKey::Undefined,
        Data::Null => CollectionKey::Null,
        Data::Bool(it) => CollectionKey::Bool(*it),
        Data::Number(it) => CollectionKey::Number((it + 0.0).to_bits()),
        Data::String(it, _) => CollectionKey::Text(it.clone()),
        Data::BigInt(it) => CollectionKey::BigInt(it.clone()),
        Data::Symbol(it) => CollectionKey::Symbol(*it),
        Data::Object(it) => CollectionKey::Object(*it),
        Data::Unknown(it) => CollectionKey::Unknown(it.id),
        Data::Choice(_) => return None,
    })
}

impl Collection {
    /// Where the entry of a key is; `None` also for choices, which have no one place.
    pub fn position(&self, key: &Value) -> Option<usize> {
        self.index.get(&collection_key(key)?).map(|&at| at as usize)
    }

    /// The value of a key, absent ones included.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.position(key).and_then(|at| self.entries.get(at)).map(|(_, value)| value)
    }

    /// Adds an entry, or replaces its value in place; one that had been removed moves to the end.
    pub fn insert(&mut self, key: Value, value: Value) {
        if let Some(at) = self.position(&key)
            && let Some((_, slot)) = self.entries.get_mut(at)
            && !matches!(slot.data, Data::Absent)
        {
            *slot = value;
            return;
        }
        if let Some(known) = collection_key(&key) {
            self.index.insert(known, u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        }
        self.entries.push((key, value));
    }

    /// The entries that are or may be there.
    pub fn present(&self) -> impl Iterator<Item = &(Value, Value)> {
        self.entries.iter().filter(|(_, value)| !matches!(value.data, Data::Absent))
    }
}

/// Part of an asynchronous function after its first wait; see `phases`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentId(pub u32);

/// Who has the means to settle a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settler {
    /// Code that is followed.
    Program,
    /// Perhaps code that is not.
    Outside,
    /// Nobody.
    Nobody,
}

/// A promise. Those of the program are settled as soon as they are made: its code runs in place.
#[derive(Debug, Clone)]
pub struct Promise {
    /// What it is fulfilled with (never a promise itself), unless it surely is not.
    pub value: Option<Value>,
    /// The errors that it rejects with, each with what has to hold for that.
    pub rejections: Vec<(Guard, Value)>,
    /// What has run by the time it settles; see `phases`.
    pub segments: Vec<SegmentId>,
    /// Whether it is yet to be settled: a boolean, or a choice of both.
    pub pending: Value,
    /// Who may settle it.
    pub settler: Settler,
    /// Whether a microtask settles it that has been put off.
    pub is_queued: bool,
    /// Whether somebody waits for it, or may.
    pub is_handled: bool,
    /// The segment in which it was made.
    pub made_in: SegmentId,
}

/// What an object is beyond its properties.
#[derive(Debug)]
pub enum ObjectKind {
    /// Nothing more.
    Ordinary,
    /// An array. Gaps are [`Data::Absent`]; an element that is there under a condition only is a choice with it.
    Array(Vec<Value>),
    /// A function of the program.
    Function(Box<Closure>),
    /// A function that is built in.
    Native(NativeFunction),
    /// A bound function.
    Bound(Box<Bound>),
    /// A class of the program.
    Class(Box<ClassObject>),
    /// A `Map` or `WeakMap`.
    Map(Box<Collection>),
    /// A `Set` or `WeakSet`.
    Set(Box<Collection>),
    /// A promise.
    Promise(Box<Promise>),
    /// A proxy.
    Proxy {
        /// What it stands for.
        target: Value,
        /// Its traps.
        handler: Value,
    },
    /// The namespace of a module.
    Namespace(InstanceId),
    /// A regular expression.
    RegExp {
        /// Its source.
        pattern: Arc<str>,
        /// Its flags.
        flags: Arc<str>,
    },
    /// An iterator over values that are all known beforehand (generators run to their end at once).
    Iterator {
        /// What it yields.
        items: Vec<Value>,
        /// The next one.
        next: usize,
        /// Whether `next` gives promises.
        is_async: bool,
        /// What a generator returns.
        returns: Value,
        /// The call of a generator that nobody has asked for a value yet.
        suspended: Option<Box<Suspended>>,
        /// A generator that stands still between two values.
        standing: Option<Box<Standing>>,
        /// For each value that was asked for on its own: that the generator goes on behind it.
        stages: Vec<CondId>,
        /// What it throws behind them.
        throws: Vec<Thrown>,
        /// That an error is thrown into it behind so many of them.
        thrown_into: Vec<(usize, CondId)>,
    },
    /// A boxed primitive.
    Boxed(Value),
    /// An error; its properties say the rest.
    Error,
    /// An object of a built-in or host class of this name, whose inside is not modelled.
    Opaque(&'static str),
}

/// What can be changed of an object, from all to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Integrity {
    /// Everything.
    Free,
    /// No property is added: `Object.preventExtensions`.
    NotExtensible,
    /// None is deleted either: `Object.seal`.
    Sealed,
    /// None is written either: `Object.freeze`.
    Frozen,
}

/// An object.
#[derive(Debug)]
pub struct Object {
    /// When it was made.
    pub birth: Birth,
    /// Where properties that it does not have are looked up.
    pub prototype: Option<ObjectId>,
    /// Its own properties.
    pub properties: Properties,
    /// What else it is.
    pub kind: ObjectKind,
    /// Set when it may have properties (elements, entries) beyond these.
    pub open: Option<Rc<Unknown>>,
    /// Set on objects of Node: the list of their members, those that are not modelled included.
    pub listed: Option<&'static NodeObject>,
    /// What can be changed of it.
    pub integrity: Integrity,
    /// Set while it is known of an array that all of its elements are there in any case.
    pub is_plain: Cell<bool>,
}

impl Object {
    /// The built-in function that it is, if it is one.
    pub fn kind_of_native(&self) -> Option<&NativeFunction> {
        match &self.kind {
            ObjectKind::Native(native) => Some(native),
            _ => None,
        }
    }
}

/// Every object.
#[derive(Debug)]
pub struct Heap {
    objects: Vec<Object>,
    /// Which of them are changed.
    pub changes: Watch,
}

impl Heap {
    /// An empty one, with room for what a hundred extensions make. Only what is used of it is ever touched.
    pub fn new() -> Self {
        const ROOM: usize = 1 << 17;
        Self { objects: Vec::with_capacity(ROOM), changes: Watch::new() }
    }

    /// Takes in an object.
    pub fn add(&mut self, object: Object) -> ObjectId {
        let id = ObjectId(u32::try_from(self.objects.len()).unwrap_or(u32::MAX));
        self.objects.push(object);
        id
    }

    /// An object.
    ///
    /// # Panics
    /// When the id comes from another heap: ids are only made by [`Heap::add`] and objects never go away.
    pub fn get(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// An object, to be changed. Conditional writes go through the evaluator instead.
    ///
    /// # Panics
    /// As [`Heap::get`].
    pub fn get_mut(&mut self, id: ObjectId) -> &mut Object {
        self.changes.note(id.index());
        let object = &mut self.objects[id.0 as usize];
        object.is_plain.set(false);
        object
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }
}
