//! Everything that a typed `/name` can mean, in the order in which Pi tries it (rules, section 4).

use crate::catalog::{Catalog, PiVersion};
use crate::registry::{Claim, Contest, ContestKind};
use crate::render::Paths;
use crate::render::document::{Document, Table, Text};
use crate::report::Report;
use crate::source::Kind;

/// How Pi runs when something is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// In the terminal, where built-in commands come first.
    Interactive,
    /// With `-p` or over RPC.
    Print,
}

/// What a line means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meaning<'a> {
    /// A command of Pi itself.
    Builtin,
    /// An extension's command.
    Command(&'a Claim),
    /// A skill.
    Skill(&'a Contest),
    /// A prompt template.
    Prompt(&'a Contest),
    /// Nothing: it goes to the model as it is.
    Text,
}

/// What `/name` means, alone or with arguments.
pub fn meaning<'a>(name: &str, arguments: bool, mode: Mode, report: &'a Report) -> Meaning<'a> {
    let builtin = Catalog::of(PiVersion::nearest(&report.pi.version)).slash_command(name);
    if mode == Mode::Interactive && builtin.is_some_and(|it| it.arguments || !arguments) {
        return Meaning::Builtin;
    }
    if let Some(claim) = report.contests_of(ContestKind::Command).find_map(|it| answering(it, name)) {
        return Meaning::Command(claim);
    }
    let held =
        |kind, name: &str| report.contests_of(kind).find(|it| *it.name == *name && holder(it).is_some());
    if let Some(skill) = name.strip_prefix("skill:").and_then(|it| held(ContestKind::Skill, it)) {
        return Meaning::Skill(skill);
    }
    held(ContestKind::Prompt, name).map_or(Meaning::Text, Meaning::Prompt)
}

/// Who holds a name once the session has started.
fn holder(contest: &Contest) -> Option<&Claim> {
    contest.in_session.as_ref().map_or(contest.winner.as_ref(), |it| it.winner.as_ref())
}

/// Who answers to what is typed, once the session has started.
fn answering<'a>(contest: &'a Contest, typed: &str) -> Option<&'a Claim> {
    let (winner, invocation) = match &contest.in_session {
        Some(then) => (then.winner.as_ref(), then.invocation.as_ref().or(contest.invocation.as_ref())),
        None => (contest.winner.as_ref(), contest.invocation.as_ref()),
    };
    winner.filter(|it| it.certainty.is_certain() && **invocation.unwrap_or(&contest.name) == *typed)
}

/// A meaning in words.
pub fn words(meaning: Meaning<'_>, paths: &Paths<'_>) -> Text {
    let place = |it: &Contest| holder(it).map(|claim| paths.linked(&claim.path)).unwrap_or_default();
    match meaning {
        Meaning::Builtin => Text::from("pi's own command"),
        Meaning::Command(claim) => Text::from("the command of ").then(paths.claim(claim)),
        Meaning::Skill(it) => Text::from("the skill ").then(place(it)),
        Meaning::Prompt(it) => Text::from("the prompt template ").then(place(it)),
        Meaning::Text => Text::from("nothing: it goes to the model as text"),
    }
}

/// Whether anything at all answers to `/name`.
pub fn is_known(name: &str, report: &Report) -> bool {
    let modes = [Mode::Interactive, Mode::Print];
    modes
        .into_iter()
        .any(|mode| [false, true].into_iter().any(|it| meaning(name, it, mode, report) != Meaning::Text))
}

/// The table of meanings: alone and with arguments, in the terminal and in print mode.
pub fn table(page: &mut Document, name: &str, report: &Report, paths: &Paths<'_>) {
    page.heading(format!("What /{name} means, in the order in which pi tries it"));
    let row = |typed: String, arguments: bool| {
        let of = |mode| words(meaning(name, arguments, mode, report), paths);
        vec![Text::new().name(typed), of(Mode::Interactive), of(Mode::Print)]
    };
    let rows = vec![row(format!("/{name}"), false), row(format!("/{name} …"), true)];
    page.table(Table { header: vec!["typed", "in the terminal", "with -p"], rows });
    perhaps(page, name, report, paths);
    let listening =
        report.loaded().filter(|it| it.names(Kind::Event).iter().any(|event| &**event == "input"));
    let listening: Vec<String> = listening.map(|it| paths.short(it.entry.path.as_str())).collect();
    if !listening.is_empty() {
        page.line(format!(
            "Before skills and prompt templates, {} may change what was typed (input handler).",
            crate::render::words::list(&listening)
        ));
    }
}

/// Commands that are there only on a condition: the table counts without them.
fn perhaps(page: &mut Document, name: &str, report: &Report, paths: &Paths<'_>) {
    for contest in report.contests_of(ContestKind::Command) {
        let typed = contest.invocation.as_ref().unwrap_or(&contest.name);
        let winner = contest.winner.as_ref().filter(|_| **typed == *name);
        let Some((claim, condition)) = winner.and_then(|it| Some((it, it.certainty.condition_text()?)))
        else {
            continue;
        };
        let text = Text::from("It is the command of ").then(paths.claim(claim)).plain(" if ");
        page.line(text.code(condition).plain("."));
    }
}
