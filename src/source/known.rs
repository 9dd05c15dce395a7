//! Values as far as they are known without running anything.

use std::sync::Arc;

use crate::location::Span;

/// Why something cannot be known. A closed list, so that reports can count them.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ReasonKind {
    /// The network, a subprocess, the clock, randomness: anything outside the files.
    OutsideWorld,
    /// A file that is read at run time and does not belong to the installation, or cannot be read.
    RuntimeFile,
    /// A value that only a running session has (event arguments, the session context, user input).
    SessionValue,
    /// A function of a package or of the host whose result is not modelled.
    UnknownFunction,
    /// A syntax or a built-in that the evaluator does not model.
    NotModelled,
    /// A choice of more values than are kept apart.
    TooManyValues,
    /// A budget of steps, depth, size or modules was used up.
    BudgetExceeded,
    /// A file over the size limit.
    FileTooLarge,
    /// A module that cannot be found or parsed.
    ModuleUnavailable,
    /// `pi` was handed to code that cannot be followed.
    EscapedApi,
    /// Two ways through the code leave different values.
    Merged,
}

/// Why something cannot be known, and where in the source that begins.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reason {
    /// Which kind.
    pub kind: ReasonKind,
    /// In words for people, without secrets.
    pub text: Arc<str>,
    /// The expression that cannot be known.
    pub at: Option<Span>,
}

/// A snapshot of a JavaScript value, as far as it is known. What the evaluator hands to the registry.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Known {
    /// `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A string.
    String(Arc<str>),
    /// An array.
    Array(Vec<Field>),
    /// An object: own enumerable properties in order.
    Object {
        /// Names and values.
        fields: Vec<(Arc<str>, Field)>,
        /// `Some` when there may be more fields, or other values, than these (an unknown value was spread in).
        open: Option<Reason>,
    },
    /// A function or class.
    Function,
    /// One of these, which is not known.
    Choice(Vec<Known>),
    /// Not known.
    Unknown(Reason),
}

/// A value and the expression that gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The value.
    pub value: Known,
    /// The expression.
    pub at: Option<Span>,
}

impl Known {
    /// The field of an object. `None` when this is no object or the object, being closed, has no such field.
    pub fn field(&self, name: &str) -> Option<&Field> {
        match self {
            Self::Object { fields, .. } => {
                fields.iter().find(|(key, _)| &**key == name).map(|(_, field)| field)
            }
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Whether JavaScript takes it as true; `None` when that is not known.
    pub fn truthiness(&self) -> Option<bool> {
        match self {
            Self::Undefined | Self::Null => Some(false),
            Self::Bool(it) => Some(*it),
            Self::Number(it) => Some(*it != 0.0 && !it.is_nan()),
            Self::String(it) => Some(!it.is_empty()),
            Self::Array(_) | Self::Object { .. } | Self::Function => Some(true),
            Self::Choice(values) => {
                let mut all = values.iter().map(Self::truthiness);
                let first = all.next()??;
                all.all(|it| it == Some(first)).then_some(first)
            }
            Self::Unknown(_) => None,
        }
    }
}
