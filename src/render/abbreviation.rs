//! Paths that do not fit, shortened so that different files still look different.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use unicode_width::UnicodeWidthStr as _;

use super::document::{Block, Document};
use super::visible::visible;

/// What stands for the part of a path that is left out.
const ELLIPSIS: &str = "…/";

/// The paths of a page, as they are shown when there is room. A short form that could mean two of them is never used.
#[derive(Debug, Default)]
pub struct Abbreviations {
    /// Each with the file that it means: one file may be shown in more than one way.
    shown: BTreeSet<(String, String)>,
    /// The short forms of each path that is asked about, worked out once.
    known: RefCell<BTreeMap<String, Rc<Vec<Form>>>>,
}

/// A way to write a path.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Form {
    text: String,
    width: usize,
    /// Whether it has the last two parts: one alone seldom says which file it is.
    telling: bool,
}

impl Abbreviations {
    /// For the paths of a page.
    pub fn of(document: &Document) -> Self {
        let texts = document.blocks.iter().flat_map(|block| match block {
            Block::Answer(_, text) | Block::Heading(text) | Block::Line(_, text) => vec![text],
            Block::Table(table) => table.rows.iter().flatten().collect(),
            Block::Snippet(_) | Block::Gap => Vec::new(),
        });
        let runs = texts.flat_map(|it| &it.0);
        Self::among(runs.filter_map(|it| Some((it.text.as_str(), it.link.as_ref()?.path.as_str()))))
    }

    fn among<'t>(paths: impl Iterator<Item = (&'t str, &'t str)>) -> Self {
        let shown = paths.map(|(text, file)| (without_line(text).0.to_owned(), file.to_owned())).collect();
        Self { shown, known: RefCell::default() }
    }

    /// The form of a path that says most in so many columns; if none fits, the shortest one that is not ambiguous.
    pub fn fitting(&self, path: &str, width: usize) -> String {
        let (bare, line) = without_line(path);
        let room = width.saturating_sub(line.len());
        let forms = self.forms(bare);
        let form =
            forms.iter().find(|it| it.width <= room).or_else(|| forms.iter().min_by_key(|it| it.width));
        form.map_or_else(|| path.to_owned(), |it| format!("{}{line}", it.text))
    }

    /// The width of the shortest form that still tells something.
    pub fn least(&self, path: &str) -> usize {
        let (bare, line) = without_line(path);
        let forms = self.forms(bare);
        let least = forms.iter().filter(|it| it.telling).map(|it| it.width).min();
        least.unwrap_or_else(|| visible(bare).width()) + line.len()
    }

    /// The forms of a path that mean no other one, the most telling first.
    fn forms(&self, path: &str) -> Rc<Vec<Form>> {
        if let Some(known) = self.known.borrow().get(path) {
            return Rc::clone(known);
        }
        let is_own = |file: &str| self.shown.iter().any(|it| it.0 == path && it.1 == file);
        let others: Vec<&str> =
            self.shown.iter().filter(|it| it.0 != path && !is_own(&it.1)).map(|it| it.0.as_str()).collect();
        let all = candidates(path).into_iter();
        let forms: Vec<Form> = all.filter(|form| !others.iter().any(|it| covers(&form.text, it))).collect();
        let forms = Rc::new(forms);
        self.known.borrow_mut().insert(path.to_owned(), Rc::clone(&forms));
        forms
    }
}

/// A path and its `:line`.
fn without_line(path: &str) -> (&str, &str) {
    let at = path.rfind(':').filter(|at| {
        let line = &path[at + 1..];
        !line.is_empty() && line.bytes().all(|it| it.is_ascii_digit())
    });
    path.split_at(at.unwrap_or(path.len()))
}

/// Every way to write a path, the most telling first: whole; its end, with its package; with the package's last part; its end;
/// its beginning and its end; its end with one part before.
fn candidates(path: &str) -> Vec<Form> {
    let (package, rest) = path.split_once(' ').map_or((None, path), |(package, rest)| (Some(package), rest));
    let parts: Vec<&str> = rest.split('/').collect();
    let count = parts.len();
    let tails = || (1..count).map(|from| (parts[from..].join("/"), count - from));
    let mut forms = Vec::new();
    let mut add = |text: String, kept: usize| {
        let width = visible(&text).width();
        forms.push(Form { text, width, telling: kept >= count.min(2) });
    };
    add(path.to_owned(), count);
    if let Some(package) = package {
        let end = package.rsplit_once('/').map(|it| format!("{ELLIPSIS}{}", it.1));
        for owner in [Some(package), end.as_deref()].into_iter().flatten() {
            if owner != package {
                add(format!("{owner} {rest}"), count);
            }
            for (tail, kept) in tails().filter(|it| it.1 >= 2) {
                add(format!("{owner} {ELLIPSIS}{tail}"), kept);
            }
        }
        add(format!("{ELLIPSIS}{rest}"), count);
        for (tail, kept) in tails() {
            add(format!("{ELLIPSIS}{tail}"), kept);
        }
        for owner in [Some(package), end.as_deref()].into_iter().flatten() {
            for (tail, _) in tails().filter(|it| it.1 == 1) {
                // The package makes up for the part that is left out.
                add(format!("{owner} {ELLIPSIS}{tail}"), 2);
            }
        }
        return forms;
    }
    for (tail, kept) in tails() {
        add(format!("{ELLIPSIS}{tail}"), kept);
    }
    for head in 1..count.min(4) {
        let start = parts[..head].join("/");
        for (tail, kept) in tails().filter(|it| it.1 + head < count) {
            add(format!("{start}/{ELLIPSIS}{tail}"), kept);
        }
    }
    for at in (1..count.saturating_sub(1)).rev() {
        for (tail, kept) in tails().filter(|it| it.1 <= 2 && at + it.1 + 1 < count) {
            add(format!("{ELLIPSIS}{}/{ELLIPSIS}{tail}", parts[at]), kept);
        }
    }
    forms
}

/// Whether a short form could stand for a path.
fn covers(form: &str, path: &str) -> bool {
    let mut pieces: Vec<&str> = form.split(ELLIPSIS).collect();
    let Some(last) = pieces.pop() else { return false };
    let Some((first, between)) = pieces.split_first() else { return form == path };
    let Some(rest) = path.strip_prefix(first) else { return false };
    let starts_part = |text: &str, at: usize| at == 0 || text[..at].ends_with(['/', ' ']);
    let Some(mut rest) = rest.strip_suffix(last).filter(|it| starts_part(rest, it.len())) else {
        return false;
    };
    for piece in between {
        let Some(at) = rest.match_indices(piece).map(|it| it.0).find(|&at| starts_part(rest, at)) else {
            return false;
        };
        rest = &rest[at + piece.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(paths: &[&str], path: &str, width: usize) -> String {
        let each_its_own = |it| (it, without_line(it).0);
        Abbreviations::among(paths.iter().copied().chain([path]).map(each_its_own)).fitting(path, width)
    }

    #[test]
    fn paths_lose_their_beginning_at_a_slash() {
        let mcp = "~/.pi/agent/extensions/mcp.ts:2";
        assert_eq!(short(&[], mcp, 31), mcp);
        assert_eq!(short(&[], mcp, 20), "…/mcp.ts:2");
        assert_eq!(short(&[], mcp, 24), "…/extensions/mcp.ts:2");
        let main = "npm:conv dist/deep/main.js:2";
        assert_eq!(short(&[], main, 26), "npm:conv …/deep/main.js:2");
        assert_eq!(short(&[], main, 12), "…/main.js:2");
        assert_eq!(short(&[], "a.ts:1", 3), "a.ts:1");
        assert_eq!(short(&[], "npm:conv a.ts:1", 10), "…/a.ts:1");
    }

    #[test]
    fn what_would_mean_two_files_is_not_said() {
        let [user, pack] = ["~/agent/skills/notes/SKILL.md:2", "git:x/y skills/notes/SKILL.md:2"];
        assert_eq!(short(&[pack], user, 24), "~/…/notes/SKILL.md:2");
        assert_eq!(short(&[user], pack, 28), "git:x/y …/notes/SKILL.md:2");
        assert_eq!(short(&[user], pack, 24), "…/y …/notes/SKILL.md:2");
        assert_eq!(short(&[user], pack, 20), "git:x/y …/SKILL.md:2");
        let [one, other] = ["./packages/a/src/extension/index.ts", "./packages/b/src/extension/index.ts"];
        assert_eq!(short(&[one], other, 22), "…/b/…/index.ts");
        assert_eq!(short(&[other], one, 34), "…/a/src/extension/index.ts");
        // Nothing fits: it is as short as it can be.
        assert_eq!(short(&[other], one, 5), "…/a/…/index.ts");
    }

    #[test]
    fn lines_do_not_make_files_different() {
        let [one, other] = ["~/agent/x/a.ts:1", "~/agent/y/a.ts:2"];
        assert_eq!(short(&[one], other, 12), "…/y/a.ts:2");
        assert_eq!(short(&["~/agent/x/a.ts:1"], "~/agent/x/a.ts:9", 9), "…/a.ts:9");
    }

    #[test]
    fn one_file_may_be_shown_in_two_ways() {
        let shown = [("npm:x dist/a.js:1", "/n/x/dist/a.js"), ("dist/a.js:1", "/n/x/dist/a.js")];
        assert_eq!(Abbreviations::among(shown.into_iter()).fitting("dist/a.js:1", 9), "…/a.js:1");
    }

    #[test]
    fn a_form_covers_what_it_could_stand_for() {
        for (form, path, is) in [
            ("…/a.ts", "~/x/a.ts", true),
            ("…/a.ts", "~/x/ba.ts", false),
            ("…/a.ts", "npm:x a.ts", true),
            ("~/…/a.ts", "./x/a.ts", false),
            ("~/…/x/…/a.ts", "~/q/x/r/a.ts", true),
            ("~/…/x/…/a.ts", "~/q/r/a.ts", false),
            ("~/a.ts", "~/a.ts", true),
        ] {
            assert_eq!(covers(form, path), is, "{form} {path}");
        }
    }
}
