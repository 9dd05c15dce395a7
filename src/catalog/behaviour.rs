//! The rules by which Pi versions differ, as data (rules, section 15). Code asks for a switch, never for a version.

use super::PiVersion;

/// How one version decides where versions disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each switch is independent of the others")]
pub struct Behaviour {
    /// What a failed extension leaves behind: `true` when its queued providers and flag defaults stay (until 0.84.2).
    pub failed_extensions_leave_traces: bool,
    /// Whether the extensions that Pi brings come last in the list as inline code (until 0.99.0) and not as `builtin:` paths.
    pub inline_extensions: bool,
    /// Whether an entry of `models-store.json` counts only for a provider with a usable credential (until 0.83).
    pub models_store_needs_credential: bool,
    /// Where a new model of `models.json` takes its api and base URL from when nothing says it.
    pub model_defaults: ModelDefaults,
    /// Whether a model limit of zero or less fails the whole `models.json` (since 0.86.1) or the provider alone.
    pub model_limits_in_schema: bool,
    /// Whether `keybindings.json` values that are no keys are ignored (since 1.3.0).
    pub keys_are_validated: bool,
    /// Whether a tool without `parameters`, or a command without a name or handler, fails its extension (since 0.86.1 and 1.0.3).
    pub registrations_are_validated: bool,
}

/// The model that stands in for what a new one leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelDefaults {
    /// The one of the same id, else the first of the list (until 0.84.4).
    SameIdElseFirst,
}

impl Behaviour {
    pub(super) const fn of(version: PiVersion) -> Self {
        match version {
            PiVersion::V0_83_0 => Self {
                failed_extensions_leave_traces: true,
                inline_extensions: true,
                models_store_needs_credential: true,
                model_defaults: ModelDefaults::SameIdElseFirst,
                model_limits_in_schema: false,
                keys_are_validated: false,
                registrations_are_validated: false,
            },
        }
    }
}
