//! A page before it has a form: an answer, lines, tables and source snippets. Views write it, forms print it.

use camino::Utf8PathBuf;

use crate::location::{Location, Span};

/// What a piece of text is, so that a form can set it apart. No meaning rests on this alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Nothing special.
    #[default]
    Plain,
    /// A name that is asked about.
    Name,
    /// Holds a name, or is in order.
    Winner,
    /// Keeps Pi from starting.
    Refused,
    /// Worth a look.
    Warning,
    /// Has no effect.
    Dim,
    /// Something to type or to write into a file.
    Code,
    /// The heading of a part.
    Heading,
}

/// A piece of text in one role, perhaps with a place behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What it is.
    pub role: Role,
    /// The words; may hold anything that a name can hold.
    pub text: String,
    /// Where it leads.
    pub link: Option<Link>,
}

/// A place that a reader may want to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The file.
    pub path: Utf8PathBuf,
    /// Its line, from 1.
    pub line: Option<u32>,
}

impl From<&Location> for Link {
    fn from(it: &Location) -> Self {
        Self { path: it.path.clone(), line: Some(it.line) }
    }
}

/// A line of text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text(pub Vec<Run>);

impl Text {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds words in a role.
    #[must_use]
    pub fn with(mut self, role: Role, text: impl Into<String>) -> Self {
        self.0.push(Run { role, text: text.into(), link: None });
        self
    }

    /// Adds plain words.
    #[must_use]
    pub fn plain(self, text: impl Into<String>) -> Self {
        self.with(Role::Plain, text)
    }

    /// Adds a name.
    #[must_use]
    pub fn name(self, text: impl Into<String>) -> Self {
        self.with(Role::Name, text)
    }

    /// Adds something to type.
    #[must_use]
    pub fn code(self, text: impl Into<String>) -> Self {
        self.with(Role::Code, text)
    }

    /// Adds words that have no effect.
    #[must_use]
    pub fn dim(self, text: impl Into<String>) -> Self {
        self.with(Role::Dim, text)
    }

    /// Adds another text.
    #[must_use]
    pub fn then(mut self, other: impl Into<Self>) -> Self {
        self.0.extend(other.into().0);
        self
    }

    /// The same text in one role.
    #[must_use]
    pub fn all(mut self, role: Role) -> Self {
        for run in &mut self.0 {
            run.role = role;
        }
        self
    }

    /// The words alone.
    pub fn to_plain(&self) -> String {
        self.0.iter().map(|it| it.text.as_str()).collect()
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|it| it.text.is_empty())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::new().plain(text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::new().plain(text)
    }
}

/// The sign before an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// None.
    None,
    /// All is well.
    Good,
    /// Pi does not start.
    Bad,
    /// Something to know first.
    Careful,
}

/// Rows and columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What the columns are; empty when the rows explain themselves.
    pub header: Vec<&'static str>,
    /// The rows; all of one length.
    pub rows: Vec<Vec<Text>>,
}

/// Places in the source of one extension, each with what is to be said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The places with their labels; the first one is the main one.
    pub labels: Vec<(Span, String)>,
    /// Whether what is labelled may be a secret itself. Otherwise labels are on names, which are always shown.
    pub secretive: bool,
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// The answer; the first block of a page.
    Answer(Sign, Text),
    /// The heading of a part.
    Heading(Text),
    /// A line, indented by so many steps.
    Line(usize, Text),
    /// A table.
    Table(Table),
    /// A piece of source.
    Snippet(Snippet),
    /// Room between parts.
    Gap,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// Its parts.
    pub blocks: Vec<Block>,
}

impl Document {
    /// A page with nothing on it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part.
    pub fn push(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// Sets the answer.
    pub fn answer(&mut self, sign: Sign, text: impl Into<Text>) {
        self.push(Block::Answer(sign, text.into()));
    }

    /// Adds a line.
    pub fn line(&mut self, text: impl Into<Text>) {
        self.push(Block::Line(1, text.into()));
    }

    /// Adds a heading with room before it.
    pub fn heading(&mut self, text: impl Into<Text>) {
        self.gap();
        self.push(Block::Heading(text.into()));
    }

    /// Adds a table unless it is empty.
    pub fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.push(Block::Table(table));
        }
    }

    /// Adds room unless there is some, or nothing stands before it.
    pub fn gap(&mut self) {
        if !matches!(self.blocks.last(), None | Some(Block::Gap)) {
            self.push(Block::Gap);
        }
    }
}
