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
    /// The name is new.
    New(ContestKind, Arc<str>),
    /// Another holds it.
    Moved(ContestKind, Arc<str>),
    /// An extension loads that did not.
    Loads(String),
}

type Names = BTreeMap<(ContestKind, Arc<str>), Option<Arc<str>>>;

/// The differences in names and loaded extensions, by kind and name; `meant` are left out.
pub fn between(before: &Report, after: &Report, meant: &[&Contest]) -> Vec<Effect> {
    let is_meant = |kind: ContestKind, name: &str| {
        meant.iter().any(|it| it.kind == kind && (*typed(it) == *name || *it.name == *name))
    };
    let (was, is) = (holders(before), holders(after));
    let mut effects = Vec::new();
    for ((kind, name), holder) in &was {
        if is_meant(*kind, name) {
            continue;
        }
        match is.get(&(*kind, Arc::clone(name))) {
            None => effects.push(Effect::Gone(*kind, Arc::clone(name))),
            Some(now) if now != holder => effects.push(Effect::Moved(*kind, Arc::clone(name))),
            Some(_) => {}
        }
    }
    for (kind, name) in is.keys().filter(|it| !was.contains_key(*it) && !is_meant(it.0, &it.1)) {
        effects.push(Effect::New(*kind, Arc::clone(name)));
    }
    let loaded = |report: &Report, path: &str| {
        report.extension(path).is_some_and(|it| it.status == LoadStatus::Loaded)
    };
    let started = after.loaded().filter(|it| !loaded(before, it.entry.path.as_str()));
    effects.extend(started.map(|it| Effect::Loads(it.entry.path.to_string())));
    effects
}

/// Who holds each name; fields of providers and models go with their owners.
fn holders(report: &Report) -> Names {
    let named = report.contests.iter().filter(|it| it.field.is_none() && it.kind != ContestKind::Model);
    let held = named.filter_map(|it| {
        let winner = it.in_session.as_ref().and_then(|then| then.winner.as_ref()).or(it.winner.as_ref())?;
        (winner.layer != Layer::Default).then(|| ((it.kind, typed(it)), Some(Arc::clone(&winner.path))))
    });
    held.collect()
}

fn typed(it: &Contest) -> Arc<str> {
    Arc::clone(it.invocation.as_ref().unwrap_or(&it.name))
}
