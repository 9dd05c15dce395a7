//! `TypeBox` schemas: objects of which nothing needs to be known.

use super::super::Evaluator;
use super::super::native::{Call, Eval};
use super::super::value::Value;
use crate::source::known::ReasonKind;

/// A schema.
pub(super) fn make(me: &mut Evaluator<'_>, _: &Call<'_>) -> Eval {
    me.spend_object()?;
    let schema = me.opaque_object("Schema", ReasonKind::NotModelled, "a part of a schema");
    Ok(Value::from(schema))
}
