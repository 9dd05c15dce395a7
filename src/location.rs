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
    index: OnceLock<Index>,
}

/// Where lines begin, and how many characters there are up to each block: bundled code has lines of megabytes.
#[derive(Debug)]
struct Index {
    line_starts: Vec<u32>,
    /// Characters before each multiple of [`Index::BLOCK`] bytes, not counting one that begins in the block before.
    characters: Vec<u32>,
}

impl Index {
    const BLOCK: usize = 1024;

    fn new(text: &str) -> Self {
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| number(at + 1))).collect();
        let mut before = 0;
        let characters = text.as_bytes().chunks(Self::BLOCK).map(|block| {
            let here = before;
            before += number(block.iter().filter(|&&it| begins_character(it)).count());
            here
        });
        Self { line_starts, characters: characters.collect() }
    }

    /// Characters that begin before an offset.
    fn characters_before(&self, text: &str, offset: usize) -> usize {
        let block = (offset / Self::BLOCK).min(self.characters.len().saturating_sub(1));
        let counted = self.characters.get(block).map_or(0, |&it| it as usize);
        let rest = text.as_bytes().get(block * Self::BLOCK..offset).unwrap_or_default();
        counted + rest.iter().filter(|&&it| begins_character(it)).count()
    }
}

/// Whether a byte of UTF-8 is the first of a character.
fn begins_character(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
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
        let index = self.index.get_or_init(|| Index::new(&self.text));
        let line = index.line_starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let from = index.line_starts.get(line).map_or(0, |&it| it as usize);
        let mut to = (offset as usize).clamp(from, self.text.len());
        while !self.text.is_char_boundary(to) {
            to -= 1;
        }
        let before = |offset| index.characters_before(&self.text, offset);
        let column = before(to) - before(from);
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
        let file = SourceFile { path: path.into(), text: text.into(), index: OnceLock::new() };
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

    #[test]
    fn columns_of_long_lines_are_counted_over_blocks() {
        let text = format!("{}\n{}x", "ü".repeat(700), "aü😀".repeat(1_000));
        let map = SourceMap::new();
        let id = map.add("/x.ts", &*text);
        let mut expected = (1, 1);
        for (offset, character) in text.char_indices() {
            let offset = u32::try_from(offset).unwrap();
            assert_eq!(map.get(id).line_column(offset), expected, "{offset}");
            expected = if character == '\n' { (expected.0 + 1, 1) } else { (expected.0, expected.1 + 1) };
        }
        let end = u32::try_from(text.len()).unwrap();
        assert_eq!(map.get(id).line_column(end), expected);
        assert_eq!(map.get(id).line_column(end + 5), expected);
    }
}
