//! Values of the program that is evaluated.
//!
//! A value that differs between ways through the code is a [`Choice`]: each alternative carries the
//! [`Guard`] under which it is the one. Nothing forks: a write under a condition makes a choice of the new value and the
//! old one, and a read under a condition sees only what that condition leaves (see `path`).

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use super::fact::FactSet;
use super::heap::ObjectId;
use crate::source::known::{Reason, ReasonKind};

/// How many alternatives are kept apart before a value counts as unknown.
pub const MAX_ALTERNATIVES: usize = 8;

/// A value, and the facts of this machine that it was computed from.
#[derive(Debug, Clone)]
pub struct Value {
    /// The value itself.
    pub data: Data,
    /// What it rests on.
    pub facts: FactSet,
}

/// What a value is.
#[derive(Debug, Clone)]
pub enum Data {
    /// No property, a gap, a binding before its declaration. Reads as `undefined`; never handed to code.
    Absent,
    /// `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A big integer: its digits in base ten.
    BigInt(Arc<str>),
    /// A string and the literal that it was written as, if it was.
    String(Arc<str>, Spot),
    /// A symbol.
    Symbol(SymbolId),
    /// An object of the heap.
    Object(ObjectId),
    /// One of several.
    Choice(Rc<Choice>),
    /// Not known.
    Unknown(Rc<Unknown>),
}

/// An expression of any module, numbered through; [`Spot::NONE`] is none. See `module::spot_span`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot(pub u32);

impl Spot {
    /// No expression.
    pub const NONE: Self = Self(0);
}

/// A symbol. The well-known ones have fixed numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

impl SymbolId {
    /// `Symbol.iterator`.
    pub const ITERATOR: Self = Self(0);
    /// `Symbol.asyncIterator`.
    pub const ASYNC_ITERATOR: Self = Self(1);
    /// `Symbol.hasInstance`.
    pub const HAS_INSTANCE: Self = Self(2);
    /// `Symbol.toPrimitive`.
    pub const TO_PRIMITIVE: Self = Self(3);
    /// `Symbol.toStringTag`.
    pub const TO_STRING_TAG: Self = Self(4);
    /// `Symbol.dispose`.
    pub const DISPOSE: Self = Self(5);
    /// `Symbol.asyncDispose`.
    pub const ASYNC_DISPOSE: Self = Self(6);
}

/// What is known of a value that cannot be known: its type, and perhaps its truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// Nothing.
    Anything,
    /// A string.
    Text,
    /// A string that is not empty.
    FullText,
    /// A finite number.
    Number,
    /// A finite number above zero.
    PositiveNumber,
    /// An object or a function.
    Object,
}

impl Nature {
    /// Its truth, if that is known.
    pub fn truth(self) -> Option<bool> {
        matches!(self, Self::FullText | Self::PositiveNumber | Self::Object).then_some(true)
    }

    /// Its type, as `typeof` names it.
    pub fn type_name(self) -> Option<&'static str> {
        match self {
            Self::Anything | Self::Object => None,
            Self::Text | Self::FullText => Some("string"),
            Self::Number | Self::PositiveNumber => Some("number"),
        }
    }

    /// Whether it is neither `null` nor `undefined`.
    pub fn is_present(self) -> bool {
        self != Self::Anything
    }

    /// Whether it is a number.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Number | Self::PositiveNumber)
    }

    /// Whether a settled value cannot be it.
    pub fn excludes(self, value: &Value) -> bool {
        match (self, &value.data) {
            (Self::Anything, _)
            | (_, Data::Choice(_) | Data::Unknown(_))
            | (Self::Text, Data::String(..))
            | (Self::Object, Data::Object(_)) => false,
            (Self::FullText, Data::String(text, _)) => text.is_empty(),
            (Self::Number, Data::Number(number)) => !number.is_finite(),
            (Self::PositiveNumber, Data::Number(number)) => !(number.is_finite() && *number > 0.0),
            _ => true,
        }
    }
}

/// Something that cannot be known. Two tests of the same unknown go the same way.
#[derive(Debug)]
pub struct Unknown {
    /// Tells unknowns apart.
    pub id: u32,
    /// Set when this is the negation of another unknown.
    pub negates: Option<Rc<Unknown>>,
    /// Set when this is a property of another unknown: its name.
    pub property: Option<Arc<str>>,
    /// What is known all the same.
    pub nature: Nature,
    /// Why.
    pub reason: Reason,
}

/// A condition of the path table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CondId(pub u32);

/// A condition and the way in which it goes: twice its number, and one more if it is true. Guards are searched all the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// That a condition is true, or that it is not.
    pub fn new(cond: CondId, holds: bool) -> Self {
        Self((cond.0 << 1) | u32::from(holds))
    }

    /// Which condition.
    pub fn cond(self) -> CondId {
        CondId(self.0 >> 1)
    }

    /// Its place in a table of both ways of each condition.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is true.
    pub fn holds(self) -> bool {
        self.0 & 1 == 1
    }

    /// The other way.
    #[must_use]
    pub fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// Literals that all hold.
pub type Guard = Vec<Literal>;

/// One of several values.
#[derive(Debug)]
pub struct Choice {
    /// Tells choices apart; a narrowed choice keeps it.
    pub id: u32,
    /// At least two.
    pub alternatives: Vec<Alternative>,
    /// What was left of them when this was last asked; see [`Path::settle`](super::path::Path::settle).
    pub left: Cell<Left>,
}

impl Choice {
    /// One of these.
    pub fn new(id: u32, alternatives: Vec<Alternative>) -> Self {
        Self { id, alternatives, left: Cell::default() }
    }
}

/// The alternatives that something leaves, as bits by [`Alternative::tag`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Left {
    /// When this was found out; `None` if nobody has asked.
    pub when: Option<Moment>,
    /// The bits.
    pub mask: u8,
}

/// Tells apart what holds on a path: the same only while the same holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Of what is assumed.
    pub state: u32,
    /// Of what has turned out for good.
    pub settlements: u32,
}

/// One value of a choice.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// Never a choice itself.
    pub value: Value,
    /// What has to hold for it to be this one.
    pub guard: Guard,
    /// Whether the guard is also enough.
    pub exact: bool,
    /// Its number in the choice of this id, kept when the choice is narrowed.
    pub tag: u8,
}

impl Value {
    /// `undefined`.
    pub const UNDEFINED: Self = Self { data: Data::Undefined, facts: FactSet::NONE };
    /// `null`.
    pub const NULL: Self = Self { data: Data::Null, facts: FactSet::NONE };
    /// No value at all; see [`Data::Absent`].
    pub const ABSENT: Self = Self { data: Data::Absent, facts: FactSet::NONE };
    /// `true`.
    pub const TRUE: Self = Self { data: Data::Bool(true), facts: FactSet::NONE };
    /// `false`.
    pub const FALSE: Self = Self { data: Data::Bool(false), facts: FactSet::NONE };

    /// A value that rests on nothing.
    pub fn new(data: Data) -> Self {
        Self { data, facts: FactSet::NONE }
    }

    /// A string that no literal stands for.
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self::new(Data::String(text.into(), Spot::NONE))
    }

    /// A number.
    pub fn number(number: f64) -> Self {
        Self::new(Data::Number(number))
    }

    /// The same value resting on these facts alone.
    #[must_use]
    pub fn resting_on(mut self, facts: FactSet) -> Self {
        self.facts = facts;
        self
    }

    /// The object, if it is one and known.
    pub fn as_object(&self) -> Option<ObjectId> {
        match self.data {
            Data::Object(id) => Some(id),
            _ => None,
        }
    }

    /// The string, if it is one and known.
    pub fn as_str(&self) -> Option<&Arc<str>> {
        match &self.data {
            Data::String(text, _) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one and known.
    pub fn as_number(&self) -> Option<f64> {
        match self.data {
            Data::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The unknown, if it is one.
    pub fn as_unknown(&self) -> Option<&Rc<Unknown>> {
        match &self.data {
            Data::Unknown(unknown) => Some(unknown),
            _ => None,
        }
    }

    /// What is known of it if it is unknown.
    pub fn nature(&self) -> Nature {
        self.as_unknown().map_or(Nature::Anything, |it| it.nature)
    }

    /// Whether it is surely `undefined`.
    pub fn is_undefined(&self) -> bool {
        matches!(self.data, Data::Undefined | Data::Absent)
    }

    /// Whether it is surely `null` or `undefined`.
    pub fn is_nullish(&self) -> bool {
        matches!(self.data, Data::Undefined | Data::Null | Data::Absent)
    }

    /// Whether it may be no value at all.
    pub fn may_be_absent(&self) -> bool {
        match &self.data {
            Data::Absent => true,
            Data::Choice(choice) => {
                choice.alternatives.iter().any(|it| matches!(it.value.data, Data::Absent))
            }
            _ => false,
        }
    }

    /// Whether one concrete value is known: neither a choice nor unknown.
    pub fn is_settled(&self) -> bool {
        !matches!(self.data, Data::Choice(_) | Data::Unknown(_))
    }

    /// The object that it is, or those that it may be.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> {
        let (one, several) = match &self.data {
            Data::Object(object) => (Some(*object), &[] as &[Alternative]),
            Data::Choice(choice) => (None, choice.alternatives.as_slice()),
            _ => (None, &[] as &[Alternative]),
        };
        one.into_iter().chain(several.iter().filter_map(|it| it.value.as_object()))
    }

    /// Whether both are the same as far as code can tell: equal primitives, one object, one unknown.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.data, &other.data) {
            (Data::Absent, Data::Absent) | (Data::Undefined, Data::Undefined) | (Data::Null, Data::Null) => {
                true
            }
            (Data::Bool(a), Data::Bool(b)) => a == b,
            (Data::Number(a), Data::Number(b)) => a.to_bits() == b.to_bits(),
            (Data::BigInt(a), Data::BigInt(b)) | (Data::String(a, _), Data::String(b, _)) => a == b,
            (Data::Symbol(a), Data::Symbol(b)) => a == b,
            (Data::Object(a), Data::Object(b)) => a == b,
            (Data::Unknown(a), Data::Unknown(b)) => a.id == b.id,
            (Data::Choice(a), Data::Choice(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl From<bool> for Value {
    fn from(it: bool) -> Self {
        Self::new(Data::Bool(it))
    }
}

impl From<ObjectId> for Value {
    fn from(it: ObjectId) -> Self {
        Self::new(Data::Object(it))
    }
}

impl From<SymbolId> for Value {
    fn from(it: SymbolId) -> Self {
        Self::new(Data::Symbol(it))
    }
}

/// A reason without a place, to be given one by whoever knows it.
pub fn reason(kind: ReasonKind, text: impl Into<Arc<str>>) -> Reason {
    Reason { kind, text: text.into(), at: None }
}
