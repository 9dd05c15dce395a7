//! The check: findings, judged by a policy and held against a baseline.

use super::baseline::{Baseline, Known};
use super::finding::{Found, Level, Subject, findings, kind_of, stale as stale_entry};
use super::policy::{Policy, scopes};
use crate::registry::{Finding, Impact};
use crate::report::{Filter, Report};

/// Where a finding stands in relation to the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Not in the baseline.
    New,
    /// In the baseline.
    Known,
}

/// A finding as it is shown: its level is the one that counts.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    /// The finding.
    pub found: Found<'a>,
    /// The reason that a policy gives for its level.
    pub reason: Option<String>,
    /// Whether it is known; `None` without a baseline.
    pub state: Option<State>,
}

/// The result of a check.
#[derive(Debug, Clone)]
pub struct Checked<'a> {
    /// The findings that are not allowed, new ones first, then the worst first. Stale entries of the baseline are among them.
    pub items: Vec<Item<'a>>,
    /// What the baseline knows and is not there any more.
    pub stale: &'a [Known],
    /// Whether a baseline was given.
    pub has_baseline: bool,
    /// How many findings make the check fail.
    pub failing: usize,
}

impl Checked<'_> {
    /// How many findings are in a state.
    pub fn count(&self, state: State) -> usize {
        self.items.iter().filter(|it| it.state == Some(state)).count()
    }

    /// How many stale entries of the baseline count.
    pub fn count_stale(&self) -> usize {
        self.items.iter().filter(|it| it.found.code == Finding::StaleBaseline).count()
    }
}

/// Checks a report against a policy and what is known. The findings are those that pass the filter; what is stale is told by
/// whoever read the baseline, because that takes all findings.
pub fn check<'a>(
    report: &'a Report,
    policy: &Policy,
    baseline: Option<&Baseline>,
    stale: &'a [Known],
    filter: &Filter,
) -> Checked<'a> {
    let all = findings(report).into_iter().filter(|it| passes(it, filter, report));
    let mut items: Vec<Item<'a>> = all
        .chain(stale.iter().map(stale_entry))
        .filter_map(|mut found| {
            let judgement = policy.judge(&found, report)?;
            found.level = judgement.level;
            let known = baseline.filter(|_| !matches!(found.subject, Subject::Stale(_)));
            let known = known.map(|it| if it.contains(&found.key) { State::Known } else { State::New });
            Some(Item { found, reason: judgement.reason, state: known })
        })
        .collect();
    items.sort_by_key(|it| (it.state == Some(State::Known), std::cmp::Reverse(it.found.level)));
    let fails = |it: &&Item<'_>| it.state != Some(State::Known) && policy.fails(it.found.level);
    let failing = items.iter().filter(fails).count();
    Checked { items, stale, has_baseline: baseline.is_some(), failing }
}

/// Whether a finding is among those that the options ask for.
fn passes(found: &Found<'_>, filter: &Filter, report: &Report) -> bool {
    if let Subject::Contest(it) = found.subject {
        return filter.passes(it, report);
    }
    let kind = match found.subject {
        Subject::Unresolved(_, it) => kind_of(it),
        _ => None,
    };
    let impact = match found.level {
        Level::Error => Impact::Fatal,
        Level::Warning => Impact::Warning,
        Level::Note => Impact::Note,
    };
    let owner = |it: &std::sync::Arc<str>| filter.owners.iter().any(|owner| it.contains(owner.as_str()));
    (filter.kinds.is_empty() || kind.is_some_and(|it| filter.kinds.contains(&it)))
        && (filter.scopes.is_empty() || scopes(found, report).iter().any(|it| filter.scopes.contains(it)))
        && (filter.owners.is_empty() || found.paths.iter().any(owner))
        && (filter.severities.is_empty() || filter.severities.contains(&impact))
        && !filter.contested
        && filter.outcomes.is_empty()
}
