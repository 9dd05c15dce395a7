//! What message and entry renderers share: the first extension in load order whose renderer is something holds the
//! type (rules, section 7).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::rule::{Rule, RuleId};
use crate::source::{Kind, Known};

use super::contest::{Contest, ContestKind, Finding, Impact, Loser, MayAlsoClaim, Outcome};
use super::race::{Contender, may_be_taken_late, settle};
use super::roster::{Bid, Moment, Roster};

/// The first renderer that is something.
pub const FIRST_MATCH: RuleId = RuleId("renderer/first-match");

/// The rules of this file.
pub static RULES: &[Rule] = &[Rule {
    id: FIRST_MATCH,
    sentence: "The first extension in load order whose renderer for a type is not empty renders it; message and entry renderers are separate.",
    example: "a.ts registers undefined for `note`, b.ts and c.ts a function: b.ts renders `note`.",
    pi: "dist/core/extensions/runner.js#getMessageRenderer, #getEntryRenderer",
}];

/// Decides every type of one of the two kinds.
pub(super) fn contests(
    kind: Kind,
    contest_kind: ContestKind,
    roster: &Roster<'_>,
    unresolved: &[MayAlsoClaim],
) -> Vec<Contest> {
    let bids = roster.bids(kind, Moment::Session);
    let mut names: BTreeMap<Arc<str>, Vec<&Bid<'_>>> = BTreeMap::new();
    for bid in &bids {
        names.entry(Arc::clone(&bid.name)).or_default().push(bid);
    }
    let later = roster.later(kind);
    for (name, _) in &later {
        names.entry(Arc::clone(name)).or_default();
    }
    let contest = |(name, bids): (Arc<str>, Vec<&Bid<'_>>)| {
        let mut contest = Contest::new(contest_kind, Arc::clone(&name), FIRST_MATCH);
        let (empty, ranked): (Vec<_>, Vec<_>) = bids.into_iter().partition(|it| is_empty(it));
        let ranked: Vec<_> = ranked.into_iter().map(|it| Contender::of(it, Outcome::Shadowed)).collect();
        let late = later.iter().filter(|it| it.0 == name).map(|it| it.1.clone()).collect();
        settle(&mut contest, ranked, late);
        let passed_over = |it: &Bid<'_>| Loser { claim: it.claim.clone(), outcome: Outcome::Skipped };
        contest.losers.extend(empty.into_iter().map(passed_over));
        contest.may_also_claim = unresolved.to_vec();
        if contest.winner.is_some() && contest.in_session.is_some() {
            contest.find(Finding::LateTakesName, Impact::Warning);
        } else if let Some(impact) = may_be_taken_late(&contest) {
            contest.find(Finding::LateTakesName, impact);
        } else if contest.losers.iter().any(|it| it.outcome == Outcome::Shadowed) {
            contest.find(Finding::RendererShadowed, Impact::Warning);
        }
        contest
    };
    names.into_iter().map(contest).collect()
}

/// Whether what is registered is certainly no renderer. One that is not known is taken for one.
fn is_empty(bid: &Bid<'_>) -> bool {
    bid.payload.and_then(Known::truthiness) == Some(false)
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    fn message() -> crate::source::Registration {
        registration(Kind::MessageRenderer, "t")
    }

    #[test]
    fn the_first_that_is_something_renders() {
        let found = Small::of([vec![message().payload(Known::Undefined)], vec![message()], vec![message()]])
            .resolve();
        let it = contest(&found, ContestKind::MessageRenderer, "t");
        assert_eq!(
            (winner(it).as_str(), losers(it)),
            ("/b.ts", vec!["/c.ts shadowed".to_owned(), "/a.ts skipped".to_owned()])
        );
    }

    #[test]
    fn message_and_entry_renderers_do_not_meet() {
        let found = Small::of([vec![message()], vec![registration(Kind::EntryRenderer, "t")]]).resolve();
        assert_eq!(winner(contest(&found, ContestKind::MessageRenderer, "t")), "/a.ts");
        assert_eq!(winner(contest(&found, ContestKind::EntryRenderer, "t")), "/b.ts");
    }

    #[test]
    fn an_extension_that_takes_its_renderer_back_has_none() {
        let found = Small::of([vec![message(), message().payload(Known::Undefined)]]).resolve();
        assert_eq!(winner(contest(&found, ContestKind::MessageRenderer, "t")), "-");
    }
}
