//! Shortcuts: which extension gets a key, and what Pi's own actions lose (rules, section 6).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::catalog::KeyPlatform;
use crate::rule::{Rule, RuleId};
use crate::source::Kind;

use super::certainty::both;
use super::chord::Chord;
use super::contest::{
    Claim, Contest, ContestKind, Finding, HiddenBy, HiddenWhen, Impact, Layer, Loser, MayAlsoClaim, Outcome,
};
use super::input::Input;
use super::keybinding::{BuiltinKey, builtin_keys};
use super::race::{Contender, settle};
use super::roster::{Bid, Moment, Roster};
use super::start::PiWarning;

/// The last extension of the list gets a key.
pub const LAST_WINS: RuleId = RuleId("shortcut/last-wins");
/// Keys of reserved actions are not given to extensions.
pub const RESERVED: RuleId = RuleId("shortcut/reserved");
/// An extension takes a key from Pi's other actions.
pub const OVER_BUILTIN: RuleId = RuleId("shortcut/extension-over-builtin");
/// Of two spellings of one chord the first gets the key press.
pub const FIRST_SPELLING: RuleId = RuleId("shortcut/first-spelling");
/// Some spellings match no key press.
pub const NO_MATCH: RuleId = RuleId("shortcut/never-matches");

/// The rules of this file.
pub static RULES: &[Rule] = &[
    Rule {
        id: LAST_WINS,
        sentence: "When several extensions register a shortcut in the same spelling, the last in load order gets it and Pi warns; case is folded, nothing else.",
        example: "a.ts and b.ts register `shift+down`: b.ts's handler runs.",
        pi: "dist/core/extensions/runner.js#getShortcuts",
    },
    Rule {
        id: RESERVED,
        sentence: "A shortcut on a key of a reserved action is skipped with a warning; keybindings.json decides which keys those are.",
        example: "A shortcut `ctrl+x` is skipped until keybindings.json moves `app.message.copy` away from it.",
        pi: "dist/core/extensions/runner.js#buildBuiltinKeybindings",
    },
    Rule {
        id: OVER_BUILTIN,
        sentence: "A shortcut on a key of an action that is not reserved takes the key from it, with a warning.",
        example: "A shortcut `ctrl+j` replaces `tui.input.newLine` on that key.",
        pi: "dist/core/extensions/runner.js#getShortcuts",
    },
    Rule {
        id: FIRST_SPELLING,
        sentence: "Two spellings of one chord are two shortcuts, and the one registered first gets the key press; another spelling also slips past a reserved key.",
        example: "`ctrl+shift+y` of a.ts and `shift+ctrl+y` of b.ts: a.ts's handler runs.",
        pi: "pi-tui dist/keys.js#matchesKey",
    },
    Rule {
        id: NO_MATCH,
        sentence: "A shortcut that is not spelled as Pi spells keys is kept, yet no key press matches it.",
        example: "`ctrl + x`, `ctrl+f5` and `ctrl++` never run.",
        pi: "pi-tui dist/keys.js#matchesKey",
    },
];

/// Decides every shortcut.
pub(super) fn contests(
    input: &Input<'_>,
    roster: &Roster<'_>,
    unresolved: &[MayAlsoClaim],
) -> (Vec<Contest>, Vec<PiWarning>) {
    let builtin = builtin_keys(input.catalog, KeyPlatform::of(input.environment), &input.keybindings);
    let bids = roster.bids(Kind::Shortcut, Moment::Session);
    let mut keys: Vec<(Arc<str>, Vec<&Bid<'_>>)> = Vec::new();
    for bid in &bids {
        let key = folded(&bid.name);
        match keys.iter_mut().find(|it| it.0 == key) {
            Some((_, of_key)) => of_key.push(bid),
            None => keys.push((key, vec![bid])),
        }
    }
    let later = roster.later(Kind::Shortcut);
    let mut decided: Vec<Contest> = Vec::with_capacity(keys.len());
    for (key, bids) in keys {
        let late = later.iter().filter(|it| folded(&it.0) == key).map(|it| it.1.clone()).collect();
        let mut contest = decide(key, &bids, builtin.get(&*folded(&bids[0].name)), late);
        contest.may_also_claim = unresolved.to_vec();
        decided.push(contest);
    }
    for (name, claim) in later {
        let key = folded(&name);
        if !decided.iter().any(|it| it.name == key) {
            let mut contest = Contest::new(ContestKind::Shortcut, key, LAST_WINS);
            contest.losers.push(Loser { claim, outcome: Outcome::Pending });
            contest.may_also_claim = unresolved.to_vec();
            decided.push(contest);
        }
    }
    compare_chords(&mut decided, &builtin);
    let warnings = warnings(&roster.bids(Kind::Shortcut, Moment::Loading), &builtin);
    if let Some(key) = &input.asked_key
        && !decided.iter().any(|it| it.name == folded(key))
    {
        decided.extend(unclaimed(key, &builtin, unresolved));
    }
    decided.sort_by(|one, other| one.name.cmp(&other.name));
    (decided, warnings)
}

/// The contest of a key that no extension registers and that Pi itself binds, perhaps in another spelling.
fn unclaimed(
    key: &str,
    builtin: &BTreeMap<String, BuiltinKey>,
    unresolved: &[MayAlsoClaim],
) -> Option<Contest> {
    let chord = Chord::parse(key);
    let same = |it: &&String| **it == *folded(key) || chord.is_some() && Chord::parse(it) == chord;
    let (name, bound) = builtin.iter().find(|it| same(&it.0))?;
    let rule = if bound.reserved { RESERVED } else { OVER_BUILTIN };
    let mut contest = Contest::new(ContestKind::Shortcut, name.as_str(), rule);
    let claim = |action: &str| {
        let at = bound.by_user.iter().find(|it| it.0 == action).map(|it| it.1);
        Claim { at, ..Claim::of_pi(format!("<builtin:{action}>")) }
    };
    contest.winner = Some(claim(bound.action));
    let others = bound.all.iter().filter(|it| **it != bound.action);
    // What has the focus decides which of them hears the key.
    contest.losers = others.map(|it| Loser { claim: claim(it), outcome: Outcome::Merged }).collect();
    contest.may_also_claim = unresolved.to_vec();
    Some(contest)
}

fn folded(key: &str) -> Arc<str> {
    key.to_lowercase().into()
}

fn decide(key: Arc<str>, bids: &[&Bid<'_>], builtin: Option<&BuiltinKey>, later: Vec<Claim>) -> Contest {
    let mut contest = Contest::new(ContestKind::Shortcut, key, LAST_WINS);
    if let Some(reserved) = builtin.filter(|it| it.reserved) {
        let skipped = |it: &&Bid<'_>| Loser { claim: it.claim.clone(), outcome: Outcome::Skipped };
        contest.losers = bids.iter().map(skipped).collect();
        contest.losers.extend(later.into_iter().map(|claim| Loser { claim, outcome: Outcome::Pending }));
        contest.hidden_by = Some(HiddenBy { what: reserved.action.to_owned(), when: HiddenWhen::Always });
        contest.rule = RESERVED;
        contest.find(Finding::ShortcutSkipped, Impact::Warning);
        return contest;
    }
    let ranked = bids.iter().rev().map(|it| Contender::of(it, Outcome::Shadowed)).collect();
    settle(&mut contest, ranked, later);
    let shared = contest.losers.iter().any(|it| it.outcome == Outcome::Shadowed);
    if let Some(builtin) = builtin {
        contest.losers.extend(builtin.all.iter().map(|action| overridden(action)));
        contest.rule = if shared { LAST_WINS } else { OVER_BUILTIN };
    }
    if shared || builtin.is_some() {
        contest.find(Finding::ShortcutTaken, Impact::Warning);
    }
    contest
}

fn overridden(action: &str) -> Loser {
    Loser { claim: Claim::of_pi(format!("<builtin:{action}>")), outcome: Outcome::Overridden }
}

/// What the spelling of a key means at the key press: the contests stand in the order of Pi's table.
fn compare_chords(contests: &mut [Contest], builtin: &BTreeMap<String, BuiltinKey>) {
    let chords: Vec<Option<Chord>> = contests.iter().map(|it| Chord::parse(&it.name)).collect();
    for at in 0..contests.len() {
        let holds = |it: &Contest| it.winner.is_some() || it.in_session.is_some();
        if !holds(&contests[at]) {
            continue;
        }
        let Some(chord) = &chords[at] else {
            let contest = &mut contests[at];
            contest.rule = NO_MATCH;
            contest.find(Finding::ShortcutDead, Impact::Warning);
            continue;
        };
        let rival = (0..at).find(|&it| chords[it].as_ref() == Some(chord) && contests[it].winner.is_some());
        let of_pi = builtin.iter().filter(|(key, _)| **key != *contests[at].name);
        let lost: Vec<&str> = of_pi
            .filter(|(key, _)| Chord::parse(key).as_ref() == Some(chord))
            .flat_map(|(_, it)| it.all.iter().copied())
            .collect();
        let what = rival.and_then(|it| {
            let winner = contests[it].winner.as_ref()?;
            Some(format!("the shortcut {} of {}", contests[it].name, winner.path))
        });
        let contest = &mut contests[at];
        if let Some(what) = what {
            contest.hidden_by = Some(HiddenBy { what, when: HiddenWhen::Always });
            contest.rule = FIRST_SPELLING;
            contest.find(Finding::ShortcutTaken, Impact::Warning);
        } else if !lost.is_empty() {
            contest.losers.extend(lost.into_iter().map(overridden));
            contest.rule = FIRST_SPELLING;
            contest.find(Finding::ShortcutTaken, Impact::Warning);
        }
    }
}

/// What Pi prints, in its order.
fn warnings(bids: &[Bid<'_>], builtin: &BTreeMap<String, BuiltinKey>) -> Vec<PiWarning> {
    let mut holders: Vec<(Arc<str>, &Claim)> = Vec::new();
    let mut warnings = Vec::new();
    for bid in bids {
        let (spelled, key, path) = (&bid.name, folded(&bid.name), &bid.claim.path);
        let mut warn = |certainty, message| {
            let Some(extension) = bid.claim.extension else { return };
            let (kind, name, at) = (ContestKind::Shortcut, Arc::clone(&key), bid.claim.at);
            warnings.push(PiWarning { kind, name, extension, message, at, certainty });
        };
        let own = bid.claim.certainty.clone();
        match builtin.get(&*key) {
            Some(it) if it.reserved => {
                let text = "conflicts with built-in shortcut. Skipping.";
                warn(own, format!("Extension shortcut '{spelled}' from {path} {text}"));
                continue;
            }
            Some(it) => {
                let whose = format!("is built-in shortcut for {} and {path}. Using {path}.", it.action);
                warn(own.clone(), format!("Extension shortcut conflict: '{spelled}' {whose}"));
            }
            None => {}
        }
        if let Some((_, earlier)) = holders.iter().rfind(|it| it.0 == key) {
            let whose = format!("registered by both {} and {path}. Using {path}.", earlier.path);
            let certainty = both(&own, &earlier.certainty);
            warn(certainty, format!("Extension shortcut conflict: '{spelled}' {whose}"));
        }
        if bid.claim.layer == Layer::Extension || bid.claim.layer == Layer::Inline {
            holders.push((key, &bid.claim));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::install::{UserKeybinding, UserKeybindings};

    const SHORTCUT: ContestKind = ContestKind::Shortcut;

    fn shortcut(key: &str) -> crate::source::Registration {
        registration(Kind::Shortcut, key)
    }

    fn said(found: &super::super::Resolution) -> Vec<&str> {
        found.warnings.iter().map(|it| it.message.as_str()).collect()
    }

    #[test]
    fn the_last_of_the_list_gets_the_key_and_case_is_folded() {
        let found = Small::of([vec![shortcut("shift+down")], vec![shortcut("Shift+Down")]]).resolve();
        let it = contest(&found, SHORTCUT, "shift+down");
        assert_eq!((winner(it).as_str(), losers(it)), ("/b.ts", vec!["/a.ts shadowed".to_owned()]));
        assert_eq!(
            said(&found),
            ["Extension shortcut conflict: 'Shift+Down' registered by both /a.ts and /b.ts. Using /b.ts."]
        );
    }

    #[test]
    fn a_reserved_key_is_skipped_and_another_builtin_key_is_taken() {
        let found = Small::of([vec![shortcut("ctrl+x"), shortcut("ctrl+j")]]).resolve();
        let reserved = contest(&found, SHORTCUT, "ctrl+x");
        assert_eq!((winner(reserved).as_str(), losers(reserved)), ("-", vec!["/a.ts skipped".to_owned()]));
        assert_eq!(reserved.hidden_by.as_ref().map(|it| it.what.as_str()), Some("app.message.copy"));
        let taken = contest(&found, SHORTCUT, "ctrl+j");
        assert_eq!(losers(taken), ["<builtin:tui.input.newLine> overridden"]);
        assert_eq!(
            said(&found),
            [
                "Extension shortcut 'ctrl+x' from /a.ts conflicts with built-in shortcut. Skipping.",
                "Extension shortcut conflict: 'ctrl+j' is built-in shortcut for tui.input.newLine and /a.ts. Using /a.ts."
            ]
        );
    }

    #[test]
    fn keybindings_json_frees_a_key() {
        let small = Small::of([vec![shortcut("ctrl+x")]]);
        let mut input = small.input();
        let entry = UserKeybinding { action: "app.message.copy".to_owned(), keys: Some(vec![]), at: span(0) };
        input.keybindings = UserKeybindings { entries: vec![entry] };
        let found = super::super::resolve(&input);
        let it = contest(&found, SHORTCUT, "ctrl+x");
        assert_eq!((winner(it).as_str(), it.rule), ("/a.ts", OVER_BUILTIN));
        assert_eq!(losers(it), ["<builtin:app.models.clearAll> overridden"]);
    }

    #[test]
    fn another_spelling_is_another_shortcut_and_the_first_gets_the_press() {
        let found = Small::of([vec![shortcut("ctrl+shift+y")], vec![shortcut("shift+ctrl+y")]]).resolve();
        assert_eq!(winner(contest(&found, SHORTCUT, "ctrl+shift+y")), "/a.ts");
        let second = contest(&found, SHORTCUT, "shift+ctrl+y");
        assert_eq!((winner(second).as_str(), second.rule), ("/b.ts", FIRST_SPELLING));
        let what = second.hidden_by.as_ref().map(|it| it.what.as_str());
        assert_eq!(what, Some("the shortcut ctrl+shift+y of /a.ts"));
    }

    #[test]
    fn another_spelling_slips_past_a_reserved_key() {
        let found = Small::of([vec![shortcut("ctrl+shift+p")]]).resolve();
        let it = contest(&found, SHORTCUT, "ctrl+shift+p");
        assert_eq!(winner(it), "/a.ts");
        assert_eq!(losers(it), ["<builtin:app.model.cycleBackward> overridden"]);
    }

    #[test]
    fn a_misspelled_shortcut_is_held_and_never_runs() {
        let found = Small::of([vec![shortcut("ctrl + q")]]).resolve();
        let it = contest(&found, SHORTCUT, "ctrl + q");
        assert_eq!(
            (winner(it).as_str(), it.rule, it.finding),
            ("/a.ts", NO_MATCH, Some(Finding::ShortcutDead))
        );
    }

    #[test]
    fn a_conditional_later_one_makes_the_winner_conditional() {
        let found = Small::of([vec![shortcut("f1")], vec![shortcut("f1").when(1, true)]]).resolve();
        assert_eq!(winner(contest(&found, SHORTCUT, "f1")), "/a.ts?");
    }
}
