//! Tools: who holds a name, and which ones the model is given (rules, sections 2 and 3).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::rule::{Rule, RuleId};
use crate::source::{Kind, Known};

use super::contest::{Claim, Contest, ContestKind, Finding, Impact, Layer, Loser, MayAlsoClaim, Outcome};
use super::input::{Input, ToolSelection};
use super::race::{Contender, may_be_taken_late, settle};
use super::roster::{Bid, Moment, Roster};
use super::start::{Conflict, conflicts};

/// The first extension of the list holds a name that several register, and Pi refuses to start.
pub const FIRST_EXTENSION: RuleId = RuleId("tool/first-extension");
/// A tool of an extension replaces the built-in one.
pub const OVER_BUILTIN: RuleId = RuleId("tool/extension-over-builtin");
/// The tools of an SDK host beat all others.
pub const SDK_LAST: RuleId = RuleId("tool/sdk-last");
/// Nobody but Pi has a tool of the name.
pub const BUILTIN: RuleId = RuleId("tool/builtin");
/// The options keep the tool out.
pub const NOT_ALLOWED: RuleId = RuleId("tool/not-allowed");
/// A registration that comes late takes its place in the list.
pub const LATE_BY_PLACE: RuleId = RuleId("tool/late-by-place");

/// The rules of this file.
pub static RULES: &[Rule] = &[
    Rule {
        id: FIRST_EXTENSION,
        sentence: "The first extension in load order holds a tool's name; a second one that registers it while loading keeps Pi from starting.",
        example: "a.ts and b.ts both register `search`: a.ts holds it, Pi prints `Tool \"search\" conflicts with a.ts` for b.ts and exits with status 1.",
        pi: "dist/core/resource-loader.js#detectExtensionConflicts, dist/core/extensions/runner.js#getAllRegisteredTools",
    },
    Rule {
        id: OVER_BUILTIN,
        sentence: "An extension's tool replaces the built-in tool of the same name, without a message.",
        example: "guard.ts registers `bash`: the model gets guard.ts's tool.",
        pi: "dist/core/agent-session.js#_refreshToolRegistry",
    },
    Rule {
        id: SDK_LAST,
        sentence: "Tools that an SDK host passes in come last and win over extensions and built-in tools; of two of one name the last wins.",
        example: "An editor passes `read` in: extensions that register `read` are not heard.",
        pi: "dist/core/agent-session.js#_refreshToolRegistry",
    },
    Rule {
        id: BUILTIN,
        sentence: "A built-in tool keeps its name when no extension and no SDK host registers it.",
        example: "Nobody registers `grep`: it is Pi's own, registered and not active.",
        pi: "dist/core/agent-session.js#_refreshToolRegistry",
    },
    Rule {
        id: NOT_ALLOWED,
        sentence: "`--tools`, `--no-tools` and `--exclude-tools` keep a tool from being registered at all; two extensions that claim it still keep Pi from starting.",
        example: "`--exclude-tools search`: nobody holds `search`.",
        pi: "dist/core/agent-session.js#_refreshToolRegistry",
    },
    Rule {
        id: LATE_BY_PLACE,
        sentence: "A tool that is registered after loading is ranked by the place of its extension in load order, not by time, and no conflict is reported.",
        example: "a.ts registers `search` in session_start, b.ts while loading: b.ts holds it until session_start, then a.ts does.",
        pi: "dist/core/extensions/runner.js#getAllRegisteredTools",
    },
];

/// Decides every tool name.
pub(super) fn contests(input: &Input<'_>, roster: &Roster<'_>, unresolved: &[MayAlsoClaim]) -> Vec<Contest> {
    let bids = roster.bids(Kind::Tool, Moment::Session);
    let loading = roster.bids(Kind::Tool, Moment::Loading);
    let refused = conflicts(&loading);
    let mut names: BTreeMap<Arc<str>, Vec<&Bid<'_>>> = BTreeMap::new();
    for bid in &bids {
        names.entry(registry_name(bid)).or_default().push(bid);
    }
    let own = input.catalog.tools().iter().map(|it| Arc::from(it.name.as_str()));
    for name in
        own.chain(input.tools.sdk.iter().cloned()).chain(refused.iter().map(|it| Arc::clone(&it.name)))
    {
        names.entry(name).or_default();
    }
    let mut later = roster.later(Kind::Tool);
    for (name, _) in &later {
        names.entry(Arc::clone(name)).or_default();
    }
    let mut take_later =
        |name: &str| later.extract_if(.., |(theirs, _)| **theirs == *name).map(|it| it.1).collect();
    let mut all = Vec::with_capacity(names.len());
    for (name, bids) in names {
        let late: Vec<Claim> = take_later(&name);
        let refused = refused.iter().filter(|it| it.name == name).collect::<Vec<_>>();
        let mut contest = decide(input, &name, &bids, &refused, late);
        contest.may_also_claim = unresolved.to_vec();
        all.push(contest);
    }
    all
}

/// The name by which Pi's registry knows a tool: the definition's as it stands in the end. What was registered under
/// another key is looked up by neither (rules, section 2, point 7).
fn registry_name(bid: &Bid<'_>) -> Arc<str> {
    match bid.payload.and_then(|it| it.field("name")).map(|it| &it.value) {
        Some(Known::String(name)) => Arc::clone(name),
        _ => Arc::clone(&bid.name),
    }
}

fn decide(
    input: &Input<'_>,
    name: &Arc<str>,
    bids: &[&Bid<'_>],
    refused: &[&Conflict],
    later: Vec<Claim>,
) -> Contest {
    let mut ranked: Vec<Contender> = Vec::new();
    for _ in input.tools.sdk.iter().filter(|it| *it == name) {
        let claim = Claim { layer: Layer::Sdk, ..Claim::of_pi(format!("<sdk:{name}>")) };
        ranked.push(Contender::alone(claim, Outcome::Shadowed));
    }
    let is_refused =
        |bid: &Bid<'_>| refused.iter().any(|it| it.later == bid.claim.path && bid.name == it.name);
    for bid in bids {
        let if_lost = if is_refused(bid) { Outcome::Refused } else { Outcome::Shadowed };
        ranked.push(Contender::of(bid, if_lost));
    }
    let builtin = input.catalog.tools().iter().find(|it| *it.name == **name);
    if builtin.is_some() {
        ranked.push(Contender::alone(Claim::of_pi(format!("<builtin:{name}>")), Outcome::Overridden));
    }
    let mut contest = Contest::new(ContestKind::Tool, Arc::clone(name), BUILTIN);
    if is_allowed(&input.tools, name) {
        settle(&mut contest, ranked, later);
    } else {
        let skipped = |it: Contender| {
            let outcome = if it.if_lost == Outcome::Refused { it.if_lost } else { Outcome::Skipped };
            std::iter::once(Loser { claim: it.claim, outcome }).chain(it.with)
        };
        contest.losers = ranked.into_iter().flat_map(skipped).collect();
    }
    add_renamed(&mut contest, bids, refused);
    let in_start_list = start_list_has(input, name);
    contest.active = Some(contest.winner.as_ref().is_some_and(|it| is_active(input, in_start_list, it)));
    if let Some(then) = &mut contest.in_session {
        // Only a name that was not registered at all is switched on when it comes late.
        let was = contest.winner.is_some();
        then.active = Some(if was { contest.active == Some(true) } else { then.winner.is_some() });
    }
    judge(&mut contest, !refused.is_empty(), is_allowed(&input.tools, name));
    contest
}

/// Extensions that clash over a key and whose tools then go by another name still claim it.
fn add_renamed(contest: &mut Contest, bids: &[&Bid<'_>], refused: &[&Conflict]) {
    for conflict in refused {
        for claim in [&conflict.owner_claim, &conflict.later_claim] {
            let known = bids.iter().any(|it| it.claim.path == claim.path)
                || contest.losers.iter().any(|it| it.claim.path == claim.path);
            if !known {
                contest.losers.push(Loser { claim: claim.clone(), outcome: Outcome::Refused });
            }
        }
    }
}

fn judge(contest: &mut Contest, conflict: bool, allowed: bool) {
    let winner = contest.winner.as_ref().map(|it| it.layer);
    let overridden = contest.losers.iter().any(|it| it.outcome == Outcome::Overridden);
    let others =
        contest.losers.iter().any(|it| it.claim.layer == Layer::Extension && it.outcome != Outcome::Replaced);
    contest.rule = match winner {
        _ if !allowed => NOT_ALLOWED,
        Some(Layer::Sdk) => SDK_LAST,
        Some(Layer::Builtin) => BUILTIN,
        None if contest.in_session.is_some() => LATE_BY_PLACE,
        Some(_) if overridden && !others => OVER_BUILTIN,
        _ => FIRST_EXTENSION,
    };
    if conflict {
        contest.find(Finding::ToolConflict, Impact::Fatal);
    } else if !allowed {
        if contest.losers.iter().any(|it| it.claim.layer == Layer::Extension) {
            contest.find(Finding::ToolNotAllowed, Impact::Note);
        }
    } else if winner == Some(Layer::Sdk) && (overridden || others) {
        contest.find(Finding::SdkTakesName, Impact::Warning);
    } else if winner.is_some() && contest.in_session.is_some() {
        contest.find(Finding::LateTakesName, Impact::Warning);
    } else if overridden || winner == Some(Layer::Builtin) && on_a_condition(contest) {
        contest.find(Finding::BuiltinOverridden, Impact::Warning);
    } else if let Some(impact) = may_be_taken_late(contest) {
        contest.find(Finding::LateTakesName, impact);
    }
}

/// Whether an extension would hold the name if something held that is not known.
fn on_a_condition(contest: &Contest) -> bool {
    let claims = contest.losers.iter().filter(|it| it.outcome == Outcome::Shadowed).map(|it| &it.claim);
    claims.into_iter().any(|it| it.layer == Layer::Extension && Moment::of(&it.phase) == Moment::Loading)
}

/// The list that limits what is registered (Pi: `dist/core/sdk.js`, `allowedToolNames`).
fn allow_list(tools: &ToolSelection) -> Option<&[String]> {
    match &tools.allow {
        Some(list) => Some(list),
        None => tools.none.then_some(&[]),
    }
}

fn is_allowed(tools: &ToolSelection, name: &str) -> bool {
    allow_list(tools).is_none_or(|list| list.iter().any(|it| it == name))
        && !tools.exclude.iter().any(|it| it == name)
}

/// Whether the list of tools with which a session starts has the name (Pi: `dist/core/sdk.js`,
/// `initialActiveToolNames`).
fn start_list_has(input: &Input<'_>, name: &str) -> bool {
    let tools = &input.tools;
    match &tools.allow {
        Some(list) => list.iter().any(|it| it == name),
        None if tools.none || tools.no_builtin => false,
        None => input.catalog.tools().iter().any(|it| it.active && it.name == name),
    }
}

/// Every tool of an extension or an SDK host is active, a built-in one only when the start list has it. Names that are
/// not allowed have no winner.
fn is_active(input: &Input<'_>, in_start_list: bool, winner: &Claim) -> bool {
    allow_list(&input.tools).is_some() || in_start_list || winner.layer != Layer::Builtin
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::{FlagArgument, Starts};
    use super::*;

    const TOOL: ContestKind = ContestKind::Tool;

    fn tool(name: &str) -> crate::source::Registration {
        registration(Kind::Tool, name)
    }

    fn select(change: impl FnOnce(&mut ToolSelection)) -> ToolSelection {
        let mut selection = ToolSelection::default();
        change(&mut selection);
        selection
    }

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|&it| it.to_owned()).collect()
    }

    fn active(small: &Small, selection: ToolSelection) -> Vec<String> {
        let mut input = small.input();
        input.tools = selection;
        let found = super::super::resolve(&input);
        found.contests.iter().filter(|it| it.active == Some(true)).map(|it| it.name.to_string()).collect()
    }

    #[test]
    fn the_first_of_the_list_holds_the_name_and_pi_refuses_to_start() {
        let found = Small::of([vec![tool("x")], vec![tool("x")], vec![tool("x")]]).resolve();
        let it = contest(&found, TOOL, "x");
        assert_eq!(winner(it), "/a.ts");
        assert_eq!(losers(it), ["/b.ts refused", "/c.ts refused"]);
        assert_eq!(
            (it.rule, it.finding, it.impact),
            (FIRST_EXTENSION, Some(Finding::ToolConflict), Impact::Fatal)
        );
        assert_eq!(found.starts, Starts::No);
        let said: Vec<_> = found.fatal.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(said, ["Tool \"x\" conflicts with /a.ts"; 2]);
    }

    #[test]
    fn an_extension_replaces_a_builtin_tool() {
        let found = Small::of([vec![tool("bash"), tool("grep")]]).resolve();
        let it = contest(&found, TOOL, "bash");
        assert_eq!(
            (winner(it).as_str(), losers(it)),
            ("/a.ts", vec!["<builtin:bash> overridden".to_owned()])
        );
        assert_eq!((it.rule, it.finding), (OVER_BUILTIN, Some(Finding::BuiltinOverridden)));
        assert_eq!(contest(&found, TOOL, "grep").active, Some(true));
        assert_eq!(winner(contest(&found, TOOL, "find")), "<builtin:find>");
        assert_eq!(found.starts, Starts::Yes);
    }

    #[test]
    fn registering_twice_replaces_the_definition_and_is_no_conflict() {
        let found = Small::of([vec![tool("x").at(1), tool("x").at(2)]]).resolve();
        let it = contest(&found, TOOL, "x");
        assert_eq!(it.winner.as_ref().and_then(|it| it.at), Some(span(2)));
        assert_eq!(losers(it), ["/a.ts replaced"]);
        assert_eq!(found.starts, Starts::Yes);
    }

    #[test]
    fn sdk_tools_beat_everything_and_conflicts_stay_fatal() {
        let small = Small::of([vec![tool("read")], vec![tool("read")]]);
        let mut input = small.input();
        input.tools = select(|it| it.sdk = vec!["read".into(), "ask".into()]);
        let found = super::super::resolve(&input);
        assert_eq!(winner(contest(&found, TOOL, "read")), "<sdk:read>");
        assert_eq!(winner(contest(&found, TOOL, "ask")), "<sdk:ask>");
        assert_eq!(contest(&found, TOOL, "ask").active, Some(true));
        assert_eq!(found.starts, Starts::No);
    }

    #[test]
    fn excluded_tools_exist_nowhere_and_still_conflict() {
        let small = Small::of([vec![tool("x")], vec![tool("x")]]);
        let mut input = small.input();
        input.tools = select(|it| it.exclude = names(&["x", "read"]));
        let found = super::super::resolve(&input);
        assert_eq!(winner(contest(&found, TOOL, "x")), "-");
        assert_eq!(winner(contest(&found, TOOL, "read")), "-");
        assert_eq!(contest(&found, TOOL, "x").rule, NOT_ALLOWED);
        assert_eq!(found.starts, Starts::No);
    }

    #[test]
    fn which_tools_are_active() {
        let small = Small::of([vec![tool("mine"), tool("bash"), tool("grep")]]);
        assert_eq!(
            active(&small, ToolSelection::default()),
            ["bash", "edit", "grep", "mine", "read", "write"]
        );
        assert_eq!(
            active(&small, select(|it| it.exclude = names(&["read", "mine"]))),
            ["bash", "edit", "grep", "write"]
        );
        assert_eq!(active(&small, select(|it| it.none = true)), [""; 0]);
        assert_eq!(active(&small, select(|it| it.no_builtin = true)), ["bash", "grep", "mine"]);
        let listed =
            |none| select(move |it| (it.allow, it.none) = (Some(names(&["ls", "mine", "gone"])), none));
        assert_eq!(active(&small, listed(false)), ["ls", "mine"]);
        assert_eq!(active(&small, listed(true)), ["ls", "mine"]);
    }

    #[test]
    fn the_registry_goes_by_the_name_of_the_definition_and_the_conflict_by_the_key() {
        let renamed = tool("x").payload(object(&[("name", text("y"))]));
        let found = Small::of([vec![tool("x")], vec![renamed.clone()]]).resolve();
        assert_eq!(winner(contest(&found, TOOL, "x")), "/a.ts");
        assert_eq!(losers(contest(&found, TOOL, "x")), ["/b.ts refused"]);
        assert_eq!(winner(contest(&found, TOOL, "y")), "/b.ts");
        assert_eq!(found.starts, Starts::No);

        let escaped = Small::of([vec![tool("y")], vec![renamed]]).resolve();
        assert_eq!(losers(contest(&escaped, TOOL, "y")), ["/b.ts shadowed"]);
        assert!(!contested(&escaped, TOOL, "x"));
        assert_eq!(escaped.starts, Starts::Yes);
    }

    #[test]
    fn a_late_tool_takes_its_place_in_the_list_and_is_not_fatal() {
        let found = Small::of([vec![tool("x").late("session_start")], vec![tool("x")]]).resolve();
        let it = contest(&found, TOOL, "x");
        assert_eq!((winner(it).as_str(), in_session(it).as_str()), ("/b.ts", "/a.ts"));
        assert_eq!((it.finding, found.starts), (Some(Finding::LateTakesName), Starts::Yes));

        let after = Small::of([vec![tool("x")], vec![tool("x").late("session_start")]]).resolve();
        let it = contest(&after, TOOL, "x");
        assert_eq!((winner(it).as_str(), in_session(it).as_str()), ("/a.ts", "same"));
        assert_eq!(losers(it), ["/b.ts shadowed"]);
    }

    #[test]
    fn late_names_are_switched_on_only_when_they_are_new() {
        let late = |name| tool(name).late("session_start");
        let found =
            Small::of([vec![late("fresh"), late("grep"), tool("pending").late("turn_start")]]).resolve();
        let then = |name| contest(&found, TOOL, name).in_session.as_ref().and_then(|it| it.active);
        assert_eq!((then("fresh"), then("grep")), (Some(true), Some(false)));
        assert_eq!(contest(&found, TOOL, "fresh").active, Some(false));
        assert_eq!(losers(contest(&found, TOOL, "pending")), ["/a.ts pending"]);
    }

    #[test]
    fn a_conditional_claim_above_makes_the_winner_conditional_and_the_start_unknown() {
        let found = Small::of([vec![tool("x").when(1, true)], vec![tool("x")]]).resolve();
        assert_eq!(winner(contest(&found, TOOL, "x")), "/b.ts?");
        assert_eq!(found.starts, Starts::Unknown);
        let below = Small::of([vec![tool("x")], vec![tool("x").when(1, true)]]).resolve();
        assert_eq!(winner(contest(&below, TOOL, "x")), "/a.ts");
        assert_eq!(below.starts, Starts::Unknown);
    }

    #[test]
    fn both_branches_of_one_condition_make_one_certain_claim() {
        let found =
            Small::of([vec![tool("x").when(1, true), tool("x").when(1, false)], vec![tool("x")]]).resolve();
        assert_eq!(winner(contest(&found, TOOL, "x")), "/a.ts");
        assert_eq!(found.starts, Starts::No);
    }

    #[test]
    fn unresolved_registrations_stand_beside_and_lower_nothing() {
        let found = Small::of([vec![tool("?").unresolved()], vec![tool("x")]]).resolve();
        let it = contest(&found, TOOL, "x");
        assert_eq!((winner(it).as_str(), it.may_also_claim.len()), ("/b.ts", 1));
        assert_eq!(found.starts, Starts::Yes);
    }

    #[test]
    fn what_a_failed_extension_registered_is_gone() {
        let small = Small::of([vec![tool("x")], vec![tool("x")]]);
        let found = small.failing(0, crate::source::Certainty::Certain).resolve();
        assert_eq!(winner(contest(&found, TOOL, "x")), "/b.ts");
        assert_eq!(losers(contest(&found, TOOL, "x")), [""; 0]);
        let said: Vec<_> = found.fatal.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(said, ["Failed to load extension: boom"]);
    }

    #[test]
    fn an_extension_that_may_fail_leaves_its_names_conditional() {
        let may = crate::source::Certainty::Conditional(vec![condition(9, true)]);
        let found = Small::of([vec![tool("x")]]).failing(0, may).resolve();
        assert_eq!(winner(contest(&found, TOOL, "x")), "/a.ts?");
        assert_eq!(found.starts, Starts::Unknown);
    }

    #[test]
    fn an_unknown_option_is_fatal() {
        let small = Small::of([vec![]]);
        let mut input = small.input();
        input.flag_arguments = vec![FlagArgument { name: "nope".into(), value: None }];
        let found = super::super::resolve(&input);
        assert_eq!(found.fatal.iter().map(|it| &*it.message).collect::<Vec<_>>(), ["Unknown option: --nope"]);
    }
}
