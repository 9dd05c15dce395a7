//! Schema `pi-why/1`: what programs may rely on. Keys may be added; none is renamed or dropped.

mod check;
mod contest;
mod cure;
mod order;

use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::Serialize;

pub use check::Check;
pub use contest::{Claim, Contest, HiddenBy, InSession, Loser, MayAlsoClaim};
pub use cure::{Change, Cure, Difference, DifferenceWord};
pub use order::{Extension, Unresolved};

use crate::diagnostic::{Code, Severity};
use crate::location::{Location, SourceMap, Span};
use crate::registry::{self, ContestKind, Starts};
use crate::report::{self, TrustFrom, VersionFrom};
use crate::source;

/// The name of this schema.
const SCHEMA: &str = "pi-why/1";

/// The answer for one installation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "pi-why report")]
pub struct Report {
    /// Always `pi-why/1`.
    pub schema: &'static str,
    /// The Pi whose rules were followed.
    pub pi: Pi,
    /// The working directory.
    #[schemars(with = "String")]
    pub cwd: Utf8PathBuf,
    /// The agent directory.
    #[schemars(with = "String")]
    pub agent_dir: Utf8PathBuf,
    /// The home directory.
    #[schemars(with = "String")]
    pub home: Utf8PathBuf,
    /// Whether the project is trusted.
    pub trust: Trust,
    /// Whether the `pi` command would start a session with these files.
    pub starts: Starts,
    /// Why it does not.
    pub fatal: Vec<Fatal>,
    /// The loaded extensions in list order, then the others.
    pub order: Vec<Extension>,
    /// Every claimed name of every kind, contested or not.
    pub contests: Vec<Contest>,
    /// What Pi itself warns about and goes on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// What went wrong while reading.
    pub diagnostics: Vec<Diagnostic>,
    /// What helps, where the question is about a name or an extension.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cures: Vec<Cure>,
    /// The result of `pi-why check`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
}

/// The Pi whose rules were followed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Pi {
    /// Such as `0.83.0`.
    pub version: String,
    /// Who said so.
    pub from: VersionFrom,
}

/// Whether the project is trusted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Trust {
    /// The decision.
    pub trusted: bool,
    /// Who decided; `assumed` when Pi would have to ask.
    pub from: TrustFrom,
}

/// An error with which Pi refuses to start.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Fatal {
    /// Kind of name, or `extension` for a load failure.
    pub kind: FatalKind,
    /// The name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The extension that Pi blames.
    pub path: String,
    /// How sure it is.
    pub certainty: CertaintyWord,
    /// The condition as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Pi's text after `Failed to load extension "P": ` or `Extension "P" error: `.
    pub message: String,
    /// The same in plain words, when there is more to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// The call or line that is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Location>,
    /// The rule behind it.
    pub rule: &'static str,
}

/// A warning of Pi itself.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Warning {
    /// Kind of name.
    pub kind: ContestKind,
    /// The name.
    pub name: String,
    /// The extension that Pi blames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How sure it is.
    pub certainty: CertaintyWord,
    /// Pi's text.
    pub message: String,
    /// The registration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Location>,
}

/// What an error is about.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FatalKind {
    /// A name of this kind.
    Name(ContestKind),
    /// An extension as a whole.
    Extension(ExtensionWord),
}

/// The word `extension`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExtensionWord {
    /// An extension does not load.
    Extension,
}

/// How sure a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CertaintyWord {
    /// Happens in every load of these files in this environment.
    Certain,
    /// Happens if `condition` holds.
    Conditional,
    /// Something registers; its name is not known.
    Unresolved,
}

impl From<&source::Certainty> for CertaintyWord {
    fn from(it: &source::Certainty) -> Self {
        match it {
            source::Certainty::Certain => Self::Certain,
            source::Certainty::Conditional(_) => Self::Conditional,
            source::Certainty::Unresolved(..) => Self::Unresolved,
        }
    }
}

/// One thing to tell.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// Which kind.
    pub code: Code,
    /// What happened.
    pub message: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Location>,
}

impl Report {
    /// The report, with the contests that are asked about.
    pub fn from(it: &report::Report, is_asked: &dyn Fn(&registry::Contest) -> bool) -> Self {
        let places = Places(&it.sources);
        Self {
            schema: SCHEMA,
            pi: Pi { version: it.pi.version.clone(), from: it.pi.from },
            cwd: it.cwd.clone(),
            agent_dir: it.agent_dir.clone(),
            home: it.home.clone(),
            trust: Trust { trusted: it.trust.trusted, from: it.trust.from },
            starts: it.starts,
            fatal: it.fatal.iter().filter_map(|fatal| Fatal::new(fatal, places)).collect(),
            order: it.order.iter().map(|extension| Extension::new(extension, it)).collect(),
            contests: it
                .contests
                .iter()
                .filter(|contest| is_asked(contest))
                .map(|contest| Contest::new(contest, it))
                .collect(),
            warnings: it
                .warnings
                .iter()
                .map(|warning| Warning {
                    kind: warning.kind,
                    name: warning.name.to_string(),
                    path: it.by_id(warning.extension).map(|it| it.entry.path.to_string()),
                    certainty: (&warning.certainty).into(),
                    message: warning.message.clone(),
                    at: places.of(warning.at),
                })
                .collect(),
            diagnostics: exits(it, places)
                .chain(it.diagnostics.iter().map(|it| Diagnostic {
                    severity: it.severity,
                    code: it.code,
                    message: it.message.clone(),
                    help: it.help.clone(),
                    at: places.of(it.at),
                }))
                .collect(),
            cures: Cure::all(it),
            check: None,
        }
    }
}

impl Fatal {
    fn new(it: &registry::Fatal, places: Places<'_>) -> Option<Self> {
        Some(Self {
            kind: it.kind.map_or(FatalKind::Extension(ExtensionWord::Extension), FatalKind::Name),
            name: it.name.as_deref().map(str::to_owned),
            path: it.path.as_deref()?.to_owned(),
            certainty: (&it.certainty).into(),
            condition: it.certainty.condition_text(),
            message: it.message.clone(),
            explanation: it.explanation.clone(),
            at: places.of(it.at),
            rule: it.rule.0,
        })
    }
}

/// What keeps Pi from starting and blames no extension: an option, or a crash. `fatal` is about extensions.
fn exits<'a>(report: &'a report::Report, places: Places<'a>) -> impl Iterator<Item = Diagnostic> + 'a {
    let blameless = report.fatal.iter().filter(|it| it.path.is_none());
    blameless.map(move |it| Diagnostic {
        severity: Severity::Error,
        code: Code::PiExits,
        message: it.message.clone(),
        help: it.explanation.clone(),
        at: places.of(it.at),
    })
}

/// Turns spans into places.
#[derive(Clone, Copy)]
struct Places<'a>(&'a SourceMap);

impl Places<'_> {
    fn of(self, span: Option<Span>) -> Option<Location> {
        span.map(|it| self.0.locate(it))
    }
}
