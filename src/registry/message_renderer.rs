//! Message renderers (rules, section 7). The rule is that of [`renderer`].

use crate::source::Kind;

use super::contest::{Contest, ContestKind, MayAlsoClaim};
use super::renderer;
use super::roster::Roster;

/// Decides every type of message.
pub(super) fn contests(roster: &Roster<'_>, unresolved: &[MayAlsoClaim]) -> Vec<Contest> {
    renderer::contests(Kind::MessageRenderer, ContestKind::MessageRenderer, roster, unresolved)
}
