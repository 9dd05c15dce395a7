//! `check`: the findings as a policy and a baseline judge them.

use schemars::JsonSchema;
use serde::Serialize;

use super::CertaintyWord;
use crate::gate::Level;
use crate::gate::check::{self, Checked, State};
use crate::location::Location;
use crate::registry::Finding;
use crate::render::Paths;
use crate::render::findings::message;
use crate::report::Report;

/// The result of a check.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Check {
    /// Whether it passes.
    pub passes: bool,
    /// How many findings make it fail.
    pub failing: usize,
    /// The findings, new ones first, the worst first.
    pub findings: Vec<Item>,
    /// What the baseline knows and is not there any more.
    pub stale: Vec<Key>,
}

/// What makes a finding the same elsewhere.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Key {
    /// Kind of name, `extension` or `file`.
    pub kind: String,
    /// The name.
    pub name: String,
    /// Which finding.
    pub finding: Finding,
    /// Who takes part: identities without versions, machines and lines.
    pub parties: Vec<String>,
}

/// One finding.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Item {
    /// What makes it the same elsewhere.
    #[serde(flatten)]
    pub key: Key,
    /// How much it counts.
    pub level: Level,
    /// How sure it is.
    pub certainty: CertaintyWord,
    /// In one sentence.
    pub message: String,
    /// The reason that a policy gives for the level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the baseline knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// The place to change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Location>,
}

impl Check {
    pub(in crate::render::json) fn new(it: &Checked<'_>, report: &Report, paths: &Paths<'_>) -> Self {
        Self {
            passes: it.failing == 0,
            failing: it.failing,
            findings: it.items.iter().map(|item| Item::new(item, report, paths)).collect(),
            stale: it.stale.iter().map(|it| Key::new(&it.key)).collect(),
        }
    }
}

impl Key {
    fn new(it: &crate::gate::Key) -> Self {
        Self {
            kind: it.kind.clone(),
            name: it.name.clone(),
            finding: it.finding,
            parties: it.parties.clone(),
        }
    }
}

impl Item {
    fn new(it: &check::Item<'_>, report: &Report, paths: &Paths<'_>) -> Self {
        let found = &it.found;
        let certainty = match (found.certain, found.code) {
            (true, _) => CertaintyWord::Certain,
            (false, Finding::Unresolved) => CertaintyWord::Unresolved,
            (false, _) => CertaintyWord::Conditional,
        };
        Self {
            key: Key::new(&found.key),
            level: found.level,
            certainty,
            message: message(found, report, paths),
            reason: it.reason.clone(),
            state: it.state,
            at: found.at.map(|at| report.sources.locate(at)),
        }
    }
}
