//! What helps: changes that were tried.

use std::sync::Arc;

use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cure::{self, Ailment, Aim, Effect};
use crate::registry::ContestKind;
use crate::report;
use crate::secret::public_text;

/// A change that was tried on a copy of the settings. Present where a question asks for it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cure {
    /// The kind of the name that it is about; absent when it is about whether Pi starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ContestKind>,
    /// That name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Arc<str>>,
    /// The path of the one that holds the name then; `<builtin>` for Pi's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keeps: Option<Arc<str>>,
    /// What to change in files.
    pub changes: Vec<Change>,
    /// What to type instead, for one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Whether Pi starts then.
    pub starts: bool,
    /// What else is different then.
    pub effects: Vec<Difference>,
}

/// A line of a settings file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Change {
    /// The file.
    #[schemars(with = "String")]
    pub file: Utf8PathBuf,
    /// The key: `extensions`, `packages[0]`.
    pub key: String,
    /// The value to have, as JSON.
    pub value: String,
}

/// Something that is different besides.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// What happens.
    pub what: DifferenceWord,
    /// The kind of the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ContestKind>,
    /// The name, or the path of an extension.
    pub name: String,
    /// Who holds it then, or how a command is typed then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub then: Option<Arc<str>>,
}

/// What happens to a name or an extension.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DifferenceWord {
    /// Nobody holds the name any more.
    Gone,
    /// The name is new.
    New,
    /// Another holds it.
    Moved,
    /// A command is typed otherwise.
    Renamed,
    /// An extension loads that did not.
    Loads,
}

impl Cure {
    /// Every cure of a report.
    pub(super) fn all(report: &report::Report) -> Vec<Self> {
        let of =
            |it: &report::Cures| it.cures.iter().map(|cure| Self::new(&it.ailment, cure)).collect::<Vec<_>>();
        report.cures.iter().flat_map(of).collect()
    }

    fn new(ailment: &Ailment, it: &cure::Cure) -> Self {
        let (kind, name) = match (ailment, &it.aim) {
            (Ailment::Name(kind, name), Aim::Keep(_) | Aim::KeepBuiltin | Aim::FreeKey) => {
                (Some(*kind), Some(Arc::clone(name)))
            }
            _ => (None, None),
        };
        let keeps = match &it.aim {
            Aim::Keep(path) => Some(Arc::clone(path)),
            Aim::KeepBuiltin => Some("<builtin>".into()),
            _ => None,
        };
        let change = |it: &cure::Change| Change {
            file: it.file.clone(),
            key: it.key.clone(),
            value: public_text(&it.value),
        };
        Self {
            kind,
            name,
            keeps,
            changes: it.changes.iter().map(change).collect(),
            run: it.run.clone(),
            starts: it.starts,
            effects: it.effects.iter().map(Difference::from).collect(),
        }
    }
}

impl From<&Effect> for Difference {
    fn from(it: &Effect) -> Self {
        use DifferenceWord as Word;
        let named = |what, kind: ContestKind, name: &Arc<str>, then: Option<&Arc<str>>| Self {
            what,
            kind: Some(kind),
            name: name.to_string(),
            then: then.cloned(),
        };
        match it {
            Effect::Gone(kind, name) => named(Word::Gone, *kind, name, None),
            Effect::New(kind, name, owner) => named(Word::New, *kind, name, Some(owner)),
            Effect::Moved(kind, name, owner) => named(Word::Moved, *kind, name, Some(owner)),
            Effect::Renamed(before, after) => named(Word::Renamed, ContestKind::Command, before, Some(after)),
            Effect::Loads(path) => Self { what: Word::Loads, kind: None, name: path.clone(), then: None },
        }
    }
}
