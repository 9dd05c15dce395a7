//! What only shows when names of several kinds, or several registrations of one extension, are seen together.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::contest::{Contest, ContestKind, Finding, HiddenBy, HiddenWhen, Impact, Outcome};
use crate::catalog::Catalog;

/// Looks over all contests.
pub(super) fn look_over(contests: &mut [Contest], catalog: Catalog) {
    for contest in contests.iter_mut().filter(|it| is_registered_once(it.kind)) {
        let owner = contest.winner.as_ref().and_then(|it| it.extension);
        let own = contest
            .losers
            .iter()
            .any(|it| it.outcome == Outcome::Replaced && owner.is_some() && it.claim.extension == owner);
        if own {
            contest.find(Finding::RegisteredTwice, Impact::Note);
        }
    }
    hide_prompts(contests, catalog);
}

/// The kinds of which an extension has one registration for a name. Configurations of providers are merged.
fn is_registered_once(kind: ContestKind) -> bool {
    matches!(
        kind,
        ContestKind::Tool
            | ContestKind::Command
            | ContestKind::Flag
            | ContestKind::Shortcut
            | ContestKind::MessageRenderer
            | ContestKind::EntryRenderer
    )
}

/// A prompt template comes last of what `/name` can mean (rules, section 4).
fn hide_prompts(contests: &mut [Contest], catalog: Catalog) {
    let commands: BTreeSet<Arc<str>> = contests
        .iter()
        .filter(|it| it.kind == ContestKind::Command)
        .filter(|it| it.winner.as_ref().is_some_and(|it| it.certainty.is_certain()))
        .filter_map(|it| it.invocation.clone())
        .collect();
    for prompt in contests.iter_mut().filter(|it| it.kind == ContestKind::Prompt && it.winner.is_some()) {
        let builtin = catalog.slash_command(&prompt.name);
        if let Some(it) = builtin {
            let when = if it.arguments { HiddenWhen::Always } else { HiddenWhen::WithoutArguments };
            prompt.hidden_by = Some(HiddenBy { what: format!("/{}", it.name), when });
        }
        if builtin.is_some() || commands.contains(&prompt.name) {
            prompt.find(Finding::PromptHidden, Impact::Warning);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::source::{Kind, Known};

    #[test]
    fn what_an_extension_registers_twice_is_told() {
        let twice = || registration(Kind::MessageRenderer, "t").payload(Known::Function);
        let found = Small::of([vec![twice(), twice()]]).resolve();
        let it = contest(&found, ContestKind::MessageRenderer, "t");
        assert_eq!((it.finding, it.impact), (Some(Finding::RegisteredTwice), Impact::Note));
        let found = Small::of([vec![twice()]]).resolve();
        assert_eq!(contest(&found, ContestKind::MessageRenderer, "t").finding, None);
    }
}
