//! Globs of a manifest over the file tree, in the order in which Pi finds the matches (Pi:
//! `dist/core/package-manager.js`, `collectFilesFromManifestEntries`, which asks glob 13.0.6; rules, section 1.3).
//!
//! Within a directory the matches come in reverse byte order, all of them before those of its sub-directories. Linked
//! directories are not entered by a `**` at the start of a pattern; a later one steps into them once.

use std::cell::Cell;
use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Context;
use super::minimatch::braces;
use super::minimatch::segment::Segment;
use super::paths::resolve;
use crate::files::FileKind;

/// Every path below `root` that `pattern` matches, absolute.
pub(super) fn expand(context: &Context<'_>, root: &Utf8Path, pattern: &str) -> Vec<Utf8PathBuf> {
    let mut walker = Walker {
        context,
        found: Vec::new(),
        emitted: FxHashSet::default(),
        walked: FxHashSet::default(),
        named: FxHashMap::default(),
        listings: FxHashMap::default(),
    };
    for (above, below) in root.ancestors().skip(1).zip(root.ancestors()) {
        walker.child(above, below.file_name().unwrap_or_default());
    }
    walker.visit(root, alternatives(pattern), 0);
    walker.found.iter().map(|it| resolve(root, it.as_str())).collect()
}

/// One alternative of a pattern from some part on.
#[derive(Clone)]
struct Pattern {
    parts: Rc<[Part]>,
    from: usize,
    absolute: bool,
}

struct Part {
    written: String,
    kind: PartKind,
    /// Whether a `**` has stepped over a link already; glob keeps count for the whole walk.
    has_followed: Cell<bool>,
}

enum PartKind {
    Text(String),
    Globstar,
    Magic(Segment),
}

impl Pattern {
    fn part(&self) -> &PartKind {
        &self.parts[self.from].kind
    }

    fn rest(&self) -> Option<Self> {
        (self.from + 1 < self.parts.len()).then(|| Self { from: self.from + 1, ..self.clone() })
    }

    fn written(&self) -> String {
        let parts: Vec<_> = self.parts[self.from..].iter().map(|it| it.written.as_str()).collect();
        parts.join("/")
    }

    /// Whether a `**` here may step over a link: not one at the start of the pattern, nor one that has done so.
    fn may_follow(&self) -> bool {
        let may = self.parts.get(self.from).is_some_and(|it| !it.has_followed.get());
        self.from > 0 && matches!(self.part(), PartKind::Globstar) && may
    }

    fn follow(&self) {
        if let Some(part) = self.parts.get(self.from) {
            part.has_followed.set(true);
        }
    }
}

/// The alternatives of a pattern, made simpler as minimatch does for walking (`optimizationLevel` 2).
fn alternatives(pattern: &str) -> Vec<Pattern> {
    let simplified = braces::expand(pattern).iter().map(|it| simplify(it)).collect();
    let patterns = without_covered(simplified).into_iter().map(|names| {
        let absolute = names.len() > 1 && names[0].is_empty();
        let skipped = usize::from(absolute) + usize::from(absolute && names.len() > 2 && names[1].is_empty());
        let parts = names.into_iter().skip(skipped).map(|written| {
            let kind = if written == "**" {
                PartKind::Globstar
            } else {
                let segment = Segment::new(&written);
                match segment.as_text() {
                    Some(text) => PartKind::Text(text.to_owned()),
                    None => PartKind::Magic(segment),
                }
            };
            Part { written, kind, has_followed: Cell::new(false) }
        });
        Pattern { parts: parts.collect(), from: 0, absolute }
    });
    patterns.filter(|it| !it.parts.is_empty()).collect()
}

/// Takes out what does not change the meaning: `.`, double slashes, `a/..`, repeated `**`.
fn simplify(alternative: &str) -> Vec<String> {
    let names: Vec<&str> = alternative.split('/').collect();
    let last = names.len() - 1;
    let mut kept: Vec<&str> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let inner = at > 0 && at < last;
        match (*name, kept.last().copied()) {
            ("." | "", _) if inner => {}
            ("**", Some("**")) => {}
            ("..", Some(before)) if !matches!(before, "" | "." | ".." | "**") => {
                kept.pop();
                if kept.is_empty() && names.get(at + 1) == Some(&"**") {
                    kept.push(".");
                }
            }
            _ => kept.push(name),
        }
    }
    if kept.len() == 2 && kept[0] == "." && matches!(kept[1], "." | "") {
        kept.pop();
    }
    if kept.is_empty() {
        kept.push("");
    }
    kept.into_iter().map(str::to_owned).collect()
}

/// Drops alternatives that another one covers: `{a,*}/x` is `*/x`.
fn without_covered(mut all: Vec<Vec<String>>) -> Vec<Vec<String>> {
    for first in 0..all.len() {
        for second in first + 1..all.len() {
            if let Some(both) = covering(&all[first], &all[second]) {
                all[first] = Vec::new();
                all[second] = both;
                break;
            }
        }
    }
    all.retain(|it| !it.is_empty());
    all
}

fn covering(a: &[String], b: &[String]) -> Option<Vec<String>> {
    #[derive(PartialEq)]
    enum Wider {
        Unknown,
        First,
        Second,
    }
    let starred = |it: &str| !it.is_empty() && !it.starts_with('.') && it != "**";
    let (mut at_a, mut at_b) = (0, 0);
    let mut wider = Wider::Unknown;
    let mut both = Vec::new();
    while let (Some(left), Some(right)) = (a.get(at_a), b.get(at_b)) {
        if left == right {
            both.push(left.clone());
            (at_a, at_b) = (at_a + 1, at_b + 1);
        } else if left == "**" && Some(right) == a.get(at_a + 1) {
            both.push(left.clone());
            at_a += 1;
        } else if right == "**" && Some(left) == b.get(at_b + 1) {
            both.push(right.clone());
            at_b += 1;
        } else if left == "*" && starred(right) && wider != Wider::Second {
            wider = Wider::First;
            both.push(left.clone());
            (at_a, at_b) = (at_a + 1, at_b + 1);
        } else if right == "*" && starred(left) && wider != Wider::First {
            wider = Wider::Second;
            both.push(right.clone());
            (at_a, at_b) = (at_a + 1, at_b + 1);
        } else {
            return None;
        }
    }
    (a.len() == b.len()).then_some(both)
}

/// A name of a directory as the directory tells it.
#[derive(Clone)]
struct Listed {
    path: Utf8PathBuf,
    name: String,
    is_link: bool,
    may_have_children: bool,
}

/// Paths in the order of their first mention, each with what is to be done there.
#[derive(Default)]
struct Steps {
    /// The path, and whether it counts only as a directory.
    matches: Vec<(Utf8PathBuf, bool)>,
    walks: Vec<(Utf8PathBuf, Vec<Pattern>)>,
}

impl Steps {
    fn add_match(&mut self, path: Utf8PathBuf, only_directory: bool) {
        match self.matches.iter_mut().find(|it| it.0 == path) {
            Some(known) => known.1 &= only_directory,
            None => self.matches.push((path, only_directory)),
        }
    }

    fn add_walk(&mut self, path: &Utf8Path, pattern: Pattern) {
        match self.walks.iter_mut().find(|it| it.0 == path) {
            Some((_, patterns)) => {
                if !patterns.iter().any(|it| it.written() == pattern.written()) {
                    patterns.push(pattern);
                }
            }
            None => self.walks.push((path.to_owned(), vec![pattern])),
        }
    }
}

struct Walker<'a, 'c> {
    context: &'a Context<'c>,
    found: Vec<Utf8PathBuf>,
    emitted: FxHashSet<Utf8PathBuf>,
    walked: FxHashSet<(Utf8PathBuf, String)>,
    /// Names that a pattern mentioned before their directory was read. They keep a place of their own in its listing.
    named: FxHashMap<Utf8PathBuf, Vec<String>>,
    listings: FxHashMap<Utf8PathBuf, Rc<[Listed]>>,
}

impl Walker<'_, '_> {
    fn visit(&mut self, target: &Utf8Path, patterns: Vec<Pattern>, depth: usize) {
        if depth > Context::DEEPEST_FOLDER {
            return;
        }
        let mut steps = Steps::default();
        for pattern in patterns {
            self.start(target, pattern, &mut steps);
        }
        self.emit(&steps.matches);
        for (directory, patterns) in steps.walks {
            if !self.may_have_children(&directory) {
                continue;
            }
            let next = self.step_into(&directory, &patterns);
            self.emit(&next.matches);
            for (path, patterns) in next.walks {
                self.visit(&path, patterns, depth + 1);
            }
        }
    }

    /// Follows the plain names at the head of a pattern.
    fn start(&mut self, target: &Utf8Path, mut pattern: Pattern, steps: &mut Steps) {
        let mut target = target.to_owned();
        if pattern.absolute && pattern.from == 0 {
            target = "/".into();
        }
        self.walked.insert((target.clone(), pattern.written()));
        let mut moved = false;
        while let (PartKind::Text(name), Some(rest)) = (pattern.part(), pattern.rest()) {
            target = self.child(&target, name);
            pattern = rest;
            moved = true;
        }
        if moved && !self.walked.insert((target.clone(), pattern.written())) {
            return;
        }
        match pattern.part() {
            PartKind::Text(name) => {
                let path = self.child(&target, name);
                steps.add_match(path, matches!(name.as_str(), ".." | "." | ""));
            }
            PartKind::Globstar => self.start_globstar(&target, &pattern, steps),
            PartKind::Magic(_) => steps.add_walk(&target, pattern.clone()),
        }
    }

    fn start_globstar(&self, target: &Utf8Path, pattern: &Pattern, steps: &mut Steps) {
        if !self.is_link(target) || pattern.may_follow() {
            steps.add_walk(target, pattern.clone());
        }
        let Some(rest) = pattern.rest() else {
            steps.add_match(target.to_owned(), false);
            return;
        };
        match (rest.part(), rest.rest()) {
            (PartKind::Text(name), None) if name.is_empty() || name == "." => {
                steps.add_match(target.to_owned(), true);
            }
            (PartKind::Text(name), after) if name == ".." => {
                let above = target.parent().unwrap_or(target);
                match after {
                    None => steps.add_match(above.to_owned(), true),
                    Some(after) => steps.add_walk(above, after),
                }
            }
            _ => {}
        }
    }

    /// Holds every name of a directory against the patterns that are to be walked there.
    fn step_into(&mut self, directory: &Utf8Path, patterns: &[Pattern]) -> Steps {
        let mut steps = Steps::default();
        for entry in self.list(directory).iter() {
            for pattern in patterns {
                match pattern.part() {
                    PartKind::Globstar => step_globstar(entry, pattern, &mut steps),
                    _ => step_name(entry, pattern, &mut steps),
                }
            }
        }
        steps
    }

    fn emit(&mut self, matches: &[(Utf8PathBuf, bool)]) {
        for (path, only_directory) in matches {
            if self.emitted.contains(path)
                || !self.is_there(path)
                || (*only_directory && !self.may_have_children(path))
            {
                continue;
            }
            self.emitted.insert(path.clone());
            self.found.push(path.clone());
        }
    }

    fn child(&mut self, directory: &Utf8Path, name: &str) -> Utf8PathBuf {
        match name {
            "" | "." => directory.to_owned(),
            ".." => directory.parent().unwrap_or(directory).to_owned(),
            name => {
                if !self.listings.contains_key(directory) {
                    let names = self.named.entry(directory.to_owned()).or_default();
                    if !names.iter().any(|it| it == name) {
                        names.push(name.to_owned());
                    }
                }
                directory.join(name)
            }
        }
    }

    /// What the listing of the directory above says of a path, if that was read.
    fn listed(&self, path: &Utf8Path) -> Option<&Listed> {
        let above = self.listings.get(path.parent()?)?;
        above.iter().find(|it| it.path == path)
    }

    fn is_link(&self, path: &Utf8Path) -> bool {
        self.listed(path).is_some_and(|it| it.is_link)
    }

    fn is_there(&self, path: &Utf8Path) -> bool {
        // glob also finds links that lead nowhere; whoever looks at them finds nothing
        self.listed(path).is_some() || self.context.files.exists(path)
    }

    fn may_have_children(&self, path: &Utf8Path) -> bool {
        match self.listed(path) {
            Some(listed) => listed.may_have_children,
            None => self.context.files.is_directory(path),
        }
    }

    /// The names of a directory, last one first; those that were named before are told from the others.
    fn list(&mut self, directory: &Utf8Path) -> Rc<[Listed]> {
        if let Some(listing) = self.listings.get(directory) {
            return Rc::clone(listing);
        }
        let entries = self.context.list(directory);
        let named = self.named.remove(directory).unwrap_or_default();
        let mut order: std::collections::VecDeque<String> = named.into();
        let mut settled = 0;
        let mut kinds = FxHashMap::default();
        for entry in entries {
            match (settled..order.len()).find(|&at| order[at] == entry.name) {
                Some(at) if at == settled => {}
                Some(at) => {
                    order.remove(at);
                    order.push_front(entry.name.clone());
                }
                None => order.push_front(entry.name.clone()),
            }
            settled += 1;
            kinds.insert(entry.name.clone(), entry.kind);
        }
        let listing: Rc<[Listed]> = order
            .into_iter()
            .take(settled)
            .map(|name| {
                let kind = kinds.get(&name).copied().flatten();
                let is_link = kinds.get(&name) == Some(&None);
                let may_have_children = is_link || kind == Some(FileKind::Directory);
                Listed { path: directory.join(&name), name, is_link, may_have_children }
            })
            .collect();
        self.listings.insert(directory.to_owned(), Rc::clone(&listing));
        listing
    }
}

fn step_globstar(entry: &Listed, pattern: &Pattern, steps: &mut Steps) {
    let rest = pattern.rest();
    if !entry.name.starts_with('.') {
        if rest.is_none() {
            steps.add_match(entry.path.clone(), false);
        }
        if entry.may_have_children {
            if !entry.is_link {
                steps.add_walk(&entry.path, pattern.clone());
            } else if pattern.may_follow() {
                if rest.is_none() {
                    pattern.follow();
                }
                steps.add_walk(&entry.path, rest.as_ref().unwrap_or(pattern).clone());
            }
        }
    }
    let Some(rest) = rest else { return };
    match rest.part() {
        PartKind::Text(name) if name.is_empty() || name == "." => {}
        PartKind::Text(name) if name == ".." => {
            let above = entry.path.parent().unwrap_or(&entry.path).to_owned();
            steps.add_walk(&above, rest);
        }
        PartKind::Globstar => {}
        _ => step_name(entry, &rest, steps),
    }
}

/// Holds one name against the first part of a pattern that is no `**`.
fn step_name(entry: &Listed, pattern: &Pattern, steps: &mut Steps) {
    let fits = match pattern.part() {
        PartKind::Text(text) => *text == entry.name,
        PartKind::Magic(segment) => segment.matches(&entry.name),
        PartKind::Globstar => false,
    };
    match pattern.rest() {
        _ if !fits => {}
        None => steps.add_match(entry.path.clone(), false),
        Some(rest) if entry.may_have_children => steps.add_walk(&entry.path, rest),
        Some(_) => {}
    }
}
