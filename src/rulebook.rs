//! The rules of all stages in one place.

use crate::registry;
use crate::rule::{Rule, RuleId};

/// Every rule, stage by stage.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    crate::install::rules::RULES.iter().chain(registry::rules())
}

/// The rule of an id.
pub fn rule(id: RuleId) -> Option<&'static Rule> {
    rules().find(|it| it.id == id)
}
