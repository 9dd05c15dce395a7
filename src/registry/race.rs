//! Contests in which claims are ranked and the first one holds the name.

use std::sync::Arc;

use crate::source::Certainty;

use super::certainty::unless;
use super::contest::{Claim, Contest, Impact, InSession, Layer, Loser, Outcome};
use super::roster::{Bid, Moment};

/// One of those who rank for a name.
#[derive(Debug, Clone)]
pub(super) struct Contender {
    /// The claim.
    pub(super) claim: Claim,
    /// What becomes of it when it does not hold the name.
    pub(super) if_lost: Outcome,
    /// Claims that go with it whatever becomes of it, and what became of them.
    pub(super) with: Vec<Loser>,
}

impl Contender {
    /// An extension's claim, with its own earlier ones that it replaced.
    pub(super) fn of(bid: &Bid<'_>, if_lost: Outcome) -> Self {
        let replaced = |claim: &Claim| {
            let late = Moment::of(&claim.phase) > Moment::Loading;
            let outcome = if late { Outcome::Pending } else { Outcome::Replaced };
            Loser { claim: claim.clone(), outcome }
        };
        Self { claim: bid.claim.clone(), if_lost, with: bid.replaced.iter().map(replaced).collect() }
    }

    /// A claim that stands alone.
    pub(super) fn alone(claim: Claim, if_lost: Outcome) -> Self {
        Self { claim, if_lost, with: Vec::new() }
    }
}

/// Which of ranked claims holds the name, and how sure that is: the first certain one, else the first. Conditional
/// ones that rank above a certain one make it conditional.
pub(super) fn first<'c>(ranked: impl IntoIterator<Item = &'c Certainty>) -> Option<(usize, Certainty)> {
    let ranked: Vec<_> = ranked.into_iter().collect();
    let at = ranked.iter().position(|it| it.is_certain()).unwrap_or(0);
    let own = (*ranked.get(at)?).clone();
    Some((at, ranked[..at].iter().fold(own, |sure, rival| unless(&sure, rival))))
}

/// Whether somebody may take the name after loading who does not hold it in every session: on a condition, or only once a command, a
/// tool or a callback runs. Place decides then, too.
pub(super) fn may_be_taken_late(contest: &Contest) -> Option<Impact> {
    let winner = contest.winner.as_ref()?;
    let outranks = |it: &Loser| match winner.layer {
        Layer::Builtin => it.claim.layer == Layer::Extension,
        Layer::Extension => it.claim.layer == Layer::Extension && it.claim.extension < winner.extension,
        _ => false,
    };
    let late =
        contest.losers.iter().filter(|it| Moment::of(&it.claim.phase) > Moment::Loading && outranks(it));
    let impact = late.filter_map(|it| match it.outcome {
        Outcome::Shadowed => Some(Impact::Warning),
        Outcome::Pending => Some(Impact::Note),
        _ => None,
    });
    impact.max()
}

/// Fills in winner, in-session winner and losers of a contest from the contenders of both moments, best first.
pub(super) fn settle(contest: &mut Contest, ranked: Vec<Contender>, later: Vec<Claim>) {
    let certainties = |until: Moment| {
        let in_time = move |it: &&Contender| Moment::of(&it.claim.phase) <= until;
        let ranked = ranked.iter().enumerate().filter(move |(_, it)| in_time(it));
        let (places, sure): (Vec<_>, Vec<_>) = ranked.map(|(place, it)| (place, &it.claim.certainty)).unzip();
        first(sure).map(|(at, certainty)| (places[at], certainty))
    };
    let (loaded, session) = (certainties(Moment::Loading), certainties(Moment::Session));
    let held = |found: &Option<(usize, Certainty)>| {
        found
            .as_ref()
            .map(|(at, certainty)| Claim { certainty: certainty.clone(), ..ranked[*at].claim.clone() })
    };
    contest.winner = held(&loaded);
    let owner = |claim: &Option<Claim>| claim.as_ref().map(|it| Arc::clone(&it.path));
    let then = held(&session);
    if owner(&then) != owner(&contest.winner) {
        contest.in_session = Some(InSession { winner: then, invocation: None, active: None });
    }
    let holders = [loaded, session].map(|it| it.map(|(at, _)| at));
    for (place, it) in ranked.into_iter().enumerate() {
        if !holders.contains(&Some(place)) {
            contest.losers.push(Loser { claim: it.claim, outcome: it.if_lost });
        }
        contest.losers.extend(it.with);
    }
    contest.losers.extend(later.into_iter().map(|claim| Loser { claim, outcome: Outcome::Pending }));
}
