//! Slash commands: by which name each is reached (rules, section 4).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::rule::{Rule, RuleId};
use crate::source::{Certainty, Kind, Known};

use super::certainty::{between, both, conditions, unless};
use super::contest::{
    Claim, Contest, ContestKind, Finding, HiddenBy, HiddenWhen, Impact, InSession, Loser, MayAlsoClaim,
    Outcome,
};
use super::input::Input;
use super::roster::{Bid, Moment, Roster};
use super::start::PiWarning;

/// A name that one extension alone registers is typed as it is.
pub const SOLE: RuleId = RuleId("command/sole");
/// A name that several register is typed with a number.
pub const SUFFIX: RuleId = RuleId("command/suffix");
/// Built-in commands answer first.
pub const BUILTIN_FIRST: RuleId = RuleId("command/builtin-first");

/// The rules of this file.
pub static RULES: &[Rule] = &[
    Rule {
        id: SOLE,
        sentence: "A command that only one extension registers is reached by its name; the name in its options beats the one it is registered under.",
        example: "a.ts registers `review`: `/review` is a.ts's.",
        pi: "dist/core/extensions/runner.js#resolveRegisteredCommands",
    },
    Rule {
        id: SUFFIX,
        sentence: "When several extensions register one command, each gets a number in load order and nobody keeps the bare name; numbers that are taken are passed over.",
        example: "a.ts and b.ts register `go`: `/go:1` is a.ts's, `/go:2` is b.ts's, `/go` does nothing.",
        pi: "dist/core/extensions/runner.js#resolveRegisteredCommands",
    },
    Rule {
        id: BUILTIN_FIRST,
        sentence: "In the terminal, built-in slash commands answer first: some however they are typed, most only without arguments.",
        example: "An extension's `quit` is reached by `/quit now`, never by `/quit`; its `model` by neither.",
        pi: "dist/modes/interactive/interactive-mode.js#setupEditorSubmitHandler",
    },
];

/// A command's name and what is typed for it.
type Key = (Arc<str>, Arc<str>);

/// One way in which a command may be reached.
#[derive(Debug, Clone)]
struct Route {
    bid: usize,
    invocation: Arc<str>,
    certainty: Certainty,
}

/// Decides every command name: one contest for each invocation.
pub(super) fn contests(
    input: &Input<'_>,
    roster: &Roster<'_>,
    unresolved: &[MayAlsoClaim],
) -> (Vec<Contest>, Vec<PiWarning>) {
    let loading = Commands::of(roster.bids(Kind::Command, Moment::Loading));
    let session = Commands::of(roster.bids(Kind::Command, Moment::Session));
    let routes = loading.routes();
    let then = session.routes();
    let mut all: BTreeMap<Key, Contest> = BTreeMap::new();
    let mut open = |name: &Arc<str>, invocation: &Arc<str>| -> Key {
        let key = (Arc::clone(name), Arc::clone(invocation));
        all.entry(key.clone()).or_insert_with(|| {
            let mut contest = Contest::new(ContestKind::Command, Arc::clone(name), SOLE);
            contest.invocation = Some(Arc::clone(invocation));
            contest.may_also_claim = unresolved.to_vec();
            contest
        });
        key
    };
    let mut filled: Vec<(Key, Filling)> = Vec::new();
    for route in &routes {
        let key = open(&loading.names[route.bid], &route.invocation);
        let moved = session.moved(&loading, route, &then);
        filled.push((
            key,
            Filling::Loaded(Box::new((loading.claim(route), loading.replaced(route.bid), moved))),
        ));
    }
    for route in then.iter().filter(|it| loading.same(&session.bids[it.bid]).is_none()) {
        let key = open(&session.names[route.bid], &route.invocation);
        filled.push((key, Filling::Late(session.claim(route), Arc::clone(&route.invocation))));
    }
    for (name, claim) in roster.later(Kind::Command) {
        let key = filled.iter().map(|it| &it.0).find(|it| it.0 == name).cloned();
        filled.push((key.unwrap_or_else(|| open(&name, &name)), Filling::Pending(claim)));
    }
    for (key, filling) in filled {
        if let Some(contest) = all.get_mut(&key) {
            filling.into_contest(contest);
        }
    }
    let mut all: Vec<_> = all.into_values().collect();
    for contest in &mut all {
        judge(input, contest);
    }
    (all, loading.warnings(input, &routes))
}

/// What goes into a contest.
enum Filling {
    Loaded(Box<(Claim, Vec<Loser>, Option<InSession>)>),
    Late(Claim, Arc<str>),
    Pending(Claim),
}

impl Filling {
    fn into_contest(self, contest: &mut Contest) {
        match self {
            Self::Loaded(loaded) => {
                let (claim, replaced, in_session) = *loaded;
                contest.losers.extend(replaced);
                if contest.winner.is_none() {
                    (contest.winner, contest.in_session) = (Some(claim), in_session);
                } else {
                    contest.losers.push(Loser { claim, outcome: Outcome::Shadowed });
                }
            }
            Self::Late(claim, invocation) if contest.in_session.is_none() && contest.winner.is_none() => {
                let invocation = Some(invocation);
                contest.in_session = Some(InSession { winner: Some(claim), invocation, active: None });
            }
            Self::Late(claim, _) | Self::Pending(claim) => {
                contest.losers.push(Loser { claim, outcome: Outcome::Pending });
            }
        }
    }
}

/// The commands that exist at one moment.
struct Commands<'a> {
    bids: Vec<Bid<'a>>,
    /// The name of each: that of the options, else the one it is registered under.
    names: Vec<Arc<str>>,
}

impl<'a> Commands<'a> {
    fn of(bids: Vec<Bid<'a>>) -> Self {
        let names = bids.iter().map(command_name).collect();
        Self { bids, names }
    }

    /// How each command is reached. Conditional ones change the numbers of others, so the answer is worked out for a
    /// world without any of them, for one with all, and for those between; what differs is conditional.
    fn routes(&self) -> Vec<Route> {
        let with = self.invocations(|_| true);
        if self.bids.iter().all(|it| it.claim.certainty.is_certain()) {
            let certain = |(bid, invocation)| Route { bid, invocation, certainty: Certainty::Certain };
            return with.into_iter().map(certain).collect();
        }
        let certain = |at: usize| self.bids[at].claim.certainty.is_certain();
        let without = self.invocations(certain);
        let conditional: Vec<usize> = (0..self.bids.len()).filter(|&at| !certain(at)).collect();
        let others: Vec<_> = between(&conditional)
            .into_iter()
            .map(|some| self.invocations(|at| certain(at) || some.contains(&at)))
            .collect();
        let mut routes = Vec::new();
        for (bid, invocation) in &without {
            let same = (*bid, Arc::clone(invocation));
            let stays = with.contains(&same) && others.iter().all(|it| it.contains(&same));
            let certainty = if stays { Certainty::Certain } else { self.unless_rivals(*bid) };
            routes.push(Route { bid: *bid, invocation: Arc::clone(invocation), certainty });
        }
        for (bid, invocation) in with {
            if !without.contains(&(bid, Arc::clone(&invocation))) {
                routes.push(Route { bid, invocation, certainty: self.with_rivals(bid) });
            }
        }
        routes
    }

    fn invocations(&self, exists: impl Fn(usize) -> bool) -> Vec<(usize, Arc<str>)> {
        let there: Vec<usize> = (0..self.bids.len()).filter(|&at| exists(at)).collect();
        let names: Vec<&str> = there.iter().map(|&at| &*self.names[at]).collect();
        there.into_iter().zip(suffixed(&names)).map(|(at, name)| (at, name.into())).collect()
    }

    /// The conditional commands that move this one: those of its name, else all of them.
    fn rivals(&self, bid: usize) -> Vec<&Certainty> {
        let conditional = |it: &usize| *it != bid && !self.bids[*it].claim.certainty.is_certain();
        let others: Vec<usize> = (0..self.bids.len()).filter(conditional).collect();
        let namesakes: Vec<usize> =
            others.iter().copied().filter(|&it| self.names[it] == self.names[bid]).collect();
        let own = self.bids[bid].claim.certainty.is_certain();
        let chosen = if namesakes.is_empty() && own { others } else { namesakes };
        chosen.into_iter().map(|it| &self.bids[it].claim.certainty).collect()
    }

    fn unless_rivals(&self, bid: usize) -> Certainty {
        self.rivals(bid)
            .into_iter()
            .fold(self.bids[bid].claim.certainty.clone(), |sure, it| unless(&sure, it))
    }

    fn with_rivals(&self, bid: usize) -> Certainty {
        let own = self.bids[bid].claim.certainty.clone();
        self.rivals(bid).into_iter().fold(own, |sure, it| both(&sure, it))
    }

    fn claim(&self, route: &Route) -> Claim {
        Claim { certainty: route.certainty.clone(), ..self.bids[route.bid].claim.clone() }
    }

    fn replaced(&self, bid: usize) -> Vec<Loser> {
        let replaced = |claim: &Claim| Loser { claim: claim.clone(), outcome: Outcome::Replaced };
        self.bids[bid].replaced.iter().map(replaced).collect()
    }

    fn same(&self, bid: &Bid<'_>) -> Option<usize> {
        self.bids.iter().position(|it| it.claim.extension == bid.claim.extension && it.name == bid.name)
    }

    /// The answer in the session for a route of before, when late registrations change it.
    fn moved(&self, before: &Self, route: &Route, routes: &[Route]) -> Option<InSession> {
        let at = self.same(&before.bids[route.bid])?;
        let mut now = routes.iter().filter(|it| it.bid == at);
        if now.clone().any(|it| it.invocation == route.invocation) {
            return None;
        }
        let now = now
            .find(|it| conditions(&it.certainty) == conditions(&route.certainty))
            .or_else(|| routes.iter().find(|it| it.bid == at))?;
        Some(InSession {
            winner: Some(self.claim(now)),
            invocation: Some(Arc::clone(&now.invocation)),
            active: None,
        })
    }

    /// What the interactive mode says about names that it lists itself
    /// (`dist/modes/interactive/interactive-mode.js`, `getBuiltInCommandConflictDiagnostics`).
    fn warnings(&self, input: &Input<'_>, routes: &[Route]) -> Vec<PiWarning> {
        let warning = |route: &Route| {
            let name = &self.names[route.bid];
            input.catalog.slash_command(name).filter(|it| it.listed)?;
            let fate = if route.invocation == *name {
                "Skipping in autocomplete.".to_owned()
            } else {
                format!("Available as '/{}'.", route.invocation)
            };
            let claim = &self.bids[route.bid].claim;
            Some(PiWarning {
                kind: ContestKind::Command,
                name: Arc::clone(name),
                extension: claim.extension?,
                message: format!(
                    "Extension command '/{name}' conflicts with built-in interactive command. {fate}"
                ),
                at: claim.at,
                certainty: route.certainty.clone(),
            })
        };
        routes.iter().filter_map(warning).collect()
    }
}

fn command_name(bid: &Bid<'_>) -> Arc<str> {
    match bid.payload.and_then(|it| it.field("name")).map(|it| &it.value) {
        Some(Known::String(name)) => Arc::clone(name),
        _ => Arc::clone(&bid.name),
    }
}

/// What each command of a list is typed as (Pi: `resolveRegisteredCommands`).
fn suffixed(names: &[&str]) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut taken: HashSet<String> = HashSet::new();
    let mut typed = Vec::with_capacity(names.len());
    for &name in names {
        let occurrence = seen.entry(name).or_default();
        *occurrence += 1;
        let mut number = *occurrence;
        let several = counts.get(name).is_some_and(|&count| count > 1);
        let mut invocation = if several { format!("{name}:{number}") } else { name.to_owned() };
        while !taken.insert(invocation.clone()) {
            number += 1;
            invocation = format!("{name}:{number}");
        }
        typed.push(invocation);
    }
    typed
}

fn judge(input: &Input<'_>, contest: &mut Contest) {
    let typed = contest.invocation.clone().unwrap_or_else(|| Arc::clone(&contest.name));
    let then = contest.in_session.as_ref().and_then(|it| it.invocation.clone());
    let renamed = |typed: &Arc<str>| *typed != contest.name;
    if renamed(&typed) || then.as_ref().is_some_and(renamed) {
        contest.rule = SUFFIX;
        contest.find(Finding::CommandRenamed, Impact::Warning);
    }
    let Some(builtin) = input.catalog.slash_command(&typed) else { return };
    let when = if builtin.arguments { HiddenWhen::Always } else { HiddenWhen::WithoutArguments };
    contest.hidden_by = Some(HiddenBy { what: format!("/{}", builtin.name), when });
    contest.rule = BUILTIN_FIRST;
    contest.find(Finding::CommandHidden, Impact::Warning);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Starts;
    use super::super::testing::*;
    use super::*;

    const COMMAND: ContestKind = ContestKind::Command;

    fn command(name: &str) -> crate::source::Registration {
        registration(Kind::Command, name)
    }

    fn typed(extensions: &[&[&str]]) -> Vec<String> {
        let names: Vec<&str> = extensions.concat();
        suffixed(&names)
    }

    #[test]
    fn numbers_follow_load_order_and_nobody_keeps_the_bare_name() {
        let found = Small::of([vec![command("go")], vec![command("go"), command("solo")]]).resolve();
        assert_eq!(winner(contest(&found, COMMAND, "go:1")), "/a.ts");
        assert_eq!(winner(contest(&found, COMMAND, "go:2")), "/b.ts");
        assert_eq!(winner(contest(&found, COMMAND, "solo")), "/b.ts");
        assert!(!contested(&found, COMMAND, "go"));
        assert_eq!(contest(&found, COMMAND, "go:1").rule, SUFFIX);
        assert_eq!(found.starts, Starts::Yes);
    }

    #[test]
    fn literal_suffixes_push_numbers_on() {
        assert_eq!(typed(&[&["go:1"], &["go"], &["go"]]), ["go:1", "go:2", "go:3"]);
        assert_eq!(typed(&[&["go"], &["go"], &["go:1"]]), ["go:1", "go:2", "go:1:2"]);
        assert_eq!(typed(&[&["go:1"], &["go:1"], &["go"]]), ["go:1:1", "go:1:2", "go"]);
        assert_eq!(typed(&[&["go:1"], &["go:1"], &["go"], &["go"]]), ["go:1:1", "go:1:2", "go:1", "go:2"]);
    }

    #[test]
    fn the_name_in_the_options_beats_the_key() {
        let renamed = command("key").payload(object(&[("name", text("shown"))]));
        let found = Small::of([vec![renamed]]).resolve();
        assert_eq!(winner(contest(&found, COMMAND, "shown")), "/a.ts");
        assert!(!contested(&found, COMMAND, "key"));
    }

    #[test]
    fn builtin_commands_hide_namesakes_unless_they_are_renamed() {
        let hidden = |name: &str| {
            let found = Small::of([vec![command(name)]]).resolve();
            contest(&found, COMMAND, name).hidden_by.as_ref().map(|it| it.when)
        };
        assert_eq!(hidden("quit"), Some(HiddenWhen::WithoutArguments));
        assert_eq!(hidden("arminsayshi"), Some(HiddenWhen::WithoutArguments));
        assert_eq!(hidden("model"), Some(HiddenWhen::Always));
        assert_eq!(hidden("Model"), None);
        let twice = Small::of([vec![command("model")], vec![command("model")]]).resolve();
        assert_eq!(contest(&twice, COMMAND, "model:1").hidden_by, None);
    }

    #[test]
    fn pi_warns_about_the_names_that_it_lists() {
        let found = Small::of([vec![command("quit"), command("debug")]]).resolve();
        let said: Vec<_> = found.warnings.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(
            said,
            [
                "Extension command '/quit' conflicts with built-in interactive command. Skipping in autocomplete."
            ]
        );
        let twice = Small::of([vec![command("model")], vec![command("model")]]).resolve();
        assert!(twice.warnings[1].message.ends_with("Available as '/model:2'."));
    }

    #[test]
    fn a_late_command_renames_the_first_one_in_the_session() {
        let found = Small::of([vec![command("go")], vec![command("go").late("session_start")]]).resolve();
        let it = contest(&found, COMMAND, "go");
        assert_eq!(winner(it), "/a.ts");
        assert_eq!(it.in_session.as_ref().and_then(|it| it.invocation.as_deref()), Some("go:1"));
        let late = contest(&found, COMMAND, "go:2");
        assert_eq!((winner(late).as_str(), in_session(late).as_str()), ("-", "/b.ts"));
    }

    #[test]
    fn a_conditional_namesake_makes_both_ways_conditional() {
        let found =
            Small::of([vec![command("go"), command("solo")], vec![command("go").when(1, true)]]).resolve();
        assert_eq!(winner(contest(&found, COMMAND, "go")), "/a.ts?");
        assert_eq!(winner(contest(&found, COMMAND, "go:1")), "/a.ts?");
        assert_eq!(winner(contest(&found, COMMAND, "go:2")), "/b.ts?");
        assert_eq!(winner(contest(&found, COMMAND, "solo")), "/a.ts");
    }

    #[test]
    fn registering_twice_is_one_command() {
        let found = Small::of([vec![command("go").at(1), command("go").at(2)]]).resolve();
        let it = contest(&found, COMMAND, "go");
        assert_eq!(it.winner.as_ref().and_then(|it| it.at), Some(span(2)));
        assert_eq!(losers(it), ["/a.ts replaced"]);
    }

    /// The rule of the rules document, word by word: counted, numbered, then moved on while taken.
    fn reference(names: &[String]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let occurrence = names[..=at].iter().filter(|it| *it == name).count();
            let several = names.iter().filter(|it| *it == name).count() > 1;
            let wanted = if several { format!("{name}:{occurrence}") } else { name.clone() };
            let free = |it: &String| !out.contains(it);
            let chosen = Some(wanted)
                .filter(free)
                .or_else(|| (occurrence + 1..100).map(|n| format!("{name}:{n}")).find(free));
            out.extend(chosen);
        }
        out
    }

    proptest! {
        #[test]
        fn suffixes_follow_the_reference(names in prop::collection::vec("(a|b|a:1|a:2|a:1:1|b:1)", 0..12)) {
            let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
            let found = suffixed(&borrowed);
            prop_assert_eq!(&found, &reference(&names));
            let mut unique = found.clone();
            unique.sort();
            unique.dedup();
            prop_assert_eq!(unique.len(), found.len());
        }
    }
}
