//! `pi-why tool search` and its siblings: everything about one name.

use std::collections::BTreeSet;

use super::rows::{Fate, fates};
use super::verdict::verdict;
use super::{cures, extension, fields, missing, shortcut, slash, tool, twice};
use crate::location::Span;
use crate::registry::{Claim, Contest, ContestKind, Impact, Outcome, is_same_key};
use crate::render::document::{Block, Document, Sign, Snippet, Table, Text};
use crate::render::words;
use crate::render::{Paths, redact};
use crate::report::Report;
use crate::rulebook;

/// The page.
pub fn page(kinds: &[ContestKind], asked: &str, report: &Report, paths: &Paths<'_>) -> Document {
    let mut page = Document::new();
    let found = find(kinds, asked, report);
    let typed = typed_command(kinds, asked);
    if found.is_empty() {
        if let Some(typed) = typed.filter(|it| slash::is_known(it, report)) {
            unregistered(&mut page, typed, report, paths);
            return page;
        }
        missing::name(&mut page, kinds, asked, report, paths);
        return page;
    }
    for (at, group) in by_kind(&found).into_iter().enumerate() {
        if at > 0 {
            page.gap();
        }
        if let [contest] = group.as_slice()
            && contest.kind == ContestKind::Shortcut
            && shortcut::is_of_pi(contest)
        {
            shortcut::of_pi(&mut page, contest, asked, paths);
            may_also_claim(&mut page, &group, paths);
            continue;
        }
        explain(&mut page, &group, report, paths);
    }
    if let Some(typed) = typed {
        slash::table(&mut page, typed, report, paths);
    }
    page
}

/// What is typed without the slash, if it is a command that is asked about.
fn typed_command<'a>(kinds: &[ContestKind], asked: &'a str) -> Option<&'a str> {
    (kinds == [ContestKind::Command]).then(|| asked.strip_prefix('/').unwrap_or(asked))
}

/// A command that no extension registers and that means something all the same.
fn unregistered(page: &mut Document, typed: &str, report: &Report, paths: &Paths<'_>) {
    let meaning = slash::meaning(typed, false, slash::Mode::Interactive, report);
    let text = Text::new().name(format!("/{typed}")).plain(" is ").then(slash::words(meaning, paths));
    page.answer(Sign::None, text.plain("; no extension registers it"));
    slash::table(page, typed, report, paths);
}

/// The contests that a name may mean: by what is typed, or by the name that the author gave.
pub fn find<'a>(kinds: &[ContestKind], asked: &str, report: &'a Report) -> Vec<&'a Contest> {
    let mut all = report.contests.iter().filter(|it| kinds.contains(&it.kind)).peekable();
    let bare = match all.peek().map(|it| it.kind) {
        Some(ContestKind::Command) => asked.strip_prefix('/').unwrap_or(asked),
        Some(ContestKind::Flag) => asked.strip_prefix("--").unwrap_or(asked),
        _ => asked,
    };
    let all: Vec<&Contest> = all.collect();
    let by = |test: &dyn Fn(&Contest) -> bool| all.iter().copied().filter(|it| test(it)).collect::<Vec<_>>();
    let exact = by(&|it| *it.name == *bare);
    if !exact.is_empty() {
        return exact;
    }
    let typed = by(&|it| {
        let then = it.in_session.as_ref().and_then(|it| it.invocation.as_deref());
        it.invocation.as_deref() == Some(bare) || then == Some(bare)
    });
    if !typed.is_empty() || !kinds.contains(&ContestKind::Shortcut) {
        return typed;
    }
    let folded = by(&|it| it.name.eq_ignore_ascii_case(bare));
    if folded.is_empty() { by(&|it| is_same_key(&it.name, bare)) } else { folded }
}

fn by_kind<'a>(contests: &[&'a Contest]) -> Vec<Vec<&'a Contest>> {
    let mut groups: Vec<Vec<&Contest>> = Vec::new();
    for &contest in contests {
        match groups.iter_mut().find(|it| it.first().is_some_and(|it| it.kind == contest.kind)) {
            Some(group) => group.push(contest),
            None => groups.push(vec![contest]),
        }
    }
    groups
}

/// Everything about one field of a provider or model.
pub fn field(page: &mut Document, contest: &Contest, report: &Report, paths: &Paths<'_>) {
    let subject = Text::new().name(words::name(contest)).plain(": ");
    match contest.holder() {
        Some(winner) => {
            let value = winner.value.as_ref().map_or_else(|| "set".to_owned(), fields::short);
            page.answer(
                Sign::None,
                subject.plain(format!("{value}, set by ")).then(fields::owner(winner, paths)),
            );
        }
        None => page.answer(Sign::None, subject.then(fields::lost(contest, paths))),
    }
    rule(page, &[contest]);
    page.gap();
    page.table(fields::table(&[contest], paths));
    facts(page, &[contest], report);
    for fate in fates(contest) {
        candidate(page, contest, &fate, report, paths);
    }
}

fn explain(page: &mut Document, contests: &[&Contest], report: &Report, paths: &Paths<'_>) {
    let (sign, text) = verdict(contests, report, paths);
    page.answer(sign, text);
    twice::told(page, contests, report, paths);
    rule(page, contests);
    page.gap();
    page.table(candidates(contests, report, paths));
    facts(page, contests, report);
    for contest in contests {
        for fate in fates(contest) {
            candidate(page, contest, &fate, report, paths);
        }
    }
    pi_says(page, contests, report, paths);
    cures::of_name(page, contests, report, paths);
    may_also_claim(page, contests, paths);
}

/// The rule in a sentence, once for all contests of the name.
pub fn rule(page: &mut Document, contests: &[&Contest]) {
    let ids: BTreeSet<_> = contests.iter().map(|it| it.rule).collect();
    for id in ids {
        if let Some(rule) = rulebook::rule(id) {
            page.line(Text::from(rule.sentence).dim(format!(" ({id})")));
        }
    }
}

/// The claims in order of precedence.
fn candidates(contests: &[&Contest], report: &Report, paths: &Paths<'_>) -> Table {
    let mut rows = Vec::new();
    for contest in contests {
        for fate in fates(contest) {
            let [owner, place] = paths.claim_columns(fate.claim);
            let order = fate.claim.extension.and_then(|it| report.position(it));
            let mut row = vec![
                Text::new().dim(order.map_or(String::new(), |it| (it + 1).to_string())),
                owner,
                place,
                Text::new().with(fate.role, fate.word),
                words::circumstances(fate.claim),
            ];
            if contest.kind == ContestKind::Command {
                row.insert(0, Text::new().name(words::typed(contest)));
            }
            rows.push(row);
        }
    }
    let mut header = vec!["order", "source", "where", "fate", ""];
    if contests.iter().any(|it| it.kind == ContestKind::Command) {
        header.insert(0, "typed");
    }
    if rows.iter().all(|it| it.last().is_none_or(Text::is_empty)) {
        header.pop();
        for row in &mut rows {
            row.pop();
        }
    }
    Table { header, rows }
}

/// What the answer rests on in this machine, and what a command-line flag or a tool is at start.
fn facts(page: &mut Document, contests: &[&Contest], report: &Report) {
    for contest in contests {
        if contest.kind == ContestKind::Tool && contest.impact != Impact::Fatal && contest.winner.is_some() {
            let active = contest.in_session.as_ref().and_then(|it| it.active).or(contest.active);
            match active {
                Some(true) => page.line("The model is given this tool at start."),
                Some(false) => page.line("The model is not given this tool at start."),
                None => {}
            }
            tool::follows(page, contest, report);
        }
        if let Some(value) = &contest.flag_type {
            let kind = value.as_str().unwrap_or("not known");
            let set =
                redact::flag_value(contest).map_or_else(|| "nothing".to_owned(), |it| words::value(&it));
            page.line(format!("Type {kind}; its value is {set}."));
        }
        if let Some(hidden) = &contest.hidden_by {
            page.line(format!(
                "{} is {}.",
                words::name(contest),
                super::verdict::hidden(contest.kind, hidden)
            ));
        }
        let claims = fates(contest).into_iter().map(|it| it.claim);
        let facts: BTreeSet<_> = claims.flat_map(|it| &it.rests_on).collect();
        for fact in facts {
            page.line(Text::from("This rests on: ").code(&*fact.0));
        }
    }
}

/// One candidate: its place in the source, the way to it, and why it is not certain.
fn candidate(page: &mut Document, contest: &Contest, fate: &Fate<'_>, report: &Report, paths: &Paths<'_>) {
    let claim = fate.claim;
    let Some(at) = claim.at else { return };
    page.gap();
    page.push(Block::Snippet(Snippet {
        labels: labels(contest, fate, at),
        secretive: contest.field.is_some(),
    }));
    way(page, claim, report, paths);
    for condition in claim.certainty.conditions() {
        let sense = if condition.holds { "has to be true" } else { "has to be false" };
        let text = Text::from("only if ").code(&*condition.text).plain(format!(" {sense} ("));
        page.line(text.then(paths.place(condition.at)).plain(format!("): {}", condition.reason.text)));
    }
}

/// The name first, with its fate; then the call, where it does not hold the name; then what it depends on.
fn labels(contest: &Contest, fate: &Fate<'_>, at: Span) -> Vec<(Span, String)> {
    let claim = fate.claim;
    let mut labels = Vec::new();
    if contest.field.is_some() {
        // Values are not repeated: they may be secret, and the line itself is not shown for those.
        return vec![(at, fate.word.to_owned())];
    }
    let inside =
        claim.name_at.is_some_and(|it| it.file == at.file && at.start <= it.start && it.end <= at.end);
    if let Some(name) = claim.name_at {
        labels.push((name, format!("\"{}\", {}", contest.name, fate.word)));
    }
    if claim.name_at.is_none() {
        labels.push((at, format!("\"{}\", {}", contest.name, fate.word)));
    } else if !inside {
        labels.push((at, "registered here".to_owned()));
    }
    for condition in claim.certainty.conditions().iter().filter(|it| it.at != at) {
        labels.push((condition.at, "on this condition".to_owned()));
    }
    labels
}

/// Settings line → manifest line → entry → calls.
fn way(page: &mut Document, claim: &Claim, report: &Report, paths: &Paths<'_>) {
    let Some(owner) = claim.extension.and_then(|it| report.by_id(it)) else { return };
    extension::way(page, &owner.entry, paths);
    if claim.trail.is_empty() {
        return;
    }
    let mut text = Text::from("then by calls: ");
    for (step, span) in claim.trail.iter().enumerate() {
        if step > 0 {
            text = text.plain(" → ");
        }
        text = text.then(paths.place(*span));
    }
    page.line(text);
}

/// What Pi itself says about the name, if anything.
pub fn pi_says(page: &mut Document, contests: &[&Contest], report: &Report, paths: &Paths<'_>) {
    let of = |kind: ContestKind, name: &str| contests.iter().any(|it| it.kind == kind && *it.name == *name);
    let mut said = Vec::new();
    for it in &report.fatal {
        if let (Some(kind), Some(name)) = (it.kind, it.name.as_deref())
            && of(kind, name)
        {
            let prefix = match &it.path {
                Some(path) if kind == ContestKind::Provider => format!("Extension \"{path}\" error: "),
                Some(path) => format!("Failed to load extension \"{path}\": "),
                None => String::new(),
            };
            said.push(format!("{prefix}{}", it.message));
        }
    }
    said.extend(contests.iter().filter_map(|it| it.message.clone()));
    said.extend(report.warnings.iter().filter(|it| of(it.kind, &it.name)).map(|it| it.message.clone()));
    said.extend(contests.iter().filter_map(|it| collision(it)));
    let contested = contests.iter().any(|it| it.impact >= Impact::Warning);
    if said.is_empty() && !contested {
        return;
    }
    page.gap();
    if said.is_empty() {
        page.line("Pi itself says nothing about it.");
    }
    for message in said {
        page.line(Text::from("Pi says: ").code(paths.words(&message)));
    }
}

/// What the terminal shows at the start of two files of one name (Pi: `dist/modes/interactive/interactive-mode.js`,
/// `formatDiagnostics`).
fn collision(contest: &Contest) -> Option<String> {
    let section = match contest.kind {
        ContestKind::Skill => "Skill",
        ContestKind::Prompt => "Prompt",
        ContestKind::Theme => "Theme",
        _ => return None,
    };
    let lost = contest.losers.iter().any(|it| it.outcome == Outcome::Shadowed);
    lost.then(|| format!("[{section} conflicts] \"{}\" collision", contest.name))
}

fn may_also_claim(page: &mut Document, contests: &[&Contest], paths: &Paths<'_>) {
    let Some(contest) = contests.first().filter(|it| !it.may_also_claim.is_empty()) else { return };
    page.heading("What could not be determined may be of this name too");
    let rows = contest.may_also_claim.iter().map(|it| vec![paths.place(it.at), Text::from(&*it.reason.text)]);
    page.table(Table { header: Vec::new(), rows: rows.collect() });
}
