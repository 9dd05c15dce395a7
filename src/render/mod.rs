//! How answers are shown: one file per form. All forms are made from one report.

pub mod json;

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
    /// Who holds every name?
    All,
}

/// The forms of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// For people at a terminal.
    Table,
    /// For programs.
    Json,
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
pub fn render(
    form: Form,
    _question: &Question,
    report: &Report,
    _style: &Style,
) -> serde_json::Result<String> {
    match form {
        Form::Table | Form::Json => json::render(report),
    }
}

/// What went wrong while reading, for people.
pub fn diagnostics(_report: &Report, _style: &Style) -> String {
    String::new()
}

/// How long the stages took.
pub fn timings(_report: &Report) -> String {
    String::new()
}
