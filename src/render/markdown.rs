//! The page as Markdown, for pull requests and issues.

use std::fmt::Write as _;

use super::Paths;
use super::document::{Block, Document, Role, Run, Sign, Snippet, Table, Text};
use super::snippet;
use super::visible::visible;

/// The page.
pub fn print(document: &Document, paths: Option<&Paths<'_>>) -> String {
    let mut out = String::new();
    for block in &document.blocks {
        match block {
            Block::Answer(sign, text) => {
                let mark = match sign {
                    Sign::None => "",
                    Sign::Good => "✓ ",
                    Sign::Bad => "✗ ",
                    Sign::Careful => "! ",
                };
                let _ = write!(out, "**{mark}{}**\n\n", inline(text));
            }
            Block::Heading(text) => {
                let _ = write!(out, "### {}\n\n", inline(text));
            }
            Block::Line(_, text) => {
                let _ = write!(out, "{}\n\n", inline(text));
            }
            Block::Table(table) => print_table(&mut out, table),
            Block::Snippet(snippet) => {
                if let Some(paths) = paths {
                    print_snippet(&mut out, snippet, paths);
                }
            }
            Block::Gap => {}
        }
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

fn inline(text: &Text) -> String {
    text.0.iter().map(run).collect()
}

fn run(it: &Run) -> String {
    let words = visible(&it.text);
    match it.role {
        Role::Code => code(&words),
        // A path reads better as code, and nothing in it is taken for markup.
        _ if it.link.is_some() => code(&words),
        _ => escaped(&words),
    }
}

/// Inline code; the fence is longer than any run of backticks inside.
fn code(words: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    let longest = words.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let room = if words.starts_with('`') || words.ends_with('`') { " " } else { "" };
    format!("{fence}{room}{words}{room}{fence}")
}

fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for character in words.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '#' | '|' | '~' | '&') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

fn print_table(out: &mut String, table: &Table) {
    let columns = table.rows.iter().map(Vec::len).max().unwrap_or(0);
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let titles = (0..columns).map(|at| table.header.get(at).map_or_else(String::new, |it| escaped(it)));
    out.push_str(&row(titles.collect()));
    out.push_str(&row(vec!["---".to_owned(); columns]));
    for cells in &table.rows {
        // In a table, a bar ends the cell even inside code.
        out.push_str(&row(cells.iter().map(|it| in_cell(&inline(it))).collect()));
    }
    out.push('\n');
}

fn in_cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for character in text.chars() {
        if character == '|' && before != '\\' {
            out.push('\\');
        }
        out.push(character);
        before = character;
    }
    out
}

/// The labelled lines, each with what is said of it.
fn print_snippet(out: &mut String, snippet: &Snippet, paths: &Paths<'_>) {
    for (span, words) in &snippet.labels {
        let file = paths.report().sources.get(span.file);
        let (line, _) = file.line_column(span.start);
        let shown = snippet::line(*span, snippet, paths);
        let place = format!("{}:{line}", paths.short(file.path().as_str()));
        let _ = write!(out, "{} {}: {}\n\n", code(&visible(&place)), escaped(&visible(words)), code(&shown));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_never_taken_for_markup() {
        assert_eq!(inline(&Text::from("a_b*c|d<e>")), "a\\_b\\*c\\|d\\<e\\>");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(in_cell(&code("a|b")), "`a\\|b`");
    }
}
