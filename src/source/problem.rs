//! Why a module cannot be loaded, as far as that shows without running it.

use std::sync::Arc;

use camino::Utf8Path;

use super::parse::SyntaxError;
use super::resolve::Missing;
use crate::location::{FileId, Span};

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
#[non_exhaustive]
pub enum LoadProblemKind {
    /// The loader refuses the text. Fails the extension.
    Syntax,
    /// An import leads nowhere. Fails the extension.
    Unresolvable,
    /// The file is there but cannot be read. Fails the extension.
    Unreadable,
    /// Larger than what is parsed: what it does is not known.
    TooLarge,
    /// Nested more deeply than what is parsed: what it does is not known.
    TooDeep,
    /// One import graph of more modules than are looked at: what the rest does is not known.
    TooManyModules,
}

impl LoadProblemKind {
    /// Whether Pi fails to load the extension; otherwise it is only not known what happens.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Syntax | Self::Unresolvable | Self::Unreadable)
    }
}

impl LoadProblem {
    pub(super) fn unreadable(path: &Utf8Path, error: &std::io::Error) -> Self {
        Self {
            kind: LoadProblemKind::Unreadable,
            message: error.to_string().into(),
            explanation: format!("{path} cannot be read: {error}").into(),
            at: None,
        }
    }

    /// `at` is the beginning of the file, whose text is not read.
    pub(super) fn too_large(path: &Utf8Path, limit: u64, at: Span) -> Self {
        let text: Arc<str> =
            format!("{path} is larger than {} MB and is not looked into", limit >> 20).into();
        Self { kind: LoadProblemKind::TooLarge, message: Arc::clone(&text), explanation: text, at: Some(at) }
    }

    /// `at` is the beginning of the file.
    pub(super) fn too_dense(path: &Utf8Path, limit: usize, at: Span) -> Self {
        let text: Arc<str> =
            format!("{path} holds more than {limit} words and operators and is not looked into").into();
        Self { kind: LoadProblemKind::TooLarge, message: Arc::clone(&text), explanation: text, at: Some(at) }
    }

    pub(super) fn too_deep(path: &Utf8Path, at: Span) -> Self {
        let text: Arc<str> = format!("{path} is nested too deeply and is not looked into").into();
        Self { kind: LoadProblemKind::TooDeep, message: Arc::clone(&text), explanation: text, at: Some(at) }
    }

    pub(super) fn too_many_modules(limit: usize) -> Self {
        let text: Arc<str> = format!("its imports reach more than {limit} modules").into();
        Self {
            kind: LoadProblemKind::TooManyModules,
            message: Arc::clone(&text),
            explanation: text,
            at: None,
        }
    }

    pub(super) fn unresolvable(missing: &Missing, at: Option<Span>) -> Self {
        Self {
            kind: LoadProblemKind::Unresolvable,
            message: Arc::clone(&missing.message),
            explanation: Arc::clone(&missing.explanation),
            at,
        }
    }

    pub(super) fn syntax(path: &Utf8Path, file: FileId, error: &SyntaxError) -> Self {
        Self {
            kind: LoadProblemKind::Syntax,
            message: format!("ParseError: {}", error.message).into(),
            explanation: format!("{path} is not valid: {}", error.message).into(),
            at: Some(Span::new(file, error.at.start, error.at.end)),
        }
    }

    pub(super) fn bad_json(path: &Utf8Path, error: &serde_json::Error) -> Self {
        Self {
            kind: LoadProblemKind::Syntax,
            message: format!("{path}: {error}").into(),
            explanation: format!("{path} is not JSON: {error}").into(),
            at: None,
        }
    }
}
