//! What the registry needs to know: everything that the other stages found, borrowed.

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::environment::Environment;
use crate::install::{self, Credentials, LoadOrder, ModelsJson, ModelsStore, ResourceFile, UserKeybindings};
use crate::source::Evaluated;

/// Everything that decides who wins. Made with [`Input::new`]; the other fields have defaults for an installation
/// without such files and a command line without such options.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    /// The facts and rules of the Pi version.
    pub catalog: Catalog,
    /// The machine.
    pub environment: &'a Environment,
    /// Which extensions load, in which order.
    pub load_order: &'a LoadOrder,
    /// What each extension that runs registers. Inline extensions need no entry: theirs stand in the catalog.
    pub evaluated: &'a [Evaluated],
    /// What keeps Pi from starting before any code is looked at ([`install::Plan::fatal`]).
    pub planned_fatal: &'a [install::Fatal],
    /// The skills, prompt templates and themes that Pi reads, in its order.
    pub resources: &'a [ResourceFile],
    /// `keybindings.json`.
    pub keybindings: UserKeybindings,
    /// `models.json`.
    pub models_json: ModelsJson,
    /// `models-store.json`.
    pub models_store: ModelsStore,
    /// `auth.json`, without its secrets.
    pub credentials: Credentials,
    /// Which providers the answer is wanted for.
    pub provider_scope: ProviderScope,
    /// A key that the answer is wanted for even if only Pi itself binds it.
    pub asked_key: Option<Arc<str>>,
    /// `--tools` and its relatives.
    pub tools: ToolSelection,
    /// Options on the command line that Pi does not know itself, in order: they set flags of extensions.
    pub flag_arguments: Vec<FlagArgument>,
}

impl<'a> Input<'a> {
    /// An input without options and user files.
    pub fn new(
        catalog: Catalog,
        environment: &'a Environment,
        load_order: &'a LoadOrder,
        evaluated: &'a [Evaluated],
    ) -> Self {
        Self {
            catalog,
            environment,
            load_order,
            evaluated,
            planned_fatal: &[],
            resources: &[],
            keybindings: UserKeybindings::default(),
            models_json: ModelsJson::default(),
            models_store: ModelsStore::default(),
            credentials: Credentials::default(),
            provider_scope: ProviderScope::default(),
            asked_key: None,
            tools: ToolSelection::default(),
            flag_arguments: Vec::new(),
        }
    }
}

/// Which providers get contests. Registrations that keep Pi from starting are found whatever the scope.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ProviderScope {
    /// Those that models.json or an extension touches.
    #[default]
    Touched,
    /// Those, and this one that Pi ships.
    And(Arc<str>),
    /// Those, and all that Pi ships.
    All,
}

/// Which tools the command line or an SDK host lets in (rules, sections 2 and 3).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolSelection {
    /// `--tools`, trimmed and without empty names, as Pi's argument parser leaves it.
    pub allow: Option<Vec<String>>,
    /// `--exclude-tools`, likewise.
    pub exclude: Vec<String>,
    /// `--no-tools`.
    pub none: bool,
    /// `--no-builtin-tools`.
    pub no_builtin: bool,
    /// Names of the tools that an SDK host passes in, in order.
    pub sdk: Vec<Arc<str>>,
}

/// One option that Pi does not know: `--name`, `--name value` or `--name=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagArgument {
    /// Without the dashes.
    pub name: Arc<str>,
    /// The value, if one follows. Later ones of a name replace earlier ones.
    pub value: Option<Arc<str>>,
}
