//! One extension in the report: its place, and what its code registers.

use std::sync::Arc;

use camino::Utf8PathBuf;

use crate::install::{Entry, Status};
use crate::source::{Certainty, Failure, Kind, Phase, Registration};

/// What becomes of an extension in the end.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum LoadStatus {
    /// Pi loads it.
    Loaded,
    /// Pi tries to and fails.
    Failed,
    /// A pattern or a filter switches it off.
    Disabled,
    /// The same real path, or the same package, stands earlier.
    Duplicate,
    /// It belongs to a project that is not trusted.
    Untrusted,
    /// It is named, but not there.
    Missing,
}

impl LoadStatus {
    /// The word that every output uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Failed => "failed",
            Self::Disabled => "disabled",
            Self::Duplicate => "duplicate",
            Self::Untrusted => "untrusted",
            Self::Missing => "missing",
        }
    }
}

/// An extension with what its code does.
#[derive(Debug, Clone)]
pub struct LoadedExtension {
    /// Its place in the installation.
    pub entry: Entry,
    /// What becomes of it.
    pub status: LoadStatus,
    /// Why it does not load; a conditional failure leaves the status at [`LoadStatus::Loaded`].
    pub failure: Option<Failure>,
    /// Its registrations in the order in which they happen.
    pub registrations: Vec<Registration>,
    /// The file behind its path, for one that Pi imports.
    pub file: Option<EntryFile>,
}

/// The file that Pi imports for an extension, as far as it helps to see that two of them are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryFile {
    /// Its real path; a folder stands for its index.
    pub real: Utf8PathBuf,
    /// What its text is known by; looked at only where another one is of the same size.
    pub digest: Option<Vec<u8>>,
    /// The package that it lies in.
    pub owner: Option<Owner>,
}

/// A folder with a `package.json` that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The folder.
    pub root: Utf8PathBuf,
    /// `name` of the `package.json`.
    pub name: String,
    /// `version` of the `package.json`.
    pub version: Option<String>,
}

impl LoadedExtension {
    /// Joins the plan for an extension with what evaluating it found.
    pub fn new(entry: Entry, failure: Option<Failure>, registrations: Vec<Registration>) -> Self {
        let status = match entry.status {
            Status::Planned if failure.as_ref().is_some_and(|it| it.certainty.is_certain()) => {
                LoadStatus::Failed
            }
            Status::Planned => LoadStatus::Loaded,
            Status::Disabled => LoadStatus::Disabled,
            Status::Duplicate => LoadStatus::Duplicate,
            Status::Untrusted => LoadStatus::Untrusted,
            Status::Missing => LoadStatus::Missing,
        };
        Self { entry, status, failure, registrations, file: None }
    }

    /// Why it stands where it stands, or why it does not load.
    pub fn reason(&self) -> String {
        match &self.failure {
            Some(failure) if self.status == LoadStatus::Failed => failure.explanation.clone(),
            _ => self.entry.reason.clone(),
        }
    }

    /// The names of one kind that it registers while loading, certain or conditional, each once, in order.
    pub fn names(&self, kind: Kind) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        for it in self.registrations.iter().filter(|it| it.kind == kind && it.phase == Phase::Factory) {
            if let Some(name) = &it.name
                && !names.contains(name)
            {
                names.push(Arc::clone(name));
            }
        }
        names
    }

    /// The registrations of which the name cannot be known.
    pub fn unresolved(&self) -> impl Iterator<Item = &Registration> {
        self.registrations.iter().filter(|it| matches!(it.certainty, Certainty::Unresolved(..)))
    }
}
