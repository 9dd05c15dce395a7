//! Puts answers together that were composed under different assumptions.

use std::collections::HashMap;
use std::sync::Arc;

use crate::source::Certainty;

use super::super::certainty::{both, unless};
use super::super::contest::{Claim, Contest, ContestKind, Finding, Impact, InSession, Loser, Outcome};

/// The answers without and with everything that is conditional. What both say stays; where they differ, the certain world's
/// answer holds unless the condition does.
pub(super) fn either(without: Vec<Contest>, with: Vec<Contest>, condition: &Certainty) -> Vec<Contest> {
    let mut all = with;
    let mut without: HashMap<Key, Contest> = without.into_iter().map(|it| (key(&it), it)).collect();
    for contest in &mut all {
        let other = without.remove(&key(contest));
        match other.as_ref().and_then(|it| it.winner.as_ref()) {
            Some(certain) if contest.winner.as_ref().is_some_and(|it| same_claim(it, certain)) => {}
            Some(certain) => {
                let held = Claim { certainty: unless(&certain.certainty, condition), ..certain.clone() };
                contest.losers.retain(|it| !same_claim(&it.claim, certain));
                if let Some(rival) = contest.winner.replace(held) {
                    let claim = Claim { certainty: both(&rival.certainty, condition), ..rival };
                    contest.losers.insert(0, Loser { claim, outcome: Outcome::Shadowed });
                }
            }
            None => {
                if let Some(winner) = &mut contest.winner {
                    winner.certainty = both(&winner.certainty, condition);
                }
            }
        }
    }
    let mut alone: Vec<(Key, Contest)> = without.into_iter().collect();
    alone.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (_, mut contest) in alone {
        if let Some(winner) = &mut contest.winner {
            winner.certainty = unless(&winner.certainty, condition);
        }
        all.push(contest);
    }
    all
}

/// Makes conditional what is stated as certain and is otherwise in another world.
pub(super) fn doubt(contests: &mut [Contest], other: &[Contest], condition: &Certainty) {
    let other: HashMap<Key, &Contest> = other.iter().map(|it| (key(it), it)).collect();
    for contest in contests {
        let there = other.get(&key(contest)).and_then(|it| it.winner.as_ref());
        if let Some(winner) = &mut contest.winner
            && winner.certainty.is_certain()
            && there.is_none_or(|it| !same_claim(it, winner))
        {
            winner.certainty = condition.clone();
        }
    }
}

/// The answer after loading, with the session's where that differs.
pub(super) fn in_session(loaded: Vec<Contest>, session: Vec<Contest>) -> Vec<Contest> {
    let mut all = loaded;
    let then = |winner: Option<Claim>| Some(InSession { winner, invocation: None, active: None });
    let mut session: HashMap<Key, Contest> = session.into_iter().map(|it| (key(&it), it)).collect();
    for contest in &mut all {
        let other = session.remove(&key(contest));
        let now = other.as_ref().and_then(|it| it.winner.as_ref());
        let same = match (&contest.winner, now) {
            (Some(before), Some(now)) => same_claim(before, now),
            (before, now) => before.is_none() == now.is_none(),
        };
        if !same {
            contest.in_session = then(now.cloned());
            // The field is still known, yet nobody sets it any more: late headers drop the earlier ones.
            if contest.kind == ContestKind::ProviderField && other.is_some() && now.is_none() {
                contest.find(Finding::ProviderFieldReplaced, Impact::Warning);
            }
        }
    }
    // Models that come late to a provider that is there already stand in the list of its `models` alone: a contest of their
    // own would say that they are there from the start.
    let there = all.iter().any(|it| it.kind == ContestKind::Provider && it.winner.is_some());
    let mut late: Vec<(Key, Contest)> = session.into_iter().collect();
    late.retain(|(_, it)| !there || it.kind != ContestKind::Model);
    late.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (_, contest) in late {
        let winner = contest.winner.clone();
        all.push(Contest { winner: None, in_session: then(winner), ..contest });
    }
    all
}

/// Adds calls that come later still to the contest of the provider.
pub(super) fn with_pending(mut contests: Vec<Contest>, id: &str, pending: Vec<Claim>) -> Vec<Contest> {
    let provider = contests.iter_mut().find(|it| it.kind == ContestKind::Provider && &*it.name == id);
    if let Some(contest) = provider {
        contest.losers.extend(pending.into_iter().map(|claim| Loser { claim, outcome: Outcome::Pending }));
    }
    contests
}

/// Adds a second model of one id, which is listed but never found, to the contest of the first.
pub(super) fn add_shadowed(contests: &mut [Contest], name: &str, field: &Arc<str>, claim: Option<Claim>) {
    let same = |it: &&mut Contest| {
        it.kind == ContestKind::Model && &*it.name == name && it.field.as_ref() == Some(field)
    };
    if let (Some(contest), Some(claim)) = (contests.iter_mut().find(same), claim) {
        contest.losers.push(Loser { claim, outcome: Outcome::Shadowed });
    }
}

/// What a contest is about.
type Key = (ContestKind, Arc<str>, Option<Arc<str>>);

fn key(contest: &Contest) -> Key {
    (contest.kind, Arc::clone(&contest.name), contest.field.clone())
}

fn same_claim(one: &Claim, other: &Claim) -> bool {
    one.path == other.path && one.at == other.at && one.layer == other.layer && one.value == other.value
}
