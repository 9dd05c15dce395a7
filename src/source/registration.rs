//! What the evaluator finds: calls that claim names.

use std::sync::Arc;

use super::known::{Known, Reason};
use crate::install::ExtensionId;
use crate::location::Span;

/// Which method of `pi` was called, or which other act counts as one.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Kind {
    /// `registerTool(definition)`; payload: the definition.
    Tool,
    /// `registerCommand(name, options)`; payload: the options.
    Command,
    /// `registerFlag(name, options)`; payload: the options.
    Flag,
    /// `registerShortcut(key, options)`; payload: the options.
    Shortcut,
    /// `registerMessageRenderer(customType, renderer)`; payload: the renderer.
    MessageRenderer,
    /// `registerEntryRenderer(customType, renderer)`; payload: the renderer.
    EntryRenderer,
    /// `registerProvider(name, config)`; payload: the config.
    Provider,
    /// `registerProvider(provider)`; the name is `provider.id`, payload: the provider, with the `models` that its
    /// `getModels` gives.
    NativeProvider,
    /// `unregisterProvider(name)`.
    UnregisterProvider,
    /// `on(event, handler)`; the name is the event. Payload: [`Known::Function`], or what a
    /// `project_trust` or `resources_discover` handler returns when that is known.
    Event,
    /// The paths that a `resources_discover` handler returns, where they cannot be known: skills, prompt templates or
    /// themes. Always unresolved.
    Resources,
    /// `pi` went into code that cannot be followed: anything may be registered there.
    Anything,
}

/// When a registration happens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// While the factory runs (awaited parts included).
    Factory,
    /// In a handler of this event of `pi.on`.
    Event(Arc<str>),
    /// In the handler of this command.
    Command(Arc<str>),
    /// In the handler of this shortcut.
    Shortcut(Arc<str>),
    /// While this tool executes.
    Tool(Arc<str>),
    /// In a timer, an unawaited promise or another callback whose time is not known.
    Later,
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Factory => f.write_str("factory"),
            Self::Event(name) => write!(f, "event:{name}"),
            Self::Command(name) => write!(f, "command:{name}"),
            Self::Shortcut(key) => write!(f, "shortcut:{key}"),
            Self::Tool(name) => write!(f, "tool:{name}"),
            Self::Later => f.write_str("later"),
        }
    }
}

/// A condition as the source writes it, and the way in which it has to go.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Condition {
    /// The expression as written, cut to a readable length.
    pub text: Arc<str>,
    /// Where it stands.
    pub at: Span,
    /// Whether it has to be true or false.
    pub holds: bool,
    /// Why it cannot be decided.
    pub reason: Reason,
}

/// How sure a claim is. Apart from how bad it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certainty {
    /// Happens in every load of these files in this environment.
    Certain,
    /// Happens if all of these hold.
    Conditional(Vec<Condition>),
    /// Something registers, but what cannot be known; conditions may come on top.
    Unresolved(Reason, Vec<Condition>),
}

impl Certainty {
    /// Whether nothing has to hold.
    pub fn is_certain(&self) -> bool {
        matches!(self, Self::Certain)
    }

    /// What has to hold, outermost first.
    pub fn conditions(&self) -> &[Condition] {
        match self {
            Self::Certain => &[],
            Self::Conditional(conditions) | Self::Unresolved(_, conditions) => conditions,
        }
    }

    /// What has to hold, as the source writes it; `None` when nothing has to.
    pub fn condition_text(&self) -> Option<String> {
        let texts: Vec<String> = self.conditions().iter().map(ToString::to_string).collect();
        (!texts.is_empty()).then(|| texts.join(" && "))
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.holds { f.write_str(&self.text) } else { write!(f, "!({})", self.text) }
    }
}

/// A fact of this machine that an answer rests on, in words for people: `env WEB_TOOLS is unset`. Never holds a value
/// of an environment variable or of a file that could be a secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact(pub Arc<str>);

/// One call that claims a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Registration {
    /// Which method.
    pub kind: Kind,
    /// The name at the time of the call; `None` exactly when the certainty is [`Certainty::Unresolved`]. A tool
    /// without a name registers as `undefined`, as in Pi 0.83.
    pub name: Option<Arc<str>>,
    /// The call expression.
    pub call: Span,
    /// The expression that the name was written as, where it was first a known string.
    pub name_at: Option<Span>,
    /// The calls that lead from the factory to `call`, outermost first.
    pub trail: Vec<Span>,
    /// When it happens.
    pub phase: Phase,
    /// How sure it is.
    pub certainty: Certainty,
    /// The facts that its certainty rests on.
    pub rests_on: Vec<Fact>,
    /// The second argument, or for tools and native providers the first, as it stands when the extension has
    /// loaded (Pi keeps references: later changes count).
    pub payload: Known,
}

/// Why an extension does not load.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Pi's text after `Failed to load extension "P": `, as near as it can be known.
    pub message: String,
    /// In words for people, with what to do where that is known.
    pub explanation: String,
    /// Where.
    pub at: Option<Span>,
    /// Certain, or only under a condition.
    pub certainty: Certainty,
}

/// All that evaluating one extension brought to light.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// Which extension.
    pub extension: ExtensionId,
    /// `Some` when Pi does not get through loading it. What it registered before is still in `registrations`: a part of it
    /// survives (rules, section 1.5).
    pub failure: Option<Failure>,
    /// Every registration in the order in which it happens: the factory's first, then those of later phases.
    pub registrations: Vec<Registration>,
}
