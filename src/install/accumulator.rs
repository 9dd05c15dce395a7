//! Gathers candidates: the first mention of a path counts, then places are compared and real paths made unique (rules,
//! section 1.2; Pi: `dist/core/package-manager.js`, `addResource`, `toResolvedPaths`).

use std::sync::Arc;

use camino::Utf8PathBuf;
use rustc_hash::FxHashMap;

use super::context::Context;
use super::discovery::{Found, LeftOut};
use super::kind::{PerKind, ResourceKind};
use super::load_order::{Status, Step};
use super::patterns::Verdict;
use super::rules;
use super::source_info::{Origin, Scope, SourceInfo};
use crate::location::Span;
use crate::rule::RuleId;

/// Who brings candidates: a settings line, a package, a folder.
#[derive(Debug, Clone)]
pub(super) struct Bringer {
    pub info: SourceInfo,
    /// How Pi came to look there.
    pub step: Step,
    /// The rule that gives what it brings a place.
    pub rule: RuleId,
    /// Why what it brings is loaded.
    pub reason: String,
    /// `name@version` or git source of the package.
    pub package: Option<Arc<str>>,
}

/// A path that may be loaded.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub path: Utf8PathBuf,
    pub info: SourceInfo,
    pub enabled: bool,
    pub reason: String,
    pub rule: RuleId,
    pub at: Option<Span>,
    pub trail: Vec<Step>,
    pub package: Option<Arc<str>>,
}

/// A path that is not loaded and what it would have been.
#[derive(Debug, Clone)]
pub(super) struct Absent {
    pub left_out: LeftOut,
    pub info: SourceInfo,
    pub package: Option<Arc<str>>,
}

/// Whether a candidate is enabled, and what decided it.
pub(super) enum Choice<'a> {
    Enabled,
    /// By the patterns of a list; `rule` names what kind of list.
    Patterns {
        verdict: Verdict<'a>,
        rule: RuleId,
        /// What is said when no pattern matches and the file is off.
        otherwise: &'a str,
    },
    /// Switched off as a whole.
    Off {
        reason: &'a str,
        rule: RuleId,
        at: Option<Span>,
    },
}

#[derive(Default)]
pub(super) struct Accumulator {
    kinds: PerKind<Gathered>,
}

#[derive(Debug, Clone, Default)]
struct Gathered {
    candidates: Vec<Candidate>,
    places: FxHashMap<Utf8PathBuf, usize>,
    absent: Vec<Absent>,
}

/// The candidates of one kind in their final order, and those that came to nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranked {
    /// One for each real path, the disabled ones among them.
    pub candidates: Vec<Candidate>,
    pub absent: Vec<Absent>,
}

impl Accumulator {
    /// Adds a candidate, unless its path was mentioned before.
    pub fn add(&mut self, kind: ResourceKind, bringer: &Bringer, found: Found, choice: &Choice<'_>) {
        let gathered = self.kinds.get_mut(kind);
        let mut candidate = candidate(bringer, found);
        match choice {
            Choice::Enabled => {}
            Choice::Patterns { verdict, rule, otherwise } => {
                candidate.enabled = verdict.enabled;
                if let Some(by) = verdict.by {
                    let verb = if verdict.enabled { "names it" } else { "switches it off" };
                    candidate.trail.push(Step { text: format!("{:?} {verb}", by.text), at: Some(by.at) });
                }
                if !verdict.enabled {
                    candidate.rule = *rule;
                    candidate.at = verdict.by.map(|it| it.at).or(candidate.at);
                    candidate.reason = match verdict.by {
                        Some(by) => format!("the pattern {:?} switches it off", by.text),
                        None => (*otherwise).to_owned(),
                    };
                }
            }
            Choice::Off { reason, rule, at } => {
                candidate.enabled = false;
                (*reason).clone_into(&mut candidate.reason);
                candidate.rule = *rule;
                candidate.at = at.or(candidate.at);
            }
        }
        if let Some(first) = gathered.places.get(&candidate.path).map(|&at| &mut gathered.candidates[at]) {
            // That a package's own later entry does not bring it back is what `autoload: false` is for
            if !first.enabled && candidate.enabled && bringer.info.origin == Origin::TopLevel {
                first.rule = rules::DISABLED_SHADOWS;
                first.reason = format!(
                    "{}; that comes first, so {} does not bring it back",
                    first.reason, bringer.step.text
                );
            }
            return;
        }
        gathered.places.insert(candidate.path.clone(), gathered.candidates.len());
        gathered.candidates.push(candidate);
    }

    /// Keeps what does not load, for the report.
    pub fn leave_out(&mut self, kind: ResourceKind, bringer: &Bringer, mut left_out: LeftOut) {
        left_out.steps.insert(0, bringer.step.clone());
        left_out.at = left_out.at.or(bringer.step.at);
        self.kinds.get_mut(kind).absent.push(Absent {
            left_out,
            info: bringer.info.clone(),
            package: bringer.package.clone(),
        });
    }

    /// Sorts by place and keeps one path for each real path.
    pub fn ranked(self, context: &Context<'_>) -> PerKind<Ranked> {
        let Self { mut kinds } = self;
        let mut ranked = PerKind::default();
        for kind in ResourceKind::ALL {
            *ranked.get_mut(kind) = rank(context, std::mem::take(kinds.get_mut(kind)));
        }
        ranked
    }
}

fn candidate(bringer: &Bringer, found: Found) -> Candidate {
    let mut trail = vec![bringer.step.clone()];
    trail.extend(found.steps);
    Candidate {
        path: found.path,
        info: bringer.info.clone(),
        enabled: true,
        reason: bringer.reason.clone(),
        rule: bringer.rule,
        at: trail.iter().find_map(|it| it.at),
        trail,
        package: bringer.package.clone(),
    }
}

fn rank(context: &Context<'_>, gathered: Gathered) -> Ranked {
    let Gathered { mut candidates, absent, .. } = gathered;
    candidates.sort_by_key(|it| place(&it.info));
    let mut ranked = Ranked { candidates: Vec::with_capacity(candidates.len()), absent };
    let mut seen: FxHashMap<Utf8PathBuf, usize> = FxHashMap::default();
    for candidate in candidates {
        let real = context.canonical(&candidate.path);
        if let Some(earlier) = seen.get(&real).and_then(|&at| ranked.candidates.get(at)) {
            let absent = duplicate(candidate, earlier);
            ranked.absent.push(absent);
        } else {
            seen.insert(real, ranked.candidates.len());
            ranked.candidates.push(candidate);
        }
    }
    ranked
}

/// A candidate that leads to the same file as an earlier one.
pub(super) fn duplicate(candidate: Candidate, earlier: &Candidate) -> Absent {
    let (status, rule, reason, at) = if !candidate.enabled {
        (Status::Disabled, candidate.rule, candidate.reason, candidate.at)
    } else if earlier.enabled {
        let reason = format!("the same file as {}, which stands before it", earlier.path);
        (Status::Duplicate, rules::REAL_PATH, reason, earlier.at)
    } else {
        let reason = format!(
            "the same file as {}, which stands before it and is off: {}",
            earlier.path, earlier.reason
        );
        (Status::Disabled, rules::DISABLED_SHADOWS, reason, earlier.at)
    };
    Absent {
        left_out: LeftOut { path: candidate.path, status, reason, rule, at, steps: candidate.trail },
        info: candidate.info,
        package: candidate.package,
    }
}

/// Lower stands earlier (`resourcePrecedenceRank`).
fn place(info: &SourceInfo) -> u8 {
    match (info.origin, info.scope) {
        (Origin::Package, _) => 4,
        (Origin::TopLevel, scope) => {
            let own = if scope == Scope::Project { 0 } else { 2 };
            if info.source == "local" { own } else { own + 1 }
        }
    }
}
