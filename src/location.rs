//! Places in files: compact while the program works ([`Span`]), human when shown ([`Location`]).

use std::sync::{Arc, OnceLock, RwLock};

use camino::{Utf8Path, Utf8PathBuf};

/// A file whose text the program holds. Handed out by [`SourceMap::add`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A half-open range of byte offsets into the text of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file that `start` and `end` count in.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }
}

/// A place as people read it. Lines and columns count from 1; columns count Unicode characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema)]
pub struct Location {
    /// The file, as it was reached.
    #[schemars(with = "String")]
    pub path: Utf8PathBuf,
    /// Line, from 1.
    pub line: u32,
    /// Column in Unicode characters, from 1.
    pub column: u32,
}

/// The text of one file and where its lines begin.
#[derive(Debug)]
pub struct SourceFile {
    path: Utf8PathBuf,
    text: Arc<str>,
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// The path under which the file was read.
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Line and column, both from 1, of a byte offset. An offset past the end is taken as the end.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let starts = self.line_starts.get_or_init(|| {
            let newlines = self.text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
            std::iter::once(0)
                .chain(newlines.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX)))
                .collect()
        });
        let line = starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let from = starts[line] as usize;
        let mut to = (offset as usize).clamp(from, self.text.len());
        while !self.text.is_char_boundary(to) {
            to -= 1;
        }
        let column = self.text[from..to].chars().count();
        (u32::try_from(line + 1).unwrap_or(u32::MAX), u32::try_from(column + 1).unwrap_or(u32::MAX))
    }
}

/// Every text that the program has read and may want to point into. Shared by all stages and threads.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: RwLock<Vec<Arc<SourceFile>>>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in a text and gives it an id. The same path added twice gets two ids.
    pub fn add(&self, path: impl Into<Utf8PathBuf>, text: impl Into<Arc<str>>) -> FileId {
        let file = SourceFile { path: path.into(), text: text.into(), line_starts: OnceLock::new() };
        let mut files = self.files.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        files.push(Arc::new(file));
        FileId(u32::try_from(files.len() - 1).unwrap_or(u32::MAX))
    }

    /// The file behind an id of this map.
    ///
    /// # Panics
    /// When the id comes from another map.
    pub fn get(&self, id: FileId) -> Arc<SourceFile> {
        let files = self.files.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::clone(&files[id.0 as usize])
    }

    /// The paths of all texts, in the order in which they were taken in.
    pub fn paths(&self) -> Vec<Utf8PathBuf> {
        let files = self.files.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        files.iter().map(|it| it.path.clone()).collect()
    }

    /// Where a span begins, for people.
    pub fn locate(&self, span: Span) -> Location {
        let file = self.get(span.file);
        let (line, column) = file.line_column(span.start);
        Location { path: file.path.clone(), line, column }
    }

    /// The text that a span covers.
    pub fn snippet(&self, span: Span) -> String {
        let file = self.get(span.file);
        file.text.get(span.start as usize..span.end as usize).unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_from_one() {
        let map = SourceMap::new();
        let id = map.add("/x.ts", "ab\nü😀c\n");
        let at = |offset| map.get(id).line_column(offset);
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(3), (2, 1));
        assert_eq!(at(5), (2, 2));
        assert_eq!(at(9), (2, 3));
        assert_eq!(at(999), (3, 1));
    }
}
