//! A report made by hand, for the tests of this module: the registry decides over a few small extensions, whose
//! registrations are found by a scanner that knows one line per registration.
//!
//! `pi.registerTool({ name: "x" }); // if COND`, `// on EVENT`, `// unknown REASON`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::catalog::{Catalog, PiVersion};
use crate::environment::{Environment, Platform};
use crate::install::{Entry, EntryKind, ExtensionId, LoadOrder, Origin, Scope, SourceInfo, Status, Step};
use crate::location::{FileId, SourceMap, Span};
use crate::registry::{self, Input, Resolution};
use crate::report::{InspectedPi, LoadedExtension, Report, Timing, Trust, TrustFrom, VersionFrom};
use crate::rule::RuleId;
use crate::source::known::Field;
use crate::source::{
    Certainty, Condition, Evaluated, Failure, Kind, Known, Phase, Reason, ReasonKind, Registration,
};

const HOME: &str = "/home/ada";
const CWD: &str = "/home/ada/work/app";

/// Where an extension of the test comes from.
#[derive(Clone, Copy)]
pub enum From {
    /// `~/.pi/agent/extensions`.
    User,
    /// `.pi/extensions`.
    Project,
    /// An npm package of the user, by name.
    Npm(&'static str),
}

/// One extension of the test.
pub struct Extension {
    from: From,
    file: &'static str,
    text: &'static str,
    status: Status,
    failure: Option<&'static str>,
}

/// An extension that loads.
pub fn extension(from: From, file: &'static str, text: &'static str) -> Extension {
    Extension { from, file, text, status: Status::Planned, failure: None }
}

impl Extension {
    /// The same, switched off.
    pub fn disabled(mut self) -> Self {
        self.status = Status::Disabled;
        self
    }

    /// The same, failing to load.
    pub fn failing(mut self, why: &'static str) -> Self {
        self.failure = Some(why);
        self
    }

    fn path(&self) -> String {
        match self.from {
            From::User => format!("{HOME}/.pi/agent/extensions/{}", self.file),
            From::Project => format!("{CWD}/.pi/extensions/{}", self.file),
            From::Npm(name) => format!("{HOME}/.pi/agent/npm/node_modules/{name}/{}", self.file),
        }
    }

    fn source_info(&self) -> SourceInfo {
        let (source, scope, origin, base) = match self.from {
            From::User => ("auto".to_owned(), Scope::User, Origin::TopLevel, format!("{HOME}/.pi/agent")),
            From::Project => ("auto".to_owned(), Scope::Project, Origin::TopLevel, format!("{CWD}/.pi")),
            From::Npm(name) => {
                let root = format!("{HOME}/.pi/agent/npm/node_modules/{name}");
                (format!("npm:{name}"), Scope::User, Origin::Package, root)
            }
        };
        SourceInfo { source, scope, origin, base_dir: Some(base.into()) }
    }

    fn entry(&self, at: u32) -> Entry {
        let path = self.path();
        let planned = self.status == Status::Planned;
        Entry {
            id: ExtensionId(at),
            import_path: path.clone().into(),
            path: path.into(),
            kind: EntryKind::File,
            source_info: self.source_info(),
            package: match self.from {
                From::Npm(name) => Some(format!("{name}@1.0.0")),
                _ => None,
            },
            status: self.status,
            reason: if planned {
                "found in the extensions folder"
            } else {
                "switched off by \"-extensions/old.ts\""
            }
            .to_owned(),
            rule: RuleId("order/user-auto"),
            at: None,
            trail: vec![Step { text: "found in the extensions folder".to_owned(), at: None }],
            execution: planned.then_some(at),
            ran_before_trust: false,
        }
    }
}

/// The report over some extensions, in list order.
pub fn report(extensions: &[Extension]) -> Report {
    let sources = Arc::new(SourceMap::new());
    let environment = Environment {
        variables: BTreeMap::new(),
        home: HOME.into(),
        platform: Platform::Linux,
        architecture: Some("x64"),
    };
    let mut order = LoadOrder::default();
    let mut evaluated = Vec::new();
    for (at, it) in (0..).zip(extensions) {
        order.entries.push(it.entry(at));
        let file = sources.add(it.path(), it.text);
        let failure = it.failure.map(|why| Failure {
            message: format!("Failed to load extension: {why}"),
            explanation: why.to_owned(),
            at: Some(Span::new(file, 0, 4)),
            certainty: Certainty::Certain,
        });
        let registrations = scan(it.text, file);
        evaluated.push(Evaluated { extension: ExtensionId(at), failure, registrations });
    }
    let catalog = Catalog::of(PiVersion::NEWEST);
    let Resolution { contests, starts, fatal, warnings } =
        registry::resolve(&Input::new(catalog, &environment, &order, &evaluated));
    let joined = order.entries.into_iter().zip(evaluated);
    Report {
        pi: InspectedPi { version: "0.83.0".to_owned(), from: VersionFrom::Default },
        cwd: CWD.into(),
        agent_dir: format!("{HOME}/.pi/agent").into(),
        home: HOME.into(),
        workspace: None,
        found: true,
        trust: Trust { trusted: true, from: TrustFrom::NotNeeded },
        starts,
        fatal,
        order: joined.map(|(entry, it)| LoadedExtension::new(entry, it.failure, it.registrations)).collect(),
        contests,
        warnings,
        diagnostics: Vec::new(),
        sources,
        library: Arc::default(),
        resources: Vec::new(),
        cures: Vec::new(),
        timings: vec![Timing { stage: "install", took: Duration::from_millis(2) }],
    }
}

const METHODS: [(&str, Kind); 7] = [
    ("pi.registerTool(", Kind::Tool),
    ("pi.registerCommand(", Kind::Command),
    ("pi.registerFlag(", Kind::Flag),
    ("pi.registerShortcut(", Kind::Shortcut),
    ("pi.registerMessageRenderer(", Kind::MessageRenderer),
    ("pi.registerEntryRenderer(", Kind::EntryRenderer),
    ("pi.on(", Kind::Event),
];

fn scan(text: &str, file: FileId) -> Vec<Registration> {
    let mut found = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        for (method, kind) in METHODS {
            if let Some(at) = line.find(method) {
                found.push(registration(line, offset, at, kind, file));
            }
        }
        offset += line.len();
    }
    found
}

fn registration(line: &str, offset: usize, at: usize, kind: Kind, file: FileId) -> Registration {
    let span = |from: usize, to: usize| {
        let offset_of = |it: usize| u32::try_from(offset + it).unwrap_or_default();
        Span::new(file, offset_of(from), offset_of(to))
    };
    let end = line.find("//").unwrap_or(line.len());
    let comment = line.get(end..).unwrap_or_default().trim_start_matches("//").trim();
    let quoted = line[at..].find('"').and_then(|open| {
        let from = at + open;
        Some((from, from + 1 + line[from + 1..].find('"')? + 1))
    });
    let name: Option<Arc<str>> =
        quoted.map(|(from, to)| line[from + 1..to - 1].replace("\\e", "\u{1b}").into());
    let reason = |text: &str| Reason { kind: ReasonKind::OutsideWorld, text: text.into(), at: None };
    let call = span(at, line[..end].trim_end().trim_end_matches(';').len());
    let mut it = Registration {
        kind,
        name: name.clone(),
        call,
        name_at: quoted.map(|(from, to)| span(from, to)),
        trail: Vec::new(),
        phase: Phase::Factory,
        certainty: Certainty::Certain,
        rests_on: Vec::new(),
        payload: match (kind, name) {
            (Kind::Tool, Some(name)) => {
                let field = Field { value: Known::String(name), at: None };
                Known::Object { fields: vec![("name".into(), field)], open: None }
            }
            (Kind::MessageRenderer | Kind::EntryRenderer, _) => Known::Function,
            _ => Known::Object { fields: Vec::new(), open: None },
        },
    };
    if let Some(text) = comment.strip_prefix("if ") {
        let reason = reason("the environment of the server is not known");
        it.certainty =
            Certainty::Conditional(vec![Condition { text: text.into(), at: call, holds: true, reason }]);
    } else if let Some(event) = comment.strip_prefix("on ") {
        it.phase = Phase::Event(event.into());
    } else if let Some(why) = comment.strip_prefix("unknown ") {
        it.name = None;
        it.certainty = Certainty::Unresolved(reason(why), Vec::new());
    }
    it
}
