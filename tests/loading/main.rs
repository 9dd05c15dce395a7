//! Which small extensions load, by our account and by Pi's. `truth.json` is what the real loader said (`record.mjs`).

mod deep;

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use pi_why::files::{DirectoryEntry, FileKind, Files, Metadata};
use pi_why::source::modules::{Library, Modules};
use serde::Deserialize;

/// One recorded case.
#[derive(Deserialize)]
struct Case {
    entry: String,
    files: BTreeMap<String, Content>,
    /// What Pi says, if the extension does not load.
    error: Option<String>,
    /// Whether that shows only when the code runs.
    #[serde(default)]
    runs: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Link { link: Utf8PathBuf },
}

/// Files in memory, below [`ROOT`].
#[derive(Default)]
struct Memory {
    texts: BTreeMap<Utf8PathBuf, String>,
    links: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    directories: BTreeSet<Utf8PathBuf>,
}

const ROOT: &str = "/case";

impl Memory {
    /// One file of this name and text.
    fn single(name: &str, text: String) -> Self {
        let mut memory = Self::default();
        memory.directories.insert(ROOT.into());
        memory.texts.insert(Utf8Path::new(ROOT).join(name), text);
        memory
    }

    fn new(case: &Case) -> Self {
        let mut memory = Self::default();
        for (path, content) in &case.files {
            let path = Utf8Path::new(ROOT).join(path);
            memory.directories.extend(path.ancestors().skip(1).map(Utf8Path::to_owned));
            match content {
                Content::Text(text) => {
                    memory.texts.insert(path, text.replace("{ROOT}", ROOT));
                }
                Content::Link { link } => {
                    memory.links.insert(path, link.clone());
                }
            }
        }
        memory
    }

    fn real(&self, path: &Utf8Path) -> Utf8PathBuf {
        let mut real = Utf8PathBuf::new();
        for part in path.components() {
            match part {
                Utf8Component::ParentDir => {
                    real.pop();
                }
                Utf8Component::CurDir => {}
                other => real.push(other),
            }
            if let Some(target) = self.links.get(&real) {
                real = self.real(&real.parent().unwrap().join(target));
            }
        }
        real
    }
}

impl Files for Memory {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        let text = self.texts.get(&self.real(path));
        text.map(|text| text.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        let path = self.real(path);
        if let Some(text) = self.texts.get(&path) {
            return Ok(Metadata { kind: FileKind::File, size: text.len() as u64 });
        }
        if self.directories.contains(&path) {
            return Ok(Metadata { kind: FileKind::Directory, size: 0 });
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn read_directory(&self, _: &Utf8Path) -> io::Result<Vec<DirectoryEntry>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.metadata(path).map(|_| self.real(path))
    }
}

/// What we say about a case: Pi's message, if it does not load.
fn verdict(case: &Case) -> Option<String> {
    let files = Memory::new(case);
    let library = Library::default();
    let modules = Modules::new(&files, &library);
    let graph = modules.load_graph(&Utf8Path::new(ROOT).join(&case.entry));
    // Early errors of installed code show when it is evaluated.
    let evaluated = || graph.order.iter().find_map(|file| modules.module(file).err());
    let problem = graph.problem.clone().or_else(evaluated);
    problem.map(|problem| problem.message.replace(ROOT, "{ROOT}"))
}

/// Parsers word their complaints in their own ways: that there is one is what counts.
fn is_syntax(message: &str) -> bool {
    [
        "ParseError",
        "TRANSFORM_ERROR",
        "Invalid regular",
        "undefined: ",
        "Unexpected token",
        "A class may",
        "{ROOT}/b.json: ",
    ]
    .iter()
    .any(|start| message.starts_with(start))
}

fn agree(pi: Option<&str>, ours: Option<&str>) -> bool {
    match (pi, ours) {
        (None, None) => true,
        (Some(pi), Some(ours)) => {
            let pi = pi.trim_start_matches("Failed to load extension: ");
            let serves_itself = pi.contains("{HOST}");
            is_syntax(pi) && is_syntax(ours) || pi == ours || serves_itself
        }
        _ => false,
    }
}

/// Where we are known to be wrong, for want of a parser that is Babel. All of it is syntax that nobody writes.
const KNOWN_DIFFERENCES: [&str; 7] = [
    "grammar: 1021",
    "grammar: 1183b",
    "grammar: 1243b",
    "grammar: 2369b",
    "grammar: deco call",
    "grammar: deco obj",
    "grammar: paren arrow",
];

#[test]
fn loads_what_pi_loads() {
    let truth = include_str!("truth.json");
    let cases: BTreeMap<String, Case> = serde_json::from_str(truth).unwrap();
    let mut wrong = Vec::new();
    for (name, case) in &cases {
        let pi = case.error.as_deref().filter(|_| !case.runs);
        let ours = verdict(case);
        if agree(pi, ours.as_deref()) == KNOWN_DIFFERENCES.contains(&name.as_str()) {
            wrong.push(format!("{name}\n    Pi:   {pi:?}\n    ours: {ours:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
