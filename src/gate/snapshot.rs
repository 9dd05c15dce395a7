//! What two reports are compared by: who holds each name, by identities that are the same on every machine.

use std::collections::BTreeMap;

use serde_json::Value;

use super::identity::Identities;
use crate::registry::{Claim, Contest, Starts};
use crate::report::Report;

/// Who holds what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    starts: String,
    /// By kind and name (and field): the holders with what is typed for each.
    names: BTreeMap<(String, String), Vec<Holder>>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Holder {
    /// What is typed, for commands.
    typed: Option<String>,
    /// Whose it is; `None` when nobody holds the name.
    owner: Option<String>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Whether Pi starts.
    Starts(String, String),
    /// A name that was not there.
    Appeared {
        /// Kind of name.
        kind: String,
        /// The name.
        name: String,
        /// Who has it.
        owner: String,
    },
    /// A name that is not there any more.
    Vanished {
        /// Kind of name.
        kind: String,
        /// The name.
        name: String,
        /// Who had it.
        owner: String,
    },
    /// Another holds it.
    Moved {
        /// Kind of name.
        kind: String,
        /// The name.
        name: String,
        /// Who had it.
        before: String,
        /// Who has it.
        after: String,
    },
    /// The same command is typed otherwise.
    Renamed {
        /// The name that the author gave.
        name: String,
        /// Whose.
        owner: String,
        /// What was typed.
        before: String,
        /// What is typed.
        after: String,
    },
}

impl Snapshot {
    /// Of a report.
    pub fn new(report: &Report) -> Self {
        let identities = Identities::new(report);
        let starts = match report.starts {
            Starts::Yes => "yes",
            Starts::No => "no",
            Starts::Unknown => "unknown",
        };
        let mut names: BTreeMap<(String, String), Vec<Holder>> = BTreeMap::new();
        for it in &report.contests {
            let owner = holder(it).map(|claim| identities.of(&claim.path));
            let then = it.in_session.as_ref().and_then(|then| then.invocation.as_ref());
            let typed = then.or(it.invocation.as_ref()).map(ToString::to_string);
            let kind = serde_json::to_value(it.kind).ok();
            let kind = kind.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
            let key = (kind, full_name(&it.name, it.field.as_deref()));
            names.entry(key).or_default().push(Holder { typed, owner });
        }
        Self { starts: starts.to_owned(), names }.sorted()
    }

    /// Of a report in its JSON form.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let report: Value = serde_json::from_str(text)?;
        let string = |it: &Value| it.as_str().map(str::to_owned);
        let identities = Identities::of_json(&report);
        let mut names: BTreeMap<(String, String), Vec<Holder>> = BTreeMap::new();
        for it in report["contests"].as_array().into_iter().flatten() {
            let Some((kind, name)) = string(&it["kind"]).zip(string(&it["name"])) else { continue };
            let winner = it.get("inSession").map_or(&it["winner"], |then| &then["winner"]);
            let owner = winner["path"].as_str().map(|path| identities.of(path));
            let typed = string(&it["inSession"]["invocation"]).or_else(|| string(&it["invocation"]));
            let key = (kind, full_name(&name, it["field"].as_str()));
            names.entry(key).or_default().push(Holder { typed, owner });
        }
        let starts = string(&report["starts"]).unwrap_or_default();
        Ok(Self { starts, names }.sorted())
    }

    fn sorted(mut self) -> Self {
        self.names.values_mut().for_each(|it| it.sort_unstable());
        self
    }
}

fn holder(it: &Contest) -> Option<&Claim> {
    match &it.in_session {
        Some(then) => then.winner.as_ref(),
        None => it.winner.as_ref(),
    }
}

fn full_name(name: &str, field: Option<&str>) -> String {
    field.map_or_else(|| name.to_owned(), |field| format!("{name}.{field}"))
}

/// What is different, in the order of kinds and names.
pub fn changes(before: &Snapshot, after: &Snapshot) -> Vec<Change> {
    let mut found = Vec::new();
    if before.starts != after.starts {
        found.push(Change::Starts(before.starts.clone(), after.starts.clone()));
    }
    let keys: std::collections::BTreeSet<_> = before.names.keys().chain(after.names.keys()).collect();
    let none = Vec::new();
    for key in keys {
        let was = before.names.get(key).unwrap_or(&none);
        let is = after.names.get(key).unwrap_or(&none);
        if was != is {
            of_name(key, was, is, &mut found);
        }
    }
    found
}

fn of_name((kind, name): &(String, String), was: &[Holder], is: &[Holder], found: &mut Vec<Change>) {
    let owners = |all: &[Holder]| all.iter().filter_map(|it| it.owner.clone()).collect::<Vec<_>>();
    let (had, has) = (owners(was), owners(is));
    let (kind, name) = (kind.clone(), name.clone());
    if let ([had], [has]) = (had.as_slice(), has.as_slice())
        && had != has
    {
        found.push(Change::Moved { kind, name, before: had.clone(), after: has.clone() });
        return;
    }
    for owner in had.iter().filter(|it| !has.contains(it)) {
        found.push(Change::Vanished { kind: kind.clone(), name: name.clone(), owner: owner.clone() });
    }
    for owner in has.iter().filter(|it| !had.contains(it)) {
        found.push(Change::Appeared { kind: kind.clone(), name: name.clone(), owner: owner.clone() });
    }
    for holder in was {
        let Some(owner) = &holder.owner else { continue };
        let now = is.iter().find(|it| it.owner.as_ref() == Some(owner));
        let typed = now.and_then(|now| holder.typed.clone().zip(now.typed.clone()));
        if let Some((before, after)) = typed.filter(|(before, after)| before != after) {
            found.push(Change::Renamed { name: name.clone(), owner: owner.clone(), before, after });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(contests: &str) -> Snapshot {
        let text = format!(
            "{{\"starts\": \"yes\", \"cwd\": \"/p\", \"agentDir\": \"/a\", \"contests\": [{contests}]}}"
        );
        Snapshot::from_json(&text).unwrap_or_default()
    }

    #[test]
    fn winners_names_and_aliases_are_compared() {
        let before = snapshot(
            r#"{"kind": "tool", "name": "x", "winner": {"path": "/a/a.ts"}}, {"kind": "tool", "name": "y", "winner": {"path": "/a/a.ts"}},
               {"kind": "command", "name": "go", "invocation": "go", "winner": {"path": "/a/a.ts"}}"#,
        );
        let after = snapshot(
            r#"{"kind": "tool", "name": "x", "winner": {"path": "/p/b.ts"}},
               {"kind": "command", "name": "go", "invocation": "go:1", "winner": {"path": "/a/a.ts"}},
               {"kind": "command", "name": "go", "invocation": "go:2", "winner": {"path": "/p/b.ts"}}"#,
        );
        let said: Vec<String> = changes(&before, &after).iter().map(|it| format!("{it:?}")).collect();
        assert_eq!(said.len(), 4, "{said:#?}");
        assert!(said.iter().any(|it| it.starts_with("Renamed") && it.contains("go:1")));
        assert!(said.iter().any(|it| it.starts_with("Moved") && it.contains("project/b.ts")));
        assert!(said.iter().any(|it| it.starts_with("Vanished") && it.contains("\"y\"")));
        assert_eq!(changes(&after, &after), []);
    }
}
