//! What [`plan`](super::plan) hands on.

use camino::Utf8PathBuf;

use super::load_order::{LoadOrder, Status, Step};
use super::source_info::SourceInfo;
use crate::diagnostic::Diagnostic;
use crate::location::Span;
use crate::rule::RuleId;

/// Everything that can be said about an installation without looking at code.
#[derive(Debug, Clone)]
pub struct Installation {
    /// Where Pi runs: absolute, links resolved.
    pub cwd: Utf8PathBuf,
    /// The agent directory, absolute.
    pub agent_dir: Utf8PathBuf,
    /// `cwd/.pi`.
    pub project_dir: Utf8PathBuf,
    /// The verdict on the project's trust, as far as files and flags tell.
    pub trust: Trust,
    /// What is loaded if the project is trusted.
    pub trusted: Plan,
    /// What is loaded if it is not. In a two-pass run its planned entries are also what runs before the
    /// question of trust is settled, so its `project_trust` handlers have a say.
    pub untrusted: Plan,
    /// Folders that Pi renames when it starts, before it reads anything (rules, section 12, point 4). Give them to
    /// [`MigratedFiles`](super::MigratedFiles) to read files as Pi sees them.
    pub renames: Vec<Rename>,
    /// What went wrong while reading, whatever the verdict on trust; each plan has its own besides.
    pub diagnostics: Vec<Diagnostic>,
}

impl Installation {
    /// The plan for the verdict of [`Installation::trust`].
    pub fn plan(&self) -> &Plan {
        self.plan_if(self.trust.trusted)
    }

    /// The plan for either verdict.
    pub fn plan_if(&self, trusted: bool) -> &Plan {
        if trusted { &self.trusted } else { &self.untrusted }
    }
}

/// A folder that Pi moves at its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// Where it is.
    pub from: Utf8PathBuf,
    /// Where Pi puts it.
    pub to: Utf8PathBuf,
}

/// What is loaded under one verdict on trust.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The extensions.
    pub order: LoadOrder,
    /// Skill files and directories: first the planned ones in the order in which Pi reads them, then the others.
    pub skills: Vec<Resource>,
    /// Prompt template files and directories, likewise.
    pub prompts: Vec<Resource>,
    /// Theme files and directories, likewise.
    pub themes: Vec<Resource>,
    /// What keeps Pi from starting, found before any code is looked at.
    pub fatal: Vec<Fatal>,
    /// What is worth telling about this plan alone.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file or directory that brings skills, prompts or themes.
#[derive(Debug, Clone)]
pub struct Resource {
    /// The path as Pi names it. A directory only when it comes from `--skill`, `--prompt-template` or `--theme`.
    pub path: Utf8PathBuf,
    /// Where it comes from.
    pub source_info: SourceInfo,
    /// Planned or why not.
    pub status: Status,
    /// In words for people.
    pub reason: String,
    /// The rule behind `reason`.
    pub rule: RuleId,
    /// The line that decided.
    pub at: Option<Span>,
    /// How it got here.
    pub trail: Vec<Step>,
}

/// Something that makes Pi exit before a session starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fatal {
    /// The path that Pi names in its message: `Failed to load extension "PATH": MESSAGE`. `None` when Pi crashes
    /// instead of reporting.
    pub path: Option<Utf8PathBuf>,
    /// Pi's text after the prefix; for a crash the text of the uncaught error.
    pub message: String,
    /// In words for people.
    pub explanation: String,
    /// The line that is to blame.
    pub at: Option<Span>,
    /// The rule behind it.
    pub rule: RuleId,
}

/// Whether the project is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    /// The verdict from flags and files.
    pub trusted: bool,
    /// What it comes from.
    pub from: TrustSource,
    /// The line of trust.json or of the user settings that says so.
    pub at: Option<Span>,
    /// Whether Pi first asks the `project_trust` handlers of the extensions of [`Installation::untrusted`], whose answer
    /// beats everything but a flag. The same condition makes Pi load in two passes: execution order then differs
    /// from list order (rules, section 1.4).
    pub asks_extensions: bool,
}

/// Where a verdict on trust comes from.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum TrustSource {
    /// `--approve` or `--no-approve`.
    Flag,
    /// trust.json.
    Saved,
    /// `defaultProjectTrust` of the user settings.
    Default,
    /// Nothing in the project needs trust.
    NotNeeded,
    /// Pi would have to ask; taken as a yes.
    Assumed,
}
