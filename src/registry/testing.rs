//! Small installations for the unit tests of this stage.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::catalog::{Catalog, PiVersion};
use crate::environment::{Environment, Platform};
use crate::install::{Entry, EntryKind, ExtensionId, LoadOrder, Origin, Scope, SourceInfo, Status};
use crate::location::{FileId, SourceMap, Span};
use crate::rule::RuleId;
use crate::source::known::Field;
use crate::source::{
    Certainty, Condition, Evaluated, Failure, Kind, Known, Phase, Reason, ReasonKind, Registration,
};

use super::{Contest, ContestKind, Input, Resolution};

fn file() -> FileId {
    SourceMap::new().add("/x.ts", "")
}

pub(super) fn span(at: u32) -> Span {
    Span::new(file(), at, at + 1)
}

pub(super) fn reason() -> Reason {
    Reason { kind: ReasonKind::OutsideWorld, text: "not known".into(), at: None }
}

pub(super) fn condition(at: u32, holds: bool) -> Condition {
    Condition { text: format!("c{at}").into(), at: span(at), holds, reason: reason() }
}

pub(super) fn text(value: &str) -> Known {
    Known::String(value.into())
}

pub(super) fn object(fields: &[(&str, Known)]) -> Known {
    let field = |value: &Known| Field { value: value.clone(), at: None };
    Known::Object {
        fields: fields.iter().map(|(name, value)| (Arc::from(*name), field(value))).collect(),
        open: None,
    }
}

/// A registration in the factory, certain, with a payload that says nothing more.
pub(super) fn registration(kind: Kind, name: &str) -> Registration {
    let payload = match kind {
        Kind::Tool => object(&[("name", text(name))]),
        Kind::MessageRenderer | Kind::EntryRenderer => Known::Function,
        _ => object(&[]),
    };
    Registration {
        kind,
        name: Some(name.into()),
        call: span(0),
        name_at: None,
        trail: Vec::new(),
        phase: Phase::Factory,
        certainty: Certainty::Certain,
        rests_on: Vec::new(),
        payload,
    }
}

pub(super) trait With: Sized {
    fn at(self, at: u32) -> Self;
    fn when(self, at: u32, holds: bool) -> Self;
    fn late(self, event: &str) -> Self;
    fn payload(self, payload: Known) -> Self;
    fn unresolved(self) -> Self;
}

impl With for Registration {
    fn at(mut self, at: u32) -> Self {
        self.call = span(at);
        self
    }

    fn when(mut self, at: u32, holds: bool) -> Self {
        self.certainty = Certainty::Conditional(vec![condition(at, holds)]);
        self
    }

    fn late(mut self, event: &str) -> Self {
        self.phase = Phase::Event(event.into());
        self
    }

    fn payload(mut self, payload: Known) -> Self {
        self.payload = payload;
        self
    }

    fn unresolved(mut self) -> Self {
        self.name = None;
        self.certainty = Certainty::Unresolved(reason(), Vec::new());
        self
    }
}

/// An installation of extensions `/a.ts`, `/b.ts`, … in list order, with what each registers.
pub(super) struct Small {
    pub(super) order: LoadOrder,
    pub(super) evaluated: Vec<Evaluated>,
    pub(super) environment: Environment,
}

impl Small {
    pub(super) fn of<const N: usize>(extensions: [Vec<Registration>; N]) -> Self {
        Self::of_all(Vec::from(extensions))
    }

    pub(super) fn of_all(extensions: Vec<Vec<Registration>>) -> Self {
        let ids = (0..).map(ExtensionId);
        let evaluated: Vec<_> = extensions
            .into_iter()
            .zip(ids)
            .map(|(registrations, extension)| Evaluated { extension, failure: None, registrations })
            .collect();
        let entries = evaluated.iter().map(|it| entry(it.extension)).collect();
        let environment = Environment {
            variables: BTreeMap::new(),
            home: "/home".into(),
            platform: Platform::Linux,
            architecture: Some("x64"),
        };
        Self { order: LoadOrder { entries }, evaluated, environment }
    }

    /// Makes the extension at `index` fail.
    pub(super) fn failing(mut self, index: usize, certainty: Certainty) -> Self {
        let failure = Failure {
            message: "Failed to load extension: boom".to_owned(),
            explanation: String::new(),
            at: None,
            certainty,
        };
        self.evaluated[index].failure = Some(failure);
        self
    }

    /// Sets the positions in which the extensions run.
    pub(super) fn executed(mut self, positions: &[u32]) -> Self {
        for (entry, &position) in self.order.entries.iter_mut().zip(positions) {
            entry.execution = Some(position);
        }
        self
    }

    /// Runs the extension at `index` before trust is settled and drops it from the list.
    pub(super) fn dropped(mut self, index: usize) -> Self {
        self.order.entries[index].ran_before_trust = true;
        self.order.entries[index].status = Status::Disabled;
        self
    }

    pub(super) fn input(&self) -> Input<'_> {
        Input::new(Catalog::of(PiVersion::NEWEST), &self.environment, &self.order, &self.evaluated)
    }

    pub(super) fn resolve(&self) -> Resolution {
        super::resolve(&self.input())
    }
}

fn entry(id: ExtensionId) -> Entry {
    let letter = char::from(b'a' + u8::try_from(id.0).unwrap_or_default());
    let path = camino::Utf8PathBuf::from(format!("/{letter}.ts"));
    Entry {
        id,
        import_path: path.clone(),
        path,
        kind: EntryKind::File,
        source_info: SourceInfo {
            source: "auto".to_owned(),
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
        execution: Some(id.0),
        ran_before_trust: false,
    }
}

/// The contest of a name, or of an invocation for commands.
pub(super) fn contest<'a>(found: &'a Resolution, kind: ContestKind, name: &str) -> &'a Contest {
    let matches = |it: &&Contest| it.kind == kind && it.invocation.as_deref().unwrap_or(&it.name) == name;
    found.contests.iter().find(matches).unwrap_or_else(|| panic!("no contest for {name}"))
}

/// Whether there is a contest of a name, or of an invocation for commands.
pub(super) fn contested(found: &Resolution, kind: ContestKind, name: &str) -> bool {
    found.contests.iter().any(|it| it.kind == kind && it.invocation.as_deref().unwrap_or(&it.name) == name)
}

/// The winner of a contest as `PATH` or `PATH?` when it is conditional; `-` without one.
pub(super) fn winner(contest: &Contest) -> String {
    shown(contest.winner.as_ref())
}

/// The winner in the session, likewise.
pub(super) fn in_session(contest: &Contest) -> String {
    contest.in_session.as_ref().map_or_else(|| "same".to_owned(), |it| shown(it.winner.as_ref()))
}

fn shown(claim: Option<&super::Claim>) -> String {
    match claim {
        None => "-".to_owned(),
        Some(it) if it.certainty.is_certain() => it.path.to_string(),
        Some(it) => format!("{}?", it.path),
    }
}

/// The losers of a contest as `PATH outcome`.
pub(super) fn losers(contest: &Contest) -> Vec<String> {
    let outcome = |it: super::Outcome| format!("{it:?}").to_lowercase();
    contest.losers.iter().map(|it| format!("{} {}", it.claim.path, outcome(it.outcome))).collect()
}
