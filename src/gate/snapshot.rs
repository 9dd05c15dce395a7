//! What two reports are compared by: who holds each name, by identities that are the same on every machine.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::finding::kind_word;
use super::identity::Identities;
use crate::registry::{Claim, Contest, Starts};
use crate::report::Report;

/// The schema of the reports that can be compared.
const SCHEMA: &str = "pi-why/1";

/// Why a file is nothing to compare.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It holds something else.
    #[error("it is no report of pi-why --format json")]
    NoReport,
    /// It holds no JSON.
    #[error("it is no report of pi-why --format json: {0}")]
    NoJson(#[from] serde_json::Error),
}

/// Who holds what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    starts: String,
    names: BTreeMap<Named, Holders>,
}

/// A name, or a field of what has the name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// Its kind, in the words of the JSON form.
    pub kind: String,
    /// The name that the author gave.
    pub name: String,
    /// The field, of providers and models.
    pub field: Option<String>,
}

/// Who holds a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Holders {
    all: Vec<Holder>,
    /// Who would if nobody did anything, as far as that can be seen.
    shipped: Option<String>,
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
    /// Whether Pi starts: before, and now.
    Starts(String, String),
    /// What became of a name.
    Name(Named, What),
}

/// What became of a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// It was not there; who has it.
    Appeared(String),
    /// It is not there any more; who had it.
    Vanished(String),
    /// Another holds it: who had it, and who has it.
    Moved(String, String),
    /// The same command is typed otherwise.
    Renamed {
        /// Whose.
        owner: String,
        /// What was typed.
        before: String,
        /// What is typed.
        after: String,
    },
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        self.field.iter().try_for_each(|it| write!(f, ".{it}"))
    }
}

impl What {
    /// In one word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Appeared(_) => "appeared",
            Self::Vanished(_) => "vanished",
            Self::Moved(..) => "moved",
            Self::Renamed { .. } => "renamed",
        }
    }

    /// Who takes part.
    pub fn who(&self) -> String {
        match self {
            Self::Appeared(owner) | Self::Vanished(owner) => owner.clone(),
            Self::Moved(before, after) => format!("{before} → {after}"),
            Self::Renamed { owner, before, after } => format!("/{before} → /{after} ({owner})"),
        }
    }
}

impl Snapshot {
    /// Of nothing: Pi starts, and every name is its own.
    pub fn empty() -> Self {
        Self { starts: "yes".to_owned(), names: BTreeMap::new() }
    }

    /// Whether Pi starts: yes, no, or unknown.
    pub fn starts(&self) -> &str {
        &self.starts
    }

    /// Of a report.
    pub fn new(report: &Report) -> Self {
        let identities = Identities::new(report);
        let starts = match report.starts {
            Starts::Yes => "yes",
            Starts::No => "no",
            Starts::Unknown => "unknown",
        };
        let mut snapshot = Self { starts: starts.to_owned(), names: BTreeMap::new() };
        for it in &report.contests {
            let then = it.in_session.as_ref().and_then(|then| then.invocation.as_ref());
            let typed = then.or(it.invocation.as_ref()).map(ToString::to_string);
            let named = Named {
                kind: kind_word(it.kind),
                name: it.name.to_string(),
                field: it.field.as_deref().map(str::to_owned),
            };
            let owner = holder(it).map(|claim| identities.of(&claim.path));
            let claims = it.winner.iter().chain(it.losers.iter().map(|it| &it.claim));
            let shipped = claims.map(|it| &*it.path).find(|it| is_shipped(it)).map(str::to_owned);
            snapshot.add(named, Holder { typed, owner }, shipped);
        }
        snapshot.sorted()
    }

    /// Of a report in its JSON form.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let report: Value = serde_json::from_str(text)?;
        if report["schema"] != SCHEMA || !report["contests"].is_array() {
            return Err(Error::NoReport);
        }
        let string = |it: &Value| it.as_str().map(str::to_owned);
        let identities = Identities::of_json(&report);
        let starts = string(&report["starts"]).unwrap_or_default();
        let mut snapshot = Self { starts, names: BTreeMap::new() };
        for it in report["contests"].as_array().into_iter().flatten() {
            let Some((kind, name)) = string(&it["kind"]).zip(string(&it["name"])) else { continue };
            let winner = it.get("inSession").map_or(&it["winner"], |then| &then["winner"]);
            let owner = winner["path"].as_str().map(|path| identities.of(path));
            let typed = string(&it["inSession"]["invocation"]).or_else(|| string(&it["invocation"]));
            let losers = it["losers"].as_array().into_iter().flatten();
            let mut claims =
                std::iter::once(&it["winner"]).chain(losers).filter_map(|it| it["path"].as_str());
            let shipped = claims.find(|it| is_shipped(it)).map(str::to_owned);
            snapshot.add(Named { kind, name, field: string(&it["field"]) }, Holder { typed, owner }, shipped);
        }
        Ok(snapshot.sorted())
    }

    fn add(&mut self, named: Named, holder: Holder, shipped: Option<String>) {
        let holders = self.names.entry(named).or_default();
        holders.all.push(holder);
        holders.shipped = holders.shipped.take().or(shipped);
    }

    fn sorted(mut self) -> Self {
        self.names.values_mut().for_each(|it| it.all.sort_unstable());
        self
    }

    /// Who holds a name. What Pi ships and nobody touches is not in a report; that it is there is known from the other one.
    fn holders(&self, named: &Named, other: &Self) -> Vec<Holder> {
        if let Some(known) = self.names.get(named) {
            return known.all.clone();
        }
        let shipped = other.names.get(named).and_then(|it| it.shipped.clone());
        shipped.map(|it| Holder { typed: None, owner: Some(it) }).into_iter().collect()
    }
}

fn is_shipped(path: &str) -> bool {
    path.starts_with("<builtin:") || path.starts_with("<inline:")
}

fn holder(it: &Contest) -> Option<&Claim> {
    match &it.in_session {
        Some(then) => then.winner.as_ref(),
        None => it.winner.as_ref(),
    }
}

/// What is different, in the order of kinds and names.
pub fn changes(before: &Snapshot, after: &Snapshot) -> Vec<Change> {
    let mut found = Vec::new();
    if before.starts != after.starts {
        found.push(Change::Starts(before.starts.clone(), after.starts.clone()));
    }
    let names: BTreeSet<&Named> = before.names.keys().chain(after.names.keys()).collect();
    for named in names {
        let (was, is) = (before.holders(named, after), after.holders(named, before));
        if was != is {
            found.extend(of_name(&was, &is).into_iter().map(|it| Change::Name(named.clone(), it)));
        }
    }
    found
}

fn of_name(was: &[Holder], is: &[Holder]) -> Vec<What> {
    let owners = |all: &[Holder]| all.iter().filter_map(|it| it.owner.clone()).collect::<Vec<_>>();
    let (had, has) = (owners(was), owners(is));
    if let ([had], [has]) = (had.as_slice(), has.as_slice())
        && had != has
    {
        return vec![What::Moved(had.clone(), has.clone())];
    }
    let mut found: Vec<What> = Vec::new();
    found.extend(had.iter().filter(|it| !has.contains(it)).cloned().map(What::Vanished));
    found.extend(has.iter().filter(|it| !had.contains(it)).cloned().map(What::Appeared));
    for holder in was {
        let Some(owner) = &holder.owner else { continue };
        let now = is.iter().find(|it| it.owner.as_ref() == Some(owner));
        let typed = now.and_then(|now| holder.typed.clone().zip(now.typed.clone()));
        if let Some((before, after)) = typed.filter(|(before, after)| before != after) {
            found.push(What::Renamed { owner: owner.clone(), before, after });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(contests: &str) -> Snapshot {
        let text = format!(
            "{{\"schema\": \"pi-why/1\", \"starts\": \"yes\", \"cwd\": \"/p\", \"agentDir\": \"/a\", \"contests\": [{contests}]}}"
        );
        Snapshot::from_json(&text).unwrap_or_default()
    }

    fn told(before: &Snapshot, after: &Snapshot) -> Vec<String> {
        let told = changes(before, after).into_iter().map(|it| match it {
            Change::Starts(before, after) => format!("starts {before} {after}"),
            Change::Name(named, what) => format!("{} {named} {}: {}", named.kind, what.word(), what.who()),
        });
        told.collect()
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
        assert_eq!(
            told(&before, &after),
            [
                "command go appeared: project/b.ts",
                "command go renamed: /go → /go:1 (agent/a.ts)",
                "tool x moved: agent/a.ts → project/b.ts",
                "tool y vanished: agent/a.ts",
            ]
        );
        assert_eq!(changes(&after, &after), []);
    }

    #[test]
    fn what_pi_ships_comes_back_and_does_not_vanish() {
        let touched = snapshot(
            r#"{"kind": "providerField", "name": "groq", "field": "baseUrl", "winner": {"path": "/a/a.ts"}, "losers": [{"path": "<builtin:groq>"}]},
               {"kind": "providerField", "name": "groq", "field": "name", "winner": {"path": "<builtin:groq>"}, "losers": []}"#,
        );
        let untouched = snapshot("");
        assert_eq!(
            told(&touched, &untouched),
            ["providerField groq.baseUrl moved: agent/a.ts → <builtin:groq>"]
        );
        assert_eq!(
            told(&untouched, &touched),
            ["providerField groq.baseUrl moved: <builtin:groq> → agent/a.ts"]
        );
    }

    #[test]
    fn other_files_are_no_reports() {
        assert!(matches!(Snapshot::from_json("{}"), Err(Error::NoReport)));
        assert!(matches!(Snapshot::from_json("no"), Err(Error::NoJson(_))));
    }
}
