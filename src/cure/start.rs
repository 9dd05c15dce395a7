//! Cures for a Pi that does not start: the fewest extensions to leave out so that it does.

use std::collections::BTreeSet;

use super::rival::{Rival, rivals};
use super::trial::Bench;
use super::{Aim, Cure};
use crate::environment::Environment;
use crate::files::Files;
use crate::install::{Scope, TrustFlag};
use crate::options::Options;
use crate::registry::{Contest, ContestKind, Finding, Impact, Starts};
use crate::report::Report;

/// Of more extensions than these not every combination is looked at.
const COMBINED: usize = 8;
/// How many combinations are tried.
const TRIED: usize = 6;
/// How many are offered.
const OFFERED: usize = 2;

/// How many ways are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// The first smallest combination that works: an overview is wanted fast.
    First,
    /// Several, to choose from.
    Several,
}

/// What makes Pi start, best first: the smallest combinations of extensions to switch off, then ways to start for one run.
pub fn for_start(
    files: &dyn Files,
    environment: &Environment,
    options: &Options,
    report: &Report,
    search: Search,
) -> Vec<Cure> {
    if report.starts != Starts::No {
        return Vec::new();
    }
    let bench = Bench { files, environment, options, report };
    let mut found = bench.combinations(search);
    if search == Search::Several {
        found.extend(bench.without_project());
    }
    found.extend(bench.without_extensions());
    found
}

impl Bench<'_> {
    fn combinations(&self, search: Search) -> Vec<Cure> {
        let (broken, quarrels) = self.culprits();
        let mut parties: Vec<Rival<'_>> = Vec::new();
        for rival in quarrels.iter().flatten() {
            let known = parties.iter().chain(&broken).any(|it| it.path == rival.path);
            if !known {
                parties.push(*rival);
            }
        }
        let mut found: Vec<Cure> = Vec::new();
        let mut size = None;
        let mut choices = choices(&parties, &quarrels, &broken);
        // Of combinations of one size, those that cost the fewest names come first.
        choices.sort_by_key(|it| (it.len(), it.iter().map(|gone| self.names_of(gone)).sum::<usize>()));
        for chosen in choices.into_iter().take(TRIED) {
            // A larger one is no better than one that works.
            let enough = search == Search::First && !found.is_empty();
            if enough || size.is_some_and(|it| chosen.len() > it) {
                break;
            }
            let Some(outcome) = self.without(&chosen).filter(|it| it.report.starts == Starts::Yes) else {
                continue;
            };
            size = Some(chosen.len());
            let gone = chosen.iter().map(|it| it.path.to_string()).collect();
            found.push(self.cure(Aim::Start(gone), outcome, &[]));
        }
        found.sort_by_key(|it| it.effects.len());
        found.truncate(OFFERED);
        found
    }

    fn names_of(&self, it: &Rival<'_>) -> usize {
        self.report.extension(it.path.as_str()).map_or(0, |it| it.registrations.len())
    }

    /// The extensions that fail, and those who quarrel over each name: all but one of them have to go.
    fn culprits(&self) -> (Vec<Rival<'_>>, Vec<Vec<Rival<'_>>>) {
        let certain = self.report.fatal.iter().filter(|it| it.certainty.is_certain());
        let failing: BTreeSet<&str> = certain
            .filter(|it| !self.is_quarrel(it.kind, it.name.as_deref()))
            .filter_map(|it| it.path.as_deref())
            .collect();
        let broken = self.report.order.iter().filter(|it| failing.contains(it.entry.path.as_str()));
        let fatal = self.report.contests.iter().filter(|it| is_quarrel(it));
        let quarrels = fatal.map(|it| rivals(&[it], self.report)).filter(|it| it.len() > 1);
        (broken.map(Rival::extension).collect(), quarrels.collect())
    }

    fn is_quarrel(&self, kind: Option<ContestKind>, name: Option<&str>) -> bool {
        let of = |it: &&Contest| Some(it.kind) == kind && Some(&*it.name) == name;
        let contest = self.report.contests.iter().filter(|it| is_quarrel(it)).find(of);
        contest.is_some_and(|it| rivals(&[it], self.report).len() > 1)
    }

    /// `pi -na`.
    fn without_project(&self) -> Option<Cure> {
        let of_project = self.report.loaded().any(|it| it.entry.source_info.scope == Scope::Project);
        if !of_project {
            return None;
        }
        let mut options = self.options.clone();
        options.install.trust = TrustFlag::Refuse;
        let outcome = self.running("pi -na".to_owned(), &options);
        let starts = outcome.report.starts == Starts::Yes;
        starts.then(|| self.cure(Aim::StartWithoutProject, outcome, &[]))
    }

    /// `pi -ne`.
    fn without_extensions(&self) -> Option<Cure> {
        let mut options = self.options.clone();
        options.install.no_extensions = true;
        let outcome = self.running("pi -ne".to_owned(), &options);
        let starts = outcome.report.starts == Starts::Yes;
        starts.then(|| self.cure(Aim::StartBare, outcome, &[]))
    }
}

/// Whether two quarrel over a name, and Pi does not start; else an extension is to blame by itself.
fn is_quarrel(it: &Contest) -> bool {
    it.impact == Impact::Fatal && it.finding.is_some_and(Finding::is_conflict)
}

/// The ways to leave out enough, the smallest first; those who came later go before those who came first.
fn choices<'r, 'a>(
    parties: &'r [Rival<'a>],
    quarrels: &[Vec<Rival<'a>>],
    broken: &'r [Rival<'a>],
) -> Vec<Vec<&'r Rival<'a>>> {
    let is_gone = |it: &Rival<'_>, chosen: &[&Rival<'_>]| {
        chosen.iter().copied().chain(broken).any(|gone| gone.path == it.path)
    };
    let enough = |chosen: &[&Rival<'_>]| {
        quarrels.iter().all(|quarrel| quarrel.iter().filter(|it| !is_gone(it, chosen)).count() <= 1)
    };
    let mut found: Vec<Vec<&Rival<'_>>> = Vec::new();
    if parties.len() > COMBINED {
        // All who came second.
        found.push(
            parties
                .iter()
                .filter(|it| quarrels.iter().any(|of| of[1..].iter().any(|second| second.path == it.path)))
                .collect(),
        );
    } else {
        let all = 0..1_u32 << parties.len();
        let chosen = all.map(|mask| {
            let picked = parties.iter().enumerate().filter(move |(at, _)| mask >> at & 1 == 1);
            picked.map(|(_, it)| it).collect::<Vec<_>>()
        });
        found.extend(chosen.filter(|it| enough(it)));
        found.reverse();
        found.sort_by_key(Vec::len);
    }
    found.into_iter().map(|it| broken.iter().chain(it).collect()).collect()
}
