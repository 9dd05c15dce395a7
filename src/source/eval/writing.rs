//! Writing and deleting properties.

use super::heap::{Integrity, ObjectId, ObjectKind, Property, PropertyKey, Slot};
use super::iteration::Write;
use super::native::Eval;
use super::path::Stop;
use super::property::{MAX_PROTOTYPES, array_index, is_conditional_element};
use super::value::{Data, Value};
use super::{Arguments, Evaluator, budget};
use crate::source::known::ReasonKind;

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

impl Evaluator<'_> {
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
        if let ObjectKind::Proxy { target, handler } = &self.heap.get(object).kind
            && !matches!(key, PropertyKey::Private(_))
        {
            let (target, handler) = (target.clone(), handler.clone());
            let trap = self.get_name(&handler, "set")?;
            if trap.is_nullish() {
                let define = self.get_name(&handler, "defineProperty")?;
                if define.is_nullish() || receiver.as_object() != Some(object) {
                    return self.deeper(|me| me.set_in(&target, key, value, mode));
                }
                let is_new = self.has(&target, key)?;
                let is_new = self.truthiness(&is_new) == Some(false);
                let descriptor = self.new_object();
                self.put(descriptor, "value", value);
                for name in ["writable", "enumerable", "configurable"].iter().filter(|_| is_new) {
                    self.put(descriptor, name, Value::TRUE);
                }
                let name = self.key_value(key);
                return self
                    .call(&define, &handler, Arguments::of([target, name, descriptor.into()]))
                    .map(|_| ());
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
        if let ObjectKind::Proxy { target, handler } = &self.heap.get(object).kind {
            let (target, handler) = (target.clone(), handler.clone());
            let trap = self.get_name(&handler, "deleteProperty")?;
            if trap.is_nullish() {
                return self.deeper(|me| me.delete(&target, key));
            }
            let name = self.key_value(key);
            let done = self.call(&trap, &handler, Arguments::of([target, name]))?;
            if self.truthiness(&done) == Some(false) {
                let name = self.key_text(key);
                let message =
                    format!("'deleteProperty' on proxy: trap returned falsish for property '{name}'");
                return Err(self.throw_error("TypeError", &message));
            }
            return Ok(());
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
}
