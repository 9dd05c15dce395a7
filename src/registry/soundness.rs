//! What is stated as certain holds whatever the conditions turn out to be: every answer about an installation with
//! conditional registrations is held against the answers about each world in which the conditions are settled.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::testing::*;
use super::{Contest, ContestKind, Resolution, Starts};
use crate::source::{Certainty, Kind, Known, Phase, Registration};

/// How many conditions there are; each is one place in the source.
const CONDITIONS: u32 = 3;

/// A registration of a small world of names, perhaps under a condition.
fn any_registration() -> impl Strategy<Value = Registration> {
    let kind = prop_oneof![
        3 => Just(Kind::Tool),
        3 => Just(Kind::Command),
        2 => Just(Kind::Flag),
        2 => Just(Kind::Shortcut),
        1 => Just(Kind::MessageRenderer),
        3 => Just(Kind::Provider),
        1 => Just(Kind::NativeProvider),
        1 => Just(Kind::UnregisterProvider),
    ];
    let condition = prop_oneof![2 => Just(None), 1 => (0..CONDITIONS, any::<bool>()).prop_map(Some)];
    let late = prop_oneof![4 => Just(false), 1 => Just(true)];
    (kind, 0..3_usize, condition, late, any::<u32>()).prop_map(|(kind, name, condition, late, place)| {
        let mut it = registration(kind, name_of(kind, name)).at(place).payload(payload(kind, name, place));
        if let Some((at, holds)) = condition {
            it = it.when(at, holds);
        }
        if late { it.late("session_start") } else { it }
    })
}

fn name_of(kind: Kind, name: usize) -> &'static str {
    match kind {
        Kind::Tool => ["read", "x", "y"][name],
        Kind::Command => ["go", "go:1", "quit"][name],
        Kind::Shortcut => ["ctrl+x", "f1", "F1"][name],
        Kind::Provider | Kind::NativeProvider | Kind::UnregisterProvider => ["kilo", "kilo", "mini"][name],
        _ => ["a", "b", "c"][name],
    }
}

fn payload(kind: Kind, name: usize, place: u32) -> Known {
    let number = Known::Number(f64::from(place % 3));
    let address = text(["http://a", "http://b", "http://c"][place as usize % 3]);
    match kind {
        Kind::Tool => object(&[("name", text(name_of(kind, name)))]),
        Kind::Flag => object(&[("type", text("string")), ("default", number)]),
        Kind::MessageRenderer => Known::Function,
        Kind::Provider if place.is_multiple_of(2) => object(&[("baseUrl", address)]),
        Kind::Provider => object(&[("name", address), ("headers", object(&[("X", text("1"))]))]),
        Kind::NativeProvider => object(&[("id", text(name_of(kind, name))), ("name", address)]),
        _ => object(&[]),
    }
}

fn installations() -> impl Strategy<Value = Vec<Vec<Registration>>> {
    // In the order in which they happen, as the evaluator gives them.
    let in_order = |mut all: Vec<Registration>| {
        all.sort_by_key(|it| it.phase != Phase::Factory);
        all
    };
    prop::collection::vec(prop::collection::vec(any_registration(), 0..4).prop_map(in_order), 1..4)
}

/// The installation with every condition settled: what does not happen is gone, the rest is certain.
fn world(extensions: &[Vec<Registration>], settled: u32) -> Vec<Vec<Registration>> {
    let happens = |it: &Registration| match &it.certainty {
        Certainty::Conditional(all) => all.iter().all(|it| (settled >> it.at.start & 1 == 1) == it.holds),
        _ => true,
    };
    let certain = |it: &Registration| Registration { certainty: Certainty::Certain, ..it.clone() };
    extensions.iter().map(|all| all.iter().filter(|it| happens(it)).map(certain).collect()).collect()
}

/// What a contest is about: kind, name or invocation, field.
type Key = (ContestKind, Arc<str>, Option<Arc<str>>);

fn key(it: &Contest) -> Key {
    let name = it.invocation.as_ref().unwrap_or(&it.name);
    (it.kind, Arc::clone(name), it.field.clone())
}

fn by_key(found: &Resolution) -> BTreeMap<Key, &Contest> {
    found.contests.iter().map(|it| (key(it), it)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn certain_answers_hold_in_every_world(extensions in installations()) {
        let found = Small::of_all(extensions.clone()).resolve();
        let worlds: Vec<Resolution> =
            (0..1 << CONDITIONS).map(|it| Small::of_all(world(&extensions, it)).resolve()).collect();
        for world in &worlds {
            match found.starts {
                Starts::Yes => prop_assert_eq!(world.starts, Starts::Yes),
                Starts::No => prop_assert_eq!(world.starts, Starts::No),
                Starts::Unknown => {}
            }
            let there = by_key(world);
            for contest in &found.contests {
                let Some(winner) = contest.winner.as_ref().filter(|it| it.certainty.is_certain()) else { continue };
                let other = there.get(&key(contest)).and_then(|it| it.winner.as_ref());
                if let Some(value) = contest.flag_value.as_ref().filter(|it| !matches!(it, Known::Choice(_))) {
                    let theirs = there.get(&key(contest)).and_then(|it| it.flag_value.as_ref());
                    prop_assert_eq!(theirs, Some(value), "value of {:?}", key(contest));
                }
                prop_assert_eq!(
                    other.map(|it| (&it.path, &it.value)),
                    Some((&winner.path, &winner.value)),
                    "{:?} {:?}", key(contest), contest
                );
            }
        }
    }

    #[test]
    fn what_some_world_has_is_said(extensions in installations()) {
        let found = Small::of_all(extensions.clone()).resolve();
        let said = by_key(&found);
        for settled in 0..1 << CONDITIONS {
            let world = Small::of_all(world(&extensions, settled)).resolve();
            // Commands and fields of providers have more answers than are told.
            let told_in_full = |it: &&Contest| !matches!(it.kind, ContestKind::Command | ContestKind::ProviderField);
            for contest in world.contests.iter().filter(told_in_full) {
                let Some(winner) = &contest.winner else { continue };
                let claims = said.get(&key(contest)).map(|it| {
                    it.winner.iter().chain(it.losers.iter().map(|it| &it.claim)).collect::<Vec<_>>()
                });
                let told = claims.is_some_and(|all| all.iter().any(|it| it.path == winner.path));
                prop_assert!(told, "{:?} by {} in world {}", key(contest), winner.path, settled);
            }
        }
    }
}
