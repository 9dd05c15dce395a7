//! Flags: who owns a name, of what type it is, and which value it has (rules, section 5).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::rule::{Rule, RuleId};
use crate::source::{Certainty, Kind, Known};

use super::certainty::{both, unless};
use super::contest::{Contest, ContestKind, Finding, Impact, MayAlsoClaim, Outcome};
use super::input::Input;
use super::race::{Contender, may_be_taken_late, settle};
use super::roster::{Bid, Moment, Roster};
use super::start::{Fatal, conflicts};

/// The first extension of the list owns a flag.
pub const FIRST_EXTENSION: RuleId = RuleId("flag/first-extension");
/// The first default that is executed is the value.
pub const FIRST_DEFAULT: RuleId = RuleId("flag/first-executed-default");
/// Options that no extension registers, or without the value that they need.
pub const ARGUMENTS: RuleId = RuleId("flag/arguments");

/// The rules of this file.
pub static RULES: &[Rule] = &[
    Rule {
        id: FIRST_EXTENSION,
        sentence: "The first extension in load order owns a flag; a second one that registers it while loading keeps Pi from starting.",
        example: "a.ts and b.ts both register `plan`: Pi prints `Flag \"--plan\" conflicts with a.ts` for b.ts and exits with status 1.",
        pi: "dist/core/resource-loader.js#detectExtensionConflicts, dist/core/extensions/runner.js#getFlags",
    },
    Rule {
        id: FIRST_DEFAULT,
        sentence: "The first registration to run that has a default sets the flag's value, whoever owns the flag; later defaults are ignored.",
        example: "registerFlag(\"f\", {default: 1}), then {default: 2}: the value is 1.",
        pi: "dist/core/extensions/loader.js#registerFlag",
    },
    Rule {
        id: ARGUMENTS,
        sentence: "An option that neither Pi nor an extension knows, and a string flag without a value, keep Pi from starting.",
        example: "`pi --nope` prints `Unknown option: --nope`.",
        pi: "dist/core/agent-session-services.js#applyExtensionFlagValues",
    },
];

/// Decides every flag.
pub(super) fn contests(input: &Input<'_>, roster: &Roster<'_>, unresolved: &[MayAlsoClaim]) -> Vec<Contest> {
    let bids = roster.bids(Kind::Flag, Moment::Session);
    let refused = conflicts(&roster.bids(Kind::Flag, Moment::Loading));
    let values = values(input, roster);
    let mut names: BTreeMap<Arc<str>, Vec<&Bid<'_>>> = BTreeMap::new();
    for bid in &bids {
        names.entry(Arc::clone(&bid.name)).or_default().push(bid);
    }
    let later = roster.later(Kind::Flag);
    for (name, _) in &later {
        names.entry(Arc::clone(name)).or_default();
    }
    let contest = |(name, bids): (Arc<str>, Vec<&Bid<'_>>)| {
        let conflict = refused.iter().any(|it| it.name == name);
        let is_refused =
            |bid: &Bid<'_>| refused.iter().any(|it| it.name == bid.name && it.later == bid.claim.path);
        let ranked = bids.iter().map(|bid| {
            Contender::of(bid, if is_refused(bid) { Outcome::Refused } else { Outcome::Shadowed })
        });
        let mut contest = Contest::new(ContestKind::Flag, Arc::clone(&name), FIRST_EXTENSION);
        let late = later.iter().filter(|it| it.0 == name).map(|it| it.1.clone()).collect();
        settle(&mut contest, ranked.collect(), late);
        let owner = contest.winner.as_ref().and_then(|it| it.extension);
        let definition = bids.iter().find(|it| it.claim.extension == owner).and_then(|it| it.payload);
        contest.flag_type = definition.map(|it| option(it, "type"));
        contest.flag_value = given(input, &bids, &name).or_else(|| values.get(&name).cloned());
        contest.may_also_claim = unresolved.to_vec();
        if conflict {
            contest.find(Finding::FlagConflict, Impact::Fatal);
        } else if contest.winner.is_some() && contest.in_session.is_some() {
            contest.find(Finding::LateTakesName, Impact::Warning);
        } else if let Some(impact) = may_be_taken_late(&contest) {
            contest.find(Finding::LateTakesName, impact);
        }
        contest
    };
    names.into_iter().map(contest).collect()
}

/// A field of an options object: `undefined` only if it is certainly not there.
fn option(options: &Known, name: &str) -> Known {
    match (options.field(name), options) {
        (Some(field), _) => field.value.clone(),
        (None, Known::Object { open: Some(reason), .. } | Known::Unknown(reason)) => {
            Known::Unknown(reason.clone())
        }
        (None, _) => Known::Undefined,
    }
}

/// The value that the command line gives a flag: `true` for a boolean one whatever is written, the text for any other. The
/// type is that of the last extension that has the flag (`dist/core/agent-session-services.js`,
/// `applyExtensionFlagValues`).
fn given(input: &Input<'_>, bids: &[&Bid<'_>], name: &str) -> Option<Known> {
    let argument = input.flag_arguments.iter().rev().find(|it| *it.name == *name)?;
    let loading = |bid: &&&Bid<'_>| Moment::of(&bid.claim.phase) == Moment::Loading;
    let last = bids.iter().rfind(loading)?;
    match last.payload.map(|it| option(it, "type")) {
        Some(unknown @ Known::Unknown(_)) => Some(unknown),
        Some(kind) if kind.as_str() == Some("boolean") => Some(Known::Bool(true)),
        _ => argument.value.as_ref().map(|it| Known::String(Arc::clone(it))),
    }
}

/// The value of each flag before the command line has its say: the first default that runs. Every extension that runs
/// counts, whether or not it is listed in the end; on versions where failed extensions leave traces, those too.
fn values(input: &Input<'_>, roster: &Roster<'_>) -> BTreeMap<Arc<str>, Known> {
    let traces = input.catalog.behaviour().failed_extensions_leave_traces;
    let mut found: BTreeMap<Arc<str>, Defaults> = BTreeMap::new();
    for member in roster.executed() {
        let fails = member.failure().is_some_and(|it| it.certainty.is_certain());
        if fails && !traces {
            continue;
        }
        for it in member.registrations() {
            let Some(name) = it.name.as_ref().filter(|_| it.kind == Kind::Flag) else { continue };
            if Moment::of(&it.phase) == Moment::Loading {
                let sure = if traces { it.certainty.clone() } else { member.claim(it).certainty };
                found.entry(Arc::clone(name)).or_default().add(option(&it.payload, "default"), &sure);
            }
        }
    }
    found.into_iter().map(|(name, defaults)| (name, defaults.value())).collect()
}

/// The defaults that may become the value, in the order in which they run, up to one that is certain.
#[derive(Default)]
struct Defaults {
    possible: Vec<Known>,
    settled: bool,
}

impl Defaults {
    fn add(&mut self, default: Known, certainty: &Certainty) {
        if self.settled || default == Known::Undefined {
            return;
        }
        self.settled = certainty.is_certain() && !matches!(default, Known::Unknown(_));
        if !self.possible.contains(&default) {
            self.possible.push(default);
        }
    }

    fn value(mut self) -> Known {
        let unknown = self.possible.iter().find(|it| matches!(it, Known::Unknown(_)));
        if let Some(unknown) = unknown {
            return unknown.clone();
        }
        if !self.settled {
            self.possible.push(Known::Undefined);
        }
        match self.possible.len() {
            1 => self.possible.swap_remove(0),
            _ => Known::Choice(self.possible),
        }
    }
}

/// What Pi says about options of the command line that it does not know itself
/// (`dist/core/agent-session-services.js`, `applyExtensionFlagValues`).
pub(super) fn argument_errors(input: &Input<'_>, roster: &Roster<'_>) -> Vec<Fatal> {
    let bids = roster.bids(Kind::Flag, Moment::Loading);
    let mut errors = Vec::new();
    let mut unknown: Vec<&str> = Vec::new();
    let mut sure = Certainty::Certain;
    let mut arguments: Vec<(&str, Option<&str>)> = Vec::new();
    for it in &input.flag_arguments {
        match arguments.iter_mut().find(|(name, _)| **name == *it.name) {
            Some(earlier) => earlier.1 = it.value.as_deref(),
            None => arguments.push((&it.name, it.value.as_deref())),
        }
    }
    for (name, value) in arguments {
        let owners: Vec<_> = bids.iter().filter(|it| *it.name == *name).collect();
        let absent = owners.iter().fold(Certainty::Certain, |sure, it| unless(&sure, &it.claim.certainty));
        if !owners.iter().any(|it| it.claim.certainty.is_certain()) {
            unknown.push(name);
            sure = both(&sure, &absent);
        }
        // The type is that of the last extension that has the flag, not the owner's.
        let Some(last) = owners.last() else { continue };
        let kind = last.payload.map(|it| option(it, "type"));
        let boolean =
            kind.as_ref().is_none_or(|it| it.as_str() == Some("boolean") || matches!(it, Known::Unknown(_)));
        if !boolean && value.is_none() {
            let message = format!("Extension flag \"--{name}\" requires a value");
            errors.push(argument_error(Some(name), message, last.claim.certainty.clone()));
        }
    }
    if !unknown.is_empty() {
        let listed: Vec<_> = unknown.iter().map(|it| format!("--{it}")).collect();
        let plural = if unknown.len() == 1 { "" } else { "s" };
        errors.push(argument_error(None, format!("Unknown option{plural}: {}", listed.join(", ")), sure));
    }
    errors
}

fn argument_error(name: Option<&str>, message: String, certainty: Certainty) -> Fatal {
    Fatal {
        kind: Some(ContestKind::Flag),
        name: name.map(Arc::from),
        path: None,
        extension: None,
        message,
        explanation: None,
        at: None,
        certainty,
        rule: ARGUMENTS,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::{FlagArgument, Starts};
    use super::*;

    const FLAG: ContestKind = ContestKind::Flag;

    fn flag(name: &str, fields: &[(&str, Known)]) -> crate::source::Registration {
        registration(Kind::Flag, name).payload(object(fields))
    }

    fn with_default(value: f64) -> crate::source::Registration {
        flag("f", &[("type", text("string")), ("default", Known::Number(value))])
    }

    fn value(small: &Small) -> Option<Known> {
        contest(&small.resolve(), FLAG, "f").flag_value.clone()
    }

    #[test]
    fn the_first_of_the_list_owns_a_flag_and_pi_refuses_to_start() {
        let found =
            Small::of([vec![flag("f", &[("type", text("boolean"))])], vec![with_default(1.0)]]).resolve();
        let it = contest(&found, FLAG, "f");
        assert_eq!((winner(it).as_str(), losers(it)), ("/a.ts", vec!["/b.ts refused".to_owned()]));
        assert_eq!(it.flag_type, Some(text("boolean")));
        assert_eq!(
            found.fatal.iter().map(|it| &*it.message).collect::<Vec<_>>(),
            ["Flag \"--f\" conflicts with /a.ts"]
        );
    }

    #[test]
    fn the_first_executed_default_is_the_value() {
        let small = Small::of([vec![with_default(1.0)], vec![with_default(2.0)]]);
        assert_eq!(value(&small), Some(Known::Number(1.0)));
        assert_eq!(value(&small.executed(&[1, 0])), Some(Known::Number(2.0)));
    }

    #[test]
    fn in_one_extension_the_definition_is_the_last_and_the_value_the_first() {
        let second = flag("f", &[("type", text("boolean")), ("default", Known::Bool(true))]);
        let found = Small::of([vec![with_default(1.0), second]]).resolve();
        let it = contest(&found, FLAG, "f");
        assert_eq!((&it.flag_type, &it.flag_value), (&Some(text("boolean")), &Some(Known::Number(1.0))));
        assert_eq!(found.starts, Starts::Yes);
    }

    #[test]
    fn an_owner_without_a_default_gets_a_later_one() {
        let small = Small::of([vec![flag("f", &[])], vec![with_default(2.0)]]);
        assert_eq!(value(&small), Some(Known::Number(2.0)));
        assert_eq!(value(&Small::of([vec![flag("f", &[])]])), Some(Known::Undefined));
        assert_eq!(value(&Small::of([vec![flag("f", &[("default", Known::Null)])]])), Some(Known::Null));
    }

    #[test]
    fn failed_and_dropped_extensions_leave_their_defaults() {
        let failed =
            Small::of([vec![with_default(1.0)], vec![with_default(2.0)]]).failing(0, Certainty::Certain);
        assert_eq!(value(&failed), Some(Known::Number(1.0)));
        let dropped = Small::of([vec![with_default(1.0)], vec![with_default(2.0)]]).dropped(0);
        assert_eq!(value(&dropped), Some(Known::Number(1.0)));
        assert_eq!(winner(contest(&dropped.resolve(), FLAG, "f")), "/b.ts");
    }

    #[test]
    fn a_conditional_default_leaves_a_choice() {
        let small = Small::of([vec![with_default(1.0).when(1, true), with_default(2.0)]]);
        assert_eq!(value(&small), Some(Known::Choice(vec![Known::Number(1.0), Known::Number(2.0)])));
    }

    #[test]
    fn arguments_need_a_flag_and_string_flags_a_value() {
        let string = flag("s", &[("type", text("string"))]);
        let boolean = flag("b", &[("type", text("boolean"))]);
        let small = Small::of([vec![string, boolean]]);
        let said = |arguments: &[(&str, Option<&str>)]| {
            let mut input = small.input();
            let argument = |&(name, value): &(&str, Option<&str>)| FlagArgument {
                name: name.into(),
                value: value.map(Arc::from),
            };
            input.flag_arguments = arguments.iter().map(argument).collect();
            super::super::resolve(&input).fatal.into_iter().map(|it| it.message).collect::<Vec<_>>()
        };
        assert_eq!(said(&[("s", Some("x")), ("b", None), ("b", Some("false"))]), [""; 0]);
        assert_eq!(said(&[("s", None)]), ["Extension flag \"--s\" requires a value"]);
        assert_eq!(said(&[("x", None), ("y", Some("1"))]), ["Unknown options: --x, --y"]);
    }
}
