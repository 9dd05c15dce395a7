//! What changed between two reports, for programs. Keys may be added; none is renamed or dropped while the schema keeps its
//! number.

use serde::Serialize;

use crate::gate::snapshot::{Change, What};

const SCHEMA: &str = "pi-why-diff/1";

#[derive(Serialize)]
struct Difference<'a> {
    schema: &'static str,
    /// Whether Pi starts; left out where that has not changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    starts: Option<Two<'a>>,
    changes: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Two<'a> {
    before: &'a str,
    after: &'a str,
}

#[derive(Serialize)]
struct Row<'a> {
    change: &'static str,
    kind: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    /// Who has it, or had it.
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'a str>,
    /// Whose it was, or what was typed for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'a str>,
    /// Whose it is, or what is typed for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<&'a str>,
}

/// The changes as one object.
pub fn changes(changes: &[Change]) -> serde_json::Result<String> {
    let mut whole = Difference { schema: SCHEMA, starts: None, changes: Vec::new() };
    for it in changes {
        match it {
            Change::Starts(before, after) => whole.starts = Some(Two { before, after }),
            Change::Name(named, what) => {
                let (owner, before, after) = match what {
                    What::Appeared(owner) | What::Vanished(owner) => (Some(owner), None, None),
                    What::Moved(before, after) => (None, Some(before), Some(after)),
                    What::Renamed { owner, before, after } => (Some(owner), Some(before), Some(after)),
                };
                whole.changes.push(Row {
                    change: what.word(),
                    kind: &named.kind,
                    name: &named.name,
                    field: named.field.as_deref(),
                    owner: owner.map(String::as_str),
                    before: before.map(String::as_str),
                    after: after.map(String::as_str),
                });
            }
        }
    }
    let mut text = serde_json::to_string_pretty(&whole)?;
    text.push('\n');
    Ok(text)
}
