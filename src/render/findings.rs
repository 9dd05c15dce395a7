//! The findings of a question in words, for the forms that list findings.

use super::Question;
use super::page::{extension, verdict};
use super::{Paths, words};
use crate::gate::{Found, Subject, findings};
use crate::registry::Starts;
use crate::report::Report;
use crate::source::Certainty;

/// The findings that a question is about: all of them, or those of some kinds, a name, an extension.
pub fn asked<'a>(question: &Question, report: &'a Report, paths: &Paths<'_>) -> Vec<Found<'a>> {
    let mut all = findings(report);
    let of_kind = |found: &Found<'_>, kinds: &[crate::registry::ContestKind]| match found.subject {
        Subject::Contest(it) => kinds.contains(&it.kind),
        _ => false,
    };
    match question {
        Question::Overview | Question::Order | Question::All => {}
        Question::Kinds(kinds) => all.retain(|it| of_kind(it, kinds)),
        Question::Name { kinds, name } => all.retain(|it| match it.subject {
            Subject::Contest(contest) => {
                of_kind(it, kinds) && (*contest.name == **name || contest.invocation.as_deref() == Some(name))
            }
            _ => false,
        }),
        Question::Extension(asked) => {
            let paths: Vec<_> =
                extension::find(asked, report, paths).iter().map(|it| it.entry.path.clone()).collect();
            all.retain(|it| takes_part(it, report, &|path| paths.iter().any(|known| known == path)));
        }
    }
    all
}

fn takes_part(found: &Found<'_>, _report: &Report, is_asked: &dyn Fn(&str) -> bool) -> bool {
    match found.subject {
        Subject::Contest(it) => {
            let claims = it.winner.iter().chain(it.losers.iter().map(|loser| &loser.claim));
            claims.into_iter().any(|claim| is_asked(&claim.path))
        }
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
            let losers: Vec<String> =
                it.losers.iter().map(|loser| paths.claim(&loser.claim).to_plain()).collect();
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
            let words = it.explanation.as_deref().unwrap_or(&it.message);
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
