//! Paths as people like to read them: against the package, the project and the home directory.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use super::document::{Link, Role, Run, Text};
use crate::gate::without_version;
use crate::install::{Origin, Scope, SourceInfo};
use crate::location::Span;
use crate::registry::{Claim, Layer};
use crate::report::Report;

/// Knows how each path of a report is shown.
pub struct Paths<'a> {
    report: &'a Report,
    full: bool,
    by_package: bool,
    /// Roots of npm and git packages with their names, longest first.
    packages: Vec<(Utf8PathBuf, String)>,
    /// What would be shown for more than one file, if packages were named: those go by their whole paths.
    ambiguous: OnceCell<BTreeSet<(String, String)>>,
}

impl<'a> Paths<'a> {
    /// The paths of a report; `full` shortens nothing.
    pub fn new(report: &'a Report, full: bool) -> Self {
        let mut packages: Vec<(Utf8PathBuf, String)> = Vec::new();
        for info in report.order.iter().map(|it| &it.entry.source_info) {
            if info.origin == Origin::Package
                && let (Some(root), Some(name)) = (&info.base_dir, without_version(&info.source))
                && !packages.iter().any(|(known, _)| known == root)
            {
                packages.push((root.clone(), name.to_owned()));
            }
        }
        packages.sort_by_key(|(root, _)| std::cmp::Reverse(root.as_str().len()));
        Self { report, full, by_package: true, packages, ambiguous: OnceCell::new() }
    }

    /// The same paths without package names, so that a program can open them.
    #[must_use]
    pub fn openable(mut self) -> Self {
        self.by_package = false;
        self
    }

    /// The report whose paths these are.
    pub fn report(&self) -> &'a Report {
        self.report
    }

    /// The package that a path belongs to, and the rest of the path.
    pub fn split(&self, path: &str) -> (Option<String>, String) {
        if self.full {
            return (None, path.to_owned());
        }
        if !self.by_package {
            return (None, self.local(path));
        }
        match self.in_package(path) {
            Some(shown) if !self.ambiguous().contains(&shown) => (Some(shown.0), shown.1),
            _ => (None, self.local(path)),
        }
    }

    /// The package of a path and the rest of it.
    fn in_package(&self, path: &str) -> Option<(String, String)> {
        for (root, name) in &self.packages {
            if let Ok(rest) = Utf8Path::new(path).strip_prefix(root) {
                return Some((name.clone(), rest.to_string()));
            }
        }
        // A project may itself lie in a package: only what is below it counts.
        let below = path.strip_prefix(self.report.cwd.as_str()).unwrap_or(path);
        in_node_modules(below).map(|(name, rest)| (format!("npm:{name}"), rest.to_owned()))
    }

    fn ambiguous(&self) -> &BTreeSet<(String, String)> {
        self.ambiguous.get_or_init(|| {
            let read = self.report.sources.paths();
            let listed = self.report.order.iter().map(|it| &it.entry.path);
            let files: BTreeSet<&str> = read.iter().chain(listed).map(|it| it.as_str()).collect();
            let mut seen = BTreeSet::new();
            let shown = files.into_iter().filter_map(|it| self.in_package(it));
            shown.filter(|it| !seen.insert(it.clone())).collect()
        })
    }

    /// A path in one piece: `npm:x src/a.ts`, `./a.ts`, `~/.pi/agent/a.ts`.
    pub fn short(&self, path: &str) -> String {
        match self.split(path) {
            (Some(package), rest) if rest.is_empty() => package,
            (Some(package), rest) => format!("{package} {rest}"),
            (None, rest) => rest,
        }
    }

    /// A path as it can be typed in the project: never by a package's name.
    pub fn typed(&self, path: &str) -> String {
        if self.full { path.to_owned() } else { self.local(path) }
    }

    fn local(&self, path: &str) -> String {
        let shown = |root: &Utf8Path, sign: &str| {
            let rest = Utf8Path::new(path).strip_prefix(root).ok()?;
            let bare = rest.as_str().is_empty();
            Some(if bare { sign.to_owned() } else { format!("{sign}/{rest}") })
        };
        let Report { cwd, home, .. } = self.report;
        // A project that is the home directory, or the root, must not hide what is nearer.
        let project = (cwd.as_str().len() > home.as_str().len() || !home.starts_with(cwd)).then_some(cwd);
        project
            .and_then(|cwd| shown(cwd, "."))
            .or_else(|| (home != "/").then(|| shown(home, "~")).flatten())
            .unwrap_or_else(|| path.to_owned())
    }

    /// Words in which the paths are shortened. A path ends at the next space.
    pub fn words(&self, text: &str) -> String {
        let shown = |word: &str| {
            let bare = word.trim_end_matches([',', '.', ';', ':', ')', '"', '\'']);
            let start = bare.find('/').unwrap_or(bare.len());
            // Only whole paths: after a quote or a bracket, not in the middle of a name.
            let whole = bare[..start].chars().all(|it| matches!(it, '"' | '(' | '\'' | '`'));
            match bare.get(start..).filter(|path| whole && path.len() > 1) {
                Some(path) => word.replacen(path, &self.short(path), 1),
                None => word.to_owned(),
            }
        };
        text.split(' ').map(shown).collect::<Vec<_>>().join(" ")
    }

    /// A path that can be followed.
    pub fn linked(&self, path: &str) -> Text {
        let link = path.starts_with('/').then(|| Link { path: path.into(), line: None });
        Text(vec![Run { role: Role::Plain, text: self.short(path), link }])
    }

    /// `path:line`, in one piece.
    pub fn place(&self, span: Span) -> Text {
        let at = self.report.sources.locate(span);
        let text = format!("{}:{}", self.short(at.path.as_str()), at.line);
        Text(vec![Run { role: Role::Plain, text, link: Some(Link::from(&at)) }])
    }

    /// `path:line` without the package, for a table that has a column for it.
    pub fn place_in_package(&self, span: Span) -> Text {
        let at = self.report.sources.locate(span);
        let text = format!("{}:{}", self.split(at.path.as_str()).1, at.line);
        Text(vec![Run { role: Role::Plain, text, link: Some(Link::from(&at)) }])
    }

    /// Where a claim is made: the place of the call, or whose it is.
    pub fn claim(&self, claim: &Claim) -> Text {
        match (claim.at, claim.layer) {
            (Some(at), _) => self.place(at),
            (None, Layer::Builtin) => Text::from("the built-in one"),
            (None, Layer::Sdk) => Text::from("the SDK host"),
            (None, Layer::Inline) => Text::from(format!("pi itself ({})", inline_name(&claim.path))),
            (None, _) => self.linked(&claim.path),
        }
    }

    /// Where a claim is made, for one column of a table.
    pub fn claim_column(&self, claim: &Claim) -> Text {
        match (claim.at, claim.layer) {
            (None, Layer::Builtin)
                if claim.path.starts_with("<builtin:app.") || claim.path.starts_with("<builtin:tui.") =>
            {
                Text::from(format!(
                    "pi's {}",
                    claim.path.trim_start_matches("<builtin:").trim_end_matches('>')
                ))
            }
            (None, Layer::Builtin) => Text::from("built-in"),
            (None, Layer::Sdk) => Text::from("SDK host"),
            _ => self.claim(claim),
        }
    }

    /// Who makes a claim and where, for two columns of a table.
    pub fn claim_columns(&self, claim: &Claim) -> [Text; 2] {
        let place = match claim.at {
            Some(at) => self.place_in_package(at),
            None if matches!(claim.layer, Layer::Builtin | Layer::Sdk) => Text::new(),
            None if claim.layer == Layer::Inline => Text::from(inline_name(&claim.path)),
            None => self.linked(&claim.path),
        };
        let owner = match claim.layer {
            Layer::Builtin => "built-in".to_owned(),
            Layer::Sdk => "SDK host".to_owned(),
            Layer::Inline => "pi itself".to_owned(),
            _ => {
                let extension = claim.extension.and_then(|id| self.report.by_id(id));
                let file = || self.report.resources.iter().find(|it| *it.path == *claim.path);
                let info = extension.map(|it| &it.entry.source_info).or_else(|| Some(&file()?.source_info));
                info.map(|it| self.source(it)).unwrap_or_default()
            }
        };
        [Text::from(owner), place]
    }

    /// Where something comes from: `npm:my-pack (project)`, `user, auto-discovered`, `-e`.
    pub fn source(&self, info: &SourceInfo) -> String {
        let scope = match info.scope {
            Scope::User => "user",
            Scope::Project => "project",
            Scope::Temporary => "-e",
        };
        if info.origin == Origin::Package {
            let name = without_version(&info.source).filter(|_| !self.full);
            let local = || match &info.base_dir {
                Some(root) if !info.source.contains(':') => self.local(root.as_str()),
                _ => info.source.clone(),
            };
            let name = name.map_or_else(local, str::to_owned);
            return format!("{name} ({scope})");
        }
        match info.source.as_str() {
            "auto" => format!("{scope}, auto-discovered"),
            "local" => format!("{scope}, settings"),
            "cli" => "-e".to_owned(),
            "inline" => "pi itself".to_owned(),
            other => format!("{scope}, {other}"),
        }
    }
}

fn in_node_modules(path: &str) -> Option<(&str, &str)> {
    const FOLDER: &str = "/node_modules/";
    let rest = &path[path.rfind(FOLDER)? + FOLDER.len()..];
    let mut slashes = rest.match_indices('/').map(|(at, _)| at);
    let end = if rest.starts_with('@') { slashes.nth(1) } else { slashes.next() }?;
    Some((&rest[..end], &rest[end + 1..]))
}

/// `<inline:llama.cpp>` → `llama.cpp`.
fn inline_name(path: &str) -> String {
    path.trim_start_matches("<inline:").trim_end_matches('>').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_a_dependency_goes_by_its_package() {
        assert_eq!(in_node_modules("/a/node_modules/x/i.js"), Some(("x", "i.js")));
        assert_eq!(in_node_modules("/a/node_modules/b/node_modules/@s/x/d/i.js"), Some(("@s/x", "d/i.js")));
        assert_eq!(in_node_modules("/a/b.js"), None);
    }
}
