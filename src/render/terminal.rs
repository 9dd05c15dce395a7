//! The table form: a page for a terminal or a pipe of a given width, with colours that the writer may strip.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style as Ansi};
use comfy_table::{ColumnConstraint, ContentArrangement, Width, presets};

use super::abbreviation::Abbreviations;
use super::columns;
use super::document::{Block, Document, Link, Role, Run, Sign, Table, Text};
use super::snippet;
use super::visible::visible;
use super::{Paths, Style};

/// Columns per step of indentation.
const STEP: usize = 2;
/// Ends a hyperlink (OSC 8).
const LINK_END: &str = "\u{1b}]8;;\u{1b}\\";
/// How comfy-table ends a styled line.
const RESET: &str = "\u{1b}[0m";

/// The page as text with ANSI escapes.
pub fn print(document: &Document, paths: Option<&Paths<'_>>, style: &Style) -> String {
    let mut out = String::new();
    let short = Abbreviations::of(document);
    for block in &document.blocks {
        match block {
            Block::Answer(sign, text) => {
                let text = match mark(*sign) {
                    Some((mark, role)) => Text::new().with(role, mark).plain(" ").then(text.clone()),
                    None => text.clone(),
                };
                wrapped(&mut out, &text, 0, STEP, style);
            }
            Block::Heading(text) => wrapped(&mut out, &text.clone().all(Role::Heading), 0, STEP, style),
            // A line at the margin is an item of its own: what follows of it is set in.
            Block::Line(0, text) => wrapped(&mut out, text, 0, STEP, style),
            Block::Line(steps, text) => wrapped(&mut out, text, steps * STEP, steps * STEP, style),
            Block::Table(table) => print_table(&mut out, table, &short, style),
            Block::Snippet(snippet) => {
                out.push_str(&paths.map_or_else(String::new, |paths| snippet::print(snippet, paths, style)));
            }
            Block::Gap => out.push('\n'),
        }
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

fn mark(sign: Sign) -> Option<(&'static str, Role)> {
    match sign {
        Sign::None => None,
        Sign::Good => Some(("✓", Role::Winner)),
        Sign::Bad => Some(("✗", Role::Refused)),
        Sign::Careful => Some(("!", Role::Warning)),
    }
}

fn ansi(role: Role) -> Ansi {
    let plain = Ansi::new();
    match role {
        Role::Plain => plain,
        Role::Name | Role::Heading => plain.bold(),
        Role::Winner => plain.fg_color(Some(AnsiColor::Green.into())),
        Role::Refused => plain.fg_color(Some(AnsiColor::Red.into())),
        Role::Warning => plain.fg_color(Some(AnsiColor::Yellow.into())),
        Role::Dim => plain.dimmed(),
        Role::Code => plain.fg_color(Some(AnsiColor::Cyan.into())),
    }
}

/// A text with its escapes. Hidden characters of the words themselves are spelt out here, and only here.
fn escaped(text: &Text, style: &Style) -> String {
    let mut out = String::new();
    for Run { role, text, link } in text.0.iter().filter(|it| !it.text.is_empty()) {
        let ansi = ansi(*role);
        let words = visible(text);
        let target = link.as_ref().filter(|_| style.links).map(url);
        match target {
            Some(url) => {
                let _ = write!(out, "{ansi}\u{1b}]8;;{url}\u{1b}\\{words}{LINK_END}{ansi:#}");
            }
            None => {
                let _ = write!(out, "{ansi}{words}{ansi:#}");
            }
        }
    }
    out
}

fn url(link: &Link) -> String {
    let fragment = link.line.map_or_else(String::new, |it| format!("#L{it}"));
    format!("file://{}{fragment}", super::url::path(link.path.as_str()))
}

fn wrapped(out: &mut String, text: &Text, indent: usize, hanging: usize, style: &Style) {
    let (first, next) = (" ".repeat(indent), " ".repeat(hanging));
    let options = textwrap::Options::new(style.width)
        .initial_indent(&first)
        .subsequent_indent(&next)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
        .break_words(false);
    for line in textwrap::wrap(&escaped(text, style), options) {
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

fn print_table(out: &mut String, table: &Table, short: &Abbreviations, style: &Style) {
    let table = &*columns::narrowed(table, style.width.saturating_sub(STEP), short);
    let widths = columns::widths(table, style.width.saturating_sub(STEP), short);
    let mut grid = comfy_table::Table::new();
    grid.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).enforce_styling();
    let cell = |(text, width): (&Text, &usize)| escaped(&columns::fitted(text, *width, short), style);
    if !table.header.is_empty() {
        let titles = table.header.iter().map(|it| escaped(&Text::new().dim(*it), style));
        grid.set_header(titles.collect::<Vec<_>>());
    }
    for row in &table.rows {
        grid.add_row(row.iter().zip(&widths).map(cell).collect::<Vec<_>>());
    }
    for (column, width) in grid.column_iter_mut().zip(&widths) {
        let between = u16::try_from(columns::BETWEEN).unwrap_or(1);
        let width = u16::try_from(*width).unwrap_or(u16::MAX).saturating_add(between);
        column.set_padding((0, between)).set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
    }
    for line in grid.lines() {
        let line = closed(&line);
        out.push_str(&" ".repeat(STEP));
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// A line in which no hyperlink runs on: comfy-table ends the style of a wrapped cell, but not its link.
fn closed(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for (at, part) in line.split(RESET).enumerate() {
        if at > 0 {
            out.push_str(RESET);
        }
        out.push_str(part);
        let open = part.rfind("\u{1b}]8;;").is_some_and(|it| !part[it..].starts_with(LINK_END));
        if open {
            out.push_str(LINK_END);
        }
    }
    out
}
