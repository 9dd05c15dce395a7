//! Cures: what to change so that somebody else holds a name. Each is tried out on the files as they would be, and
//! offered only if it brings the wanted winner; what it changes besides is told.

mod change;
mod effect;

use camino::{Utf8Path, Utf8PathBuf};

pub use change::Change;
pub use effect::Effect;

use crate::environment::Environment;
use crate::files::{Files, Overlay};
use crate::inspect;
use crate::install::ExtensionId;
use crate::options::Options;
use crate::registry::{Claim, Contest, Impact, Layer, Starts};
use crate::report::{Report, claims};

/// How many extensions are tried as the one to keep.
const TRIED: usize = 4;

/// A change that was tried, and what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cure {
    /// Whom it lets hold the name; `None` when it lets Pi start without any extension.
    pub keeps: Option<String>,
    /// What to change.
    pub changes: Vec<Change>,
    /// Whether Pi starts then.
    pub starts: bool,
    /// What else is different then.
    pub effects: Vec<Effect>,
}

/// Where a trial starts from.
struct Trial<'a> {
    files: &'a dyn Files,
    environment: &'a Environment,
    options: &'a Options,
    report: &'a Report,
}

/// The cures for the contests of one name, best first. None for a name that nobody quarrels over.
pub fn cures(
    files: &dyn Files,
    environment: &Environment,
    options: &Options,
    report: &Report,
    contests: &[&Contest],
) -> Vec<Cure> {
    let trial = Trial { files, environment, options, report };
    let rivals = rivals(contests);
    let mut found = Vec::new();
    if rivals.len() > 1 || contests.iter().any(|it| it.impact >= Impact::Warning) {
        for keep in rivals.iter().take(TRIED) {
            found.extend(trial.keeping(contests, &rivals, Some(keep)));
        }
        if contests.iter().any(|it| it.losers.iter().any(|loser| loser.claim.layer == Layer::Builtin)) {
            found.extend(trial.keeping(contests, &rivals, None));
        }
    }
    if report.starts == Starts::No && contests.iter().any(|it| it.impact == Impact::Fatal) {
        found.extend(trial.without_extensions());
    }
    found
}

/// The claims of extensions that take part, one per extension.
fn rivals<'a>(contests: &[&'a Contest]) -> Vec<&'a Claim> {
    let mut found: Vec<&Claim> = Vec::new();
    for claim in contests.iter().flat_map(|it| claims(it)) {
        if claim.extension.is_some() && !found.iter().any(|it| it.extension == claim.extension) {
            found.push(claim);
        }
    }
    found
}

impl Trial<'_> {
    /// Switches every rival but one off, or all of them for the built-in.
    fn keeping(&self, contests: &[&Contest], rivals: &[&Claim], keep: Option<&&Claim>) -> Option<Cure> {
        let others: Vec<ExtensionId> = rivals
            .iter()
            .filter(|it| keep.is_none_or(|keep| keep.extension != it.extension))
            .filter_map(|it| it.extension)
            .collect();
        if others.is_empty() {
            return None;
        }
        let mut files = Overlay::new(self.files);
        let mut changes: Vec<Change> = Vec::new();
        for id in others {
            let change = change::switching_off(&files, self.report, self.report.by_id(id)?)?;
            files.edit(change.file.clone(), change.text.clone());
            changes.retain(|it| it.file != change.file || it.key != change.key);
            changes.push(change);
        }
        let then = inspect(&files, self.environment, self.options);
        let kept = keep.map(|it| &*it.path);
        let holds = contests.iter().all(|it| is_settled(it, kept, &then));
        if !holds || then.starts == Starts::Unknown && self.report.starts == Starts::Yes {
            return None;
        }
        let effects = effect::between(self.report, &then, contests);
        let keeps = kept.map_or_else(|| "the built-in one".to_owned(), str::to_owned);
        Some(Cure { keeps: Some(keeps), changes, starts: then.starts == Starts::Yes, effects })
    }

    /// `pi -ne`.
    fn without_extensions(&self) -> Option<Cure> {
        let mut options = self.options.clone();
        options.install.no_extensions = true;
        let then = inspect(self.files, self.environment, &options);
        (then.starts == Starts::Yes).then(|| Cure {
            keeps: None,
            changes: Vec::new(),
            starts: true,
            effects: Vec::new(),
        })
    }
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

/// A path relative to a folder, as settings write it.
fn relative(path: &Utf8Path, folder: &Utf8Path) -> Option<Utf8PathBuf> {
    path.strip_prefix(folder).ok().map(Utf8Path::to_owned)
}
