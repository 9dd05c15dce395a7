//! `pi-why.toml`: read, checked, and every mistake shown at its place.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use miette::{Diagnostic, NamedSource, SourceSpan};
use serde::Deserialize;

use super::policy::{Check, Policy, Rule, Word};
use crate::declared::{self, Declarations};
use crate::files::Files;
use crate::registry::Finding;

/// The name of the file.
pub const FILE_NAME: &str = "pi-why.toml";

/// The configuration of a project.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Where it was read; `None` for the built-in one.
    pub path: Option<Utf8PathBuf>,
    /// How much findings count.
    pub policy: Policy,
    /// The Pi version to answer for.
    pub pi_version: Option<String>,
    /// Tools of an SDK host, in order.
    pub sdk_tools: Vec<Arc<str>>,
    /// Declared registrations.
    pub declarations: Declarations,
}

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct Written {
    pi_version: Option<String>,
    check: Check,
    findings: BTreeMap<Finding, Word>,
    policy: Vec<Rule>,
    sdk_tool: Vec<SdkTool>,
    extension: Vec<declared::Written>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SdkTool {
    name: String,
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum Error {
    /// The file cannot be read.
    #[error("{path} cannot be read: {why}")]
    Unreadable {
        /// The file.
        path: Utf8PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// The file says something that has no meaning.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Invalid(Box<Invalid>),
}

/// What has no meaning, and where.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{path}: {message}")]
pub struct Invalid {
    /// The file.
    path: Utf8PathBuf,
    /// What is wrong.
    message: String,
    /// The text.
    #[source_code]
    text: NamedSource<String>,
    /// The place.
    #[label("here")]
    at: Option<SourceSpan>,
}

impl Config {
    /// The nearest `pi-why.toml` at or above a folder; the built-in configuration when there is none.
    pub fn find(files: &dyn Files, from: &Utf8Path) -> Result<Self, Error> {
        let found = from.ancestors().map(|it| it.join(FILE_NAME)).find(|it| files.exists(it));
        found.map_or_else(|| Ok(Self::default()), |path| Self::read(files, &path))
    }

    /// The configuration in a file.
    pub fn read(files: &dyn Files, path: &Utf8Path) -> Result<Self, Error> {
        let unreadable = |why| Error::Unreadable { path: path.to_owned(), why };
        let text = files.read_text(path).map_err(unreadable)?;
        Self::parse(path, &text)
    }

    /// The configuration in a text that was read from `path`.
    pub fn parse(path: &Utf8Path, text: &str) -> Result<Self, Error> {
        let written: Written = toml::from_str(text).map_err(|error| {
            Error::Invalid(Box::new(Invalid {
                path: path.to_owned(),
                message: error.message().to_owned(),
                text: NamedSource::new(path.as_str(), text.to_owned()).with_language("toml"),
                at: error.span().map(SourceSpan::from),
            }))
        })?;
        let Written { pi_version, check, findings, policy, sdk_tool, extension } = written;
        Ok(Self {
            path: Some(path.to_owned()),
            policy: Policy { check, findings: findings.into_iter().collect(), rules: policy },
            pi_version,
            sdk_tools: sdk_tool.into_iter().map(|it| it.name.into()).collect(),
            declarations: Declarations::new(path, text, extension),
        })
    }

    /// The baseline that the configuration names.
    pub fn baseline(&self) -> Option<Utf8PathBuf> {
        let folder = self.path.as_ref()?.parent()?;
        Some(folder.join(self.policy.check.baseline.as_ref()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Level;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse("/p/pi-why.toml".into(), text).map_err(|it| it.to_string())
    }

    #[test]
    fn every_key_has_its_place() {
        let config = parse(
            "pi-version = \"0.83.0\"\n[check]\nfail-on = \"warn\"\nconditional = \"note\"\nunresolved = \"deny\"\nbaseline = \"known.jsonl\"\n\
             [findings]\ncommand-renamed = \"allow\"\n[[policy]]\nfinding = [\"builtin-overridden\"]\nkind = [\"tool\"]\nscope = [\"project\"]\n\
             name = [\"ba*\"]\npath = [\"project/**\"]\nlevel = \"deny\"\nreason = \"x\"\n[[sdk-tool]]\nname = \"ask\"\n",
        );
        let config = config.unwrap_or_default();
        assert_eq!(config.baseline().as_deref(), Some("/p/known.jsonl".into()));
        assert_eq!(
            (config.policy.rules.len(), config.policy.findings.len(), config.sdk_tools.len()),
            (1, 1, 1)
        );
        assert!(config.policy.fails(Level::Warning) && !config.policy.fails(Level::Note));
    }

    #[test]
    fn unknown_keys_and_values_are_errors_at_their_place() {
        for (text, wrong) in [
            ("[chek]\n", "chek"),
            ("[check]\nfail-on = \"maybe\"\n", "maybe"),
            ("[findings]\ntool-conflicts = \"deny\"\n", "tool-conflicts"),
            ("[[policy]]\nlevel = \"deny\"\n", "reason"),
            ("[[policy]]\nlevel = \"deny\"\nreason = \"x\"\nkind = [\"tools\"]\n", "tools"),
        ] {
            let error = parse(text).err().unwrap_or_default();
            assert!(error.contains(wrong), "{text}: {error}");
        }
        let error = Config::parse("/p/pi-why.toml".into(), "[check]\nfail-on = \"maybe\"\n");
        let at = match error {
            Err(Error::Invalid(it)) => it.at.map(|it| it.offset()),
            _ => None,
        };
        assert_eq!(at, Some(18));
    }
}
