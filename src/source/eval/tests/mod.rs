//! Each test is a table: source and what it registers, one line for each registration:
//! `kind name [@phase] [if condition …] [because facts]`, `kind ? reason` when the name is not known, `fails: message`.

mod bounds;
mod brands;
mod builtins;
mod conditions;
mod generators;
mod host;
mod interop;
mod late;
mod modules;
mod names;
mod node;
mod platform;
mod summaries;
mod throws;
mod urls;
mod web_events;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Options, World, evaluate};
use crate::environment::{Environment, Platform};
use crate::files::{DirectoryEntry, FileKind, Files, Metadata};
use crate::install::{Entry, EntryKind, ExtensionId, LoadOrder, Origin, Scope, SourceInfo, Status};
use crate::location::SourceMap;
use crate::rule::RuleId;
use crate::source::modules::{Library, Modules};
use crate::source::{Certainty, Evaluated, Kind, Phase, Registration};

/// Files that are only in memory.
#[derive(Debug, Default)]
struct Memory(BTreeMap<Utf8PathBuf, String>);

impl Memory {
    fn is_folder(&self, path: &Utf8Path) -> bool {
        self.0.keys().any(|it| it != path && it.starts_with(path))
    }
}

impl Files for Memory {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        self.0.get(path).map(|it| it.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        match self.0.get(path) {
            Some(text) => Ok(Metadata { kind: FileKind::File, size: text.len() as u64 }),
            None if self.is_folder(path) => Ok(Metadata { kind: FileKind::Directory, size: 0 }),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn read_directory(&self, path: &Utf8Path) -> io::Result<Vec<DirectoryEntry>> {
        let inside = self.0.keys().filter_map(|it| it.strip_prefix(path).ok());
        let mut names: Vec<String> =
            inside.filter_map(|it| it.components().next()).map(|it| it.as_str().to_owned()).collect();
        names.dedup();
        let entry = |name: String| {
            let kind = self.metadata(&path.join(&name)).ok().map(|it| it.kind);
            DirectoryEntry { name, kind }
        };
        Ok(names.into_iter().map(entry).collect())
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        Ok(path.to_owned())
    }
}

/// The folder of the extension under test.
const FOLDER: &str = "/home/me/.pi/agent/extensions/x";

/// Evaluates extensions whose files are given relative to [`FOLDER`]; the entries are those named `index.*`, or the
/// first file.
fn run(files: &[(&str, &str)], variables: &[(&str, &str)]) -> (Vec<Evaluated>, Arc<SourceMap>) {
    let folder = Utf8Path::new(FOLDER);
    let memory = Memory(files.iter().map(|(name, text)| (folder.join(name), (*text).to_owned())).collect());
    let library = Library::default();
    let sources = Arc::clone(&library.sources);
    let modules = Modules::new(&memory, &library);
    let environment = Environment {
        variables: variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect(),
        home: "/home/me".into(),
        platform: Platform::Linux,
        architecture: Some("x64"),
    };
    let options = Options { cwd: "/home/me/project".into(), agent_dir: "/home/me/.pi/agent".into() };
    let mut entries: Vec<&str> = files
        .iter()
        .map(|it| it.0)
        .filter(|it| it.split('/').next_back().is_some_and(|it| it.starts_with("index.")))
        .collect();
    if entries.is_empty() {
        entries = files.first().map(|it| it.0).into_iter().collect();
    }
    let order = LoadOrder {
        entries: entries.iter().zip(0..).map(|(name, at)| entry(folder.join(name), at)).collect(),
    };
    let world = World {
        files: &memory,
        environment: &environment,
        sources: &sources,
        modules: &modules,
        options: &options,
    };
    let evaluated = evaluate(world, &order);
    (evaluated, sources)
}

fn entry(path: Utf8PathBuf, at: u32) -> Entry {
    Entry {
        id: ExtensionId(at),
        import_path: path.clone(),
        path,
        kind: EntryKind::File,
        source_info: SourceInfo {
            source: "auto".into(),
            scope: Scope::User,
            origin: Origin::TopLevel,
            base_dir: None,
        },
        package: None,
        status: Status::Planned,
        reason: String::new(),
        rule: RuleId("order/user-auto"),
        at: None,
        trail: Vec::new(),
        execution: Some(at),
        ran_before_trust: false,
    }
}

fn line(it: &Registration) -> String {
    let kind = match it.kind {
        Kind::Anything => "anything".to_owned(),
        kind => format!("{kind:?}").to_lowercase(),
    };
    let name = match (&it.name, &it.certainty) {
        (Some(name), _) => name.to_string(),
        (None, Certainty::Unresolved(reason, _)) => format!("? {}", reason.text),
        (None, _) => "?!".to_owned(),
    };
    let mut line = format!("{kind} {name}");
    if it.phase != Phase::Factory {
        line = format!("{line} @{}", it.phase);
    }
    if let Some(condition) = it.certainty.condition_text() {
        line = format!("{line} if {condition}");
    }
    if !it.rests_on.is_empty() {
        let facts: Vec<&str> = it.rests_on.iter().map(|it| &*it.0).collect();
        line = format!("{line} because {}", facts.join(", "));
    }
    line
}

/// What the extensions register, one line each; events are left out.
fn registered(files: &[(&str, &str)], variables: &[(&str, &str)]) -> String {
    let (all, _) = run(files, variables);
    let mut lines = Vec::new();
    for extension in &all {
        lines.extend(extension.registrations.iter().filter(|it| it.kind != Kind::Event).map(line));
        if let Some(failure) = &extension.failure {
            let mut text = format!("fails: {}", failure.message);
            if let Some(condition) = failure.certainty.condition_text() {
                text = format!("{text} if {condition}");
            }
            lines.push(text);
        }
    }
    lines.join("\n")
}

/// Checks an extension of one file whose factory has this body; `unknown` is something that cannot be known.
#[track_caller]
fn factory(body: &str, expected: &str) {
    module(
        &format!("export default function (pi) {{\nconst unknown = pi.exec(\"x\");\n{body}\n}}"),
        expected,
    );
}

/// Checks an extension of one file.
#[track_caller]
fn module(text: &str, expected: &str) {
    modules(&[("index.ts", text)], expected);
}

/// Checks extensions of several files.
#[track_caller]
fn modules(files: &[(&str, &str)], expected: &str) {
    with_environment(files, &[], expected);
}

/// Checks extensions in an environment.
#[track_caller]
fn with_environment(files: &[(&str, &str)], variables: &[(&str, &str)], expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    assert_eq!(registered(files, variables), expected.join("\n"));
}
