//! Pieces of source with labels, drawn by miette. Whatever stands in the source, only what can be seen goes out, and no
//! line is longer than the page.

use std::ops::Range;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    SourceCode, SourceSpan, SpanContents,
};
use unicode_width::UnicodeWidthChar as _;

use super::document::Snippet;
use super::redact::Zones;
use super::visible::{is_hidden, visible};
use super::{Paths, Style};
use crate::location::{FileId, SourceFile, Span};

/// A label on more than this is on a call, not on a name.
const LONGEST_NAME: usize = 200;
/// Columns of a line that stands alone.
const LONGEST_LINE: usize = 160;
/// Lines around a label.
const CONTEXT: usize = 1;
/// Columns that line numbers and frames take.
const FRAME: usize = 10;
/// Columns of code before a label that stands too far to the right.
const LEAD: usize = 24;

/// The snippet, one frame per file.
pub fn print(snippet: &Snippet, paths: &Paths<'_>, style: &Style) -> String {
    let mut files: Vec<(FileId, Vec<&(Span, String)>)> = Vec::new();
    for label in &snippet.labels {
        match files.iter_mut().find(|(file, _)| *file == label.0.file) {
            Some((_, labels)) => labels.push(label),
            None => files.push((label.0.file, vec![label])),
        }
    }
    let mut out = String::new();
    for (file, labels) in files {
        let source = paths.report().sources.get(file);
        let name = paths.short(source.path().as_str());
        let code = Code::new(&source, file, snippet, paths);
        out.push_str(&frame(&Excerpt::new(&code, &labels, visible(&name).into_owned(), style), style));
    }
    out
}

/// The line in which a label begins, without what may be secret and cut to a readable length.
pub fn line(span: Span, snippet: &Snippet, paths: &Paths<'_>) -> String {
    let source = paths.report().sources.get(span.file);
    let code = Code::new(&source, span.file, snippet, paths);
    let at = code.text.floor_char_boundary((span.start as usize).min(code.text.len()));
    let window = line_start(code.text, at, 0)..line_end(code.text, at, 0);
    let mut shown = Shown::default();
    shown.lines(&code.text[window.clone()], &code.hidden(&window), LONGEST_LINE);
    shown.text.trim().to_owned()
}

fn frame(excerpt: &Excerpt, style: &Style) -> String {
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode())
        .with_links(false)
        .with_context_lines(CONTEXT)
        .with_width(style.width);
    let mut out = String::new();
    // Writing to a string does not fail; an excerpt that cannot be drawn is left out, the place stands in the table.
    if handler.render_report(&mut out, excerpt).is_err() {
        return String::new();
    }
    // The message above the frame is empty: the page says what the snippet is about.
    let lines = out.lines().skip_while(|it| !it.contains('╭'));
    let mut shown = String::new();
    for line in lines.filter(|it| !it.trim().is_empty()) {
        shown.push_str(line.trim_end());
        shown.push('\n');
    }
    shown
}

/// A text and what of it is not shown.
struct Code<'a> {
    text: &'a str,
    zones: Zones,
    /// Names that are shown whatever they look like.
    names: Vec<Range<usize>>,
}

impl<'a> Code<'a> {
    fn new(source: &'a SourceFile, file: FileId, snippet: &Snippet, paths: &Paths<'_>) -> Self {
        let spans = snippet.labels.iter().map(|it| it.0).filter(|it| it.file == file && !snippet.secretive);
        let names = spans.map(|it| it.start as usize..it.end as usize).filter(|it| it.len() < LONGEST_NAME);
        Self { text: source.text(), zones: Zones::of(paths.report(), file), names: names.collect() }
    }

    fn hidden(&self, window: &Range<usize>) -> Vec<Range<usize>> {
        let hidden = self.zones.hidden(self.text, window, &self.names);
        let within = |it: Range<usize>| it.start.max(window.start) - window.start..it.end - window.start;
        hidden.into_iter().map(within).collect()
    }
}

/// The lines of a file that are shown, and where they stand in it.
#[derive(Debug)]
struct Excerpt {
    name: String,
    text: String,
    /// Lines of the file before the first one of `text`.
    lines_before: usize,
    /// Columns of the first labelled line that were cut off at its left.
    columns_before: usize,
    labels: Vec<LabeledSpan>,
}

impl Excerpt {
    fn new(code: &Code<'_>, labels: &[&(Span, String)], name: String, style: &Style) -> Self {
        let text = code.text;
        let room = style.width.saturating_sub(FRAME);
        let ranges: Vec<_> = labels.iter().map(|(span, words)| (first_line_of(text, *span), words)).collect();
        let start = ranges.iter().map(|(range, _)| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(|(range, _)| range.end).max().unwrap_or(0);
        let from = line_start(text, start, CONTEXT);
        let to = line_end(text, end, CONTEXT);
        let window = &text[from..to];
        let wide = |range: &Range<usize>| width(&text[line_start(text, range.start, 0)..range.end]) > room;
        let lines_before = text[..from].bytes().filter(|&it| it == b'\n').count();
        if ranges.iter().any(|(range, _)| wide(range)) {
            return Self::narrow(code, &ranges, name, room);
        }
        let mut shown = Shown::default();
        let mut marked = Vec::new();
        for (range, words) in &ranges {
            marked.push((range.start - from, range.end - from, words.as_str()));
        }
        shown.lines(window, &code.hidden(&(from..to)), room);
        let labels = marked.iter().map(|(start, end, words)| shown.label(window, *start, *end, words));
        Self { name, labels: labels.collect(), lines_before, columns_before: 0, text: shown.text }
    }

    /// One line, cut at both sides: for code that is bundled into lines without end.
    fn narrow(code: &Code<'_>, ranges: &[(Range<usize>, &String)], name: String, room: usize) -> Self {
        let text = code.text;
        let Some((first, _)) = ranges.first() else {
            return Self {
                name,
                text: String::new(),
                lines_before: 0,
                columns_before: 0,
                labels: Vec::new(),
            };
        };
        let line = line_start(text, first.start, 0);
        let lead =
            text[line..first.start].char_indices().rev().nth(LEAD.saturating_sub(1)).map_or(0, |it| it.0);
        let from = line + lead;
        let to = line_end(text, first.start, 0);
        let window = &text[from..to];
        let mut shown = Shown::default();
        if lead > 0 {
            shown.text.push('…');
        }
        shown.lines(window, &code.hidden(&(from..to)), room.saturating_sub(1));
        let labels = ranges
            .iter()
            .filter(|(range, _)| range.start >= from && range.end <= to)
            .map(|(range, words)| shown.label(window, range.start - from, range.end - from, words))
            .collect();
        let lines_before = text[..line].bytes().filter(|&it| it == b'\n').count();
        // The ellipsis takes the place of one character.
        let columns_before = text[line..from].chars().count().saturating_sub(usize::from(lead > 0));
        Self { name, text: shown.text, lines_before, columns_before, labels }
    }
}

/// Text under way to the page, with the offset that each character of the source has in it.
#[derive(Default)]
struct Shown {
    text: String,
    offsets: Vec<(usize, usize)>,
}

impl Shown {
    /// Takes lines over: hidden characters spelt out, secrets left out, what goes beyond `room` columns cut off.
    fn lines(&mut self, window: &str, secrets: &[Range<usize>], room: usize) {
        let mut columns = 0;
        let mut cut = false;
        for (at, character) in window.char_indices() {
            self.offsets.push((at, self.text.len()));
            if character == '\n' {
                self.text.push('\n');
                (columns, cut) = (0, false);
                continue;
            }
            if cut || character == '\r' {
                continue;
            }
            if let Some(secret) = secrets.iter().find(|it| it.contains(&at)) {
                if secret.start == at {
                    self.text.push('…');
                    columns += 1;
                }
                continue;
            }
            columns += if character == '\t' { 4 } else { character.width().unwrap_or(4) };
            if columns > room {
                self.text.push('…');
                cut = true;
            } else if character == '\t' {
                self.text.push_str("    ");
            } else if is_hidden(character) {
                self.text.push_str(&visible(character.encode_utf8(&mut [0; 4])));
            } else {
                self.text.push(character);
            }
        }
        self.offsets.push((window.len(), self.text.len()));
    }

    fn offset(&self, at: usize) -> usize {
        let found = self.offsets.partition_point(|(from, _)| *from < at);
        self.offsets.get(found).map_or(self.text.len(), |it| it.1)
    }

    fn label(&self, _window: &str, start: usize, end: usize, words: &str) -> LabeledSpan {
        let (start, end) = (self.offset(start), self.offset(end));
        let words = (!words.is_empty()).then(|| visible(words).into_owned());
        LabeledSpan::new(words, start, end.saturating_sub(start))
    }
}

/// The part of a span that stands on its first line; never outside the text or inside a character.
fn first_line_of(text: &str, span: Span) -> Range<usize> {
    let floor = |at: u32| text.floor_char_boundary((at as usize).min(text.len()));
    let (start, end) = (floor(span.start), floor(span.end).max(floor(span.start)));
    let line = text[start..end].find('\n').map_or(end, |it| start + it);
    start..line
}

/// Where the line begins that stands `lines` above the one of `at`.
fn line_start(text: &str, at: usize, lines: usize) -> usize {
    text[..at].rmatch_indices('\n').nth(lines).map_or(0, |(at, _)| at + 1)
}

/// Where the line ends that stands `lines` below the one of `at`.
fn line_end(text: &str, at: usize, lines: usize) -> usize {
    text[at..].match_indices('\n').nth(lines).map_or(text.len(), |(found, _)| at + found)
}

fn width(text: &str) -> usize {
    text.chars().map(|it| it.width().unwrap_or(4)).sum()
}

impl std::fmt::Display for Excerpt {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Excerpt {}

impl Diagnostic for Excerpt {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let it = self.text.read_span(span, before, after)?;
        // Only a label is looked up without context, to say where it stands.
        let columns = if before == 0 && after == 0 { self.columns_before } else { 0 };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            it.data(),
            *it.span(),
            it.line() + self.lines_before,
            it.column() + columns,
            it.line_count(),
        )))
    }
}
