//! The findings of a question in words, for the forms that list findings.

use super::Question;
use super::page::{extension, verdict};
use super::{Paths, words};
use crate::gate::check::Item;
use crate::gate::{Found, Subject, findings};
use crate::registry::{Claim, Contest, ContestKind, Finding, Layer, Loser, Outcome, Starts, is_same_key};
use crate::report::{LoadedExtension, Report, Sameness, claims};
use crate::source::{Certainty, Phase};

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
    let same_key = || contest.kind == ContestKind::Shortcut && is_same_key(&contest.name, asked);
    same_key()
        || *contest.name == *asked
        || contest.invocation.as_deref() == Some(asked)
        || then == Some(asked)
}

fn takes_part(found: &Found<'_>, is_asked: &dyn Fn(&str) -> bool) -> bool {
    match found.subject {
        Subject::Contest(it) => claims(it).any(|claim| is_asked(&claim.path)),
        _ => found.paths.iter().any(|path| is_asked(path)),
    }
}

/// A finding in one sentence, without its place.
pub fn message(found: &Found<'_>, report: &Report, paths: &Paths<'_>) -> String {
    match found.subject {
        Subject::Contest(it) => contest(it, found, report, paths),
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
        Subject::Twice(first, second, why) => twice(first, second, why, paths),
        Subject::Absent(it) => {
            let who = paths.short(it.entry.path.as_str());
            format!("{who} does not load: {}", paths.words(&it.reason()))
        }
        Subject::Ignored(it) => paths.words(&it.message),
        Subject::Stale(it) => {
            let whose = it.parties.join(", ");
            let name = if it.name.is_empty() { String::new() } else { format!(" {}", it.name) };
            format!(
                "{} of {}{name} ({whose}) is not there any more; check --prune-baseline takes it out",
                it.finding.as_str(),
                it.kind
            )
        }
    }
}

fn contest(it: &Contest, found: &Found<'_>, report: &Report, paths: &Paths<'_>) -> String {
    let kind = words::kind(it.kind);
    let text = format!("{kind} {}", verdict::verdict(&[it], report, paths).1.to_plain());
    let places = |claims: Vec<&Claim>| -> Vec<String> {
        claims.into_iter().map(|it| paths.claim(it).to_plain()).collect()
    };
    let losers = |is: &dyn Fn(&Loser) -> bool| {
        let losers = it.losers.iter().filter(|it| is(it)).map(|it| &it.claim);
        places(losers.collect())
    };
    match &it.winner {
        Some(winner) if found.code.is_conflict() => {
            let rivals = losers(&verdict::is_rival);
            let first = paths.claim(winner).to_plain();
            let then = if found.certain { " first, then" } else { " and" };
            if rivals.is_empty() { text } else { format!("{text}: {first}{then} {}", words::list(&rivals)) }
        }
        Some(winner) if found.code == Finding::ProviderMerged => {
            let mut all = vec![winner];
            all.extend(it.losers.iter().filter(|it| it.outcome == Outcome::Merged).map(|it| &it.claim));
            all.retain(|it| it.layer == Layer::Extension);
            format!("{kind} {}: the fields of {} are merged", words::name(it), words::list(&places(all)))
        }
        Some(winner) if found.code == Finding::LateTakesName && it.in_session.is_none() => {
            let late = losers(&|it| it.claim.phase != Phase::Factory);
            let holder = paths.claim(winner).to_plain();
            format!(
                "{kind} {}: {holder} holds it, and {} may take it later",
                words::name(it),
                words::list(&late)
            )
        }
        Some(winner) if found.code == Finding::PromptHidden => {
            let answers = verdict::answers_first(it, report, paths);
            format!("{kind} {}: {} holds it, but {answers}", words::name(it), paths.claim(winner).to_plain())
        }
        _ if !found.certain && !text.contains(" if ") => match condition(it) {
            Some(condition) => format!("{text}; that depends on {condition}"),
            None => text,
        },
        _ => text,
    }
}

/// What the answer depends on.
fn condition(it: &Contest) -> Option<String> {
    claims(it).find_map(|it| it.certainty.condition_text())
}

/// Two that are one, and why Pi does not see it.
fn twice(first: &LoadedExtension, second: &LoadedExtension, why: Sameness, paths: &Paths<'_>) -> String {
    let [one, other] = [first, second].map(|it| paths.short(it.entry.path.as_str()));
    let package = |it: &LoadedExtension| {
        let owner = it.file.as_ref()?.owner.as_ref()?;
        Some(owner.version.as_ref().map_or_else(|| owner.name.clone(), |it| format!("{}@{it}", owner.name)))
    };
    match why {
        Sameness::File => {
            format!("one file is loaded twice: as {one} and as {other}, and pi compares the paths")
        }
        Sameness::Package => {
            let name = package(first).unwrap_or_default();
            let version = package(second).filter(|it| *it != name);
            let version = version.map_or_else(String::new, |it| format!(" and {it}"));
            format!("one package is loaded twice, {name}{version}: {one} and {other}")
        }
        Sameness::Content => {
            format!("one extension is loaded twice, as two files with the same text: {one} and {other}")
        }
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
