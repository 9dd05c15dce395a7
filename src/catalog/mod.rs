//! What a given Pi version ships, and the rules by which versions differ.
//!
//! The facts stand as data in `src/catalog/data/VERSION/`, written by `tests/oracle/extract.mjs` from the npm
//! package, and what Node has in `src/catalog/data/node-members.txt`, written by `tests/oracle/node-members.mjs`. A version that is not known is answered with the rules of the newest one that is: see
//! [`PiVersion::nearest`].

mod behaviour;
mod facts;
mod host_exports;
mod node_members;
mod providers;

pub use behaviour::Behaviour;
pub use facts::{
    CliOption, InlineExtension, KeyPlatform, Keybinding, NativeProviderFacts, SlashCommand, Themes, Tool,
};
pub use providers::{BuiltinModel, BuiltinProvider};

pub use host_exports::{Export, Exports, HostExports, HostTool};
pub use node_members::{NodeMember, NodeObject};

use std::sync::OnceLock;

use facts::Facts;

/// A Pi version whose facts and rules are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PiVersion {
    /// 0.83.0.
    V0_83_0,
}

impl PiVersion {
    /// The newest version that is known.
    pub const NEWEST: Self = Self::V0_83_0;

    /// As npm writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V0_83_0 => "0.83.0",
        }
    }

    /// Exactly this version, if it is known.
    pub fn exact(version: &str) -> Option<Self> {
        (version == Self::V0_83_0.as_str()).then_some(Self::V0_83_0)
    }

    /// The known version by whose rules another one is answered: itself if it is known, else the newest.
    pub fn nearest(version: &str) -> Self {
        Self::exact(version).unwrap_or(Self::NEWEST)
    }

    fn providers_text(self) -> &'static str {
        match self {
            Self::V0_83_0 => include_str!("data/0.83.0/providers.jsonl"),
        }
    }

    fn models_schema_text(self) -> &'static str {
        match self {
            Self::V0_83_0 => include_str!("data/0.83.0/models-schema.json"),
        }
    }

    fn facts_text(self) -> &'static str {
        match self {
            Self::V0_83_0 => include_str!("data/0.83.0/facts.json"),
        }
    }

    fn host_exports_text(self) -> &'static str {
        match self {
            Self::V0_83_0 => include_str!("data/0.83.0/host-exports.json"),
        }
    }
}

/// The facts and rules of one version. Cheap to pass around; the data behind it is decoded when first asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Catalog {
    version: PiVersion,
}

impl Catalog {
    /// The catalog of a version.
    pub fn of(version: PiVersion) -> Self {
        Self { version }
    }

    /// Its version.
    pub fn version(self) -> PiVersion {
        self.version
    }

    /// The rules by which versions differ.
    pub fn behaviour(self) -> Behaviour {
        Behaviour::of(self.version)
    }

    /// What the modules that the host serves to extensions export.
    pub fn host_exports(self) -> &'static HostExports {
        static V0_83_0: OnceLock<HostExports> = OnceLock::new();
        let decoded = match self.version {
            PiVersion::V0_83_0 => &V0_83_0,
        };
        decoded.get_or_init(|| serde_json::from_str(self.version.host_exports_text()).unwrap_or_default())
    }

    /// Built-in tools in Pi's order.
    pub fn tools(self) -> &'static [Tool] {
        &self.facts().tools
    }

    /// Slash commands that the interactive mode answers itself, listed or not, in the order in which it asks.
    pub fn slash_commands(self) -> &'static [SlashCommand] {
        &self.facts().slash_commands
    }

    /// The built-in slash command of a name, without the slash.
    pub fn slash_command(self, name: &str) -> Option<&'static SlashCommand> {
        self.slash_commands().iter().find(|it| it.name == name)
    }

    /// Every action that has keys, in the order in which Pi defines them.
    pub fn keybindings(self) -> &'static [Keybinding] {
        &self.facts().keybindings
    }

    /// Whether an action keeps its keys from extensions.
    pub fn is_reserved(self, action: &str) -> bool {
        self.facts().reserved_actions.iter().any(|it| it == action)
    }

    /// The present name of an action that older `keybindings.json` files call otherwise.
    pub fn legacy_keybinding(self, name: &str) -> Option<&'static str> {
        self.facts().legacy_keybindings.get(name).map(String::as_str)
    }

    /// Options that Pi reads itself: they never reach a flag of an extension.
    pub fn cli_options(self) -> &'static [CliOption] {
        &self.facts().cli_options
    }

    /// The extensions that the `pi` command brings itself.
    pub fn inline_extensions(self) -> &'static [InlineExtension] {
        &self.facts().inline_extensions
    }

    /// The inline extension of a path such as `<inline:llama.cpp>`.
    pub fn inline_extension(self, path: &str) -> Option<&'static InlineExtension> {
        self.inline_extensions().iter().find(|it| it.path == path)
    }

    /// The names in `.pi` that make Pi ask whether the project is trusted.
    pub fn trust_requiring(self) -> &'static [String] {
        &self.facts().trust_requiring
    }

    /// The modules that Pi serves to extensions itself, whatever is installed.
    pub fn host_packages(self) -> &'static [String] {
        &self.facts().host_packages
    }

    /// Pi's own themes, and the colors that a theme has to have.
    pub fn themes(self) -> &'static Themes {
        &self.facts().themes
    }

    /// When the built-in model data was made, in milliseconds: older entries of `models-store.json` do not count.
    pub fn model_data_generated_at(self) -> f64 {
        self.facts().model_data_generated_at
    }

    /// The ids of the built-in providers in Pi's order.
    pub fn provider_ids(self) -> impl Iterator<Item = &'static str> {
        self.version.providers_text().lines().filter_map(providers::id_of)
    }

    /// A built-in provider with its models. Decodes that provider alone, each time.
    pub fn provider(self, id: &str) -> Option<BuiltinProvider> {
        let mut lines = self.version.providers_text().lines();
        lines.find(|line| providers::id_of(line) == Some(id)).and_then(providers::decode)
    }

    /// What `models.json` has to look like, as a JSON Schema.
    pub fn models_schema(self) -> &'static serde_json::Value {
        static V0_83_0: OnceLock<serde_json::Value> = OnceLock::new();
        let cell = match self.version {
            PiVersion::V0_83_0 => &V0_83_0,
        };
        cell.get_or_init(|| serde_json::from_str(self.version.models_schema_text()).unwrap_or_default())
    }

    fn facts(self) -> &'static Facts {
        static V0_83_0: OnceLock<Facts> = OnceLock::new();
        let cell = match self.version {
            PiVersion::V0_83_0 => &V0_83_0,
        };
        cell.get_or_init(|| Facts::decode(self.version.facts_text()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog() -> Catalog {
        Catalog::of(PiVersion::V0_83_0)
    }

    #[test]
    fn the_facts_decode_and_hold_what_the_package_ships() {
        let catalog = catalog();
        assert_eq!(catalog.facts().version, "0.83.0");
        let active: Vec<_> = catalog.tools().iter().filter(|it| it.active).map(|it| &*it.name).collect();
        assert_eq!(active, ["read", "bash", "edit", "write"]);
        assert_eq!(catalog.tools().len(), 7);
        assert_eq!(catalog.slash_commands().iter().filter(|it| it.listed).count(), 22);
        assert_eq!(catalog.keybindings().len(), 73);
        assert_eq!(catalog.keybindings().iter().filter(|it| catalog.is_reserved(&it.action)).count(), 18);
        assert_eq!(catalog.facts().legacy_keybindings.len(), 59);
        assert_eq!(catalog.host_packages().len(), 20);
    }

    #[test]
    fn slash_commands_say_how_they_match() {
        let of = |name| catalog().slash_command(name).map(|it| (it.arguments, it.listed));
        assert_eq!(of("model"), Some((true, true)));
        assert_eq!(of("quit"), Some((false, true)));
        assert_eq!(of("arminsayshi"), Some((false, false)));
        assert_eq!(of("dementedelves"), Some((false, false)));
        assert_eq!(of("debug"), Some((false, false)));
        assert_eq!(of("review"), None);
    }

    #[test]
    fn keys_differ_by_platform() {
        let suspend = catalog().keybindings().iter().find(|it| it.action == "app.suspend");
        let keys = |platform| suspend.map(|it| it.keys_on(platform).to_vec());
        assert_eq!(keys(KeyPlatform::Linux), Some(vec!["ctrl+z".to_owned()]));
        assert_eq!(keys(KeyPlatform::Windows), Some(vec![]));
    }

    #[test]
    fn every_provider_decodes_with_all_its_models() {
        let providers: Vec<_> = catalog().provider_ids().filter_map(|id| catalog().provider(id)).collect();
        assert_eq!(providers.len(), 38);
        assert_eq!(providers.iter().map(|it| it.models.len()).sum::<usize>(), 1153);
        let anthropic = providers.iter().find(|it| &*it.id == "anthropic");
        assert_eq!(anthropic.and_then(|it| it.base_url.as_deref()), Some("https://api.anthropic.com"));
        assert_eq!(anthropic.map(|it| it.credentials.len()), Some(3));
        assert!(catalog().provider("Anthropic").is_none());
    }

    #[test]
    fn the_schema_of_models_json_decodes() {
        let required = catalog().models_schema().get("required");
        assert_eq!(required, Some(&serde_json::json!(["providers"])));
    }

    #[test]
    fn an_unknown_version_is_answered_by_the_newest_known_one() {
        assert_eq!(PiVersion::exact("1.6.0"), None);
        assert_eq!(PiVersion::nearest("1.6.0"), PiVersion::NEWEST);
        assert_eq!(PiVersion::exact("0.83.0"), Some(PiVersion::V0_83_0));
    }
}
