//! Node's modules.

use super::super::Evaluator;
use super::super::native::Eval;
use super::super::value::Value;
use crate::source::known::ReasonKind;

/// The namespace of a module of Node.
pub fn module(evaluator: &mut Evaluator<'_>, name: &str) -> Value {
    evaluator.unknown(ReasonKind::UnknownFunction, format!("node:{name}"))
}

impl Evaluator<'_> {
    /// The value of a JSON text.
    pub(in super::super) fn parse_json(&mut self, _text: &str) -> Eval {
        Ok(self.unknown(ReasonKind::NotModelled, "JSON"))
    }
}
