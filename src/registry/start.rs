//! Whether the `pi` command starts a session, and if not, what it prints.

use std::sync::Arc;

use crate::install::ExtensionId;
use crate::location::Span;
use crate::rule::RuleId;
use crate::source::Certainty;

use super::contest::ContestKind;

/// Whether Pi starts a session with these files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Starts {
    /// It does.
    Yes,
    /// It prints what is fatal and exits with status 1.
    No,
    /// That depends on something conditional.
    Unknown,
}

/// One thing that keeps Pi from starting.
#[derive(Debug, Clone, PartialEq)]
pub struct Fatal {
    /// The kind of the name that it is about; `None` for a load failure.
    pub kind: Option<ContestKind>,
    /// The name that it is about.
    pub name: Option<Arc<str>>,
    /// The path that Pi blames; `None` when Pi crashes instead of reporting, or blames an option.
    pub path: Option<Arc<str>>,
    /// The extension behind the path.
    pub extension: Option<ExtensionId>,
    /// Pi's text, after `Failed to load extension "PATH": ` or `Extension "PATH" error: ` if there is a path.
    pub message: String,
    /// In words for people, when there is more to say than the message.
    pub explanation: Option<String>,
    /// The call or line that is to blame.
    pub at: Option<Span>,
    /// How sure it is.
    pub certainty: Certainty,
    /// The rule behind it.
    pub rule: RuleId,
}

/// A warning that Pi itself prints and goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct PiWarning {
    /// The kind of the name.
    pub kind: ContestKind,
    /// The name.
    pub name: Arc<str>,
    /// Whom it blames.
    pub extension: ExtensionId,
    /// Pi's text.
    pub message: String,
    /// The registration.
    pub at: Option<Span>,
    /// How sure it is.
    pub certainty: Certainty,
}
