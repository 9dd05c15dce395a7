//! All modules of one run: read, parsed and lowered once each, whoever asks, from whichever thread.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use super::ir::{Dialect, Module, Range};
use super::parse::{Goal, SyntaxError, parse};
use super::resolve::{Asking, Importer, Missing, ModuleFile, Resolution, Treatment};
use crate::files::Files;
use crate::location::{FileId, SourceMap, Span};

/// Why a file cannot serve as a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadProblem {
    /// Which kind.
    pub kind: LoadProblemKind,
    /// Pi's text after `Failed to load extension: `, as near as it can be known.
    pub message: Arc<str>,
    /// In words for people, with what to do where that is known.
    pub explanation: Arc<str>,
    /// Where.
    pub at: Option<Span>,
}

/// Kinds of [`LoadProblem`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoadProblemKind {
    /// The loader refuses the text. Fails the extension.
    Syntax,
    /// An import leads nowhere. Fails the extension.
    Unresolvable,
    /// An ECMAScript module that Node loads imports a name that the other does not export. Fails the extension.
    MissingExport,
    /// The file is there but cannot be read. Fails the extension.
    Unreadable,
    /// Larger than what is parsed: what it does is not known.
    TooLarge,
    /// Nested more deeply than what is parsed: what it does is not known.
    TooDeep,
}

impl LoadProblemKind {
    /// Whether Pi fails to load the extension; otherwise it is only not known what happens.
    pub fn is_failure(self) -> bool {
        !matches!(self, Self::TooLarge | Self::TooDeep)
    }
}

/// What loading an entry brought to light before any code runs.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// The modules that static imports reach, in the order in which they are evaluated; the entry last.
    pub order: Vec<ModuleFile>,
    /// The first thing that keeps the loader from getting through.
    pub problem: Option<LoadProblem>,
}

/// A module read and lowered, or why not.
type Loaded = Result<Arc<Module>, LoadProblem>;

/// The modules of one run.
pub struct Modules<'a> {
    files: &'a dyn Files,
    sources: &'a SourceMap,
    loaded: Mutex<FxHashMap<ModuleFile, Arc<OnceLock<Loaded>>>>,
}

impl<'a> Modules<'a> {
    /// None yet.
    pub fn new(files: &'a dyn Files, sources: &'a SourceMap) -> Self {
        Self { files, sources, loaded: Mutex::default() }
    }

    /// The module of a file: read, parsed and lowered the first time, remembered afterwards.
    pub fn module(&self, file: &ModuleFile) -> Loaded {
        let cell = {
            let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(loaded.entry(file.clone()).or_default())
        };
        cell.get_or_init(|| self.load(file)).clone()
    }

    /// Where a specifier of a module leads.
    pub fn resolve(&self, from: Importer<'_>, specifier: &str, asking: Asking) -> Resolution {
        super::resolve::resolve(self.files, from, specifier, asking)
    }

    /// What jiti makes of the path of an entry: a file, or a directory with an index.
    pub fn entry(&self, path: &camino::Utf8Path) -> Result<ModuleFile, Missing> {
        super::resolve::entry(self.files, path)
    }

    fn load(&self, file: &ModuleFile) -> Loaded {
        let text = self.files.read_text(&file.path).map_err(|error| LoadProblem {
            kind: LoadProblemKind::Unreadable,
            message: format!("{error}").into(),
            explanation: format!("{} cannot be read: {error}", file.path).into(),
            at: None,
        })?;
        let id = self.sources.add(file.path.clone(), text.as_str());
        let (dialect, jsx) = dialect(file);
        let goal = match file.treatment {
            Treatment::Fresh | Treatment::Json => Goal::Transpiled,
            Treatment::NativeEsm => Goal::Module,
            Treatment::NativeCommonJs => Goal::CommonJs,
        };
        if dialect == Dialect::Json {
            return Ok(Arc::new(super::lower::json(id)));
        }
        parse(&text, id, dialect, jsx, goal).map(Arc::new).map_err(|error| syntax_problem(&error, id, file))
    }
}

/// The dialect that the loader takes a file for, and whether JSX is read.
fn dialect(file: &ModuleFile) -> (Dialect, bool) {
    match file.path.extension() {
        Some("ts" | "mts" | "cts" | "tsx" | "mtsx" | "ctsx") => (Dialect::TypeScript, false),
        Some("json") => (Dialect::Json, false),
        _ => (Dialect::JavaScript, false),
    }
}

fn syntax_problem(error: &SyntaxError, id: FileId, file: &ModuleFile) -> LoadProblem {
    let Range { start, end } = error.at;
    LoadProblem {
        kind: LoadProblemKind::Syntax,
        message: format!("ParseError: {}", error.message).into(),
        explanation: format!("{} is not valid: {}", file.path, error.message).into(),
        at: Some(Span::new(id, start, end)),
    }
}
