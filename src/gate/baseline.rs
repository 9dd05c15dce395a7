//! The findings that are known already. One line each, sorted, so that two branches merge without quarrel.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::finding::Key;

const SCHEMA: &str = "pi-why-baseline/1";

/// Known findings, by what makes them the same on every machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    keys: BTreeSet<Key>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    schema: String,
}

/// Why a baseline cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The first line does not say that it is one.
    #[error("the first line is not {{\"schema\":\"{SCHEMA}\"}}")]
    NoBaseline,
    /// A line is no finding.
    #[error("line {line}: {why}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        why: serde_json::Error,
    },
}

impl Baseline {
    /// A baseline of these findings.
    pub fn new(keys: impl IntoIterator<Item = Key>) -> Self {
        Self { keys: keys.into_iter().collect() }
    }

    /// Reads what [`Baseline::to_text`] writes.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut lines = text.lines().enumerate();
        let header = lines.next().and_then(|(_, line)| serde_json::from_str::<Header>(line).ok());
        if header.is_none_or(|it| it.schema != SCHEMA) {
            return Err(Error::NoBaseline);
        }
        let mut keys = BTreeSet::new();
        for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            keys.insert(serde_json::from_str(line).map_err(|why| Error::Line { line: at + 1, why })?);
        }
        Ok(Self { keys })
    }

    /// The text of the file.
    pub fn to_text(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string(&Header { schema: SCHEMA.to_owned() })?;
        text.push('\n');
        for key in &self.keys {
            text.push_str(&serde_json::to_string(key)?);
            text.push('\n');
        }
        Ok(text)
    }

    /// Whether a finding is known.
    pub fn contains(&self, key: &Key) -> bool {
        self.keys.contains(key)
    }

    /// How many findings are known.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Known findings that are not there any more.
    pub fn stale<'a>(&'a self, present: impl IntoIterator<Item = &'a Key>) -> Vec<&'a Key> {
        let present: BTreeSet<&Key> = present.into_iter().collect();
        self.keys.iter().filter(|it| !present.contains(it)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Finding;

    fn key(name: &str) -> Key {
        Key {
            kind: "tool".into(),
            name: name.into(),
            finding: Finding::ToolConflict,
            parties: vec!["agent/a.ts".into()],
        }
    }

    #[test]
    fn a_baseline_is_read_back_as_it_was_and_sorted() {
        let baseline = Baseline::new([key("b"), key("a\n"), key("a\n")]);
        let text = baseline.to_text().unwrap_or_default();
        assert_eq!(text.lines().count(), 3);
        assert_eq!(Baseline::parse(&text).ok(), Some(baseline.clone()));
        assert_eq!(baseline.stale([&key("b")]), [&key("a\n")]);
    }

    #[test]
    fn other_files_are_refused_with_the_line() {
        assert!(matches!(Baseline::parse("{}"), Err(Error::NoBaseline)));
        let text = format!("{{\"schema\":\"{SCHEMA}\"}}\n{{\"kind\":1}}\n");
        assert!(matches!(Baseline::parse(&text), Err(Error::Line { line: 2, .. })));
    }
}
