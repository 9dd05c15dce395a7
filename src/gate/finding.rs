//! The findings of a report: everything that a policy can speak of.

use std::collections::BTreeMap;

use super::identity::Identities;
use crate::location::Span;
use crate::registry::{Claim, Contest, ContestKind, Fatal, Finding, Impact};
use crate::report::{LoadStatus, LoadedExtension, Report};
use crate::source::{Certainty, Registration};

/// How bad a finding is.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing.
    Note,
    /// Something does not work as its author meant.
    Warning,
    /// Pi does not start.
    Error,
}

/// What a finding is about.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// A name that several claim, or that is not reached.
    Contest(&'a Contest),
    /// Something that keeps Pi from starting and is no name.
    Failure(&'a Fatal),
    /// A registration of which the name is not known.
    Unresolved(&'a LoadedExtension, &'a Registration),
    /// One package or file that is loaded more than once.
    Twice(&'a LoadedExtension, &'a LoadedExtension),
}

/// One finding.
#[derive(Debug, Clone)]
pub struct Found<'a> {
    /// Which of the closed list.
    pub code: Finding,
    /// How bad.
    pub level: Level,
    /// Whether it holds in every load of these files in this environment.
    pub certain: bool,
    /// What it is about.
    pub subject: Subject<'a>,
    /// The place to point at: that of the loser, else that of the winner.
    pub at: Option<Span>,
    /// The path that goes with it when there is no place.
    pub path: Option<String>,
    /// The other places.
    pub related: Vec<Span>,
    /// What makes it the same finding elsewhere.
    pub key: Key,
}

/// What makes a finding the same on other machines, in other checkouts and for other versions of packages.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The kind of the name, in the words of the JSON form; `extension` or `registration` for what is no name.
    pub kind: String,
    /// The name.
    pub name: String,
    /// Which finding.
    pub finding: Finding,
    /// The identities of those who take part: the winner, then the others in order of precedence.
    pub parties: Vec<String>,
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?} {}", self.kind, self.name, self.finding.as_str())?;
        self.parties.iter().try_for_each(|it| write!(f, " · {it}"))
    }
}

/// Every finding, the worst first, then by kind, name and place.
pub fn findings(report: &Report) -> Vec<Found<'_>> {
    let identities = Identities::new(report);
    let mut all: Vec<Found<'_>> = Vec::new();
    all.extend(report.fatal.iter().filter(|it| it.kind.is_none()).map(|it| failure(it, &identities)));
    all.extend(report.contests.iter().filter_map(|it| contest(it, report, &identities)));
    all.extend(twice(report, &identities));
    for extension in report.order.iter().filter(|it| it.status == LoadStatus::Loaded) {
        all.extend(extension.unresolved().map(|it| unresolved(extension, it, &identities)));
    }
    all.sort_by_key(|it| std::cmp::Reverse(it.level));
    all
}

fn key(kind: &str, name: &str, finding: Finding, parties: Vec<String>) -> Key {
    Key { kind: kind.to_owned(), name: name.to_owned(), finding, parties }
}

fn failure<'a>(it: &'a Fatal, identities: &Identities) -> Found<'a> {
    let who = it.path.as_deref().map(|path| identities.of(path)).unwrap_or_default();
    Found {
        code: Finding::LoadFailure,
        level: Level::Error,
        certain: it.certainty.is_certain(),
        subject: Subject::Failure(it),
        at: it.at,
        path: it.path.as_deref().map(str::to_owned),
        related: Vec::new(),
        key: key("extension", "", Finding::LoadFailure, vec![who]),
    }
}

fn contest<'a>(it: &'a Contest, report: &Report, identities: &Identities) -> Option<Found<'a>> {
    let code = it.finding?;
    let level = match it.impact {
        Impact::None => return None,
        Impact::Note => Level::Note,
        Impact::Warning => Level::Warning,
        Impact::Fatal => Level::Error,
    };
    let winner = it.in_session.as_ref().and_then(|then| then.winner.as_ref()).or(it.winner.as_ref());
    let losers = it.losers.iter().map(|loser| &loser.claim);
    let before = it.winner.iter().filter(|claim| Some(*claim) != winner);
    let others: Vec<&Claim> = before.chain(losers).collect();
    // The place to change is that of the one who comes second; without a place, that of the winner.
    let blamed = others.iter().copied().filter(|claim| claim.at.is_some());
    let at = blamed.clone().next().or(winner).and_then(|claim| claim.at);
    let parts = winner.into_iter().chain(others.iter().copied());
    let parts: Vec<String> = parts.map(|claim| identities.of(&claim.path)).collect();
    let name = it.invocation.as_deref().filter(|_| it.kind == ContestKind::Command).unwrap_or(&it.name);
    let kind = kind_word(it.kind);
    let named = it.field.as_ref().map_or_else(|| name.to_owned(), |field| format!("{name}.{field}"));
    let places = winner.into_iter().chain(others.iter().copied()).filter_map(|claim| claim.at);
    Some(Found {
        code,
        level,
        certain: is_certain(it, winner, report),
        subject: Subject::Contest(it),
        at,
        path: winner.map(|claim| claim.path.to_string()),
        related: places.filter(|place| Some(*place) != at).collect(),
        key: key(&kind, &named, code, parts),
    })
}

/// The word for a kind that the JSON form uses.
fn kind_word(kind: ContestKind) -> String {
    match serde_json::to_value(kind) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// A conflict is as certain as the error that Pi would print; anything else as the claims that make it.
fn is_certain(it: &Contest, winner: Option<&Claim>, report: &Report) -> bool {
    if it.impact == Impact::Fatal {
        let of_name =
            |fatal: &&Fatal| fatal.kind == Some(it.kind) && fatal.name.as_deref() == Some(&*it.name);
        return report.fatal.iter().filter(of_name).any(|fatal| fatal.certainty.is_certain());
    }
    let some_loser = it.losers.is_empty() || it.losers.iter().any(|loser| loser.claim.certainty.is_certain());
    winner.is_none_or(|claim| claim.certainty.is_certain()) && some_loser
}

fn unresolved<'a>(
    extension: &'a LoadedExtension,
    it: &'a Registration,
    identities: &Identities,
) -> Found<'a> {
    let who = identities.of(extension.entry.path.as_str());
    let why = match &it.certainty {
        Certainty::Unresolved(reason, _) => reason.text.to_string(),
        _ => String::new(),
    };
    Found {
        code: Finding::Unresolved,
        level: Level::Note,
        certain: false,
        subject: Subject::Unresolved(extension, it),
        at: Some(it.call),
        path: Some(extension.entry.path.to_string()),
        related: Vec::new(),
        key: key("registration", "", Finding::Unresolved, vec![who, why]),
    }
}

/// Loaded extensions that belong to packages of one name and version and have the same file in it: the usual way is a copy
/// in the extensions folder beside the installed package.
fn twice<'a>(report: &'a Report, identities: &Identities) -> Vec<Found<'a>> {
    let mut seen: BTreeMap<(&str, String), &LoadedExtension> = BTreeMap::new();
    let mut found = Vec::new();
    for it in report.loaded() {
        let Some(package) = it.entry.package.as_deref() else { continue };
        let file = within_package(it);
        let Some(first) = seen.get(&(package, file.clone())).copied() else {
            seen.insert((package, file), it);
            continue;
        };
        let parts = [first, it].map(|it| identities.of(it.entry.path.as_str()));
        found.push(Found {
            code: Finding::LoadedTwice,
            level: Level::Warning,
            certain: true,
            subject: Subject::Twice(first, it),
            at: it.entry.at,
            path: Some(it.entry.path.to_string()),
            related: first.entry.at.into_iter().collect(),
            key: key("extension", "", Finding::LoadedTwice, parts.to_vec()),
        });
    }
    found
}

/// The end of the path that two copies of a package share.
fn within_package(it: &LoadedExtension) -> String {
    let path = it.entry.path.as_path();
    let root = it.entry.source_info.base_dir.as_deref();
    let inside = root.and_then(|root| path.strip_prefix(root).ok()).filter(|it| !it.as_str().is_empty());
    let name = || path.file_name().unwrap_or_default().to_owned();
    // Copies are found in places of different depth: the last part of the path is what they have in common.
    inside.and_then(|it| it.file_name()).map_or_else(name, str::to_owned)
}
