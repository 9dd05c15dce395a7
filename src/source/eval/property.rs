//! Reading properties.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::heap::{ObjectId, ObjectKind, PropertyKey, Slot};
use super::native::Eval;
use super::path::Stop;
use super::value::{Alternative, Data, Unknown, Value};
use super::{Arguments, Derivation, Evaluator};
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

    pub(super) fn nullish_access(&mut self, value: &Value, key: &PropertyKey, verb: &str) -> Stop {
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
                data: Data::Choice(Rc::new(super::value::Choice::new(choice.id, left))),
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
                let PropertyKey::Private(name) = key else {
                    return self.get_of_proxy(&target, &handler, key, receiver);
                };
                // A proxy has private members of its own only, and no trap sees them.
                if self.heap.get(at).properties.get(key).is_none() {
                    let message = format!(
                        "Cannot read private member #{name} from an object whose class did not declare it"
                    );
                    return Err(self.throw_error("TypeError", &message));
                }
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
            let Some(next) = self.heap.get(at).prototype else {
                let last = self.listed_member(object, key).unwrap_or(Value::UNDEFINED);
                return Ok(self.layered(maybe, last));
            };
            at = next;
        }
        Ok(self.layered(maybe, Value::UNDEFINED))
    }

    /// Why an object may have properties beyond those that are known, of its own or inherited.
    pub(super) fn open_along_prototypes(&self, object: ObjectId) -> Option<Rc<Unknown>> {
        let mut at = Some(object);
        for _ in 0..MAX_PROTOTYPES {
            let it = self.heap.get(at?);
            if it.open.is_some() {
                return it.open.clone();
            }
            at = it.prototype;
        }
        None
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
                "source" => Some(Value::string(super::operator::source_text(pattern))),
                "flags" => Some(Value::string(flags.clone())),
                _ => flag_of(name).map(|flag| Value::from(flags.contains(flag))),
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
        let function = match &self.heap.get(object).kind {
            ObjectKind::Function(closure) => Some((closure.module, Some(closure.function))),
            ObjectKind::Class(class) => {
                let module = self.instances.module(class.module);
                Some((class.module, module.class(class.class).constructor))
            }
            _ => None,
        };
        match function {
            Some((_, None)) => Value::number(0.0),
            Some((module, Some(function))) => {
                let module = self.instances.module(module);
                let params = &module.function(function).params;
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
        Ok(self.listed_member(object, key).is_some().into())
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
            Found::Nothing if self.lists(object, key) => {
                // Lists name what is inherited as well.
                let inherited = match self.heap.get(object).prototype {
                    Some(prototype) => self.has_of(prototype, key)?,
                    None => Value::FALSE,
                };
                self.not(&inherited)
            }
            Found::Nothing => Value::FALSE,
        })
    }
}

/// The flag that a property of regular expressions tells of.
fn flag_of(name: &str) -> Option<char> {
    Some(match name {
        "hasIndices" => 'd',
        "global" => 'g',
        "ignoreCase" => 'i',
        "multiline" => 'm',
        "dotAll" => 's',
        "unicode" => 'u',
        "unicodeSets" => 'v',
        "sticky" => 'y',
        _ => return None,
    })
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
