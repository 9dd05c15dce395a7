//! Trials: the installation with some changes.

use super::effect::{self, Effect};
use super::rival::{Removal, Rival};
use super::{Aim, Change, Cure};
use crate::environment::Environment;
use crate::files::{Files, Overlay};
use crate::inspect_again;
use crate::options::Options;
use crate::registry::{Contest, Starts};
use crate::report::Report;

/// Where trials start from.
#[derive(Clone, Copy)]
pub(super) struct Bench<'a> {
    pub files: &'a dyn Files,
    pub environment: &'a Environment,
    pub options: &'a Options,
    pub report: &'a Report,
}

/// A trial that was made.
pub(super) struct Outcome {
    pub report: Report,
    changes: Vec<Change>,
    run: Option<String>,
}

impl Bench<'_> {
    /// The installation without some of those who claim names. `None` when nothing that a user can write leaves them out.
    pub fn without(&self, gone: &[&Rival<'_>]) -> Option<Outcome> {
        let mut files = Overlay::new(self.files);
        let mut options = self.options.clone();
        let mut changes: Vec<Change> = Vec::new();
        let mut left_out = Vec::new();
        for rival in gone {
            match rival.removal(&files, self.report, &options)? {
                Removal::Setting(change) => {
                    files.edit(change.file.clone(), change.text.clone());
                    changes.retain(|it| it.file != change.file || it.key != change.key);
                    changes.push(change);
                }
                Removal::Argument(at) => {
                    left_out.push(format!("-e {}", options.install.extensions.remove(at)));
                }
            }
        }
        let report = inspect_again(&files, self.environment, &options, self.report);
        let run = (!left_out.is_empty()).then(|| format!("pi, leaving out {}", left_out.join(" and ")));
        Some(Outcome { report, changes, run })
    }

    /// The installation with some files edited.
    pub fn with(&self, changes: Vec<Change>) -> Outcome {
        let mut files = Overlay::new(self.files);
        for change in &changes {
            files.edit(change.file.clone(), change.text.clone());
        }
        Outcome {
            report: inspect_again(&files, self.environment, self.options, self.report),
            changes,
            run: None,
        }
    }

    /// The installation with other options of the command line.
    pub fn running(&self, command: String, options: &Options) -> Outcome {
        let report = inspect_again(self.files, self.environment, options, self.report);
        Outcome { report, changes: Vec::new(), run: Some(command) }
    }

    /// A cure out of a trial; `meant` are the contests that it is about.
    pub fn cure(&self, aim: Aim, outcome: Outcome, meant: &[&Contest]) -> Cure {
        let effects: Vec<Effect> = match aim {
            Aim::StartBare | Aim::StartWithoutProject => Vec::new(),
            _ => effect::between(self.report, &outcome.report, meant),
        };
        let starts = outcome.report.starts == Starts::Yes;
        Cure { aim, changes: outcome.changes, run: outcome.run, starts, effects }
    }
}
