//! One line per finding or row, for agents and grep: plain words, paths that can be opened, no colours, no columns.

use std::fmt::Write as _;

use super::Paths;
use super::document::{Block, Document, Table};
use super::findings::message;
use super::visible::visible;
use crate::gate::Level;
use crate::gate::check::{Item, State};
use crate::report::Report;

/// The answer of a page, then one line per finding.
pub fn print(page: &Document, items: &[Item<'_>], report: &Report, paths: &Paths<'_>) -> String {
    let mut out = String::new();
    if let Some(Block::Answer(_, text)) = page.blocks.first() {
        let _ = writeln!(out, "{}", visible(&text.to_plain()));
    }
    for Item { found, state, reason } in items {
        let level = match found.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        };
        let place = match found.at.map(|it| report.sources.locate(it)) {
            Some(at) => format!("{}:{}:{}", paths.short(at.path.as_str()), at.line, at.column),
            None => found.path.as_deref().map(|it| paths.short(it)).unwrap_or_default(),
        };
        let mut text = message(found, report, paths);
        if let Some(reason) = reason {
            let _ = write!(text, " – {reason}");
        }
        let known = if *state == Some(State::Known) { " (known)" } else { "" };
        let _ =
            writeln!(out, "{}: {level}[{}] {}{known}", visible(&place), found.code.as_str(), visible(&text));
    }
    out
}

/// A page without room, frames and snippets.
pub fn lines(page: &Document) -> String {
    let mut out = String::new();
    for block in &page.blocks {
        match block {
            Block::Answer(_, text) | Block::Heading(text) | Block::Line(_, text) => {
                let _ = writeln!(out, "{}", visible(&text.to_plain()));
            }
            Block::Table(table) => rows(&mut out, table),
            Block::Snippet(_) | Block::Gap => {}
        }
    }
    out
}

/// The rows, each complete in itself: what a row leaves out because it stands in the one above is repeated.
fn rows(out: &mut String, table: &Table) {
    let mut above: Vec<String> = Vec::new();
    for row in &table.rows {
        let mut cells: Vec<String> = row.iter().map(super::document::Text::to_plain).collect();
        let mut leading = true;
        for (at, cell) in cells.iter_mut().enumerate() {
            leading &= cell.is_empty();
            if leading && let Some(same) = above.get(at) {
                cell.clone_from(same);
            }
        }
        let words: Vec<_> = cells.iter().filter(|it| !it.is_empty()).map(|it| visible(it)).collect();
        let _ = writeln!(out, "{}", words.join("  "));
        above = cells;
    }
}
