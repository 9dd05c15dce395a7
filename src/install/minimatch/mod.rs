//! Globs as Pi matches them: minimatch 10.2.5 with its default options (Pi, `dist/core/package-manager.js`,
//! `matchesAnyPattern`; rules, section 1.3).
//!
//! No glob crate agrees with it, so patterns are taken apart here and the matching is left to regular expressions:
//! braces are expanded ([`braces`]), each alternative is split at slashes, and each part becomes text or a
//! regular expression ([`segment`]). `tests/globs.rs` holds this against what minimatch answered.

pub(super) mod braces;
pub(super) mod segment;

use self::segment::Segment;

/// A compiled glob.
#[derive(Debug)]
pub struct Minimatch {
    verdict: Verdict,
    negated: bool,
}

#[derive(Debug)]
enum Verdict {
    /// A comment: matches nothing.
    Never,
    /// The empty pattern: matches the empty path.
    EmptyPath,
    /// Matches when one of these does.
    AnyOf(Vec<Vec<Part>>),
}

/// What stands between two slashes of a pattern.
#[derive(Debug)]
enum Part {
    /// `**`: any number of directories.
    GlobStar,
    /// Anything else.
    Segment(Segment),
}

impl Minimatch {
    /// Compiles a pattern. There is no malformed one: what makes no sense as a glob is text.
    pub fn new(pattern: &str) -> Self {
        if pattern.starts_with('#') {
            return Self { verdict: Verdict::Never, negated: false };
        }
        if pattern.is_empty() {
            return Self { verdict: Verdict::EmptyPath, negated: false };
        }
        let bare = pattern.trim_start_matches('!');
        let negated = (pattern.len() - bare.len()) % 2 == 1;
        let alternatives = braces::expand(bare);
        let compiled = alternatives.iter().map(|it| normalised(it).into_iter().map(Part::new).collect());
        Self { verdict: Verdict::AnyOf(compiled.collect()), negated }
    }

    /// Whether a path with `/` between its parts matches.
    pub fn matches(&self, path: &str) -> bool {
        match &self.verdict {
            Verdict::Never => false,
            Verdict::EmptyPath => path.is_empty(),
            Verdict::AnyOf(alternatives) => {
                let path = split(path);
                alternatives.iter().any(|it| matches_parts(it, &path)) != self.negated
            }
        }
    }
}

impl Part {
    fn new(text: &str) -> Self {
        if text == "**" { Self::GlobStar } else { Self::Segment(Segment::new(text)) }
    }
}

/// The parts between slashes; several slashes count as one.
fn split(text: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for (at, part) in text.split('/').enumerate() {
        let inner = part.is_empty() && at > 0;
        if !(inner && parts.last().is_some_and(|it| it.is_empty())) {
            parts.push(part);
        }
    }
    // Only the ends may be empty: what is left inside stems from doubled slashes.
    let last = parts.len() - 1;
    let ends = |at: usize| at == 0 || at == last;
    parts
        .iter()
        .enumerate()
        .filter(|&(at, part)| ends(at) || !part.is_empty())
        .map(|(_, &part)| part)
        .collect()
}

/// The parts of a pattern: `**/**` is `**`, and `a/..` is nothing.
fn normalised(pattern: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in split(pattern) {
        match (part, parts.last().copied()) {
            ("**", Some("**")) => {}
            ("..", Some(before)) if !matches!(before, "" | ".." | "." | "**") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    if parts.is_empty() {
        parts.push("");
    }
    parts
}

/// Whether all parts of a path are taken by all parts of a pattern. A slash at the end of the path is allowed.
///
/// Keeps the set of positions that the pattern can have come to, so the work is the product of both lengths at most.
fn matches_parts(pattern: &[Part], path: &[&str]) -> bool {
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for (at, part) in pattern.iter().enumerate() {
        reached = match part {
            Part::Segment(segment) => after_segment(segment, &reached, path),
            Part::GlobStar => after_glob_star(&reached, path, at + 1 == pattern.len()),
        };
    }
    reached[path.len()] || (path.last() == Some(&"") && reached[path.len() - 1])
}

fn after_segment(segment: &Segment, reached: &[bool], path: &[&str]) -> Vec<bool> {
    let steps = reached.iter().zip(path).map(|(&here, part)| here && segment.matches(part));
    std::iter::once(false).chain(steps).collect()
}

/// `**` takes any number of parts that do not begin with a dot, at the end of a pattern at least one.
fn after_glob_star(reached: &[bool], path: &[&str], is_last: bool) -> Vec<bool> {
    let mut after = Vec::with_capacity(reached.len());
    let mut running = false;
    for (at, &here) in reached.iter().enumerate() {
        running = running && !path[at - 1].starts_with('.');
        after.push(running || (here && !is_last));
        running |= here;
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        Minimatch::new(pattern).matches(path)
    }

    #[test]
    fn a_double_negation_is_none() {
        assert!(matches("!!*.ts", "a.ts"));
        assert!(!matches("!*.ts", "a.ts"));
    }

    #[test]
    fn a_parent_step_takes_back_the_part_before_it() {
        assert!(matches("a/../b.ts", "b.ts"));
        assert!(matches("../b.ts", "../b.ts"));
    }

    #[test]
    fn many_stars_against_a_long_name_end() {
        let pattern = format!("{}b", "*a".repeat(40));
        assert!(!matches(&pattern, &"a".repeat(250)));
        let pattern = format!("{}c", "**/a/".repeat(30));
        assert!(!matches(&pattern, &"a/b/".repeat(200)));
    }
}
