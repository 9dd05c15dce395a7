//! Ignore files as Pi reads them: npm `ignore` 7.0.5 with its default options (Pi, `dist/core/package-manager.js`;
//! rules, section 1.3).
//!
//! It is not quite gitignore: case does not count, `[!a]` is no negation, and what is re-included below an ignored
//! directory stays ignored. The `ignore` crate differs in each of these, so a pattern becomes a regular
//! expression here. `tests/globs.rs` holds this against what the npm package answered.

use std::fmt::Write as _;

use regex::Regex;

use crate::location::Span;

/// Rules in the order of their lines; later ones decide.
#[derive(Debug, Default)]
pub struct IgnoreRules {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    negative: bool,
    regex: Regex,
    at: Option<Span>,
}

impl IgnoreRules {
    /// Adds lines. Comments, blank lines and lines that end in a lone backslash are no rules.
    pub fn add<'l>(&mut self, lines: impl IntoIterator<Item = &'l str>) {
        self.rules.extend(lines.into_iter().filter_map(|it| Rule::new(it, None)));
    }

    /// Adds one line and remembers where it stands.
    pub fn add_line(&mut self, line: &str, at: Span) {
        self.rules.extend(Rule::new(line, Some(at)));
    }

    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether a relative path is ignored, itself or with a directory above it. A `/` at its end makes it a directory.
    pub fn ignores(&self, path: &str) -> bool {
        self.deciding(path).is_some()
    }

    /// The place of the line that a path is ignored by; `None` when it is not ignored, or not by a line with a place.
    pub fn ignored_by(&self, path: &str) -> Option<Span> {
        self.deciding(path).and_then(|it| it.at)
    }

    fn deciding(&self, path: &str) -> Option<&Rule> {
        if self.is_empty() {
            return None;
        }
        let path = path.trim_start_matches('/');
        let directories = path.match_indices('/').map(|(at, _)| &path[..=at]);
        let mut above = directories.filter(|it| it.len() < path.len());
        above.find_map(|it| self.deciding_itself(it)).or_else(|| self.deciding_itself(path))
    }

    fn deciding_itself(&self, path: &str) -> Option<&Rule> {
        let mut ignoring: Option<&Rule> = None;
        for rule in &self.rules {
            if rule.negative == ignoring.is_some() && rule.regex.is_match(path) {
                ignoring = Some(rule).filter(|it| !it.negative);
            }
        }
        ignoring
    }
}

impl Rule {
    fn new(line: &str, at: Option<Span>) -> Option<Self> {
        let blank = line.chars().all(char::is_whitespace);
        let dangling = line.ends_with('\\') && !line.ends_with("\\\\");
        if blank || dangling || line.starts_with('#') {
            return None;
        }
        let (negative, body) = match line.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let body = match body.strip_prefix('\\') {
            Some(rest) if rest.starts_with(['!', '#']) => rest,
            _ => body,
        };
        let regex = regex::RegexBuilder::new(&translate(body)).case_insensitive(true).build().ok()?;
        Some(Self { negative, regex, at })
    }
}

/// A pattern as a regular expression over a relative path.
fn translate(pattern: &str) -> String {
    let pattern = trimmed(pattern.trim_start_matches('\u{feff}'));
    let characters: Vec<char> = pattern.chars().collect();
    let mut out = String::new();
    let mut at = 0;
    if let ['/', ..] = characters.as_slice() {
        out.push('^');
        at = 1;
    } else if !has_inner_slash(&characters) {
        out.push_str("(?:^|/)");
    } else {
        out.push('^');
    }
    if let ['*', '*', '/', ..] = characters[at..] {
        out.clear();
        out.push_str("^(?:.*/)?");
        at += 3;
    }
    while at < characters.len() {
        at = step(&mut out, &characters, at);
    }
    match characters.last() {
        Some('/') => out.push('$'),
        _ => out.push_str("/?$"),
    }
    out
}

/// Writes what stands at `at` and says where to go on.
fn step(out: &mut String, characters: &[char], at: usize) -> usize {
    let rest = &characters[at..];
    match rest {
        ['/', '*', '*'] => {
            out.push_str("/.+");
            at + 3
        }
        ['/', '*', '*', '/', ..] => {
            out.push_str("(?:/[^/]+)*");
            at + 3
        }
        // npm's ignore takes an escaped star at the end for a star
        ['\\', '*'] => {
            let after_slash = at > 0 && characters[at - 1] == '/';
            out.push_str(if after_slash { "[^/]+" } else { "[^/]*" });
            at + 2
        }
        ['*', ..] => {
            let stars = rest.iter().take_while(|&&it| it == '*').count();
            let ends = stars == rest.len();
            // A trailing star after a slash takes at least one character.
            let some = ends && at > 0 && characters[at - 1] == '/';
            out.push_str(if some { "[^/]+" } else { "[^/]*" });
            at + stars
        }
        ['?', ..] => {
            out.push_str("[^/]");
            at + 1
        }
        ['[', ..] => class(out, characters, at),
        ['\\', escaped, ..] => {
            out.push_str(&regex::escape(escaped.encode_utf8(&mut [0; 4])));
            at + 2
        }
        [other, ..] => {
            out.push_str(&regex::escape(other.encode_utf8(&mut [0; 4])));
            at + 1
        }
        [] => at,
    }
}

/// A character class; one that is not closed matches nothing. `!` and `^` are characters like others.
fn class(out: &mut String, characters: &[char], at: usize) -> usize {
    let inside: Vec<char> =
        characters[at + 1..].iter().copied().take_while(|it| !matches!(it, ']' | '/')).collect();
    let end = at + 1 + inside.len();
    if characters.get(end) != Some(&']') || inside.is_empty() {
        out.push_str("[^\\s\\S]");
        return if characters.get(end) == Some(&']') { end + 1 } else { end };
    }
    out.push('[');
    let mut index = 0;
    let mut written = false;
    while index < inside.len() {
        let low = inside[index];
        match inside.get(index + 1..index + 3) {
            Some(&['-', high]) if low != '\\' => {
                if low <= high {
                    let _ = write!(out, "{}-{}", class_character(low), class_character(high));
                    written = true;
                }
                index += 3;
            }
            _ => {
                out.push_str(&class_character(low));
                written = true;
                index += 1;
            }
        }
    }
    if !written {
        out.push_str("^\\s\\S");
    }
    out.push(']');
    end + 1
}

fn class_character(character: char) -> String {
    if character.is_ascii_punctuation() { format!("\\{character}") } else { character.to_string() }
}

/// Whether a slash stands before the last character.
fn has_inner_slash(characters: &[char]) -> bool {
    characters.iter().rev().skip(1).any(|&it| it == '/')
}

/// Without the white space at its end, unless a backslash keeps one blank of it.
fn trimmed(pattern: &str) -> String {
    let end = pattern.trim_end();
    let backslashes = end.len() - end.trim_end_matches('\\').len();
    if end.len() < pattern.len() && backslashes % 2 == 1 {
        format!("{} ", &end[..end.len() - 1])
    } else {
        end.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::IgnoreRules;

    #[test]
    fn a_file_below_an_ignored_directory_cannot_be_taken_back() {
        let mut rules = IgnoreRules::default();
        rules.add(["build/", "!build/keep.ts", "*.log", "!important.log"]);
        assert!(rules.ignores("build/keep.ts"));
        assert!(rules.ignores("a/b/x.log"));
        assert!(!rules.ignores("a/important.log"));
        assert!(!rules.ignores("build"));
    }
}
