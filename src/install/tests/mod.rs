//! Each test is a small installation in memory and, line by line, what becomes of every entry.

mod order;
mod packages;
mod places;
mod properties;
mod trust;

use std::collections::BTreeMap;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Behaviour, Installation, Options, Plan, Status, TrustFlag, plan};
use crate::environment::{Environment, Platform};
use crate::files::{DirectoryEntry, FileKind, Files, Metadata};
use crate::location::{SourceMap, Span};

/// Files and links that are only in memory. A text that begins with `-> ` is a link.
#[derive(Debug, Default)]
pub(super) struct Memory(BTreeMap<Utf8PathBuf, String>);

impl Memory {
    fn is_folder(&self, path: &Utf8Path) -> bool {
        path == "/" || self.0.keys().any(|it| it != path && it.starts_with(path))
    }

    /// Follows every link on the way.
    fn real(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let mut path = path.to_owned();
        for _ in 0..20 {
            let link =
                path.ancestors().find_map(|it| Some((it.to_owned(), self.0.get(it)?.strip_prefix("-> ")?)));
            let Some((link, target)) = link else {
                let there = self.0.contains_key(&path) || self.is_folder(&path);
                return if there { Ok(path) } else { Err(io::ErrorKind::NotFound.into()) };
            };
            let below = path.strip_prefix(&link).map_err(|_| io::ErrorKind::NotFound)?.to_owned();
            let base = link.parent().unwrap_or(Utf8Path::new("/"));
            path = super::paths::resolve(base, &format!("{target}/{below}"));
        }
        Err(io::ErrorKind::NotFound.into())
    }
}

impl Files for Memory {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        let text = self.0.get(&self.real(path)?);
        text.map(|it| it.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        Ok(match self.0.get(&self.real(path)?) {
            Some(text) => Metadata { kind: FileKind::File, size: text.len() as u64 },
            None => Metadata { kind: FileKind::Directory, size: 0 },
        })
    }

    fn read_directory(&self, path: &Utf8Path) -> io::Result<Vec<DirectoryEntry>> {
        let real = self.real(path)?;
        let inside = self.0.keys().filter_map(|it| it.strip_prefix(&real).ok());
        let mut names: Vec<String> =
            inside.filter_map(|it| it.components().next()).map(|it| it.as_str().to_owned()).collect();
        names.sort();
        names.dedup();
        let entry = |name: String| {
            let kind = match self.0.get(&real.join(&name)) {
                Some(text) if text.starts_with("-> ") => None,
                Some(_) => Some(FileKind::File),
                None => Some(FileKind::Directory),
            };
            DirectoryEntry { name, kind }
        };
        Ok(names.into_iter().map(entry).collect())
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.real(path)
    }
}

/// An installation: the agent directory is `/agent`, the project `/project`, the home directory `/home`.
pub(super) struct Case {
    files: Memory,
    options: Options,
    variables: BTreeMap<String, String>,
    sources: SourceMap,
}

impl Case {
    /// Takes in files by their path without the first slash.
    fn new(files: &[(&str, &str)]) -> Self {
        let mut files: BTreeMap<_, _> = files
            .iter()
            .map(|&(path, text)| (Utf8PathBuf::from(format!("/{path}")), text.to_owned()))
            .collect();
        files.entry("/project/README.md".into()).or_default();
        let variables = [("PI_CODING_AGENT_DIR", "/agent"), ("PI_OFFLINE", "1")];
        Self {
            files: Memory(files),
            options: Options { cwd: "/project".into(), trust: TrustFlag::Approve, ..Options::default() },
            variables: variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            sources: SourceMap::new(),
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    fn install(&self) -> Installation {
        let environment = Environment {
            variables: self.variables.clone(),
            home: "/home".into(),
            platform: Platform::Linux,
            architecture: Some("x64"),
        };
        let mut behaviour = Behaviour::pi_0_83();
        behaviour.inline_extensions.clear();
        plan(&self.files, &environment, &self.sources, &self.options, &behaviour)
    }

    /// One line for each extension: its path, and for those that do not load what became of them, the rule and the place.
    fn extensions(&self) -> Vec<String> {
        let installation = self.install();
        let line = |entry: &super::Entry| match entry.status {
            Status::Planned => entry.path.to_string(),
            status => format!("{status:?} {} {}{}", entry.path, entry.rule, self.place(entry.at)),
        };
        installation.plan().order.entries.iter().map(line).collect()
    }

    fn place(&self, at: Option<Span>) -> String {
        let Some(at) = at else { return String::new() };
        let location = self.sources.locate(at);
        format!(" {}:{}:{}", location.path, location.line, location.column)
    }
}

/// The planned paths of a plan in the order in which they run.
fn execution(plan: &Plan) -> Vec<&str> {
    plan.order.executed().into_iter().map(|it| it.path.as_str()).collect()
}
