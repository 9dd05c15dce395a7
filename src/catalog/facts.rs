//! The small facts of one version as they stand in `facts.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::environment::{Environment, Platform};

/// A built-in tool.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Whether a new session gives it to the model.
    pub active: bool,
}

/// A slash command that the interactive mode answers itself (rules, section 4).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SlashCommand {
    /// The name without the slash.
    pub name: String,
    /// Whether `/name something` is it, too; otherwise only `/name` alone.
    pub arguments: bool,
    /// Whether Pi lists it; three are secret.
    pub listed: bool,
}

/// The platforms by which default keys differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyPlatform {
    /// Linux and everything else.
    Linux,
    /// Linux inside Windows.
    Wsl,
    /// Windows.
    Windows,
    /// macOS.
    Darwin,
}

impl KeyPlatform {
    /// The platform that Pi sees in an environment.
    pub fn of(environment: &Environment) -> Self {
        match environment.platform {
            Platform::Windows => Self::Windows,
            Platform::Darwin => Self::Darwin,
            Platform::Linux => {
                let set = |name| environment.variable(name).is_some_and(|value| !value.is_empty());
                if set("WSL_DISTRO_NAME") || set("WSL_INTEROP") { Self::Wsl } else { Self::Linux }
            }
        }
    }

    fn key(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Wsl => "wsl",
            Self::Windows => "win32",
            Self::Darwin => "darwin",
        }
    }
}

/// An action and its default keys.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Keybinding {
    /// The action, such as `app.model.select`.
    pub action: String,
    keys: Vec<String>,
    #[serde(default)]
    on: BTreeMap<String, Vec<String>>,
}

impl Keybinding {
    /// Its default keys on a platform.
    pub fn keys_on(&self, platform: KeyPlatform) -> &[String] {
        self.on.get(platform.key()).unwrap_or(&self.keys)
    }
}

/// A command line option that Pi reads itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CliOption {
    /// With its dashes.
    pub name: String,
    /// Whether it takes the next argument.
    pub value: bool,
}

/// A provider that an inline extension registers natively.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NativeProviderFacts {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Where it is reached.
    pub base_url: Option<String>,
    /// How one logs in: `apiKey`, `oauth`.
    pub auth: Vec<String>,
    /// How many models it has before it asks the network.
    pub models: usize,
}

/// An extension that the `pi` command brings itself, with the names that it registers while loading.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each list is named after its kind")]
pub struct InlineExtension {
    /// As Pi names it: `<inline:llama.cpp>`.
    pub path: String,
    pub tools: Vec<String>,
    pub commands: Vec<String>,
    pub flags: Vec<String>,
    pub shortcuts: Vec<String>,
    pub message_renderers: Vec<String>,
    pub entry_renderers: Vec<String>,
    pub events: Vec<String>,
    pub config_providers: Vec<String>,
    pub native_providers: Vec<NativeProviderFacts>,
}

/// What themes there are and what one has to have (rules, section 11).
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Themes {
    /// The names of Pi's own.
    pub builtin: Vec<String>,
    /// Color tokens without which a theme is refused.
    pub required_colors: Vec<String>,
    /// Color tokens that it may leave out.
    pub optional_colors: Vec<String>,
}

#[derive(Debug, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Facts {
    #[cfg_attr(not(test), expect(dead_code, reason = "says which package the file was made from"))]
    pub(super) version: String,
    pub(super) tools: Vec<Tool>,
    pub(super) slash_commands: Vec<SlashCommand>,
    pub(super) keybindings: Vec<Keybinding>,
    pub(super) reserved_actions: Vec<String>,
    pub(super) legacy_keybindings: BTreeMap<String, String>,
    pub(super) cli_options: Vec<CliOption>,
    pub(super) inline_extensions: Vec<InlineExtension>,
    pub(super) trust_requiring: Vec<String>,
    pub(super) host_packages: Vec<String>,
    pub(super) themes: Themes,
    pub(super) model_data_generated_at: f64,
}

impl Facts {
    /// The embedded text was written by the extractor and is decoded by a test, so a failure cannot reach a user.
    pub(super) fn decode(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }
}
