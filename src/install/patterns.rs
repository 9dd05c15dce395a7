//! The patterns of settings, filters and manifests (rules, section 1.3; Pi: `dist/core/package-manager.js`,
//! `applyPatterns`, `isEnabledByOverrides`, `applyAutoloadDisabledPatterns`).

use camino::{Utf8Path, Utf8PathBuf};

use super::minimatch::Minimatch;
use super::paths::{base_name, relative};
use super::untyped::Written;

/// Whether an entry is an override: `!glob`, `+exact`, `-exact`.
pub(super) fn is_override(entry: &str) -> bool {
    entry.starts_with(['!', '+', '-'])
}

/// Whether an entry of a settings list is a pattern rather than a path.
pub(super) fn is_pattern(entry: &str) -> bool {
    is_override(entry) || entry.contains(['*', '?'])
}

/// Whether a file is enabled, and by which pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict<'p> {
    pub enabled: bool,
    /// The pattern that decided; `None` when none matches.
    pub by: Option<&'p Written>,
}

/// A list of patterns, ready to be held against files.
pub(super) struct Patterns<'p> {
    base: &'p Utf8Path,
    selecting: Vec<Glob<'p>>,
    excluding: Vec<Glob<'p>>,
    including: Vec<Exact<'p>>,
    removing: Vec<Exact<'p>>,
}

struct Glob<'p> {
    written: &'p Written,
    glob: Minimatch,
}

struct Exact<'p> {
    written: &'p Written,
    path: &'p str,
}

impl<'p> Exact<'p> {
    fn new(written: &'p Written) -> Self {
        let path = written.text.get(1..).unwrap_or_default();
        let path = path.strip_prefix("./").or_else(|| path.strip_prefix(".\\")).unwrap_or(path);
        Self { written, path }
    }
}

impl<'p> Patterns<'p> {
    /// Every kind of pattern, as filters and manifests have them. Paths are relative to `base`.
    pub fn new(written: &'p [Written], base: &'p Utf8Path) -> Self {
        let mut patterns = Self::overrides(written, base);
        let plain = written.iter().filter(|it| !is_override(&it.text));
        patterns.selecting =
            plain.map(|written| Glob { written, glob: Minimatch::new(&written.text) }).collect();
        patterns
    }

    /// The overrides alone, as settings have them for auto-discovered files.
    pub fn overrides(written: &'p [Written], base: &'p Utf8Path) -> Self {
        let marked = |mark: char| written.iter().filter(move |it| it.text.starts_with(mark));
        let unmarked = |written: &'p Written| written.text.get(1..).unwrap_or_default();
        Self {
            base,
            selecting: Vec::new(),
            excluding: marked('!')
                .map(|written| Glob { written, glob: Minimatch::new(unmarked(written)) })
                .collect(),
            including: marked('+').map(Exact::new).collect(),
            removing: marked('-').map(Exact::new).collect(),
        }
    }

    /// Plain patterns select, then `!` excludes, `+` brings back, `-` removes.
    pub fn judge(&self, path: &Utf8Path) -> Verdict<'p> {
        let names = Names::new(path, self.base);
        let mut verdict = Verdict { enabled: true, by: None };
        if !self.selecting.is_empty() {
            let by = self.selecting.iter().find(|it| names.match_glob(&it.glob)).map(|it| it.written);
            verdict = Verdict { enabled: by.is_some(), by };
        }
        if verdict.enabled
            && let Some(found) = self.excluding.iter().find(|it| names.match_glob(&it.glob))
        {
            verdict = Verdict { enabled: false, by: Some(found.written) };
        }
        if !verdict.enabled
            && let Some(found) = self.including.iter().find(|it| names.are(it.path))
        {
            verdict = Verdict { enabled: true, by: Some(found.written) };
        }
        if let Some(found) = self.removing.iter().find(|it| names.are(it.path)) {
            verdict = Verdict { enabled: false, by: Some(found.written) };
        }
        verdict
    }
}

/// Applies the patterns of an `autoload: false` entry one by one. The files come in the order in which a pattern first
/// mentions them; the last pattern that mentions a file decides.
pub(super) fn one_by_one<'p>(
    paths: &[Utf8PathBuf],
    written: &'p [Written],
    base: &Utf8Path,
) -> Vec<(usize, Verdict<'p>)> {
    let mut decided: Vec<(usize, Verdict<'p>)> = Vec::new();
    let names: Vec<_> = paths.iter().map(|it| Names::new(it, base)).collect();
    for pattern in written {
        let exact = pattern.text.starts_with(['+', '-']).then(|| Exact::new(pattern));
        let unmarked = if is_override(&pattern.text) { &pattern.text[1..] } else { &*pattern.text };
        let glob = Minimatch::new(unmarked);
        let verdict = Verdict { enabled: !pattern.text.starts_with(['-', '!']), by: Some(pattern) };
        for (at, names) in names.iter().enumerate() {
            let fits = exact.as_ref().map_or_else(|| names.match_glob(&glob), |it| names.are(it.path));
            if !fits {
                continue;
            }
            match decided.iter_mut().find(|it| paths[it.0] == paths[at]) {
                Some(earlier) => earlier.1 = verdict,
                None => decided.push((at, verdict)),
            }
        }
    }
    decided
}

/// The spellings of a file that patterns are held against. A `SKILL.md` goes by the names of its folder as well.
struct Names {
    /// Relative to the base, absolute.
    paths: Vec<String>,
    /// Bare names; globs alone may use them.
    bare: Vec<String>,
}

impl Names {
    fn new(path: &Utf8Path, base: &Utf8Path) -> Self {
        let mut names = Self { paths: Vec::new(), bare: Vec::new() };
        names.add(path, base);
        if base_name(path) == "SKILL.md"
            && let Some(folder) = path.parent()
        {
            names.add(folder, base);
        }
        names
    }

    fn add(&mut self, path: &Utf8Path, base: &Utf8Path) {
        self.paths.push(relative(base, path));
        self.paths.push(path.to_string());
        self.bare.push(base_name(path).to_owned());
    }

    fn match_glob(&self, glob: &Minimatch) -> bool {
        self.paths.iter().chain(&self.bare).any(|it| glob.matches(it))
    }

    fn are(&self, exact: &str) -> bool {
        self.paths.iter().any(|it| it == exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::location::{SourceMap, Span};

    fn written(patterns: &[&str]) -> Vec<Written> {
        let at = Span::new(SourceMap::new().add("/x", ""), 0, 0);
        let written = |(index, text): (usize, &&str)| Written { text: (*text).into(), at, index };
        patterns.iter().enumerate().map(written).collect()
    }

    fn enabled(patterns: &[&str], path: &str) -> bool {
        Patterns::new(&written(patterns), Utf8Path::new("/p")).judge(Utf8Path::new(path)).enabled
    }

    #[test]
    fn plus_and_minus_take_paths_and_no_base_names() {
        assert!(enabled(&["-a.ts"], "/p/x/a.ts"));
        assert!(!enabled(&["-x/a.ts"], "/p/x/a.ts"));
        assert!(!enabled(&["-./x/a.ts"], "/p/x/a.ts"));
        assert!(!enabled(&["-/p/x/a.ts"], "/p/x/a.ts"));
        assert!(enabled(&["!**", "+x/a.ts"], "/p/x/a.ts"));
        assert!(!enabled(&["+x/a.ts", "-x/a.ts"], "/p/x/a.ts"));
    }

    #[test]
    fn a_plus_alone_leaves_everything_enabled() {
        assert!(enabled(&["+x/a.ts"], "/p/x/b.ts"));
        assert!(!enabled(&["a.ts", "+x/c.ts"], "/p/x/b.ts"));
    }

    #[test]
    fn a_skill_goes_by_its_folder() {
        assert!(!enabled(&["!review"], "/p/skills/review/SKILL.md"));
        assert!(!enabled(&["-skills/review"], "/p/skills/review/SKILL.md"));
        assert!(enabled(&["!review"], "/p/skills/review/OTHER.md"));
    }

    #[test]
    fn one_by_one_the_order_of_the_patterns_is_the_order_of_the_files() {
        let paths = ["/p/a.ts", "/p/b.ts", "/p/c.ts"].map(Utf8PathBuf::from);
        let patterns = written(&["c.ts", "*.ts", "-b.ts"]);
        let order: Vec<_> = one_by_one(&paths, &patterns, Utf8Path::new("/p"))
            .into_iter()
            .map(|(at, verdict)| (at, verdict.enabled))
            .collect();
        assert_eq!(order, [(2, true), (0, true), (1, false)]);
    }
}
