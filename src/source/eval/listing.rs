//! All properties of an object: their names, entries, and copying them.

use std::rc::Rc;
use std::sync::Arc;

use super::heap::{ObjectId, ObjectKind, Property, PropertyKey, Slot};
use super::native::Eval;
use super::property::{Found, MAX_PROTOTYPES, array_index};
use super::value::{Alternative, Data, Unknown, Value};
use super::writing::Mode;
use super::{Arguments, Derivation, Evaluator};

impl Evaluator<'_> {
    /// The names of the own enumerable properties in JavaScript's order: each with a value that tells whether it is
    /// there, `Absent` as one alternative of those that are there under a condition. No getter runs.
    pub(super) fn own_keys(&mut self, object: ObjectId) -> Eval<Vec<(Arc<str>, Value)>> {
        let names = self.own_names(object, false)?;
        let mut keys = Vec::with_capacity(names.len());
        for name in names {
            let is_plain = match self.heap.get(object).properties.get(&PropertyKey::Name(name.clone())) {
                Some(Property { slot: Slot::Data(value), .. }) => Some(self.path.settle(value)),
                _ => None,
            };
            let there = match (is_plain, array_index(&name)) {
                (Some(value), _) => value,
                (None, Some(index)) => self.element_as_stored(object, index),
                (None, None) => Value::TRUE,
            };
            if !matches!(there.data, Data::Absent) {
                keys.push((name, there));
            }
        }
        Ok(keys)
    }

    /// An element with the conditions under which it is there.
    fn element_as_stored(&self, object: ObjectId, index: usize) -> Value {
        match &self.heap.get(object).kind {
            ObjectKind::Array(elements) => elements.get(index).map_or(Value::TRUE, |it| self.path.settle(it)),
            _ => Value::TRUE,
        }
    }

    /// The names that `for … in` goes over: those of [`Evaluator::own_keys`] along the prototypes.
    pub(super) fn keys_along_prototypes(&mut self, object: ObjectId) -> Eval<Vec<(Arc<str>, Value)>> {
        let mut keys = self.own_keys(object)?;
        let mut at = self.heap.get(object).prototype;
        for _ in 0..MAX_PROTOTYPES {
            let Some(object) = at else { break };
            // Built-in prototypes have nothing that loops see, mostly.
            if !self.heap.get(object).properties.is_empty() {
                for (name, there) in self.own_keys(object)? {
                    if !keys.iter().any(|it| it.0 == name) {
                        keys.push((name, there));
                    }
                }
            }
            at = self.heap.get(object).prototype;
        }
        Ok(keys)
    }

    /// The own enumerable properties with string names in JavaScript's order: each name with its value, `Absent` as one
    /// alternative of those that are there under a condition. Getters run.
    pub(super) fn own_entries(&mut self, object: ObjectId) -> Eval<Vec<(Arc<str>, Value)>> {
        let names = self.own_names(object, false)?;
        let mut entries = Vec::with_capacity(names.len());
        for name in names {
            let key = PropertyKey::Name(name.clone());
            let value = match self.own(object, &key)? {
                Found::Data(value) => value,
                Found::Getter(Some(getter)) => {
                    self.call(&Value::from(getter), &Value::from(object), Arguments::default())?
                }
                Found::Getter(None) => Value::UNDEFINED,
                Found::Open(_) | Found::Nothing => {
                    let value = Value::from(object);
                    self.get_of(object, &key, &value)?
                }
            };
            if !matches!(value.data, Data::Absent) {
                entries.push((name, value));
            }
        }
        Ok(entries)
    }

    /// The names of own properties in JavaScript's order; hidden ones if asked for.
    pub(super) fn own_names(&mut self, object: ObjectId, hidden: bool) -> Eval<Vec<Arc<str>>> {
        if let Some(list) = self.heap.get(object).listed
            && (hidden || !list.path.ends_with(".prototype"))
        {
            self.complete_members(object, list);
        }
        let it = self.heap.get(object);
        let mut names: Vec<Arc<str>> = Vec::new();
        match &it.kind {
            ObjectKind::Array(elements) => {
                let present = elements.iter().enumerate().filter(|(_, it)| !matches!(it.data, Data::Absent));
                names.extend(present.map(|(index, _)| Arc::from(index.to_string())));
                if hidden {
                    names.push("length".into());
                }
            }
            ObjectKind::Namespace(instance) => {
                let instance = *instance;
                names.extend(self.export_names(instance)?);
            }
            ObjectKind::Boxed(Value { data: Data::String(text, _), .. }) => {
                names.extend((0..text.encode_utf16().count()).map(|it| Arc::from(it.to_string())));
            }
            ObjectKind::Proxy { target, handler } => {
                let (target, handler) = (target.clone(), handler.clone());
                let trap = self.get_name(&handler, "ownKeys")?;
                match target.as_object() {
                    Some(target) if trap.is_nullish() => {
                        return self.deeper(|me| me.own_names(target, hidden));
                    }
                    Some(object) => return self.trapped_names(object, (&trap, &handler), hidden),
                    None => {}
                }
            }
            _ => {}
        }
        let mut indexes: Vec<(u32, Arc<str>)> = Vec::new();
        for (key, property) in self.heap.get(object).properties.iter() {
            let PropertyKey::Name(name) = key else { continue };
            let settled_absent = match &property.slot {
                Slot::Data(value) => matches!(self.path.settle(value).data, Data::Absent),
                Slot::Accessor { .. } => false,
            };
            if settled_absent || !(property.enumerable || hidden) {
                continue;
            }
            match array_index(name).and_then(|it| u32::try_from(it).ok()) {
                Some(index) => indexes.push((index, name.clone())),
                None => names.push(name.clone()),
            }
        }
        if !indexes.is_empty() {
            indexes.sort_unstable();
            names.splice(0..0, indexes.into_iter().map(|(_, name)| name));
        }
        Ok(names)
    }

    /// The names that a proxy's `ownKeys` gives. Without `hidden` those that its `getOwnPropertyDescriptor` or else its target
    /// calls enumerable.
    fn trapped_names(
        &mut self,
        target: ObjectId,
        (trap, handler): (&Value, &Value),
        hidden: bool,
    ) -> Eval<Vec<Arc<str>>> {
        let target_value = Value::from(target);
        let keys = self.call(trap, handler, Arguments::of([target_value.clone()]))?;
        let describe = self.get_name(handler, "getOwnPropertyDescriptor")?;
        let mut names = Vec::new();
        for key in self.items_of(&keys)?.values {
            let Some(name) = key.as_str().cloned() else { continue };
            let is_enumerable = if hidden {
                true
            } else if describe.is_nullish() {
                let properties = &self.heap.get(target).properties;
                properties.get(&PropertyKey::Name(name.clone())).is_some_and(|it| it.enumerable)
            } else {
                let args = Arguments::of([target_value.clone(), key.clone()]);
                let descriptor = self.call(&describe, handler, args)?;
                let enumerable = match descriptor.as_object() {
                    Some(_) => self.get_name(&descriptor, "enumerable")?,
                    None => Value::FALSE,
                };
                self.truthiness(&enumerable) != Some(false)
            };
            if is_enumerable {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// Copies the own enumerable properties of a value into an object: `{...value}`, `Object.assign`.
    pub(super) fn copy_into(&mut self, target: ObjectId, source: &Value) -> Eval<()> {
        let source = self.path.settle(source);
        match &source.data {
            Data::Object(object) => {
                let object = *object;
                for (name, value) in self.own_entries(object)? {
                    let value = self.with_facts(value, source.facts);
                    self.copy_property(target, &PropertyKey::Name(name), value)?;
                }
                self.copy_symbols(target, object)?;
                if let Some(unknown) = self.heap.get(object).open.clone() {
                    self.heap.get_mut(target).open.get_or_insert(unknown);
                }
                Ok(())
            }
            Data::Choice(_) => self
                .each(&source, |me, source| match source.data {
                    Data::Choice(_) => Ok(Value::UNDEFINED),
                    _ => me.copy_into(target, source).map(|()| Value::UNDEFINED),
                })
                .map(|_| ()),
            Data::Unknown(unknown) => {
                // What is false, empty or not there at all has no properties.
                let truth = self.path.truth_of(unknown, self.here);
                if self.path.value(truth.cond()) == Some(!truth.holds()) {
                    return Ok(());
                }
                self.overwrite_with_unknown(target, unknown);
                Ok(())
            }
            Data::String(text, _) => {
                let characters: Vec<_> = text.chars().map(|it| it.to_string()).collect();
                for (index, character) in characters.into_iter().enumerate() {
                    self.write(
                        target,
                        &PropertyKey::Name(index.to_string().into()),
                        Value::string(character),
                    )?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn copy_symbols(&mut self, target: ObjectId, source: ObjectId) -> Eval<()> {
        let symbols: Vec<(PropertyKey, Value)> = self
            .heap
            .get(source)
            .properties
            .iter()
            .filter_map(|(key, property)| match (key, &property.slot) {
                (PropertyKey::Symbol(_), Slot::Data(value)) if property.enumerable => {
                    Some((key.clone(), value.clone()))
                }
                _ => None,
            })
            .collect();
        for (key, value) in symbols {
            self.write(target, &key, value)?;
        }
        Ok(())
    }

    /// Writes a value that may be absent: then what was there stays.
    fn copy_property(&mut self, target: ObjectId, key: &PropertyKey, value: Value) -> Eval<()> {
        if !value.may_be_absent() {
            let receiver = Value::from(target);
            return self.set_of(target, key, value, &receiver, Mode::Strict);
        }
        let old = match self.heap.get(target).properties.get(key) {
            Some(Property { slot: Slot::Data(old), .. }) => old.clone(),
            _ => Value::ABSENT,
        };
        let value =
            self.map(&value, |_, it| if matches!(it.data, Data::Absent) { old.clone() } else { it.clone() });
        self.write(target, key, value)
    }

    /// An unknown value was spread over an object: each property may have changed, more may be there.
    fn overwrite_with_unknown(&mut self, target: ObjectId, unknown: &Rc<Unknown>) {
        let keys: Vec<PropertyKey> =
            self.heap.get(target).properties.iter().map(|(key, _)| key.clone()).collect();
        for key in keys {
            let Some(Property { slot: Slot::Data(old), .. }) = self.heap.get(target).properties.get(&key)
            else {
                continue;
            };
            let old = old.clone();
            let over = self.derive(unknown, Derivation::Property(key.clone()));
            let value = self.path.choose(vec![
                Alternative { value: old, guard: Vec::new(), exact: false, tag: 0 },
                Alternative { value: over, guard: Vec::new(), exact: false, tag: 0 },
            ]);
            if let Some(property) = self.heap.get_mut(target).properties.get_mut(&key) {
                property.slot = Slot::Data(value);
            }
        }
        self.heap.get_mut(target).open.get_or_insert_with(|| unknown.clone());
    }
}
