//! What went wrong while reading, as a value: code, place, and what to do.

use crate::location::Span;

/// How bad it is for the answer.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Note,
    /// A part of the input was left out or taken otherwise than written.
    Warning,
    /// The question cannot be answered.
    Error,
}

/// The closed list of diagnostic codes. Kebab-case in every output.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Code {
    /// A file is there but cannot be read.
    Unreadable,
    /// `settings.json` is not what Pi can read; that scope counts as empty.
    SettingsInvalid,
    /// `package.json` is not what Pi can read.
    ManifestInvalid,
    /// A skill, prompt template or theme is not taken, or is taken with a warning.
    ResourceInvalid,
    /// `keybindings.json` is not what Pi can read; the defaults count.
    KeybindingsInvalid,
    /// `models.json` is not what Pi can read; it counts as empty.
    ModelsInvalid,
    /// `trust.json` is not what Pi can read.
    TrustInvalid,
    /// A package of the settings is not installed.
    PackageMissing,
    /// `npm root -g` would be asked, and what it says cannot be read from files.
    GlobalNpmRootUnknown,
    /// Pi prints this error and exits, and blames no extension for it.
    PiExits,
    /// The Pi that is meant is not one whose rules are known.
    PiVersionUnknown,
    /// Pi would ask whether the project is trusted.
    TrustAssumed,
    /// A folder holds more files than are looked at.
    TooManyFiles,
    /// `pi-why.toml` declares something of an extension that is not there.
    DeclarationUnused,
    /// A source given with `-e` that Pi would fetch for this run and that is not there.
    TemporarySource,
}

/// One thing to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which kind.
    pub code: Code,
    /// How bad.
    pub severity: Severity,
    /// What happened, in one sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where.
    pub at: Option<Span>,
}
