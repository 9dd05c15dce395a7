//! `order`: one extension with its place and its names.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::Places;
use crate::install::{Origin, Scope};
use crate::location::Location;
use crate::report::{LoadStatus, LoadedExtension, Report};
use crate::source::{Certainty, Kind, Registration};

/// One extension.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Extension {
    /// As Pi names it.
    pub path: String,
    /// `local`, `auto`, `cli`, `inline` or the package source.
    pub source: String,
    /// Whose.
    pub scope: Scope,
    /// Alone or from a package.
    pub origin: Origin,
    /// `name@version` of its package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Position in which its factory runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<u32>,
    /// What becomes of it.
    pub status: LoadStatus,
    /// Why it stands where it stands, or why it does not load.
    pub reason: String,
    /// The rule behind `reason`.
    pub rule: &'static str,
    /// The line that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Location>,
    /// Tools that it registers while loading.
    pub tools: Vec<Arc<str>>,
    /// Commands that it registers while loading.
    pub commands: Vec<Arc<str>>,
    /// Flags that it registers while loading.
    pub flags: Vec<Arc<str>>,
    /// Shortcuts that it registers while loading.
    pub shortcuts: Vec<Arc<str>>,
    /// Message renderers that it registers while loading.
    pub message_renderers: Vec<Arc<str>>,
    /// Entry renderers that it registers while loading.
    pub entry_renderers: Vec<Arc<str>>,
    /// Providers that it registers while loading.
    pub providers: Vec<Arc<str>>,
    /// Events that it listens to.
    pub events: Vec<Arc<str>>,
    /// Registrations of which the name is not known.
    pub unresolved: Vec<Unresolved>,
}

/// A registration of which the name is not known.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Unresolved {
    /// Which method; `anything` when `pi` went into code that cannot be followed.
    pub kind: Kind,
    /// Why.
    pub reason: String,
    /// The call.
    pub at: Location,
}

impl Extension {
    pub(super) fn new(it: &LoadedExtension, report: &Report) -> Self {
        let places = Places(&report.sources);
        let entry = &it.entry;
        let names = |kind| report.names(it, kind);
        let mut providers = names(Kind::Provider);
        for name in it.names(Kind::NativeProvider) {
            if !providers.contains(&name) {
                providers.push(name);
            }
        }
        Self {
            path: entry.path.to_string(),
            source: entry.source_info.source.clone(),
            scope: entry.source_info.scope,
            origin: entry.source_info.origin,
            package: entry.package.clone(),
            execution: entry.execution,
            status: it.status,
            reason: it.reason(),
            rule: entry.rule.0,
            at: places.of(it.failure.as_ref().and_then(|failure| failure.at).or(entry.at)),
            tools: names(Kind::Tool),
            commands: names(Kind::Command),
            flags: names(Kind::Flag),
            shortcuts: names(Kind::Shortcut),
            message_renderers: names(Kind::MessageRenderer),
            entry_renderers: names(Kind::EntryRenderer),
            providers,
            events: it.names(Kind::Event),
            unresolved: it.unresolved().filter_map(|it| Unresolved::new(it, places)).collect(),
        }
    }
}

impl Unresolved {
    fn new(it: &Registration, places: Places<'_>) -> Option<Self> {
        let Certainty::Unresolved(reason, _) = &it.certainty else { return None };
        Some(Self { kind: it.kind, reason: reason.text.to_string(), at: places.0.locate(it.call) })
    }
}
