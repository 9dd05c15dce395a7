//! Registrations that somebody declares in `pi-why.toml`: for what cannot be seen in the source, such as a tool whose name
//! comes from a server, or instead of a source that is not at hand.

mod read;
mod value;
mod write;

use std::ops::Range;
use std::sync::Arc;

use camino::Utf8PathBuf;

pub use read::Written;
pub use write::manifest;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::gate::Identities;
use crate::install::{LoadOrder, Scope};
use crate::location::{FileId, SourceMap, Span};
use crate::source::{
    Certainty, Condition, Evaluated, Fact, Failure, Kind, Known, Phase, Reason, ReasonKind, Registration,
};

/// The declarations of one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declarations {
    /// The file.
    pub path: Utf8PathBuf,
    /// Its text.
    pub text: Arc<str>,
    /// What it declares.
    pub extensions: Vec<Extension>,
}

/// What is declared of one extension.
#[derive(Debug, Clone, PartialEq)]
pub struct Extension {
    /// Which one: `npm:x/src/a.ts`, `agent/extensions/a.ts`, a path as seen from the project, or a whole path.
    pub path: String,
    /// Where that stands in the file.
    pub at: Range<usize>,
    /// Whose, where a package is installed for the user and for the project.
    pub scope: Option<Scope>,
    /// Whether the source does not count at all. Otherwise the declared registrations come on top, in place of those of
    /// their kinds that could not be determined.
    pub instead_of_source: bool,
    /// That it does not load: Pi's text and the explanation.
    pub failure: Option<(String, String)>,
    /// What it registers, in order.
    pub registrations: Vec<Declared>,
}

/// One declared registration.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// Which method.
    pub kind: Kind,
    /// The name; `None` when it is not known.
    pub name: Option<Arc<str>>,
    /// When.
    pub phase: Phase,
    /// What has to hold: the expression, and whether it has to be true.
    pub conditions: Vec<(String, bool)>,
    /// Why the name is not known.
    pub unknown: Option<String>,
    /// Facts of the machine that it rests on.
    pub rests_on: Vec<String>,
    /// The options or the definition.
    pub payload: Known,
    /// Its place in the file.
    pub at: Range<usize>,
}

/// Where the declared expressions of a file stand: one place for each, so that two mentions are the same condition.
struct Places {
    file: FileId,
    conditions: Vec<(String, Span)>,
}

impl Places {
    fn span(&self, at: &Range<usize>) -> Span {
        let offset = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        Span::new(self.file, offset(at.start), offset(at.end))
    }

    fn condition(&mut self, text: &str, at: &Range<usize>) -> Span {
        if let Some((_, span)) = self.conditions.iter().find(|(known, _)| known == text) {
            return *span;
        }
        let span = self.span(at);
        self.conditions.push((text.to_owned(), span));
        span
    }
}

/// Takes the declarations into what the source stage found.
pub fn apply(
    declarations: &Declarations,
    sources: &SourceMap,
    identities: &Identities,
    order: &LoadOrder,
    evaluated: &mut Vec<Evaluated>,
) {
    if declarations.extensions.is_empty() {
        return;
    }
    let file = sources.add(declarations.path.clone(), Arc::clone(&declarations.text));
    for declared in &declarations.extensions {
        let mut places = Places { file, conditions: Vec::new() };
        for entry in order.entries.iter().filter(|it| it.execution.is_some()) {
            let path = entry.path.as_str();
            let scope = declared.scope.is_none_or(|it| it == entry.source_info.scope);
            if !scope || !identities.means(&declared.path, path) {
                continue;
            }
            let at = evaluated.iter().position(|it| it.extension == entry.id);
            let at = at.unwrap_or_else(|| {
                evaluated.push(Evaluated { extension: entry.id, failure: None, registrations: Vec::new() });
                evaluated.len() - 1
            });
            if let Some(found) = evaluated.get_mut(at) {
                declared.apply(found, &mut places);
            }
        }
    }
}

/// Declarations about extensions that are not there: a slip of the pen, or the extension is gone.
pub fn unused(
    declarations: &Declarations,
    sources: &SourceMap,
    identities: &Identities,
    order: &LoadOrder,
) -> Vec<Diagnostic> {
    let means =
        |it: &Extension| order.entries.iter().any(|entry| identities.means(&it.path, entry.path.as_str()));
    let unused: Vec<&Extension> = declarations.extensions.iter().filter(|it| !means(it)).collect();
    if unused.is_empty() {
        return Vec::new();
    }
    let file = sources.add(declarations.path.clone(), Arc::clone(&declarations.text));
    let places = Places { file, conditions: Vec::new() };
    let tell = |it: &&Extension| Diagnostic {
        code: Code::DeclarationUnused,
        severity: Severity::Warning,
        message: format!("[[extension]] {}: there is no such extension here", it.path),
        help: Some("pi-why order lists the extensions".to_owned()),
        at: Some(places.span(&it.at)),
    };
    unused.iter().map(tell).collect()
}

impl Extension {
    fn apply(&self, found: &mut Evaluated, places: &mut Places) {
        let is_declared = |kind: Kind| self.registrations.iter().any(|it| it.kind == kind);
        if self.instead_of_source {
            found.registrations.clear();
            found.failure = self.failure.as_ref().map(|(message, explanation)| Failure {
                message: message.clone(),
                explanation: explanation.clone(),
                at: None,
                certainty: Certainty::Certain,
            });
        } else {
            found
                .registrations
                .retain(|it| !(matches!(it.certainty, Certainty::Unresolved(..)) && is_declared(it.kind)));
        }
        let declared = self.registrations.iter().map(|it| it.registration(places));
        found.registrations.extend(declared);
        // Registrations of the factory come before those of later phases, as the source stage hands them on.
        found.registrations.sort_by_key(|it| it.phase != Phase::Factory);
    }
}

impl Declared {
    fn registration(&self, places: &mut Places) -> Registration {
        let span = places.span(&self.at);
        let declared =
            Reason { kind: ReasonKind::OutsideWorld, text: "declared as a condition".into(), at: None };
        let conditions: Vec<Condition> = self
            .conditions
            .iter()
            .map(|(text, holds)| Condition {
                at: places.condition(text, &self.at),
                text: text.as_str().into(),
                holds: *holds,
                reason: declared.clone(),
            })
            .collect();
        let certainty = match (&self.unknown, conditions.is_empty()) {
            (Some(why), _) => {
                let reason = Reason { kind: ReasonKind::OutsideWorld, text: why.as_str().into(), at: None };
                Certainty::Unresolved(reason, conditions)
            }
            (None, true) => Certainty::Certain,
            (None, false) => Certainty::Conditional(conditions),
        };
        Registration {
            kind: self.kind,
            name: self.name.clone(),
            call: span,
            name_at: None,
            trail: Vec::new(),
            phase: self.phase.clone(),
            certainty,
            rests_on: self.rests_on.iter().map(|it| Fact(it.as_str().into())).collect(),
            payload: self.payload.clone(),
        }
    }
}
