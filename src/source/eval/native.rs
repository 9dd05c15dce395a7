//! Functions that are built in: how they look to the evaluator.

use super::Evaluator;
use super::heap::ObjectId;
use super::path::Stop;
use super::value::{Data, Value};
use crate::location::Span;

/// What an expression or call comes to: a value, or the news that no way through the code gets past it.
pub type Eval<T = Value> = Result<T, Stop>;

/// The code of a built-in function.
///
/// Arguments may be choices and unknowns. A function that needs one concrete value uses [`Evaluator::each`], which
/// runs it for every alternative; one that cannot say anything returns [`Evaluator::unknown`].
pub type Code = for<'a> fn(&mut Evaluator<'a>, &Call<'_>) -> Eval;

/// A built-in function.
#[derive(Clone)]
pub struct NativeFunction {
    /// As errors and reasons name it: `fs.readFileSync`.
    pub name: &'static str,
    /// What it runs.
    pub code: Code,
    /// What it holds, for functions that are made while the program runs.
    pub data: Value,
    /// Whether `new` is meaningful; then [`Call::new_target`] is set.
    pub constructs: bool,
}

impl NativeFunction {
    /// Whether it settles the promise that it holds.
    pub fn is_settler(&self) -> bool {
        matches!(self.name, "resolve" | "reject")
    }
}

impl std::fmt::Debug for NativeFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NativeFunction").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A call of a built-in function.
#[derive(Debug)]
pub struct Call<'c> {
    /// The callee's name.
    pub name: &'static str,
    /// `this`.
    pub this: &'c Value,
    /// The arguments that are known to be given.
    pub args: &'c [Value],
    /// What further arguments may be, after a spread that is not known.
    pub rest: Option<&'c Value>,
    /// The call expression.
    pub at: Span,
    /// Set under `new`: the class whose instance is wanted.
    pub new_target: Option<ObjectId>,
    /// [`NativeFunction::data`].
    pub data: &'c Value,
}

impl Call<'_> {
    /// An argument; `undefined` when it is not given.
    pub fn arg(&self, index: usize) -> Value {
        match self.args.get(index) {
            Some(value) => value.clone(),
            None => self.rest.cloned().unwrap_or(Value::UNDEFINED),
        }
    }

    /// Whether an argument is there and not `undefined`.
    pub fn has(&self, index: usize) -> bool {
        !self.arg(index).is_undefined()
    }

    /// `this` as an object.
    pub fn this_object(&self) -> Option<ObjectId> {
        self.this.as_object()
    }

    /// An argument as a string.
    pub fn text(&self, index: usize) -> Option<std::sync::Arc<str>> {
        match self.arg(index).data {
            Data::String(text, _) => Some(text),
            _ => None,
        }
    }
}
