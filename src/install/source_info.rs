//! Where a resource comes from, in Pi's words.

use camino::Utf8PathBuf;

/// Whose settings or folders brought it.
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
pub enum Scope {
    /// The agent directory.
    User,
    /// The project's `.pi` directory.
    Project,
    /// This run alone: the command line and what Pi brings itself.
    Temporary,
}

/// Whether it stands alone or came with a package.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Named by settings, discovered in a folder, or given on the command line.
    TopLevel,
    /// Brought by a package.
    Package,
}

/// Pi's source info.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceInfo {
    /// `local`, `auto`, `cli`, `inline`, or the package source as the settings write it (`npm:x@1`, `../pk/p`).
    pub source: String,
    /// Whose it is.
    pub scope: Scope,
    /// Alone or from a package.
    pub origin: Origin,
    /// The directory that relative names of it start from.
    pub base_dir: Option<Utf8PathBuf>,
}
