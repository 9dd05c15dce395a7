//! What Pi's own packages export.

use super::Evaluator;
use super::value::Value;
use crate::source::host_modules::HostModule;
use crate::source::known::ReasonKind;

/// The namespace of a module that the host serves.
pub fn module(evaluator: &mut Evaluator<'_>, module: HostModule) -> Value {
    evaluator.unknown(ReasonKind::UnknownFunction, module.specifier())
}
