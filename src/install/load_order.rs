//! The extensions of an installation in the order in which Pi lists and runs them.

use camino::Utf8PathBuf;

use super::source_info::SourceInfo;
use crate::location::Span;
use crate::rule::RuleId;

/// One extension of one installation. Index into [`LoadOrder::entries`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExtensionId(pub u32);

/// What kind of code an entry stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// A file or directory that Pi imports.
    File,
    /// Code that the `pi` command brings itself, such as `<inline:llama.cpp>`. What it registers stands in the catalog.
    Inline,
}

/// What becomes of an entry before any code is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Pi will import it (whether that succeeds is for the `source` stage to say).
    Planned,
    /// A pattern or a filter switches it off.
    Disabled,
    /// The same real path, or the same package, stands earlier.
    Duplicate,
    /// It belongs to a project that is not trusted.
    Untrusted,
    /// It is named, but not there.
    Missing,
}

/// One step of the way on which something came into the installation: a settings line, a manifest line, a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// In words: `user settings, packages[0] "npm:x"`, `package.json, pi.extensions[1] "src/*.ts"`.
    pub text: String,
    /// The line, when there is one.
    pub at: Option<Span>,
}

/// One extension that loads, or one that does not and why.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its id.
    pub id: ExtensionId,
    /// The path as Pi names it: what reports and error messages show, `<inline:llama.cpp>` for inline code.
    pub path: Utf8PathBuf,
    /// The path that Pi hands to its module loader. Equal to `path`, except that Unicode spaces have become plain ones
    /// (`core/extensions/loader.js`, `loadExtension`); an inline entry has its `path` here too.
    pub import_path: Utf8PathBuf,
    /// File or inline.
    pub kind: EntryKind,
    /// Where it comes from.
    pub source_info: SourceInfo,
    /// `name@version` of the package that the file belongs to, from the `package.json` of its package root or, for a file that
    /// is loaded by itself, of the folders around it.
    pub package: Option<String>,
    /// Planned or why not.
    pub status: Status,
    /// The reason for its place or its absence, in words for people.
    pub reason: String,
    /// The rule behind `reason`.
    pub rule: RuleId,
    /// The settings line, manifest line or pattern that decided.
    pub at: Option<Span>,
    /// How it got here: settings line, then manifest line, then folder or pattern. Empty for inline entries.
    pub trail: Vec<Step>,
    /// Position in which its factory runs; `None` when it is not run. Differs from list order in a plain
    /// run of a trusted project (rules, section 1.4).
    pub execution: Option<u32>,
    /// Run in the pre-trust pass, yet not in the final list: its names are gone, its queued providers and
    /// flag defaults stay (rules, section 1.4). Such an entry has a status other than [`Status::Planned`].
    pub ran_before_trust: bool,
}

/// Every extension that anything names: first the planned ones in list order, then the others.
#[derive(Debug, Clone, Default)]
pub struct LoadOrder {
    /// The entries; `entries[i].id == ExtensionId(i)`.
    pub entries: Vec<Entry>,
}

impl LoadOrder {
    /// The entry of an id of this order.
    pub fn entry(&self, id: ExtensionId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    /// Adds an entry at the end and gives it its id.
    pub(super) fn push(&mut self, mut entry: Entry) {
        entry.id = ExtensionId(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        self.entries.push(entry);
    }

    /// Those that Pi imports, in list order.
    pub fn planned(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|it| it.status == Status::Planned)
    }

    /// Those whose factories run, in execution order.
    pub fn executed(&self) -> Vec<&Entry> {
        let mut entries: Vec<_> = self.entries.iter().filter(|it| it.execution.is_some()).collect();
        entries.sort_by_key(|it| it.execution);
        entries
    }
}
