//! The check: findings, judged by a policy and held against a baseline.

use super::baseline::Baseline;
use super::finding::{Found, Key, Level, findings};
use super::policy::Policy;
use crate::report::Report;

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
    /// The findings that are not allowed, the worst first.
    pub items: Vec<Item<'a>>,
    /// What the baseline knows and is not there any more.
    pub stale: Vec<Key>,
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
}

/// Checks a report.
pub fn check<'a>(report: &'a Report, policy: &Policy, baseline: Option<&Baseline>) -> Checked<'a> {
    let all = findings(report);
    let gone = baseline.map(|it| it.stale(all.iter().map(|found| &found.key))).unwrap_or_default();
    let stale = gone.into_iter().cloned().collect();
    let mut items: Vec<Item<'a>> = all
        .into_iter()
        .filter_map(|mut found| {
            let judgement = policy.judge(&found, report)?;
            found.level = judgement.level;
            let known = baseline.map(|it| it.contains(&found.key));
            let relation = known.map(|known| if known { State::Known } else { State::New });
            Some(Item { found, reason: judgement.reason, state: relation })
        })
        .collect();
    items.sort_by_key(|it| (it.state == Some(State::Known), std::cmp::Reverse(it.found.level)));
    let fails = |it: &&Item<'_>| it.state != Some(State::Known) && policy.fails(it.found.level);
    let failing = items.iter().filter(fails).count();
    Checked { items, stale, has_baseline: baseline.is_some(), failing }
}

/// The level of a stale entry of the baseline.
pub const STALE: Level = Level::Warning;
