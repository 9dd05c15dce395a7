//! What every part of the stage needs: the files, each read once, the environment, and where to put what goes wrong.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use rustc_hash::FxHashMap;

use super::options::Behaviour;
use super::paths::Base;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::environment::Environment;
use crate::files::{DirectoryEntry, Files};
use crate::json;
use crate::location::{FileId, SourceMap, Span};

/// A text file that was read.
pub(super) struct TextFile {
    pub file: FileId,
    pub text: Arc<str>,
}

impl TextFile {
    /// The bytes `start..end` of the file.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(self.file, offset(start), offset(end))
    }
}

/// A JSON file: what it holds, or why it is not JSON.
pub(super) type JsonFile = Rc<Result<json::Node, json::Error>>;

pub(super) struct Context<'a> {
    pub files: &'a dyn Files,
    pub environment: &'a Environment,
    pub behaviour: &'a Behaviour,
    sources: &'a SourceMap,
    texts: RefCell<FxHashMap<Utf8PathBuf, Option<Rc<TextFile>>>>,
    json: RefCell<FxHashMap<Utf8PathBuf, Option<JsonFile>>>,
    diagnostics: RefCell<Vec<Diagnostic>>,
    names_left: Cell<usize>,
}

impl<'a> Context<'a> {
    /// How deep folders are followed. Pi has no limit but that of the system; only links in a circle get here.
    pub const DEEPEST_FOLDER: usize = 256;
    /// How many names of folders are looked at in one plan.
    const MOST_NAMES: usize = 500_000;

    pub fn new(
        files: &'a dyn Files,
        environment: &'a Environment,
        sources: &'a SourceMap,
        behaviour: &'a Behaviour,
    ) -> Self {
        Self {
            files,
            environment,
            behaviour,
            sources,
            texts: RefCell::default(),
            json: RefCell::default(),
            diagnostics: RefCell::default(),
            names_left: Cell::new(Self::MOST_NAMES),
        }
    }

    /// Where a path written in a settings file of `directory` starts from.
    pub fn base<'b>(&'b self, directory: &'b Utf8Path) -> Base<'b> {
        Base { directory, home: &self.environment.home }
    }

    /// A text file; `None` when it cannot be read.
    pub fn text(&self, path: &Utf8Path) -> Option<Rc<TextFile>> {
        if let Some(known) = self.texts.borrow().get(path) {
            return known.clone();
        }
        let read = self.files.read_text(path).ok().map(|text| {
            let text: Arc<str> = match text.strip_prefix('\u{feff}') {
                Some(bare) if self.behaviour.strips_bom => bare.into(),
                _ => text.into(),
            };
            Rc::new(TextFile { file: self.sources.add(path, Arc::clone(&text)), text })
        });
        self.texts.borrow_mut().insert(path.to_owned(), read.clone());
        read
    }

    /// A JSON file; `None` when it cannot be read.
    pub fn json(&self, path: &Utf8Path) -> Option<JsonFile> {
        if let Some(known) = self.json.borrow().get(path) {
            return known.clone();
        }
        let parsed = self.text(path).map(|it| Rc::new(json::parse(&it.text, it.file)));
        self.json.borrow_mut().insert(path.to_owned(), parsed.clone());
        parsed
    }

    /// The names of a folder; none when it cannot be read, or when too many were read already.
    pub fn list(&self, path: &Utf8Path) -> Vec<DirectoryEntry> {
        let left = self.names_left.get();
        if left == 0 {
            return Vec::new();
        }
        let names = self.files.read_directory(path).unwrap_or_default();
        self.names_left.set(left.saturating_sub(names.len()));
        if names.len() >= left {
            self.tell(Diagnostic {
                code: Code::TooManyFiles,
                severity: Severity::Warning,
                message: format!(
                    "more than {} files would have to be looked at; what lies behind {path} is left out",
                    Self::MOST_NAMES
                ),
                help: Some("name smaller folders in the settings".to_owned()),
                at: None,
            });
        }
        names
    }

    /// Real path, or the path itself where there is none (`canonicalizePath`).
    pub fn canonical(&self, path: &Utf8Path) -> Utf8PathBuf {
        self.files.canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }

    /// Keeps something to tell, once.
    pub fn tell(&self, diagnostic: Diagnostic) {
        let mut diagnostics = self.diagnostics.borrow_mut();
        if !diagnostics.contains(&diagnostic) {
            diagnostics.push(diagnostic);
        }
    }

    /// Hands out what was kept.
    pub fn take_diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.take()
    }
}
