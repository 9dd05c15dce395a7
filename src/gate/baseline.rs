//! The findings that are known already. One line each, sorted, so that two branches merge without quarrel.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::finding::Key;
use crate::location::{FileId, Span};

const SCHEMA: &str = "pi-why-baseline/1";

/// Known findings, by what makes them the same on every machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The findings with their lines, as far as they were read from a file.
    keys: BTreeMap<Key, Range<usize>>,
}

/// A known finding, and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Which.
    pub key: Key,
    /// Where it stands.
    pub at: Option<Span>,
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
        Self { keys: keys.into_iter().map(|it| (it, 0..0)).collect() }
    }

    /// Reads what [`Baseline::to_text`] writes.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut start = 0;
        let mut lines = text.split_inclusive('\n').enumerate().map(|(at, line)| {
            let range = start..start + line.trim_end().len();
            start += line.len();
            (at + 1, line, range)
        });
        if !lines.next().is_some_and(|(_, line, _)| is_header(line)) {
            return Err(Error::NoBaseline);
        }
        let mut keys = BTreeMap::new();
        for (line, text, range) in lines.filter(|(_, text, _)| !text.trim().is_empty()) {
            keys.insert(serde_json::from_str(text).map_err(|why| Error::Line { line, why })?, range);
        }
        Ok(Self { keys })
    }

    /// Whether a text may be overwritten by a baseline: it is one, or there is nothing in it.
    pub fn may_replace(text: &str) -> bool {
        text.trim().is_empty() || text.lines().next().is_some_and(is_header)
    }

    /// The text of the file.
    pub fn to_text(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string(&Header { schema: SCHEMA.to_owned() })?;
        text.push('\n');
        for key in self.keys.keys() {
            text.push_str(&serde_json::to_string(key)?);
            text.push('\n');
        }
        Ok(text)
    }

    /// Whether a finding is known.
    pub fn contains(&self, key: &Key) -> bool {
        self.keys.contains_key(key)
    }

    /// How many findings are known.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Known findings that are not there any more; `file` is the file that the baseline was read from.
    pub fn stale<'a>(&self, present: impl IntoIterator<Item = &'a Key>, file: Option<FileId>) -> Vec<Known> {
        let present: BTreeSet<&Key> = present.into_iter().collect();
        let offset = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        let gone = self.keys.iter().filter(|(key, _)| !present.contains(key));
        gone.map(|(key, line)| {
            let at = file.map(|file| Span::new(file, offset(line.start), offset(line.end)));
            Known { key: key.clone(), at }
        })
        .collect()
    }

    /// Takes out what is not there any more.
    pub fn prune(&mut self, stale: &[Known]) {
        for Known { key, .. } in stale {
            self.keys.remove(key);
        }
    }
}

fn is_header(line: &str) -> bool {
    serde_json::from_str::<Header>(line).is_ok_and(|it| it.schema == SCHEMA)
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
        let mut read = Baseline::parse(&text).unwrap_or_default();
        assert_eq!(read.to_text().unwrap_or_default(), text);
        let map = crate::location::SourceMap::new();
        let stale = read.stale([&key("b")], Some(map.add("/known.jsonl", text.as_str())));
        assert_eq!(stale.iter().map(|it| it.key.name.as_str()).collect::<Vec<_>>(), ["a\n"]);
        let at = stale.first().and_then(|it| it.at).map(|it| (map.locate(it).line, map.snippet(it)));
        assert_eq!(at, text.lines().nth(1).map(|line| (2, line.to_owned())));
        read.prune(&stale);
        assert!(read.contains(&key("b")) && read.len() == 1);
    }

    #[test]
    fn other_files_are_refused_with_the_line() {
        assert!(matches!(Baseline::parse("{}"), Err(Error::NoBaseline)));
        let text = format!("{{\"schema\":\"{SCHEMA}\"}}\n{{\"kind\":1}}\n");
        assert!(matches!(Baseline::parse(&text), Err(Error::Line { line: 2, .. })));
    }
}
