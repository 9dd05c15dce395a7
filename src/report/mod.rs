//! The one answer from which every output is made: what loads, who wins each name, and whether Pi starts.

mod extension;
mod filter;
mod twice;

use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

pub use extension::{EntryFile, LoadStatus, LoadedExtension, Owner};
pub use filter::{Filter, claims, scope_of};
pub use twice::{Sameness, Twice};

use crate::cure::{Ailment, Cure};
use crate::diagnostic::Diagnostic;
use crate::install::{EntryKind, ExtensionId, ResourceFile, TrustSource};
use crate::location::SourceMap;
use crate::registry::{Contest, ContestKind, Fatal, Layer, PiWarning, Starts};
use crate::source::Kind;
use crate::source::modules::Library;

/// Where the Pi version comes from whose rules were followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VersionFrom {
    /// `--pi-version`.
    Flag,
    /// A configuration file.
    Config,
    /// The Pi that is installed.
    Installed,
    /// Nothing said otherwise.
    Default,
}

/// The Pi whose rules were followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InspectedPi {
    /// Such as `0.83.0`.
    pub version: String,
    /// Who said so.
    pub from: VersionFrom,
}

/// Who decided about trust (rules, section 12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TrustFrom {
    /// `-a` or `-na`.
    Flag,
    /// A `project_trust` handler of an extension.
    Extension,
    /// An entry of `trust.json`.
    Saved,
    /// `defaultProjectTrust` of the user's settings.
    Default,
    /// The project has nothing that needs trust.
    NotNeeded,
    /// Pi would have to ask; the answer is taken as yes.
    Assumed,
}

/// Whether the project is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Trust {
    /// The decision.
    pub trusted: bool,
    /// Who decided.
    pub from: TrustFrom,
}

impl From<TrustSource> for TrustFrom {
    fn from(it: TrustSource) -> Self {
        match it {
            TrustSource::Flag => Self::Flag,
            TrustSource::Saved => Self::Saved,
            TrustSource::Default => Self::Default,
            TrustSource::NotNeeded => Self::NotNeeded,
            TrustSource::Assumed => Self::Assumed,
        }
    }
}

/// How long a stage took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    /// The stage.
    pub stage: &'static str,
    /// Its time.
    pub took: Duration,
}

/// Everything that was found out about one installation.
#[derive(Debug, Clone)]
pub struct Report {
    /// Whose rules.
    pub pi: InspectedPi,
    /// The working directory.
    pub cwd: Utf8PathBuf,
    /// The agent directory.
    pub agent_dir: Utf8PathBuf,
    /// The home directory; paths are shortened against it.
    pub home: Utf8PathBuf,
    /// The checkout in which a CI job runs: what it shows goes by paths from there.
    pub workspace: Option<Utf8PathBuf>,
    /// Whether there is an installation at all: an agent directory, a project directory, or something to load.
    pub found: bool,
    /// Whether the project is trusted.
    pub trust: Trust,
    /// Whether Pi starts.
    pub starts: Starts,
    /// What keeps it from starting, in the order in which Pi says it.
    pub fatal: Vec<Fatal>,
    /// Every extension: the loaded ones in list order, then the others.
    pub order: Vec<LoadedExtension>,
    /// Every claimed name, contested or not.
    pub contests: Vec<Contest>,
    /// What Pi itself warns about and goes on.
    pub warnings: Vec<PiWarning>,
    /// What went wrong while reading.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that spans point into.
    pub sources: Arc<SourceMap>,
    /// What was read and parsed, for [`crate::inspect_again`].
    pub library: Arc<Library>,
    /// How long the stages took.
    pub timings: Vec<Timing>,
    /// The files with skills, prompt templates and themes that Pi reads, in its order.
    pub resources: Vec<ResourceFile>,
    /// What to change so that somebody else holds a name, or so that Pi starts; looked for only when that is asked about.
    pub cures: Vec<Cures>,
}

/// What helps against one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cures {
    /// Against what.
    pub ailment: Ailment,
    /// What helps, best first.
    pub cures: Vec<Cure>,
}

/// The contests in which a registration takes part.
pub fn contest_kind(kind: Kind) -> Option<ContestKind> {
    Some(match kind {
        Kind::Tool => ContestKind::Tool,
        Kind::Command => ContestKind::Command,
        Kind::Flag => ContestKind::Flag,
        Kind::Shortcut => ContestKind::Shortcut,
        Kind::MessageRenderer => ContestKind::MessageRenderer,
        Kind::EntryRenderer => ContestKind::EntryRenderer,
        Kind::Provider => ContestKind::Provider,
        _ => return None,
    })
}

impl Report {
    /// A path as a service sees it that shows findings in a checkout: from the workspace, else from the project.
    pub fn in_checkout<'p>(&self, path: &'p Utf8Path) -> Option<&'p Utf8Path> {
        let workspace = self.workspace.as_ref().and_then(|it| path.strip_prefix(it).ok());
        workspace.or_else(|| path.strip_prefix(&self.cwd).ok())
    }

    /// The contests of one kind.
    pub fn contests_of(&self, kind: ContestKind) -> impl Iterator<Item = &Contest> {
        self.contests.iter().filter(move |it| it.kind == kind)
    }

    /// The names of one kind that an extension registers while loading. What inline code registers stands in no file: its claims
    /// are found among the contests.
    pub fn names(&self, it: &LoadedExtension, kind: Kind) -> Vec<Arc<str>> {
        let (EntryKind::Inline, Some(contest)) = (it.entry.kind, contest_kind(kind)) else {
            return it.names(kind);
        };
        let claimed = self.contests_of(contest).filter(|contest| {
            claims(contest)
                .any(|claim| claim.layer == Layer::Inline && *claim.path == *it.entry.path.as_str())
        });
        let mut names: Vec<Arc<str>> = claimed.map(|contest| Arc::clone(&contest.name)).collect();
        names.dedup();
        names
    }

    /// How many contests there are of a name: commands have one for each invocation.
    pub fn contests_named(&self, kind: ContestKind, name: &str) -> usize {
        self.contests_of(kind).filter(|it| *it.name == *name).count()
    }

    /// The extensions that load, in list order.
    pub fn loaded(&self) -> impl Iterator<Item = &LoadedExtension> {
        self.order.iter().filter(|it| it.status == LoadStatus::Loaded)
    }

    /// The extension of an id.
    pub fn by_id(&self, id: ExtensionId) -> Option<&LoadedExtension> {
        self.order.iter().find(|it| it.entry.id == id)
    }

    /// Where an extension stands in the list order of this report, from 0.
    pub fn position(&self, id: ExtensionId) -> Option<u32> {
        self.order.iter().position(|it| it.entry.id == id).and_then(|it| u32::try_from(it).ok())
    }

    /// The extension that Pi names by `path`.
    pub fn extension(&self, path: &str) -> Option<&LoadedExtension> {
        self.order.iter().find(|it| it.entry.path == path)
    }
}
