//! The findings of a report: everything that a policy can speak of.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::baseline::Known;
use super::identity::Identities;
use super::pack::is_made_up;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::install::rules::DISABLED_SHADOWS;
use crate::location::Span;
use crate::registry::{Claim, Contest, ContestKind, Fatal, Finding, Impact};
use crate::report::{LoadStatus, LoadedExtension, Report, Sameness, Twice, contest_kind};
use crate::source::{Kind, Registration};

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
    Twice(&'a LoadedExtension, &'a LoadedExtension, Sameness),
    /// An extension that does not load, though Pi does not complain.
    Absent(&'a LoadedExtension),
    /// A file that Pi cannot use.
    Ignored(&'a Diagnostic),
    /// Something that only the baseline knows.
    Stale(&'a Key),
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
    /// The paths of those who take part, in the order of the key.
    pub paths: Vec<Arc<str>>,
    /// What makes it the same finding elsewhere.
    pub key: Key,
}

/// What makes a finding the same on other machines, in other checkouts and for other versions of packages.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The kind of the name, in the words of the JSON form; `extension` or `file` for what is no name.
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
    let of = |it| Maker { report, identities: &identities, subject: it };
    let mut all: Vec<Found<'_>> = Vec::new();
    let failures = report.fatal.iter().filter(|it| it.kind.is_none());
    all.extend(failures.map(|it| of(Subject::Failure(it)).failure(it)));
    all.extend(report.contests.iter().filter_map(|it| of(Subject::Contest(it)).contest(it)));
    let pairs = report.loaded_twice().into_iter();
    all.extend(
        pairs.map(|Twice { first, second, same }| {
            of(Subject::Twice(first, second, same)).twice(first, second)
        }),
    );
    all.extend(report.order.iter().filter_map(|it| of(Subject::Absent(it)).absent(it)));
    all.extend(report.diagnostics.iter().filter_map(|it| of(Subject::Ignored(it)).ignored(it)));
    for extension in report.order.iter().filter(|it| it.status == LoadStatus::Loaded) {
        let mut seen: BTreeMap<Kind, usize> = BTreeMap::new();
        for it in extension.unresolved() {
            let number = seen.entry(it.kind).or_default();
            *number += 1;
            all.push(of(Subject::Unresolved(extension, it)).unresolved(extension, it, *number));
        }
    }
    // The settings that load a pack are made up: its own files stand for them.
    let is_real = |at: &Span| !is_made_up(report.sources.get(at.file).path());
    for it in &mut all {
        it.at = it.at.filter(is_real);
        it.related.retain(is_real);
    }
    all.sort_by_key(|it| std::cmp::Reverse(it.level));
    all
}

/// What a baseline knows and is not there any more.
pub(super) fn stale(known: &Known) -> Found<'_> {
    let Known { key, at } = known;
    Found {
        code: Finding::StaleBaseline,
        level: Level::Warning,
        certain: true,
        subject: Subject::Stale(key),
        at: *at,
        path: None,
        related: Vec::new(),
        paths: Vec::new(),
        key: Key { finding: Finding::StaleBaseline, ..key.clone() },
    }
}

/// Makes the finding about one subject.
struct Maker<'a, 'i> {
    report: &'a Report,
    identities: &'i Identities,
    subject: Subject<'a>,
}

impl<'a> Maker<'a, '_> {
    fn found(&self, code: Finding, level: Level, name: (&str, &str), paths: Vec<Arc<str>>) -> Found<'a> {
        let parties = paths.iter().map(|it| self.identities.of(it)).collect();
        let (kind, name) = (name.0.to_owned(), name.1.to_owned());
        Found {
            code,
            level,
            certain: true,
            subject: self.subject,
            at: None,
            path: paths.first().map(ToString::to_string),
            related: Vec::new(),
            paths,
            key: Key { kind, name, finding: code, parties },
        }
    }

    fn failure(&self, it: &Fatal) -> Found<'a> {
        let file = it.at.map(|at| self.report.sources.get(at.file).path().as_str().into());
        let who: Vec<Arc<str>> = it.path.clone().or(file).into_iter().collect();
        let found = self.found(Finding::LoadFailure, Level::Error, ("extension", ""), who);
        Found { certain: it.certainty.is_certain(), at: it.at, ..found }
    }

    fn contest(&self, it: &Contest) -> Option<Found<'a>> {
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
        let who = winner.into_iter().chain(others.iter().copied()).map(|claim| Arc::clone(&claim.path));
        let name = it.invocation.as_deref().filter(|_| it.kind == ContestKind::Command).unwrap_or(&it.name);
        let named = it.field.as_ref().map_or_else(|| name.to_owned(), |field| format!("{name}.{field}"));
        let places = winner.into_iter().chain(others.iter().copied()).filter_map(|claim| claim.at);
        let related = places.filter(|place| Some(*place) != at).collect();
        let found = self.found(code, level, (&kind_word(it.kind), &named), who.collect());
        Some(Found {
            certain: is_certain(it, winner, self.report),
            at,
            path: winner.map(|claim| claim.path.to_string()),
            related,
            ..found
        })
    }

    fn twice(&self, first: &LoadedExtension, second: &LoadedExtension) -> Found<'a> {
        let who = [first, second].map(path);
        let found = self.found(Finding::LoadedTwice, Level::Warning, ("extension", ""), who.to_vec());
        let path = Some(second.entry.path.to_string());
        Found { at: second.entry.at, path, related: first.entry.at.into_iter().collect(), ..found }
    }

    /// What the settings name and Pi passes over without a word. What keeps Pi from starting is told as that.
    fn absent(&self, it: &LoadedExtension) -> Option<Found<'a>> {
        let code = match it.status {
            LoadStatus::Disabled if it.entry.rule == DISABLED_SHADOWS => Finding::DisabledShadows,
            LoadStatus::Missing => Finding::NotInstalled,
            _ => return None,
        };
        let mut fatal = self.report.fatal.iter().filter_map(|it| it.path.as_deref());
        if fatal.any(|fatal| fatal == it.entry.path) {
            return None;
        }
        let found = self.found(code, Level::Warning, ("extension", ""), vec![path(it)]);
        Some(Found { at: it.entry.at, ..found })
    }

    fn ignored(&self, it: &Diagnostic) -> Option<Found<'a>> {
        let broken = matches!(
            it.code,
            Code::Unreadable
                | Code::SettingsInvalid
                | Code::ManifestInvalid
                | Code::ResourceInvalid
                | Code::KeybindingsInvalid
                | Code::ModelsInvalid
                | Code::TrustInvalid
        );
        let file = it.at.map(|at| self.report.sources.get(at.file).path().as_str().into());
        let who: Vec<Arc<str>> = file.into_iter().collect();
        let level = if it.severity == Severity::Note { Level::Note } else { Level::Warning };
        let found = self.found(Finding::FileIgnored, level, ("file", ""), who);
        broken.then_some(Found { at: it.at, ..found })
    }

    /// Names it has none: the number tells it from others of its kind in the same extension.
    fn unresolved(&self, extension: &LoadedExtension, it: &Registration, number: usize) -> Found<'a> {
        let kind = kind_of(it).map_or_else(|| "extension".to_owned(), kind_word);
        let name = if number > 1 { format!("#{number}") } else { String::new() };
        let found = self.found(Finding::Unresolved, Level::Note, (&kind, &name), vec![path(extension)]);
        Found { certain: false, at: Some(it.call), ..found }
    }
}

fn path(it: &LoadedExtension) -> Arc<str> {
    it.entry.path.as_str().into()
}

/// The kind of name that a registration is about.
pub(super) fn kind_of(it: &Registration) -> Option<ContestKind> {
    match it.kind {
        Kind::NativeProvider | Kind::UnregisterProvider => Some(ContestKind::Provider),
        other => contest_kind(other),
    }
}

/// The word for a kind that the JSON form uses.
pub(super) fn kind_word(kind: ContestKind) -> String {
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
    // What comes late counts from the session on; where it does not show there, it depends on something.
    if it.finding == Some(Finding::LateTakesName) && it.in_session.is_none() {
        return false;
    }
    let some_loser = it.losers.is_empty() || it.losers.iter().any(|loser| loser.claim.certainty.is_certain());
    winner.is_none_or(|claim| claim.certainty.is_certain()) && some_loser
}
