//! Reading, writing and deleting properties.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::heap::{Integrity, ObjectId, ObjectKind, Property, PropertyKey, Slot};
use super::iteration::Write;
use super::native::Eval;
use super::path::Stop;
use super::value::{Alternative, Data, Unknown, Value};
use super::{Arguments, Derivation, Evaluator, budget};
use crate::source::known::ReasonKind;

/// Where a property was found.
pub(super) enum Found {
    /// A value, perhaps with an absent alternative.
    Data(Value),
    /// A getter, or none.
    Getter(Option<ObjectId>),
    /// There may be one: the object is open.
    Open(Rc<Unknown>),
    /// Not here.
    Nothing,
}

/// How an assignment works.
enum Written {
    /// It makes or changes an own property.
    Plainly,
    /// It calls this setter.
    By(ObjectId),
    /// It cannot be done.
    Nowhere(Obstacle),
}

/// Why an assignment cannot be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Obstacle {
    /// The property is not to be written.
    ReadOnly,
    /// There is a getter alone.
    GetterOnly,
    /// No property can be added.
    NotExtensible,
}

/// What an assignment does that cannot be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Nothing: `Reflect.set`, code that is not strict.
    Sloppy,
    /// It throws.
    Strict,
}

/// How long a chain of prototypes is followed.
pub const MAX_PROTOTYPES: usize = 64;

impl Evaluator<'_> {
    /// `value.key`.
    pub(super) fn get(&mut self, value: &Value, key: &PropertyKey) -> Eval {
        match &value.data {
            Data::Object(object) => {
                let result = self.get_of(*object, key, value)?;
                Ok(self.with_facts(result, value.facts))
            }
            Data::Choice(_) => {
                let value = self.without_nullish(value);
                self.each(&value, |me, value| match value.data {
                    Data::Choice(_) => Ok(me.unknown(ReasonKind::Merged, "one of several values")),
                    _ => me.get(value, key),
                })
            }
            Data::Unknown(unknown) => {
                let result = self.derive(unknown, Derivation::Property(key.clone()));
                Ok(self.with_facts(result, value.facts))
            }
            Data::Undefined | Data::Null | Data::Absent => Err(self.nullish_access(value, key, "read")),
            _ => {
                let result = self.get_of_primitive(value, key)?;
                Ok(self.with_facts(result, value.facts))
            }
        }
    }

    /// `value.name`.
    pub(super) fn get_name(&mut self, value: &Value, name: &str) -> Eval {
        self.get(value, &name.into())
    }

    fn nullish_access(&mut self, value: &Value, key: &PropertyKey, verb: &str) -> Stop {
        let what = if matches!(value.data, Data::Null) { "null" } else { "undefined" };
        let name = self.key_text(key);
        let gerund = if verb == "read" { "reading" } else { "setting" };
        self.throw_error("TypeError", &format!("Cannot {verb} properties of {what} ({gerund} '{name}')"))
    }

    /// A property name in messages.
    pub(super) fn key_text(&self, key: &PropertyKey) -> Arc<str> {
        match key {
            PropertyKey::Name(name) => name.clone(),
            PropertyKey::Private(name) => Arc::from(format!("#{name}")),
            PropertyKey::Symbol(id) => {
                let name = self.symbols.get(id.0 as usize).map_or("", |it| it);
                Arc::from(format!("Symbol({name})"))
            }
        }
    }

    /// A choice without the alternatives that are `null` or `undefined`, if it has others: programs are taken not to
    /// trip over them.
    pub(super) fn without_nullish(&mut self, value: &Value) -> Value {
        let value = self.path.settle(value);
        let Data::Choice(choice) = &value.data else { return value };
        let nullish = choice.alternatives.iter().filter(|it| it.value.is_nullish()).count();
        if nullish == 0 || nullish == choice.alternatives.len() {
            return value;
        }
        let left: Vec<_> = choice.alternatives.iter().filter(|it| !it.value.is_nullish()).cloned().collect();
        match left.as_slice() {
            [only] => only.value.clone(),
            _ => Value {
                data: Data::Choice(Rc::new(super::value::Choice { id: choice.id, alternatives: left })),
                facts: value.facts,
            },
        }
    }

    fn get_of_primitive(&mut self, value: &Value, key: &PropertyKey) -> Eval {
        let prototype = match &value.data {
            Data::String(text, _) => {
                if let PropertyKey::Name(name) = key {
                    if &**name == "length" {
                        return Ok(Value::number(utf16_length(text)));
                    }
                    if let Some(index) = array_index(name) {
                        return Ok(char_at(text, index).map_or(Value::UNDEFINED, Value::string));
                    }
                }
                self.realm.string
            }
            Data::Number(_) => self.realm.number,
            Data::Bool(_) => self.realm.boolean,
            Data::Symbol(_) => self.realm.symbol,
            _ => self.realm.bigint,
        };
        self.get_of(prototype, key, value)
    }

    /// A property of an object, looked up along its prototypes.
    pub(super) fn get_of(&mut self, object: ObjectId, key: &PropertyKey, receiver: &Value) -> Eval {
        let mut at = object;
        let mut maybe: Vec<Alternative> = Vec::new();
        for _ in 0..MAX_PROTOTYPES {
            if let ObjectKind::Proxy { target, handler } = &self.heap.get(at).kind {
                let (target, handler) = (target.clone(), handler.clone());
                return self.get_of_proxy(&target, &handler, key, receiver);
            }
            let result = match self.own(at, key)? {
                Found::Data(value) if value.may_be_absent() => {
                    if matches!(value.data, Data::Absent) {
                        None
                    } else {
                        // Found under a condition: the rest of the chain answers for the other case.
                        maybe.push(Alternative { value, guard: Vec::new(), exact: true, tag: 0 });
                        None
                    }
                }
                Found::Data(value) => Some(value),
                Found::Getter(None) => Some(Value::UNDEFINED),
                Found::Getter(Some(getter)) => {
                    let getter = Value::from(getter);
                    Some(self.call(&getter, receiver, Arguments::default())?)
                }
                Found::Open(unknown) => Some(self.derive(&unknown, Derivation::Property(key.clone()))),
                Found::Nothing => None,
            };
            if let Some(value) = result {
                return Ok(self.layered(maybe, value));
            }
            match self.heap.get(at).prototype {
                Some(next) => at = next,
                None => return Ok(self.layered(maybe, Value::UNDEFINED)),
            }
        }
        Ok(self.layered(maybe, Value::UNDEFINED))
    }

    /// What is read where `maybe` hold values that are absent under conditions, and `last` is what is found behind them.
    fn layered(&mut self, maybe: Vec<Alternative>, last: Value) -> Value {
        let mut result = last;
        for layer in maybe.into_iter().rev() {
            let Data::Choice(choice) = &layer.value.data else { continue };
            let alternatives = choice
                .alternatives
                .iter()
                .map(|it| match it.value.data {
                    Data::Absent => Alternative { value: result.clone(), ..it.clone() },
                    _ => it.clone(),
                })
                .collect();
            result = self.path.choose(alternatives);
        }
        result
    }

    fn get_of_proxy(&mut self, target: &Value, handler: &Value, key: &PropertyKey, receiver: &Value) -> Eval {
        let trap = self.get_name(handler, "get")?;
        if trap.is_nullish() {
            return self.deeper(|me| me.get(target, key));
        }
        let name = self.key_value(key);
        self.call(&trap, handler, Arguments::of([target.clone(), name, receiver.clone()]))
    }

    /// A property name as a value.
    #[allow(clippy::unused_self, reason = "asked like the other questions about keys")]
    pub(super) fn key_value(&self, key: &PropertyKey) -> Value {
        match key {
            PropertyKey::Name(name) | PropertyKey::Private(name) => Value::string(name.clone()),
            PropertyKey::Symbol(id) => Value::from(*id),
        }
    }

    pub(super) fn own(&mut self, object: ObjectId, key: &PropertyKey) -> Eval<Found> {
        let it = self.heap.get(object);
        if let Some(property) = it.properties.get(key) {
            return Ok(match &property.slot {
                Slot::Data(value) => Found::Data(self.path.settle(value)),
                Slot::Accessor { get, .. } => Found::Getter(*get),
            });
        }
        if let Some(value) = self.own_exotic(object, key)? {
            return Ok(Found::Data(value));
        }
        Ok(match (&self.heap.get(object).open, key) {
            (Some(unknown), PropertyKey::Name(_) | PropertyKey::Symbol(_))
                if self.is_open_for(object, key) =>
            {
                Found::Open(unknown.clone())
            }
            _ => Found::Nothing,
        })
    }

    /// Whether an open object may have a property of this name: methods of arrays and the like stay what they are.
    fn is_open_for(&self, object: ObjectId, key: &PropertyKey) -> bool {
        match (&self.heap.get(object).kind, key) {
            (
                ObjectKind::Ordinary | ObjectKind::Opaque(_) | ObjectKind::Native(_),
                PropertyKey::Name(name),
            ) => !matches!(&**name, "hasOwnProperty" | "__proto__"),
            (ObjectKind::Opaque(_), PropertyKey::Symbol(_)) => true,
            (ObjectKind::Array(_), PropertyKey::Name(name)) => array_index(name).is_some(),
            _ => false,
        }
    }

    /// Properties that are no entries of the property list.
    fn own_exotic(&mut self, object: ObjectId, key: &PropertyKey) -> Eval<Option<Value>> {
        let PropertyKey::Name(name) = key else { return Ok(None) };
        match &self.heap.get(object).kind {
            ObjectKind::Array(_) => {
                if &**name == "length" {
                    return Ok(Some(self.array_length(object)));
                }
                Ok(array_index(name).map(|index| self.element(object, index)))
            }
            ObjectKind::Namespace(instance) => {
                let instance = *instance;
                self.export_value(instance, name)
            }
            ObjectKind::Function(_) if &**name == "prototype" => {
                let prototype = self.new_object();
                self.hide(prototype, "constructor", Value::from(object));
                self.hide(object, "prototype", Value::from(prototype));
                Ok(Some(Value::from(prototype)))
            }
            ObjectKind::Function(_) | ObjectKind::Native(_) | ObjectKind::Class(_) | ObjectKind::Bound(_) => {
                Ok(match &**name {
                    "name" => Some(self.function_name(object)),
                    "length" => Some(self.function_length(object)),
                    _ => None,
                })
            }
            ObjectKind::Map(_) | ObjectKind::Set(_) if &**name == "size" => {
                Ok(Some(self.collection_size(object)))
            }
            ObjectKind::RegExp { pattern, flags } => Ok(match &**name {
                "source" => Some(Value::string(pattern.clone())),
                "flags" => Some(Value::string(flags.clone())),
                "global" => Some(Value::from(flags.contains('g'))),
                _ => None,
            }),
            ObjectKind::Boxed(value) => {
                let value = value.clone();
                match &value.data {
                    Data::String(..) if &**name == "length" || array_index(name).is_some() => {
                        self.get_of_primitive(&value, key).map(Some)
                    }
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    fn function_length(&self, object: ObjectId) -> Value {
        match &self.heap.get(object).kind {
            ObjectKind::Function(closure) => {
                let module = self.instances.module(closure.module);
                let params = &module.function(closure.function).params;
                let plain = |it: &&crate::source::ir::Parameter| {
                    !matches!(module.pattern(it.pattern), crate::source::ir::Pattern::Default { .. })
                };
                #[allow(clippy::cast_precision_loss, reason = "a count of parameters")]
                Value::number(params.iter().take_while(plain).count() as f64)
            }
            _ => Value::number(1.0),
        }
    }

    /// How many elements an array has: a choice when some are there only under conditions.
    pub(super) fn array_length(&mut self, object: ObjectId) -> Value {
        if let Some(unknown) = self.heap.get(object).open.clone() {
            return self.derive(&unknown, Derivation::Property("length".into()));
        }
        if self.is_plain(object)
            && let ObjectKind::Array(elements) = &self.heap.get(object).kind
        {
            return self.count_of(elements.len());
        }
        let elements = self.elements_here(object);
        let unsure: Vec<Value> = elements.iter().filter(|it| is_conditional_element(it)).cloned().collect();
        let total = elements.len();
        self.count(total, &unsure)
    }

    /// Whether all elements of an array are there in any case. Looking them through is paid for.
    pub(super) fn is_plain(&self, object: ObjectId) -> bool {
        let it = self.heap.get(object);
        if it.is_plain.get() {
            return true;
        }
        let ObjectKind::Array(elements) = &it.kind else { return false };
        self.path.spend(elements.len() / 64);
        let is_plain = !elements.iter().any(is_conditional_element);
        it.is_plain.set(is_plain);
        is_plain
    }

    /// What an array holds as seen from here: without those elements that the path rules out.
    fn elements_here(&self, object: ObjectId) -> Cow<'_, [Value]> {
        let ObjectKind::Array(elements) = &self.heap.get(object).kind else { return Cow::Borrowed(&[]) };
        if self.is_plain(object) {
            return Cow::Borrowed(elements);
        }
        let seen = |stored: &Value| {
            let seen = self.path.settle(stored);
            let is_ruled_out = is_conditional_element(stored) && matches!(seen.data, Data::Absent);
            (!is_ruled_out).then_some(seen)
        };
        Cow::Owned(elements.iter().filter_map(seen).collect())
    }

    #[allow(clippy::cast_precision_loss, clippy::unused_self, reason = "a length")]
    fn count_of(&self, length: usize) -> Value {
        Value::number(length as f64)
    }

    /// A number of things of which some are there only under conditions.
    pub(super) fn count(&mut self, total: usize, unsure: &[Value]) -> Value {
        #[allow(clippy::cast_precision_loss, reason = "a length")]
        let number = |it: usize| Value::number(it as f64);
        match unsure {
            [] => number(total),
            [only] => self.map(only, |_, it| {
                number(if matches!(it.data, Data::Absent) { total.saturating_sub(1) } else { total })
            }),
            _ => {
                let least = total.saturating_sub(unsure.len());
                let any = (least..=total).map(|it| Alternative {
                    value: number(it),
                    guard: Vec::new(),
                    exact: false,
                    tag: 0,
                });
                let any = any.collect();
                self.path.choose(any)
            }
        }
    }

    /// An element of an array, `Absent` where there is none.
    pub(super) fn element(&mut self, object: ObjectId, index: usize) -> Value {
        if self.is_plain(object)
            && let ObjectKind::Array(elements) = &self.heap.get(object).kind
            && let Some(element) = elements.get(index)
        {
            return self.path.settle(element);
        }
        let elements = self.elements_here(object);
        let Some(before) = elements.get(..=index) else {
            return match self.heap.get(object).open.clone() {
                Some(unknown) => {
                    self.derive(&unknown, Derivation::Property(PropertyKey::Name(index.to_string().into())))
                }
                None if elements.iter().any(is_conditional_element) => Value::UNDEFINED,
                None => Value::ABSENT,
            };
        };
        let Some(first_unsure) = before.iter().position(is_conditional_element) else {
            return before.last().map_or(Value::ABSENT, |it| self.path.settle(it));
        };
        let possible = elements.get(first_unsure..).unwrap_or_default();
        let alternatives = possible
            .iter()
            .map(|it| Alternative { value: self.path.settle(it), guard: Vec::new(), exact: false, tag: 0 })
            .chain([Alternative { value: Value::UNDEFINED, guard: Vec::new(), exact: false, tag: 0 }])
            .collect();
        let value = self.path.choose(alternatives);
        self.map(&value, |_, it| if matches!(it.data, Data::Absent) { Value::UNDEFINED } else { it.clone() })
    }

    fn collection_size(&mut self, object: ObjectId) -> Value {
        if let Some(unknown) = self.heap.get(object).open.clone() {
            return self.derive(&unknown, Derivation::Property("size".into()));
        }
        let (ObjectKind::Map(it) | ObjectKind::Set(it)) = &self.heap.get(object).kind else {
            return Value::UNDEFINED;
        };
        let present: Vec<Value> = it
            .present()
            .map(|(_, value)| self.path.settle(value))
            .filter(|it| !matches!(it.data, Data::Absent))
            .collect();
        let unsure: Vec<Value> = present.iter().filter(|it| is_conditional_element(it)).cloned().collect();
        self.count(present.len(), &unsure)
    }

    /// `target.key = value`.
    pub(super) fn set(&mut self, target: &Value, key: &PropertyKey, value: Value) -> Eval<()> {
        self.set_in(target, key, value, Mode::Sloppy)
    }

    /// `target.key = value` in strict code, or in other code.
    pub(super) fn set_in(&mut self, target: &Value, key: &PropertyKey, value: Value, mode: Mode) -> Eval<()> {
        match &target.data {
            Data::Object(object) => self.set_of(*object, key, value, target, mode),
            Data::Choice(_) => {
                let target = self.without_nullish(target);
                self.each(&target, |me, target| match target.data {
                    Data::Choice(_) => Ok(Value::UNDEFINED),
                    _ => me.set_in(target, key, value.clone(), mode).map(|()| Value::UNDEFINED),
                })
                .map(|_| ())
            }
            Data::Undefined | Data::Null | Data::Absent => Err(self.nullish_access(target, key, "set")),
            Data::Unknown(_) => Ok(()),
            _ if mode == Mode::Sloppy => Ok(()),
            _ => {
                let name = self.key_text(key);
                let kind = self.type_of(target);
                let kind = self.text_of(&kind).unwrap_or_default();
                let text = self.text_of(target).unwrap_or_default();
                Err(self
                    .throw_error("TypeError", &format!("Cannot create property '{name}' on {kind} '{text}'")))
            }
        }
    }

    pub(super) fn set_of(
        &mut self,
        object: ObjectId,
        key: &PropertyKey,
        value: Value,
        receiver: &Value,
        mode: Mode,
    ) -> Eval<()> {
        if let ObjectKind::Proxy { target, handler } = &self.heap.get(object).kind {
            let (target, handler) = (target.clone(), handler.clone());
            let trap = self.get_name(&handler, "set")?;
            if trap.is_nullish() {
                return self.deeper(|me| me.set_in(&target, key, value, mode));
            }
            let name = self.key_value(key);
            let args = Arguments::of([target, name, value, receiver.clone()]);
            let done = self.call(&trap, &handler, args)?;
            if mode == Mode::Strict && self.truthiness(&done) == Some(false) {
                let name = self.key_text(key);
                let message = format!("'set' on proxy: trap returned falsish for property '{name}'");
                return Err(self.throw_error("TypeError", &message));
            }
            return Ok(());
        }
        match self.setter(object, key) {
            Written::By(setter) => {
                let setter = Value::from(setter);
                self.call(&setter, receiver, Arguments::of([value])).map(|_| ())
            }
            Written::Nowhere(obstacle) if mode == Mode::Strict => {
                Err(self.cannot_write(object, key, obstacle))
            }
            Written::Nowhere(_) => Ok(()),
            Written::Plainly => self.write(object, key, value),
        }
    }

    /// Whether an assignment to a key has any effect.
    pub(super) fn can_be_set(&self, object: ObjectId, key: &PropertyKey) -> bool {
        !matches!(self.setter(object, key), Written::Nowhere(_))
    }

    /// How an assignment to a key works, going by the prototypes.
    fn setter(&self, object: ObjectId, key: &PropertyKey) -> Written {
        let mut at = object;
        for _ in 0..MAX_PROTOTYPES {
            let it = self.heap.get(at);
            if let Some(property) = it.properties.get(key) {
                return match property.slot {
                    Slot::Accessor { set: Some(setter), .. } => Written::By(setter),
                    Slot::Accessor { set: None, .. } => Written::Nowhere(Obstacle::GetterOnly),
                    Slot::Data(_) if !property.writable || it.integrity == Integrity::Frozen => {
                        Written::Nowhere(Obstacle::ReadOnly)
                    }
                    Slot::Data(_) if property.is_absent() && it.integrity > Integrity::Free => {
                        Written::Nowhere(Obstacle::NotExtensible)
                    }
                    Slot::Data(_) => Written::Plainly,
                };
            }
            if at == object && it.integrity > Integrity::Free {
                let is_element = match (&it.kind, key) {
                    (ObjectKind::Array(elements), PropertyKey::Name(name)) => {
                        &**name == "length" || array_index(name).is_some_and(|it| it < elements.len())
                    }
                    _ => false,
                };
                return match (is_element, it.integrity) {
                    (true, Integrity::Frozen) => Written::Nowhere(Obstacle::ReadOnly),
                    (true, _) => Written::Plainly,
                    (false, _) => Written::Nowhere(Obstacle::NotExtensible),
                };
            }
            let Some(next) = it.prototype else { break };
            at = next;
        }
        Written::Plainly
    }

    fn cannot_write(&mut self, object: ObjectId, key: &PropertyKey, obstacle: Obstacle) -> Stop {
        let name = self.key_text(key);
        let shown = self.shown_object(object);
        let message = match obstacle {
            Obstacle::ReadOnly => {
                let shown = if shown == "#<Array>" { "[object Array]" } else { &shown };
                format!("Cannot assign to read only property '{name}' of object '{shown}'")
            }
            Obstacle::GetterOnly => format!("Cannot set property {name} of {shown} which has only a getter"),
            Obstacle::NotExtensible => format!("Cannot add property {name}, object is not extensible"),
        };
        self.throw_error("TypeError", &message)
    }

    /// An object as messages show it: `#<Class>`.
    fn shown_object(&mut self, object: ObjectId) -> String {
        let class = self.get_of(object, &"constructor".into(), &object.into()).ok();
        let class = class.and_then(|it| it.as_object());
        let name = class.map_or_else(|| Value::string("Object"), |it| self.function_name(it));
        format!("#<{}>", self.text_of(&name).unwrap_or_else(|| "Object".into()))
    }

    /// Writes an own property, whatever setters there are; under the conditions of the path.
    pub(super) fn write(&mut self, object: ObjectId, key: &PropertyKey, value: Value) -> Eval<()> {
        if let PropertyKey::Name(name) = key
            && matches!(self.heap.get(object).kind, ObjectKind::Array(_))
        {
            if let Some(index) = array_index(name) {
                return self.write_element(object, index, value);
            }
            if &**name == "length" {
                return self.write_length(object, &value);
            }
        }
        let value = self.with_facts(value, self.control);
        let it = self.heap.get(object);
        let guard = self.path.since_birth(it.birth);
        if !guard.is_empty() {
            self.note_write(Write::Property(object, key.clone()));
        }
        let it = self.heap.get(object);
        let (old, enumerable, is_fixed) = match it.properties.get(key) {
            Some(Property { slot: Slot::Data(old), enumerable, is_fixed, .. }) => {
                (old.clone(), *enumerable, *is_fixed)
            }
            _ => (Value::ABSENT, true, false),
        };
        let value = self.path.written(&old, value, &guard);
        let property = Property { slot: Slot::Data(value), enumerable, writable: true, is_fixed };
        self.heap.get_mut(object).properties.insert(key.clone(), property);
        Ok(())
    }

    /// Writes an element of an array; under the conditions of the path.
    pub(super) fn write_element(&mut self, object: ObjectId, index: usize, value: Value) -> Eval<()> {
        let guard = self.path.since_birth(self.heap.get(object).birth);
        let value = self.with_facts(value, self.control);
        let was_plain = self.heap.get(object).is_plain.get();
        let ObjectKind::Array(elements) = &mut self.heap.get_mut(object).kind else { return Ok(()) };
        if index >= elements.len() {
            if index >= budget::MAX_ELEMENTS {
                return Err(self.exceed(budget::Exceeded::Memory));
            }
            elements.resize(index + 1, Value::ABSENT);
        }
        let Some(slot) = elements.get_mut(index) else { return Ok(()) };
        *slot = self.path.written(slot, value, &guard);
        let is_plain = was_plain && !is_conditional_element(slot);
        self.heap.get(object).is_plain.set(is_plain);
        Ok(())
    }

    fn write_length(&mut self, object: ObjectId, value: &Value) -> Eval<()> {
        let Some(length) = value.as_number() else {
            let reason = self.unknown(ReasonKind::NotModelled, "an array of unknown length");
            self.open_up(object, &reason);
            return Ok(());
        };
        let guard = self.path.since_birth(self.heap.get(object).birth);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked below")]
        let length = length.max(0.0) as usize;
        if length > budget::MAX_ELEMENTS {
            return Err(self.exceed(budget::Exceeded::Memory));
        }
        let ObjectKind::Array(elements) = &mut self.heap.get_mut(object).kind else { return Ok(()) };
        if guard.is_empty() {
            elements.resize(length, Value::ABSENT);
            return Ok(());
        }
        for slot in elements.iter_mut().skip(length) {
            *slot = self.path.written(slot, Value::ABSENT, &guard);
        }
        Ok(())
    }

    /// Marks an object as one that may hold more than is known.
    pub(super) fn open_up(&mut self, object: ObjectId, why: &Value) {
        if let Data::Unknown(unknown) = &why.data {
            self.heap.get_mut(object).open.get_or_insert_with(|| unknown.clone());
        }
    }

    /// Adds elements to the end of an array; under the conditions of the path.
    pub(super) fn append(&mut self, object: ObjectId, values: impl IntoIterator<Item = Value>) -> Eval<()> {
        let it = self.heap.get(object);
        if it.integrity > Integrity::Free
            && let ObjectKind::Array(elements) = &it.kind
        {
            let message = format!("Cannot add property {}, object is not extensible", elements.len());
            return Err(self.throw_error("TypeError", &message));
        }
        let guard = self.path.since_birth(it.birth);
        if !guard.is_empty() {
            self.note_write(Write::Contents(object));
        }
        for value in values {
            let value = self.with_facts(value, self.control);
            let value = self.path.written(&Value::ABSENT, value, &guard);
            let is_plain = self.heap.get(object).is_plain.get() && !is_conditional_element(&value);
            let ObjectKind::Array(elements) = &mut self.heap.get_mut(object).kind else { return Ok(()) };
            if elements.len() >= budget::MAX_ELEMENTS {
                return Err(self.exceed(budget::Exceeded::Memory));
            }
            elements.push(value);
            self.heap.get(object).is_plain.set(is_plain);
        }
        Ok(())
    }

    /// `delete object.key`.
    pub(super) fn delete(&mut self, target: &Value, key: &PropertyKey) -> Eval<()> {
        if let Some(object) = target.as_object()
            && let it = self.heap.get(object)
            && it.properties.get(key).is_some_and(|property| {
                !property.is_absent() && (property.is_fixed || it.integrity >= Integrity::Sealed)
            })
        {
            let (name, shown) = (self.key_text(key), self.shown_object(object));
            let message = format!("Cannot delete property '{name}' of {shown}");
            return Err(self.throw_error("TypeError", &message));
        }
        if let Data::Choice(_) = target.data {
            return self
                .each(target, |me, target| match target.data {
                    Data::Choice(_) => Ok(Value::TRUE),
                    _ => me.delete(target, key).map(|()| Value::TRUE),
                })
                .map(|_| ());
        }
        let Some(object) = target.as_object() else { return Ok(()) };
        if let ObjectKind::Proxy { target, .. } = &self.heap.get(object).kind {
            let target = target.clone();
            return self.deeper(|me| me.delete(&target, key));
        }
        let guard = self.path.since_birth(self.heap.get(object).birth);
        if let PropertyKey::Name(name) = key
            && let Some(index) = array_index(name)
            && let ObjectKind::Array(elements) = &mut self.heap.get_mut(object).kind
            && let Some(slot) = elements.get_mut(index)
        {
            *slot = self.path.written(slot, Value::ABSENT, &guard);
        }
        let Some(property) = self.heap.get(object).properties.get(key) else { return Ok(()) };
        let old = match &property.slot {
            Slot::Data(value) => value.clone(),
            Slot::Accessor { .. } if guard.is_empty() => Value::ABSENT,
            Slot::Accessor { .. } => return Ok(()),
        };
        let gone = self.path.written(&old, Value::ABSENT, &guard);
        if let Some(property) = self.heap.get_mut(object).properties.get_mut(key) {
            property.slot = Slot::Data(gone);
        }
        Ok(())
    }

    /// `key in value`: known, or the unknown that it is.
    pub(super) fn has(&mut self, value: &Value, key: &PropertyKey) -> Eval {
        match &value.data {
            Data::Object(object) => self.has_of(*object, key),
            Data::Choice(choice) => {
                // Programs are taken not to ask a primitive where it may be an object.
                let is_table = |it: &Value| it.as_object().is_some() || it.as_unknown().is_some();
                let any_table = choice.alternatives.iter().any(|it| is_table(&it.value));
                self.each(value, |me, value| match value.data {
                    Data::Choice(_) => Ok(me.unknown(ReasonKind::Merged, "one of several values")),
                    _ if any_table && !is_table(value) => Ok(Value::FALSE),
                    _ => me.has(value, key),
                })
            }
            Data::Unknown(unknown) => {
                let name = self.key_text(key);
                Ok(self.derive(unknown, Derivation::Operator("in", name)))
            }
            _ => {
                let name = self.key_text(key);
                Err(self.throw_error(
                    "TypeError",
                    &format!("Cannot use 'in' operator to search for '{name}' in a primitive value"),
                ))
            }
        }
    }

    fn has_of(&mut self, object: ObjectId, key: &PropertyKey) -> Eval {
        let mut at = Some(object);
        let mut steps = 0;
        while let Some(id) = at {
            steps += 1;
            if steps > MAX_PROTOTYPES {
                break;
            }
            if let ObjectKind::Proxy { target, handler } = &self.heap.get(id).kind {
                let (target, handler) = (target.clone(), handler.clone());
                let trap = self.get_name(&handler, "has")?;
                if trap.is_nullish() {
                    return self.deeper(|me| me.has(&target, key));
                }
                let name = self.key_value(key);
                return self.call(&trap, &handler, Arguments::of([target, name]));
            }
            match self.own(id, key)? {
                Found::Data(value) => match &value.data {
                    Data::Absent => {}
                    Data::Choice(_) if value.may_be_absent() => {
                        return Ok(self.map(&value, |_, it| (!matches!(it.data, Data::Absent)).into()));
                    }
                    _ => return Ok(Value::TRUE),
                },
                Found::Getter(_) => return Ok(Value::TRUE),
                Found::Open(unknown) => {
                    let name = self.key_text(key);
                    return Ok(self.derive(&unknown, Derivation::Operator("in", name)));
                }
                Found::Nothing => {}
            }
            at = self.heap.get(id).prototype;
        }
        Ok(Value::FALSE)
    }

    /// Whether an object has an own property, as [`Evaluator::has`] but without its prototypes.
    pub(super) fn has_own(&mut self, object: ObjectId, key: &PropertyKey) -> Eval {
        Ok(match self.own(object, key)? {
            Found::Data(value) => self.map(&value, |_, it| (!matches!(it.data, Data::Absent)).into()),
            Found::Getter(_) => Value::TRUE,
            Found::Open(unknown) => {
                let name = self.key_text(key);
                self.derive(&unknown, Derivation::Operator("in", name))
            }
            Found::Nothing => Value::FALSE,
        })
    }
}

/// Whether an element is there only under a condition.
pub fn is_conditional_element(value: &Value) -> bool {
    matches!(value.data, Data::Choice(_)) && value.may_be_absent()
}

/// The array index that a property name is.
pub fn array_index(name: &str) -> Option<usize> {
    let first = *name.as_bytes().first()?;
    let plain = name.len() <= 10 && first.is_ascii_digit() && (first != b'0' || name.len() == 1);
    if plain { name.parse().ok() } else { None }
}

/// How many UTF-16 units a string has.
#[allow(clippy::cast_precision_loss, reason = "a length of at most some megabytes")]
pub fn utf16_length(text: &str) -> f64 {
    if text.is_ascii() { text.len() as f64 } else { text.encode_utf16().count() as f64 }
}

/// The character at a UTF-16 index; half a surrogate pair comes out as the replacement character.
pub fn char_at(text: &str, index: usize) -> Option<String> {
    if text.is_ascii() {
        return text.get(index..=index).map(str::to_owned);
    }
    text.encode_utf16().nth(index).map(|unit| String::from_utf16_lossy(&[unit]))
}
