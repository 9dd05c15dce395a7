//! How answers are shown: one file per form. All forms are made from one report.

mod abbreviation;
mod columns;
mod compact;
pub mod document;
mod findings;
mod github;
pub mod json;
mod markdown;
mod page;
mod paths;
pub(crate) mod redact;
mod sarif;
mod snippet;
mod terminal;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod url;
mod visible;
mod words;

use std::fmt::Write as _;

pub use document::{Document, Role, Sign, Table, Text};
pub use page::extension::find as extensions_named;
pub use page::missing::nearest;
pub use page::name::find as named;
pub use paths::Paths;
pub use words::count;

use crate::gate::check::Checked;
use crate::gate::snapshot::Change;
use crate::gate::summary;
use crate::registry::ContestKind;
use crate::report::Report;

/// What is asked of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Will Pi start, and which names are contested?
    Overview,
    /// Which extensions load, in which order?
    Order,
    /// Who holds the names of these kinds?
    Kinds(Vec<ContestKind>),
    /// What about this name?
    Name {
        /// The kinds that it may be of.
        kinds: Vec<ContestKind>,
        /// The name.
        name: String,
    },
    /// What does this extension register?
    Extension(String),
    /// Who sets each field of a provider, `ID` or `ID.FIELD`?
    Provider(Option<String>),
    /// Who sets each field of a model, `PROVIDER` or `PROVIDER/ID`?
    Model(Option<String>),
    /// Who holds every name?
    All,
    /// Several of these, one after the other.
    Several(Vec<Question>),
}

/// The forms of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// For people at a terminal.
    Table,
    /// For programs.
    Json,
    /// For pull requests and issues.
    Markdown,
    /// For code scanning services: findings only.
    Sarif,
    /// For GitHub Actions: findings only.
    Github,
    /// For agents and grep: one line per finding or row.
    Compact,
}

/// What a page looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Columns.
    pub width: usize,
    /// Whether places become hyperlinks.
    pub links: bool,
    /// Whether paths are shown in full.
    pub full_paths: bool,
}

/// The answer to a question in one form. Colours are always in it; who writes it out strips them where they are not
/// wanted.
pub fn render(form: Form, question: &Question, report: &Report, style: &Style) -> serde_json::Result<String> {
    let paths = Paths::new(report, style.full_paths);
    match form {
        Form::Json => json::render(report, &|it| findings::is_asked(question, it)),
        Form::Table => Ok(terminal::print(&page::page(question, report, &paths), Some(&paths), style)),
        Form::Markdown => Ok(markdown::print(&page::page(question, report, &paths), Some(&paths))),
        Form::Sarif => sarif::print(&findings::asked(question, report, &paths), report, &paths),
        Form::Github => Ok(github::print(&findings::asked(question, report, &paths), report, &paths)),
        Form::Compact => {
            let paths = paths.openable();
            let page = page::page(question, report, &paths);
            if *question != Question::Overview {
                return Ok(compact::lines(&page));
            }
            Ok(compact::print(&page, &findings::asked(question, report, &paths), report, &paths))
        }
    }
}

/// The result of a check in one form.
pub fn check(
    form: Form,
    checked: &Checked<'_>,
    report: &Report,
    style: &Style,
) -> serde_json::Result<String> {
    let paths = Paths::new(report, style.full_paths);
    match form {
        Form::Json => json::check(checked, report, &paths),
        Form::Table => Ok(terminal::print(&page::check::page(checked, report, &paths), Some(&paths), style)),
        Form::Markdown => Ok(markdown::print(&page::check::page(checked, report, &paths), Some(&paths))),
        Form::Sarif => sarif::print(&checked.items, report, &paths),
        Form::Github => Ok(github::print(&checked.items, report, &paths)),
        Form::Compact => {
            let paths = paths.openable();
            let page = page::check::page(checked, report, &paths);
            Ok(compact::print(&page, &checked.items, report, &paths))
        }
    }
}

/// What changed, and whether Pi starts now, in one form.
pub fn changes(form: Form, changes: &[Change], starts: &str, style: &Style) -> serde_json::Result<String> {
    match form {
        Form::Json => json::changes(changes),
        Form::Github => Ok(github::changes(&summary(changes))),
        _ => print(form, &page::changes::page(&summary(changes), starts), style),
    }
}

/// A page that is about no installation, in one form. Findings it has none; programs get its words.
pub fn print(form: Form, document: &Document, style: &Style) -> serde_json::Result<String> {
    Ok(match form {
        Form::Table => terminal::print(document, None, style),
        Form::Markdown => markdown::print(document, None),
        Form::Compact | Form::Github | Form::Sarif => compact::lines(document),
        Form::Json => json::document(document)?,
    })
}

/// What went wrong while reading, for people.
pub fn diagnostics(report: &Report, style: &Style) -> String {
    let paths = Paths::new(report, style.full_paths);
    terminal::print(&page::diagnostics(report, &paths), Some(&paths), style)
}

/// What was read and how long the stages took.
pub fn timings(report: &Report, style: &Style) -> String {
    let paths = Paths::new(report, style.full_paths);
    let mut read: Vec<String> = report.sources.paths().iter().map(|it| paths.short(it.as_str())).collect();
    read.sort_unstable();
    read.dedup();
    let mut text = String::new();
    for path in &read {
        let _ = writeln!(text, "read  {}", visible::visible(path));
    }
    let _ = writeln!(text, "{} read", words::count(read.len(), "file"));
    for it in &report.timings {
        let _ = writeln!(text, "{:>8.2} ms  {}", it.took.as_secs_f64() * 1000.0, it.stage);
    }
    text
}
