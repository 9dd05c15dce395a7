//! The findings of a question in words, for the forms that list findings.

use super::Question;
use super::page::{extension, verdict};
use super::{Paths, words};
use crate::gate::check::Item;
use crate::gate::{Found, Subject, findings};
use crate::registry::{Contest, ContestKind, Outcome, Starts};
use crate::report::{Report, claims};
use crate::source::Certainty;

/// The findings that a question is about: all of them, or those of some kinds, a name, an extension.
pub fn asked<'a>(question: &Question, report: &'a Report, paths: &Paths<'_>) -> Vec<Item<'a>> {
    let found = found(question, report, paths).into_iter();
    found.map(|found| Item { found, reason: None, state: None }).collect()
}

fn found<'a>(question: &Question, report: &'a Report, paths: &Paths<'_>) -> Vec<Found<'a>> {
    let mut all = findings(report);
    match question {
        Question::Overview | Question::Order | Question::All => {}
        Question::Kinds(_) | Question::Name { .. } | Question::Provider(_) | Question::Model(_) => all
            .retain(|it| match it.subject {
                Subject::Contest(contest) => is_asked(question, contest),
                _ => false,
            }),
        Question::Extension(asked) => {
            let extensions = extension::find(asked, report, paths);
            all.retain(|it| takes_part(it, &|path| extensions.iter().any(|it| it.entry.path == path)));
        }
        Question::Several(questions) => {
            all = questions.iter().flat_map(|it| self::found(it, report, paths)).collect();
            let mut seen = std::collections::BTreeSet::new();
            all.retain(|it| seen.insert(it.key.clone()));
        }
    }
    all
}

/// Whether a question is about a name.
pub fn is_asked(question: &Question, contest: &Contest) -> bool {
    match question {
        Question::Overview | Question::Order | Question::All => true,
        Question::Extension(asked) => {
            claims(contest).any(|it| it.path.contains(asked.trim_start_matches("./")))
        }
        Question::Kinds(kinds) => kinds.contains(&contest.kind),
        Question::Name { kinds, name } => kinds.contains(&contest.kind) && is_called(contest, name),
        Question::Provider(id) => {
            matches!(contest.kind, ContestKind::Provider | ContestKind::ProviderField)
                && id.as_deref().is_none_or(|id| is_of_provider(contest, id))
        }
        Question::Model(name) => {
            let asked = name.as_deref().unwrap_or_default();
            contest.kind == ContestKind::Model && contest.name.starts_with(asked)
        }
        Question::Several(questions) => questions.iter().any(|it| is_asked(it, contest)),
    }
}

/// Whether a contest is about `ID`, or about the field or the fields below it of `ID.FIELD`.
fn is_of_provider(contest: &Contest, asked: &str) -> bool {
    let Some(rest) = asked.strip_prefix(&*contest.name) else { return false };
    let wanted = rest.strip_prefix('.').unwrap_or(rest);
    let field = contest.field.as_deref().unwrap_or_default();
    rest.is_empty() || field == wanted || field.strip_prefix(wanted).is_some_and(|it| it.starts_with('.'))
}

/// Whether a contest is about a name as people type it.
fn is_called(contest: &Contest, asked: &str) -> bool {
    let asked = match contest.kind {
        ContestKind::Command => asked.strip_prefix('/').unwrap_or(asked),
        ContestKind::Flag => asked.strip_prefix("--").unwrap_or(asked),
        _ => asked,
    };
    let then = contest.in_session.as_ref().and_then(|it| it.invocation.as_deref());
    *contest.name == *asked || contest.invocation.as_deref() == Some(asked) || then == Some(asked)
}

fn takes_part(found: &Found<'_>, is_asked: &dyn Fn(&str) -> bool) -> bool {
    match found.subject {
        Subject::Contest(it) => claims(it).any(|claim| is_asked(&claim.path)),
        Subject::Twice(first, second) => {
            is_asked(first.entry.path.as_str()) || is_asked(second.entry.path.as_str())
        }
        Subject::Failure(_) | Subject::Unresolved(..) => found.path.as_deref().is_some_and(is_asked),
    }
}

/// A finding in one sentence, without its place.
pub fn message(found: &Found<'_>, report: &Report, paths: &Paths<'_>) -> String {
    match found.subject {
        Subject::Contest(it) => {
            let kind = words::kind(it.kind);
            let refused = it.losers.iter().filter(|loser| loser.outcome == Outcome::Refused);
            let losers: Vec<String> = refused.map(|loser| paths.claim(&loser.claim).to_plain()).collect();
            let text = format!("{kind} {}", verdict::verdict(&[it], report, paths).1.to_plain());
            match &it.winner {
                Some(winner) if found.code.is_conflict() => {
                    let first = paths.claim(winner).to_plain();
                    format!("{text}: {first} first, then {}", words::list(&losers))
                }
                _ => text,
            }
        }
        Subject::Failure(it) => {
            let words = paths.words(it.explanation.as_deref().unwrap_or(&it.message));
            let who = it.path.as_deref().map_or_else(|| "pi".to_owned(), |path| paths.short(path));
            match it.certainty.condition_text() {
                Some(condition) => format!("{who} does not load if {condition}: {words}"),
                None => format!("{who} does not load: {words}"),
            }
        }
        Subject::Unresolved(extension, it) => {
            let why = match &it.certainty {
                Certainty::Unresolved(reason, _) => &*reason.text,
                _ => "",
            };
            let who = paths.short(extension.entry.path.as_str());
            format!("{who} registers {} that could not be determined: {why}", words::registration(it.kind))
        }
        Subject::Twice(first, second) => format!(
            "{} is loaded twice: {} and {}",
            first.entry.package.as_deref().unwrap_or("one package"),
            paths.short(first.entry.path.as_str()),
            paths.short(second.entry.path.as_str())
        ),
    }
}

/// Whether Pi starts, in a word.
pub fn starts(report: &Report) -> &'static str {
    match report.starts {
        Starts::Yes => "yes",
        Starts::No => "no",
        Starts::Unknown => "unknown",
    }
}
