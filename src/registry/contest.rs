//! The answer for one name.

use std::sync::Arc;

use crate::install::ExtensionId;
use crate::location::Span;
use crate::rule::RuleId;
use crate::source::{Certainty, Fact, Known, Phase, Reason};

/// The kinds of names, in the order in which reports list them.
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
#[allow(missing_docs, reason = "the names say it")]
pub enum ContestKind {
    Tool,
    Command,
    Flag,
    Shortcut,
    MessageRenderer,
    EntryRenderer,
    Provider,
    ProviderField,
    Model,
    Skill,
    Prompt,
    Theme,
}

/// Which layer a claim comes from.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
#[non_exhaustive]
pub enum Layer {
    /// Pi's own.
    #[serde(rename = "builtin")]
    Builtin,
    /// `models-store.json`.
    #[serde(rename = "models-store")]
    ModelsStore,
    /// `auth.json`.
    #[serde(rename = "auth")]
    Auth,
    /// An environment variable.
    #[serde(rename = "env")]
    Env,
    /// `models.json`.
    #[serde(rename = "models.json")]
    ModelsJson,
    /// `modelOverrides` of `models.json`.
    #[serde(rename = "modelOverrides")]
    ModelOverrides,
    /// An extension.
    #[serde(rename = "extension")]
    Extension,
    /// An extension that the `pi` command brings itself.
    #[serde(rename = "inline")]
    Inline,
    /// A tool that an SDK host passes in.
    #[serde(rename = "sdk")]
    Sdk,
    /// A file of the user: skill, prompt, theme.
    #[serde(rename = "user")]
    User,
    /// Pi fills it in.
    #[serde(rename = "default")]
    Default,
}

/// Somebody's claim on a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Path as Pi names the owner: an extension's path, `<builtin:read>`, `<sdk:x>`, `<inline:llama.cpp>`, a file.
    pub path: Arc<str>,
    /// Its layer.
    pub layer: Layer,
    /// The extension, if it is one.
    pub extension: Option<ExtensionId>,
    /// The call or line that claims.
    pub at: Option<Span>,
    /// The expression that the name was written as.
    pub name_at: Option<Span>,
    /// The calls that lead from the factory to `at`.
    pub trail: Vec<Span>,
    /// When.
    pub phase: Phase,
    /// How sure.
    pub certainty: Certainty,
    /// Facts of this machine behind the certainty.
    pub rests_on: Vec<Fact>,
    /// The value, for provider and model fields. Secrets are already reduced to whether and how they are set.
    pub value: Option<Known>,
}

impl Claim {
    /// A claim of Pi itself.
    pub(super) fn of_pi(path: impl Into<Arc<str>>) -> Self {
        Self {
            path: path.into(),
            layer: Layer::Builtin,
            extension: None,
            at: None,
            name_at: None,
            trail: Vec::new(),
            phase: Phase::Factory,
            certainty: Certainty::Certain,
            rests_on: Vec::new(),
            value: None,
        }
    }
}

/// What became of a claim that does not hold the name.
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
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Outcome {
    /// Loaded, but another holds the name.
    Shadowed,
    /// A built-in whose name an extension took.
    Overridden,
    /// Contributes to a composed value.
    Merged,
    /// Its value was overwritten whole.
    Replaced,
    /// Makes Pi exit.
    Refused,
    /// Pi ignores it with a warning.
    Skipped,
    /// Not registered yet: that happens in a command, a tool, an event or a callback, perhaps never.
    Pending,
}

/// A claim that does not hold the name.
#[derive(Debug, Clone, PartialEq)]
pub struct Loser {
    /// The claim.
    pub claim: Claim,
    /// What became of it.
    pub outcome: Outcome,
}

/// How bad a contest is. Not how sure it is.
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
#[serde(rename_all = "lowercase")]
pub enum Impact {
    /// Nothing lost.
    None,
    /// Worth knowing.
    Note,
    /// Something does not work as its author meant.
    Warning,
    /// Pi does not start.
    Fatal,
}

/// What is wrong with a contest: the closed list that policies and baselines speak of.
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
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
#[allow(missing_docs, reason = "each has its sentence in `Finding::sentence`")]
pub enum Finding {
    ToolConflict,
    FlagConflict,
    LoadFailure,
    BuiltinOverridden,
    CommandRenamed,
    CommandHidden,
    ShortcutTaken,
    ShortcutSkipped,
    RendererShadowed,
    LateTakesName,
    SdkTakesName,
    ToolNotAllowed,
    ShortcutDead,
    ProviderFieldReplaced,
    ProviderMerged,
    NativeReplaced,
    ProviderRefused,
    ModelsReplaced,
    ResourceShadowed,
    PromptHidden,
    RegisteredTwice,
    LoadedTwice,
    DisabledShadows,
    FileIgnored,
    NotInstalled,
    Unresolved,
    StaleBaseline,
}

impl Finding {
    /// Every finding, in the order in which lists show them.
    pub const ALL: [Self; 27] = [
        Self::ToolConflict,
        Self::FlagConflict,
        Self::LoadFailure,
        Self::ProviderRefused,
        Self::BuiltinOverridden,
        Self::SdkTakesName,
        Self::LateTakesName,
        Self::ToolNotAllowed,
        Self::CommandRenamed,
        Self::CommandHidden,
        Self::ShortcutTaken,
        Self::ShortcutSkipped,
        Self::ShortcutDead,
        Self::RendererShadowed,
        Self::ProviderFieldReplaced,
        Self::ProviderMerged,
        Self::NativeReplaced,
        Self::ModelsReplaced,
        Self::ResourceShadowed,
        Self::PromptHidden,
        Self::RegisteredTwice,
        Self::LoadedTwice,
        Self::DisabledShadows,
        Self::FileIgnored,
        Self::NotInstalled,
        Self::Unresolved,
        Self::StaleBaseline,
    ];

    /// The code that outputs and policies use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ToolConflict => "tool-conflict",
            Self::FlagConflict => "flag-conflict",
            Self::LoadFailure => "load-failure",
            Self::BuiltinOverridden => "builtin-overridden",
            Self::CommandRenamed => "command-renamed",
            Self::CommandHidden => "command-hidden",
            Self::ShortcutTaken => "shortcut-taken",
            Self::ShortcutSkipped => "shortcut-skipped",
            Self::ShortcutDead => "shortcut-dead",
            Self::RendererShadowed => "renderer-shadowed",
            Self::LateTakesName => "late-takes-name",
            Self::SdkTakesName => "sdk-takes-name",
            Self::ToolNotAllowed => "tool-not-allowed",
            Self::ProviderFieldReplaced => "provider-field-replaced",
            Self::ProviderMerged => "provider-merged",
            Self::NativeReplaced => "native-replaced",
            Self::ProviderRefused => "provider-refused",
            Self::ModelsReplaced => "models-replaced",
            Self::ResourceShadowed => "resource-shadowed",
            Self::PromptHidden => "prompt-hidden",
            Self::RegisteredTwice => "registered-twice",
            Self::LoadedTwice => "loaded-twice",
            Self::DisabledShadows => "disabled-shadows",
            Self::FileIgnored => "file-ignored",
            Self::NotInstalled => "not-installed",
            Self::Unresolved => "unresolved",
            Self::StaleBaseline => "stale-baseline",
        }
    }

    /// Whether it is a clash of extensions that keeps Pi from starting.
    pub fn is_conflict(self) -> bool {
        matches!(self, Self::ToolConflict | Self::FlagConflict)
    }

    /// What it means, in one sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::ToolConflict => "Two extensions register one tool, and Pi does not start.",
            Self::FlagConflict => "Two extensions register one flag, and Pi does not start.",
            Self::LoadFailure => "An extension does not load, and Pi does not start.",
            Self::BuiltinOverridden => {
                "A tool, a provider or a field of one, or a theme takes the place of what Pi ships."
            }
            Self::CommandRenamed => "A command is not reached by the name that its author gave it.",
            Self::CommandHidden => "A built-in slash command answers before the extension's command.",
            Self::ShortcutTaken => "A shortcut takes a key from another extension or from a built-in action.",
            Self::ShortcutSkipped => "Pi ignores a shortcut, because its key is reserved.",
            Self::ShortcutDead => "No key press can ever match a shortcut as it is spelled.",
            Self::RendererShadowed => {
                "A renderer is not used, because an earlier extension has one of that type."
            }
            Self::LateTakesName => "An extension that registers late takes a name, and nobody is told.",
            Self::SdkTakesName => "A tool of the SDK host takes a name from an extension or a built-in tool.",
            Self::ToolNotAllowed => "The options of the command line keep a tool out.",
            Self::ProviderFieldReplaced => {
                "A field of a provider that somebody set counts no more, because a later layer sets it too."
            }
            Self::ProviderMerged => "Several extensions register one provider, and their fields are merged.",
            Self::NativeReplaced => {
                "A registration of a provider is gone whole: a native one, a later one or an unregistration put it out."
            }
            Self::ProviderRefused => {
                "Pi refuses a provider registration, or drops what was set on the provider."
            }
            Self::ModelsReplaced => {
                "Models that somebody configured are not there, because an extension brings its own list."
            }
            Self::ResourceShadowed => {
                "Two files claim one name of a skill, prompt template or theme: the later one is not used."
            }
            Self::PromptHidden => "A command of its name answers before the prompt template.",
            Self::RegisteredTwice => {
                "One extension registers a name more than once; only its last registration counts."
            }
            Self::LoadedTwice => {
                "One file or package is loaded more than once, so its names clash with themselves."
            }
            Self::DisabledShadows => {
                "An entry that is switched off stands first, so a later entry of the same file does not bring it back."
            }
            Self::FileIgnored => "Pi cannot use a file, or a part of it, and goes on without.",
            Self::NotInstalled => {
                "Something that the settings name is not there, so nothing is known of what it brings."
            }
            Self::Unresolved => "A registration cannot be understood without running the code.",
            Self::StaleBaseline => "The baseline knows a finding that is not there any more.",
        }
    }
}

/// What keeps a winner from being reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenBy {
    /// The built-in command or action, in Pi's words.
    pub what: String,
    /// Always, or only when no arguments follow.
    pub when: HiddenWhen,
}

/// When a name is hidden.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
pub enum HiddenWhen {
    /// However it is typed.
    #[serde(rename = "always")]
    Always,
    /// `/name` is the built-in, `/name something` is not.
    #[serde(rename = "without arguments")]
    WithoutArguments,
}

/// The answer once unconditional events such as `session_start` have happened.
#[derive(Debug, Clone, PartialEq)]
pub struct InSession {
    /// Who holds the name then.
    pub winner: Option<Claim>,
    /// The command's invocation then.
    pub invocation: Option<Arc<str>>,
    /// Tools: whether the model is given it then.
    pub active: Option<bool>,
}

/// An unresolved registration that could be of this name.
#[derive(Debug, Clone, PartialEq)]
pub struct MayAlsoClaim {
    /// Whose.
    pub path: Arc<str>,
    /// Where.
    pub at: Span,
    /// Why it is not known.
    pub reason: Reason,
}

/// A name of one kind that somebody claims.
#[derive(Debug, Clone, PartialEq)]
pub struct Contest {
    /// Kind of name.
    pub kind: ContestKind,
    /// The name; for fields the provider id or provider/model id.
    pub name: Arc<str>,
    /// Commands: what the user types, without the slash. One contest per invocation.
    pub invocation: Option<Arc<str>>,
    /// Provider and model fields.
    pub field: Option<Arc<str>>,
    /// Tools: whether the model is given it at start.
    pub active: Option<bool>,
    /// Flags: `boolean` or `string`.
    pub flag_type: Option<Known>,
    /// Flags: the value, that of the command line if there is one.
    pub flag_value: Option<Known>,
    /// Who holds it once extensions have loaded, before any event.
    pub winner: Option<Claim>,
    /// Present when an unconditional event changes the answer.
    pub in_session: Option<InSession>,
    /// What keeps the winner from being reached.
    pub hidden_by: Option<HiddenBy>,
    /// The others, in the order of precedence.
    pub losers: Vec<Loser>,
    /// Unresolved registrations of this kind.
    pub may_also_claim: Vec<MayAlsoClaim>,
    /// What Pi itself says of it, without stopping, where nothing else says it: why the layers of a provider were dropped.
    pub message: Option<String>,
    /// How the winner was found.
    pub rule: RuleId,
    /// What is wrong with it.
    pub finding: Option<Finding>,
    /// How bad that is.
    pub impact: Impact,
}

impl Contest {
    /// Who holds the name in a running session; `None` also where a late registration leaves it to nobody.
    pub fn holder(&self) -> Option<&Claim> {
        self.in_session.as_ref().map_or(&self.winner, |then| &then.winner).as_ref()
    }

    /// A contest without claims.
    pub(super) fn new(kind: ContestKind, name: impl Into<Arc<str>>, rule: RuleId) -> Self {
        Self {
            kind,
            name: name.into(),
            invocation: None,
            field: None,
            active: None,
            flag_type: None,
            flag_value: None,
            winner: None,
            in_session: None,
            hidden_by: None,
            losers: Vec::new(),
            may_also_claim: Vec::new(),
            message: None,
            rule,
            finding: None,
            impact: Impact::None,
        }
    }

    /// Whether it is about a name, and not about a field of a provider or model.
    pub fn is_of_name(&self) -> bool {
        self.field.is_none() && self.kind != ContestKind::Model
    }

    /// Says what is wrong with it, if nothing worse is known.
    pub(super) fn find(&mut self, finding: Finding, impact: Impact) {
        if impact > self.impact || self.finding.is_none() {
            self.finding = Some(finding);
            self.impact = impact;
        }
    }
}
