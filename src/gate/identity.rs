//! Names for files that are the same on every machine and in every checkout: by package, project and agent directory, without
//! versions and line numbers.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use serde_json::Value;

use crate::install::{Entry, Origin, Scope};
use crate::report::Report;

/// How many folders above the project something may lie that still belongs to the same checkout.
const ABOVE: usize = 3;

/// The roots against which the paths of a report are told.
#[derive(Debug, Clone)]
pub struct Identities {
    cwd: Utf8PathBuf,
    home: Utf8PathBuf,
    /// Directories with what stands for them, longest first.
    roots: Vec<(Utf8PathBuf, String)>,
}

/// The folder of a package, and what is known of its name.
struct Root<'a> {
    folder: Utf8PathBuf,
    source: &'a str,
    /// `name` or `name@version`.
    package: Option<&'a str>,
}

impl Identities {
    /// The roots of a report.
    pub fn new(report: &Report) -> Self {
        let entries = report.order.iter().map(|it| &it.entry);
        Self::of_entries(&report.cwd, &report.agent_dir, &report.home, entries)
    }

    /// The roots of an installation.
    pub fn of_entries<'a>(
        cwd: &Utf8Path,
        agent_dir: &Utf8Path,
        home: &Utf8Path,
        entries: impl Iterator<Item = &'a Entry>,
    ) -> Self {
        let roots = entries.filter(|it| it.source_info.origin == Origin::Package).filter_map(|it| {
            let (folder, source) = (it.source_info.base_dir.clone()?, it.source_info.source.as_str());
            Some(Root { folder, source, package: it.package.as_deref() })
        });
        Self::of_roots(cwd, agent_dir, home, roots)
    }

    /// The roots of a report in its JSON form. It does not tell the folders of packages: those of npm and git are told by where
    /// package managers put them, others by what the settings say.
    pub fn of_json(report: &Value) -> Self {
        let folder = |key: &str| Utf8Path::new(report[key].as_str().unwrap_or_default());
        let (cwd, agent_dir) = (folder("cwd"), folder("agentDir"));
        let entries = report["order"].as_array().into_iter().flatten();
        let roots = entries.filter(|it| it["origin"] == "package").filter_map(|it| {
            let (path, source) = (it["path"].as_str()?, it["source"].as_str()?);
            let folder = if let Some(name) = without_version(source) {
                root_of(path, name.split_once(':')?.1)?.into()
            } else {
                let project = serde_json::from_value(it["scope"].clone()).ok() == Some(Scope::Project);
                let base = if project { cwd.join(".pi") } else { agent_dir.to_owned() };
                without_dots(&base.join(source))
            };
            Some(Root { folder, source, package: it["package"].as_str() })
        });
        Self::of_roots(cwd, agent_dir, folder("home"), roots)
    }

    fn of_roots<'a>(
        cwd: &Utf8Path,
        agent_dir: &Utf8Path,
        home: &Utf8Path,
        packages: impl Iterator<Item = Root<'a>>,
    ) -> Self {
        let mut roots =
            vec![(cwd.to_owned(), "project".to_owned()), (agent_dir.to_owned(), "agent".to_owned())];
        roots.retain(|(root, _)| root.parent().is_some());
        for Root { folder, source, package } in packages {
            let name = match without_version(source) {
                Some(name) => Some(name.to_owned()),
                // A package of the project goes by its place in it; its name may be that of another one.
                None if folder.starts_with(cwd) || folder.starts_with(agent_dir) => None,
                None => in_node_modules(folder.as_str())
                    .map(|it| format!("npm:{it}"))
                    .or_else(|| package.map(|it| name_of(it).to_owned())),
            };
            if let Some(name) = name
                && !roots.iter().any(|(known, _)| *known == folder)
            {
                roots.push((folder, name));
            }
        }
        roots.sort_by(|(a, _), (b, _)| b.as_str().len().cmp(&a.as_str().len()).then_with(|| a.cmp(b)));
        Self { cwd: cwd.to_owned(), home: home.to_owned(), roots }
    }

    /// `npm:x/src/a.ts`, `project/.pi/extensions/a.ts`, `agent/extensions/a.ts`, `project/../shared/a.ts`, `home/a.ts`; what
    /// belongs nowhere keeps its path.
    pub fn of(&self, path: &str) -> String {
        if !path.starts_with('/') {
            return path.to_owned();
        }
        let known = self.roots.iter().find_map(|(root, name)| Some((root, name, rest(path, root)?)));
        // What is installed goes by its name, wherever the package manager puts it.
        let inside = known.map_or(path, |(root, _, _)| path.get(root.as_str().len()..).unwrap_or_default());
        if let Some(package) = in_node_modules(inside) {
            return format!("npm:{package}");
        }
        if let Some((_, name, rest)) = known {
            return joined(name, rest);
        }
        self.beside(path).unwrap_or_else(|| path.to_owned())
    }

    /// What lies beside the project in its checkout, or in the home directory.
    fn beside(&self, path: &str) -> Option<String> {
        let path = Utf8Path::new(path);
        let (up, common) = self.cwd.ancestors().enumerate().skip(1).find(|(_, it)| path.starts_with(it))?;
        let at_home = !self.home.as_str().is_empty() && path.starts_with(&self.home);
        let checkout = common.parent().is_some() && up <= ABOVE;
        if checkout && !(at_home && self.home.starts_with(common)) {
            return Some(joined(&format!("project{}", "/..".repeat(up)), rest(path.as_str(), common)?));
        }
        at_home.then(|| Some(joined("home", rest(path.as_str(), &self.home)?)))?
    }

    /// Whether somebody means a path by a word: its identity, the path itself, or the path as seen from the project.
    pub fn means(&self, word: &str, path: &str) -> bool {
        let identity = self.of(path);
        word == path || word == identity || identity.strip_prefix("project/") == Some(bare(word))
    }
}

/// A path of the project without `./`.
pub(super) fn bare(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

fn rest<'a>(path: &'a str, root: &Utf8Path) -> Option<&'a str> {
    Utf8Path::new(path).strip_prefix(root).ok().map(Utf8Path::as_str)
}

fn joined(name: &str, rest: &str) -> String {
    if rest.is_empty() { name.to_owned() } else { format!("{name}/{rest}") }
}

/// `x/src/a.ts` of `…/node_modules/x/src/a.ts`.
fn in_node_modules(path: &str) -> Option<&str> {
    const FOLDER: &str = "/node_modules/";
    path.rfind(FOLDER).and_then(|at| path.get(at + FOLDER.len()..)).filter(|it| !it.is_empty())
}

/// A path with `.` and `..` taken out of its text.
fn without_dots(path: &Utf8Path) -> Utf8PathBuf {
    let mut plain = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// The part of a path up to a package's name.
fn root_of<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    let folder = format!("/{name}/");
    path.get(..path.rfind(&folder)? + folder.len() - 1)
}

/// A package source without version or ref; `None` for a local path.
pub fn without_version(source: &str) -> Option<&str> {
    let (kind, rest) = source.split_once(':')?;
    if !matches!(kind, "npm" | "git" | "https" | "http" | "ssh") {
        return None;
    }
    // In an address, `@` may also end a user's name.
    source.get(..kind.len() + 1 + name_of(rest).len())
}

/// `name@version` without the version. A scope begins with `@`; a version follows a later one.
fn name_of(package: &str) -> &str {
    let after = package.rfind('/').map_or(0, |it| it + 1).max(1);
    let end = package.get(after..).and_then(|it| it.find('@')).map_or(package.len(), |it| it + after);
    package.get(..end).unwrap_or(package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_refs_are_dropped_from_package_names() {
        let name = |it| without_version(it).unwrap_or_default();
        assert_eq!(name("npm:x@1.2.3"), "npm:x");
        assert_eq!(name("npm:@s/x@^1"), "npm:@s/x");
        assert_eq!(name("npm:@s/x"), "npm:@s/x");
        assert_eq!(name("git:github.com/a/b@v1"), "git:github.com/a/b");
        assert_eq!(name("git:git@host.example/a/b"), "git:git@host.example/a/b");
        assert_eq!(name("../pk/p"), "");
    }

    fn at(cwd: &str, home: &str) -> Identities {
        let package = |folder: &str, source, package| Root { folder: folder.into(), source, package };
        let roots = [
            package("/u/a/npm/node_modules/x", "npm:x@1", Some("x@1.0.0")),
            package("/u/a/git/github.com/o/r", "git:github.com/o/r@v1", None),
            package("/opt/pk", "/opt/pk", Some("@s/pk@2.0.0")),
            package("/n/node_modules/@s/z", "/n/node_modules/@s/z", Some("@s/z@2.0.0")),
        ];
        Identities::of_roots(cwd.as_ref(), "/u/a".as_ref(), home.as_ref(), roots.into_iter())
    }

    #[test]
    fn a_file_has_one_name_in_every_checkout() {
        let here = at("/u/src/co/app", "/u");
        let there = at("/srv/build/co/app", "/home/ci");
        for (here_path, there_path, identity) in [
            ("/u/src/co/app/.pi/a.ts", "/srv/build/co/app/.pi/a.ts", "project/.pi/a.ts"),
            ("/u/src/co/app", "/srv/build/co/app", "project"),
            ("/u/src/co/shared/a.ts", "/srv/build/co/shared/a.ts", "project/../shared/a.ts"),
            ("/u/src/co/app/node_modules/@s/y/a.ts", "/srv/build/co/node_modules/@s/y/a.ts", "npm:@s/y/a.ts"),
            ("/u/.agents/skills/s.md", "/home/ci/.agents/skills/s.md", "home/.agents/skills/s.md"),
            ("/u/a/extensions/a.ts", "/u/a/extensions/a.ts", "agent/extensions/a.ts"),
            ("/u/a/npm/node_modules/x/a.ts", "/u/a/npm/node_modules/x/a.ts", "npm:x/a.ts"),
            ("/u/a/git/github.com/o/r/a.ts", "/u/a/git/github.com/o/r/a.ts", "git:github.com/o/r/a.ts"),
            ("/opt/pk/a.ts", "/opt/pk/a.ts", "@s/pk/a.ts"),
            ("/n/node_modules/@s/z/a.ts", "/n/node_modules/@s/z/a.ts", "npm:@s/z/a.ts"),
            ("/opt/else/a.ts", "/opt/else/a.ts", "/opt/else/a.ts"),
            ("<builtin:read>", "<builtin:read>", "<builtin:read>"),
        ] {
            assert_eq!((here.of(here_path), there.of(there_path)), (identity.into(), identity.into()));
        }
    }

    #[test]
    fn a_project_that_lies_in_a_package_is_the_project() {
        let it = at("/n/node_modules/p/examples", "/u");
        assert_eq!(it.of("/n/node_modules/p/examples/a.ts"), "project/a.ts");
        assert_eq!(it.of("/n/node_modules/q/a.ts"), "npm:q/a.ts");
    }

    #[test]
    fn the_json_form_gives_the_same_names() {
        let report = serde_json::json!({
            "cwd": "/u/src/co/app", "agentDir": "/u/a", "home": "/u",
            "order": [
                {"path": "/u/a/npm/node_modules/x/a.ts", "source": "npm:x@1", "scope": "user", "origin": "package"},
                {"path": "/u/a/git/github.com/o/r/a.ts", "source": "git:github.com/o/r@v1", "scope": "user", "origin": "package"},
                {"path": "/opt/pk/a.ts", "source": "../../opt/pk", "scope": "user", "origin": "package", "package": "@s/pk@2.0.0"},
            ],
        });
        let (told, known) = (Identities::of_json(&report), at("/u/src/co/app", "/u"));
        let paths =
            ["/u/a/npm/node_modules/x/a.ts", "/u/a/git/github.com/o/r/a.ts", "/opt/pk/a.ts", "/u/b.ts"];
        for path in paths {
            assert_eq!(told.of(path), known.of(path));
        }
    }

    #[test]
    fn people_name_a_file_of_the_project_as_they_see_it() {
        let it = at("/u/src/app", "/u");
        let path = "/u/src/app/.pi/extensions/a.ts";
        for word in ["project/.pi/extensions/a.ts", ".pi/extensions/a.ts", "./.pi/extensions/a.ts", path] {
            assert!(it.means(word, path), "{word}");
        }
        assert!(!it.means("extensions/a.ts", path));
    }
}
