//! What is asked: the installation to look at, and the options that the `pi` command would be given.

use std::sync::Arc;

use crate::declared::Declarations;
use crate::install;
use crate::registry::{FlagArgument, ProviderScope, ToolSelection};
use crate::report::InspectedPi;

/// Which files to look at and how Pi would be started. The fields follow Pi's own options (`dist/cli/args.js`, `parseArgs`).
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The options that decide what is loaded.
    pub install: install::Options,
    /// The options that decide which tools there are, and the tools of an SDK host.
    pub tools: ToolSelection,
    /// Options that Pi does not know itself and that set flags of extensions.
    pub flag_arguments: Vec<FlagArgument>,
    /// Which providers the answer is wanted for.
    pub provider_scope: ProviderScope,
    /// A key that the answer is wanted for even if no extension registers it.
    pub asked_key: Option<Arc<str>>,
    /// Registrations that somebody declares.
    pub declarations: Declarations,
    /// The Pi version to answer for.
    pub pi_version: Option<InspectedPi>,
}
