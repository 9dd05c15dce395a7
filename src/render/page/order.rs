//! `pi-why order`: every extension in list order, then those that do not load and why.

use super::overview;
use crate::render::Paths;
use crate::render::document::{Document, Role, Sign, Table, Text};
use crate::render::words;
use crate::report::{LoadStatus, LoadedExtension, Report};
use crate::source::Kind;

/// So many extensions that do not load for one reason are counted, not listed.
const MANY: usize = 6;

/// The page.
pub fn page(report: &Report, paths: &Paths<'_>) -> Document {
    let mut page = Document::new();
    let loaded: Vec<&LoadedExtension> = report.loaded().collect();
    page.answer(Sign::None, overview::extension_counts(report));
    if loaded.is_empty() && report.order.is_empty() {
        return page;
    }
    page.gap();
    let same = runs_in_list_order(&loaded);
    let mut header = vec!["", "runs", "extension", "from", "registers"];
    let mut rows: Vec<Vec<Text>> =
        loaded.iter().enumerate().map(|(at, it)| loaded_row(at, it, paths)).collect();
    if same {
        header.remove(1);
        for row in &mut rows {
            row.remove(1);
        }
    }
    page.table(Table { header, rows });
    if !same {
        page.line(
            "Names go by the order of this list; factories run in the order of the second column (pi loads the project in a second pass).",
        );
    }
    let others: Vec<_> = report.order.iter().filter(|it| it.status != LoadStatus::Loaded).collect();
    if !others.is_empty() {
        page.heading("Not loaded");
        page.table(Table { header: Vec::new(), rows: other_rows(&others, paths) });
    }
    page
}

/// Those that do not load. Many for one and the same reason make one row.
fn other_rows(others: &[&LoadedExtension], paths: &Paths<'_>) -> Vec<Vec<Text>> {
    let reason = |it: &LoadedExtension| (it.status, it.reason(), it.entry.at.is_some());
    let alike = |it: &LoadedExtension| others.iter().filter(|other| reason(other) == reason(it)).count();
    let mut rows = Vec::new();
    let mut told = Vec::new();
    for it in others {
        let number = alike(it);
        if it.entry.at.is_some() || number < MANY {
            rows.push(other_row(it, paths));
        } else if !told.contains(&it.reason()) {
            told.push(it.reason());
            let who = Text::from(words::count(number, "extension"));
            rows.push(vec![who, Text::new().dim(it.status.as_str()), Text::from(it.reason()), Text::new()]);
        }
    }
    rows
}

fn runs_in_list_order(loaded: &[&LoadedExtension]) -> bool {
    loaded.iter().filter_map(|it| it.entry.execution).is_sorted()
}

fn loaded_row(at: usize, it: &LoadedExtension, paths: &Paths<'_>) -> Vec<Text> {
    let execution = it.entry.execution.map(|it| (it + 1).to_string()).unwrap_or_default();
    vec![
        Text::new().dim((at + 1).to_string()),
        Text::new().dim(execution),
        paths.linked(it.entry.path.as_str()),
        Text::from(paths.source(&it.entry.source_info)),
        Text::from(registers(it, paths.report())),
    ]
}

/// `2 tools, 1 command, 1 not determined`.
pub fn registers(it: &LoadedExtension, report: &Report) -> String {
    let mut parts = Vec::new();
    for (kind, word) in [
        (Kind::Tool, "tool"),
        (Kind::Command, "command"),
        (Kind::Flag, "flag"),
        (Kind::Shortcut, "shortcut"),
        (Kind::MessageRenderer, "message renderer"),
        (Kind::EntryRenderer, "entry renderer"),
        (Kind::Provider, "provider"),
        (Kind::NativeProvider, "native provider"),
    ] {
        let number = report.names(it, kind).len();
        if number > 0 {
            parts.push(words::count(number, word));
        }
    }
    let unresolved = it.unresolved().count();
    if unresolved > 0 {
        parts.push(format!("{unresolved} not determined"));
    }
    if parts.is_empty() {
        let events = it.names(Kind::Event).len();
        return if events > 0 { words::count(events, "event handler") } else { "nothing".to_owned() };
    }
    parts.join(", ")
}

fn other_row(it: &LoadedExtension, paths: &Paths<'_>) -> Vec<Text> {
    let role = match it.status {
        LoadStatus::Failed => Role::Refused,
        LoadStatus::Missing => Role::Warning,
        _ => Role::Dim,
    };
    let at = it.failure.as_ref().and_then(|failure| failure.at).or(it.entry.at);
    vec![
        paths.linked(it.entry.path.as_str()),
        Text::new().with(role, it.status.as_str()),
        Text::from(paths.words(&it.reason())),
        at.map(|it| paths.place(it)).unwrap_or_default(),
    ]
}
