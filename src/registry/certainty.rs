//! How certainties compose (DESIGN, "Certainty composes"): a claim that also needs another one, or that needs
//! another one to be absent.

use crate::source::{Certainty, Condition};

/// Both have to happen.
pub(super) fn both(first: &Certainty, second: &Certainty) -> Certainty {
    match (first, second) {
        (Certainty::Certain, other) | (other, Certainty::Certain) => other.clone(),
        (Certainty::Unresolved(reason, mine), other) | (other, Certainty::Unresolved(reason, mine)) => {
            Certainty::Unresolved(reason.clone(), joined(mine, conditions(other)))
        }
        (Certainty::Conditional(mine), Certainty::Conditional(theirs)) => {
            Certainty::Conditional(joined(mine, theirs))
        }
    }
}

/// `claim` counts as long as `rival` does not happen. An unresolved rival does not lower it. The answer names one way
/// in which the rival stays away, the innermost of its conditions.
pub(super) fn unless(claim: &Certainty, rival: &Certainty) -> Certainty {
    let Certainty::Conditional(theirs) = rival else { return claim.clone() };
    let Some(last) = theirs.last() else { return claim.clone() };
    if conditions(claim).iter().any(|mine| theirs.iter().any(|it| opposes(mine, it))) {
        return claim.clone();
    }
    both(claim, &Certainty::Conditional(vec![Condition { holds: !last.holds, ..last.clone() }]))
}

/// One of two happens. Two branches of one condition make a certainty out of what each alone leaves open.
pub(super) fn either(first: &Certainty, second: &Certainty) -> Certainty {
    match (first, second) {
        (Certainty::Certain, _) | (_, Certainty::Certain) => Certainty::Certain,
        (Certainty::Unresolved(..), other) => other.clone(),
        (mine, Certainty::Unresolved(..)) => mine.clone(),
        (Certainty::Conditional(mine), Certainty::Conditional(theirs)) => {
            match without_opposed(mine, theirs) {
                Some(rest) if rest.is_empty() => Certainty::Certain,
                Some(rest) => Certainty::Conditional(rest),
                None if theirs.len() < mine.len() => Certainty::Conditional(theirs.clone()),
                None => Certainty::Conditional(mine.clone()),
            }
        }
    }
}

/// How many conditional claims are combined in every way; of more, each alone and all but each are looked at.
const COMBINED: usize = 4;

/// The selections of conditional claims other than none and all of them.
pub(super) fn between(places: &[usize]) -> Vec<Vec<usize>> {
    if places.len() <= COMBINED {
        let chosen = |set: usize| move |&(bit, _): &(usize, &usize)| set >> bit & 1 == 1;
        let all = (1_usize << places.len()) - 1;
        return (1..all)
            .map(|set| places.iter().enumerate().filter(chosen(set)).map(|(_, &place)| place).collect())
            .collect();
    }
    let alone = places.iter().map(|&it| vec![it]);
    let without = places.iter().map(|it| places.iter().copied().filter(|other| other != it).collect());
    alone.chain(without).collect()
}

/// What has to hold.
pub(super) fn conditions(of: &Certainty) -> &[Condition] {
    match of {
        Certainty::Certain => &[],
        Certainty::Conditional(conditions) | Certainty::Unresolved(_, conditions) => conditions,
    }
}

fn joined(first: &[Condition], second: &[Condition]) -> Vec<Condition> {
    let mut all = first.to_vec();
    all.extend(second.iter().filter(|it| !first.contains(it)).cloned());
    all
}

fn opposes(one: &Condition, other: &Condition) -> bool {
    one.at == other.at && one.holds != other.holds
}

/// The conditions that both lists share, if they differ in nothing but the way in which one condition goes.
fn without_opposed(mine: &[Condition], theirs: &[Condition]) -> Option<Vec<Condition>> {
    let mut only_mine = mine.iter().filter(|it| !theirs.contains(it));
    let mut only_theirs = theirs.iter().filter(|it| !mine.contains(it));
    let (one, other) = (only_mine.next()?, only_theirs.next()?);
    let alone = only_mine.next().is_none() && only_theirs.next().is_none();
    (alone && opposes(one, other)).then(|| mine.iter().filter(|it| *it != one).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::super::testing::condition;
    use super::*;

    fn conditional(list: &[(u32, bool)]) -> Certainty {
        Certainty::Conditional(list.iter().map(|&(at, holds)| condition(at, holds)).collect())
    }

    #[test]
    fn both_collects_every_condition_once() {
        assert_eq!(both(&Certainty::Certain, &Certainty::Certain), Certainty::Certain);
        assert_eq!(
            both(&conditional(&[(1, true), (2, true)]), &conditional(&[(2, true), (3, false)])),
            conditional(&[(1, true), (2, true), (3, false)])
        );
    }

    #[test]
    fn a_conditional_rival_lowers_and_a_certain_or_unresolved_one_does_not() {
        assert_eq!(unless(&Certainty::Certain, &conditional(&[(1, true)])), conditional(&[(1, false)]));
        assert_eq!(unless(&Certainty::Certain, &Certainty::Certain), Certainty::Certain);
    }

    #[test]
    fn a_rival_of_the_other_branch_is_no_rival() {
        assert_eq!(
            unless(&conditional(&[(1, false)]), &conditional(&[(1, true)])),
            conditional(&[(1, false)])
        );
    }

    #[test]
    fn two_branches_make_one_certainty() {
        assert_eq!(either(&conditional(&[(1, true)]), &conditional(&[(1, false)])), Certainty::Certain);
        let outer = [(7, true), (1, true)];
        assert_eq!(
            either(&conditional(&outer), &conditional(&[(7, true), (1, false)])),
            conditional(&[(7, true)])
        );
        assert_eq!(
            either(&conditional(&[(1, true)]), &conditional(&[(2, false)])),
            conditional(&[(1, true)])
        );
    }
}
