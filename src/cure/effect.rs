//! What is different between two reports of one installation, besides the names that were meant.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::registry::{Contest, ContestKind, Layer};
use crate::report::{LoadStatus, Report};

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Nobody holds the name any more.
    Gone(ContestKind, Arc<str>),
    /// The name is new, and whose it is.
    New(ContestKind, Arc<str>, Arc<str>),
    /// Another holds it, and who.
    Moved(ContestKind, Arc<str>, Arc<str>),
    /// A command is typed otherwise.
    Renamed(Arc<str>, Arc<str>),
    /// An extension loads that did not.
    Loads(String),
}

/// The differences in names and loaded extensions, by kind and name; `meant` are left out.
pub fn between(before: &Report, after: &Report, meant: &[&Contest]) -> Vec<Effect> {
    let is_meant =
        |kind: ContestKind, name: &str| meant.iter().any(|it| it.kind == kind && *it.name == *name);
    let mut effects = Vec::new();
    names(before, after, &is_meant, &mut effects);
    commands(before, after, &is_meant, &mut effects);
    let loaded = |report: &Report, path: &str| {
        report.extension(path).is_some_and(|it| it.status == LoadStatus::Loaded)
    };
    let started = after.loaded().filter(|it| !loaded(before, it.entry.path.as_str()));
    effects.extend(started.map(|it| Effect::Loads(it.entry.path.to_string())));
    effects
}

type IsMeant<'a> = &'a dyn Fn(ContestKind, &str) -> bool;

/// Names that one alone holds. Fields of providers and models go with their owners.
fn names(before: &Report, after: &Report, is_meant: IsMeant<'_>, effects: &mut Vec<Effect>) {
    let of = |report: &Report| -> BTreeMap<(ContestKind, Arc<str>), Arc<str>> {
        let named = report
            .contests
            .iter()
            .filter(|it| it.field.is_none() && !matches!(it.kind, ContestKind::Model | ContestKind::Command));
        named.filter_map(|it| Some(((it.kind, Arc::clone(&it.name)), owner(it)?))).collect()
    };
    let (was, is) = (of(before), of(after));
    for ((kind, name), owner) in was.iter().filter(|it| !is_meant(it.0.0, &it.0.1)) {
        match is.get(&(*kind, Arc::clone(name))) {
            None => effects.push(Effect::Gone(*kind, Arc::clone(name))),
            Some(now) if now != owner => {
                effects.push(Effect::Moved(*kind, Arc::clone(name), Arc::clone(now)));
            }
            Some(_) => {}
        }
    }
    for ((kind, name), owner) in is.iter().filter(|it| !was.contains_key(it.0) && !is_meant(it.0.0, &it.0.1))
    {
        effects.push(Effect::New(*kind, Arc::clone(name), Arc::clone(owner)));
    }
}

/// Commands, by name and owner: what is typed for them may change.
fn commands(before: &Report, after: &Report, is_meant: IsMeant<'_>, effects: &mut Vec<Effect>) {
    let of = |report: &Report| -> BTreeMap<(Arc<str>, Arc<str>), Arc<str>> {
        let all = report.contests_of(ContestKind::Command);
        all.filter_map(|it| Some(((Arc::clone(&it.name), owner(it)?), typed(it)))).collect()
    };
    let (was, is) = (of(before), of(after));
    for ((name, owner), typed) in was.iter().filter(|it| !is_meant(ContestKind::Command, &it.0.0)) {
        match is.get(&(Arc::clone(name), Arc::clone(owner))) {
            None => effects.push(Effect::Gone(ContestKind::Command, Arc::clone(typed))),
            Some(now) if now != typed => effects.push(Effect::Renamed(Arc::clone(typed), Arc::clone(now))),
            Some(_) => {}
        }
    }
    for ((name, owner), typed) in is.iter().filter(|it| !was.contains_key(it.0)) {
        if !is_meant(ContestKind::Command, name) {
            effects.push(Effect::New(ContestKind::Command, Arc::clone(typed), Arc::clone(owner)));
        }
    }
}

fn owner(it: &Contest) -> Option<Arc<str>> {
    let winner = it.in_session.as_ref().and_then(|then| then.winner.as_ref()).or(it.winner.as_ref())?;
    (winner.layer != Layer::Default).then(|| Arc::clone(&winner.path))
}

fn typed(it: &Contest) -> Arc<str> {
    let then = it.in_session.as_ref().and_then(|then| then.invocation.as_ref());
    Arc::clone(then.or(it.invocation.as_ref()).unwrap_or(&it.name))
}
