//! Names for files that are the same on every machine and in every checkout: by package, project and agent directory, without
//! versions and line numbers.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use crate::install::{Entry, Origin};
use crate::report::Report;

/// The roots against which the paths of a report are told.
#[derive(Debug, Clone)]
pub struct Identities {
    /// Directories with what stands for them, longest first.
    roots: Vec<(Utf8PathBuf, String)>,
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
        let mut roots = vec![
            (cwd.to_owned(), "project".to_owned()),
            (agent_dir.to_owned(), "agent".to_owned()),
            (home.to_owned(), "home".to_owned()),
        ];
        for info in entries.map(|it| &it.source_info) {
            if info.origin == Origin::Package
                && let (Some(root), Some(name)) = (&info.base_dir, without_version(&info.source))
                && !roots.iter().any(|(known, _)| known == root)
            {
                roots.push((root.clone(), name.to_owned()));
            }
        }
        Self::sorted(roots)
    }

    /// The roots of a report in its JSON form. Packages are told by the folders that package managers put them in.
    pub fn of_json(report: &Value) -> Self {
        let named = [("cwd", "project"), ("agentDir", "agent")];
        let roots =
            named.into_iter().filter_map(|(key, name)| Some((report[key].as_str()?.into(), name.to_owned())));
        let mut roots: Vec<(Utf8PathBuf, String)> = roots.collect();
        for it in report["order"].as_array().into_iter().flatten() {
            let package = it["source"].as_str().and_then(without_version);
            let root = package.and_then(|name| root_of(it["path"].as_str()?, name.split_once(':')?.1));
            if let (Some(name), Some(root)) = (package, root)
                && !roots.iter().any(|(known, _)| known == root)
            {
                roots.push((root.into(), name.to_owned()));
            }
        }
        Self::sorted(roots)
    }

    fn sorted(mut roots: Vec<(Utf8PathBuf, String)>) -> Self {
        roots.sort_by(|(a, _), (b, _)| b.as_str().len().cmp(&a.as_str().len()).then_with(|| a.cmp(b)));
        Self { roots }
    }

    /// `npm:x/src/a.ts`, `project/.pi/extensions/a.ts`, `agent/extensions/a.ts`; what belongs nowhere keeps its path.
    pub fn of(&self, path: &str) -> String {
        let told = self.roots.iter().find_map(|(root, name)| {
            let rest = Utf8Path::new(path).strip_prefix(root).ok()?;
            Some(if rest.as_str().is_empty() { name.clone() } else { format!("{name}/{rest}") })
        });
        told.unwrap_or_else(|| path.to_owned())
    }
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
    // A scope begins with `@`; a version follows a later one. In an address, `@` may also end a user's name.
    let after = rest.rfind('/').map_or(0, |it| it + 1).max(1);
    let end = rest.get(after..).and_then(|it| it.find('@')).map_or(rest.len(), |it| it + after);
    source.get(..kind.len() + 1 + end)
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
}
