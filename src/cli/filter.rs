//! Options that leave names out of the answer, in the words of the JSON form.

use clap::Args;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error as WordError, StrDeserializer};

use crate::install::Scope;
use crate::registry::{ContestKind, Impact, Outcome};
use crate::report::Filter;

/// Which names the answer is about.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Filters")]
pub struct FilterOptions {
    /// Only these kinds: tool, command, flag, shortcut, messageRenderer, …
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = word::<ContestKind>, global = true)]
    pub kind: Vec<ContestKind>,
    /// Only names that an extension of this scope claims: user, project, temporary
    #[arg(long, value_name = "SCOPE", value_delimiter = ',', value_parser = word::<Scope>, global = true)]
    pub scope: Vec<Scope>,
    /// Only names that an extension claims whose path has this in it
    #[arg(long, value_name = "PATH", global = true)]
    pub owner: Vec<String>,
    /// Only names with more than one claim
    #[arg(long, global = true)]
    pub contested: bool,
    /// Only names of this severity: fatal, warning, note, none
    #[arg(long, value_name = "SEVERITY", value_delimiter = ',', value_parser = word::<Impact>, global = true)]
    pub severity: Vec<Impact>,
    /// Only names with such a loser: shadowed, overridden, merged, replaced, refused, skipped, pending
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',', value_parser = word::<Outcome>, global = true)]
    pub outcome: Vec<Outcome>,
}

impl FilterOptions {
    /// The filter that the options describe.
    pub fn filter(&self) -> Filter {
        Filter {
            kinds: self.kind.clone(),
            scopes: self.scope.clone(),
            owners: self.owner.clone(),
            contested: self.contested,
            severities: self.severity.clone(),
            outcomes: self.outcome.clone(),
        }
    }
}

/// A word of the JSON form; the error names the words there are.
fn word<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    let deserializer: StrDeserializer<'_, WordError> = text.into_deserializer();
    T::deserialize(deserializer).map_err(|error| error.to_string())
}
