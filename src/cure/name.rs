//! Cures for one name: somebody else holds it.

use std::sync::Arc;

use super::rival::{Rival, rivals};
use super::trial::{Bench, Outcome};
use super::{Aim, Cure, change, start};
use crate::environment::Environment;
use crate::files::Files;
use crate::options::Options;
use crate::registry::{self, Contest, ContestKind, HiddenWhen, Impact, Layer, Starts};
use crate::report::Report;

/// How many are tried as the one to keep.
const TRIED: usize = 4;
/// How many actions are moved away from one key.
const ACTIONS: usize = 4;

/// The cures for the contests of one name, best first. None for a name that nobody quarrels over.
pub fn for_name(
    files: &dyn Files,
    environment: &Environment,
    options: &Options,
    report: &Report,
    contests: &[&Contest],
) -> Vec<Cure> {
    let bench = Bench { files, environment, options, report };
    let rivals = rivals(contests, report);
    let mut found = Vec::new();
    if rivals.len() > 1 || contests.iter().any(|it| it.impact >= Impact::Warning) {
        for keep in rivals.iter().take(TRIED) {
            found.extend(bench.first(contests, keep));
            found.extend(bench.keeping(contests, &rivals, Some(keep)));
        }
        if contests.iter().any(|it| it.losers.iter().any(|loser| loser.claim.layer == Layer::Builtin)) {
            found.extend(bench.keeping(contests, &rivals, None));
        }
    }
    if let [contest] = contests
        && contest.rule == registry::shortcut::RESERVED
        && contest.impact >= Impact::Warning
    {
        found.extend(bench.freeing(contest));
    }
    if report.starts == Starts::No && contests.iter().any(|it| it.impact == Impact::Fatal) {
        let mut together = start::for_start(files, environment, options, report, start::Search::Several);
        // What is offered already need not be offered again.
        together.retain(|it| !found.iter().any(|known| known.changes == it.changes && known.run == it.run));
        found.extend(together);
    }
    found
}

impl Bench<'_> {
    /// Switches every rival but one off, or all of them for the built-in.
    fn keeping(&self, contests: &[&Contest], rivals: &[Rival<'_>], keep: Option<&Rival<'_>>) -> Option<Cure> {
        let others: Vec<&Rival<'_>> =
            rivals.iter().filter(|it| keep.is_none_or(|keep| keep.path != it.path)).collect();
        if others.is_empty() {
            return None;
        }
        let outcome = self.without(&others)?;
        let kept = keep.map(|it| it.path.as_str());
        self.settled(contests, kept, &outcome).then(|| {
            let aim = kept.map_or(Aim::KeepBuiltin, |it| Aim::Keep(Arc::from(it)));
            self.cure(aim, outcome, contests)
        })
    }

    /// Names an extension on the command line: it comes first then, and where the first one holds the name, it does.
    fn first(&self, contests: &[&Contest], keep: &Rival<'_>) -> Option<Cure> {
        let holds = |it: &&Contest| holder(it).is_some_and(|path| path == keep.path.as_str());
        if contests.iter().all(holds) || contests.iter().any(|it| it.impact == Impact::Fatal) {
            return None;
        }
        let renders = |it: &&Contest| {
            matches!(it.kind, ContestKind::MessageRenderer | ContestKind::EntryRenderer | ContestKind::Tool)
        };
        if !contests.iter().all(renders) {
            return None;
        }
        let mut options = self.options.clone();
        options.install.extensions.insert(0, keep.path.to_string());
        let outcome = self.running(format!("pi -e {}", keep.path), &options);
        self.settled(contests, Some(keep.path.as_str()), &outcome)
            .then(|| self.cure(Aim::Keep(Arc::from(keep.path.as_str())), outcome, contests))
    }

    /// Moves Pi's own actions away from a key that it keeps for them.
    fn freeing(&self, contest: &Contest) -> Option<Cure> {
        let mut actions = vec![contest.hidden_by.as_ref()?.what.clone()];
        for _ in 0..ACTIONS {
            let outcome = self.with(change::freeing(self.files, self.report, &actions)?);
            let now = outcome.report.contests_of(contest.kind).find(|it| it.name == contest.name)?;
            match &now.hidden_by {
                Some(it) if it.when == HiddenWhen::Always && !actions.contains(&it.what) => {
                    actions.push(it.what.clone());
                }
                Some(_) => return None,
                None => return Some(self.cure(Aim::FreeKey, outcome, &[contest])),
            }
        }
        None
    }

    /// Whether the wanted one holds the names, and nothing is less sure than before.
    fn settled(&self, contests: &[&Contest], kept: Option<&str>, outcome: &Outcome) -> bool {
        let then = &outcome.report;
        let unsure = then.starts == Starts::Unknown && self.report.starts == Starts::Yes;
        !unsure && contests.iter().all(|it| is_settled(it, kept, then))
    }
}

/// Whose claim holds a name in the session.
fn holder(contest: &Contest) -> Option<&str> {
    let winner = contest.in_session.as_ref().and_then(|it| it.winner.as_ref()).or(contest.winner.as_ref());
    winner.map(|it| &*it.path)
}

/// Whether the wanted one alone holds the name, by its bare name.
fn is_settled(before: &Contest, kept: Option<&str>, then: &Report) -> bool {
    let mut now = then.contests.iter().filter(|it| it.kind == before.kind && it.name == before.name);
    let Some(now) = now.next().filter(|_| then.contests_named(before.kind, &before.name) == 1) else {
        return false;
    };
    let winner = now.in_session.as_ref().and_then(|it| it.winner.as_ref()).or(now.winner.as_ref());
    let Some(winner) = winner.filter(|it| it.certainty.is_certain()) else { return false };
    let bare = now.invocation.as_ref().is_none_or(|it| *it == now.name);
    let wanted = match kept {
        Some(path) => &*winner.path == path,
        None => winner.layer == Layer::Builtin,
    };
    wanted && bare && now.impact != Impact::Fatal
}
