//! Skills, prompt templates and themes that extensions add once the session starts: what their `resources_discover` handlers
//! return (rules, section 9, point 1; Pi: `dist/core/agent-session.js`, `extendResourcesFromExtensions`).

use std::sync::Arc;

use crate::install::{DiscoveredPath, Discovery, LoadOrder, ResourceFileKind};
use crate::source::{Certainty, Evaluated, Kind, Known, Phase, Reason, ReasonKind, Registration};

/// The event.
const EVENT: &str = "resources_discover";
/// The fields of a handler's result.
const FIELDS: [(&str, ResourceFileKind); 3] = [
    ("skillPaths", ResourceFileKind::Skill),
    ("promptPaths", ResourceFileKind::Prompt),
    ("themePaths", ResourceFileKind::Theme),
];

/// The paths in the order in which Pi appends them. What cannot be known is added to the registrations of the extension as
/// unresolved.
pub(super) fn paths(order: &LoadOrder, evaluated: &mut [Evaluated]) -> Vec<DiscoveredPath> {
    let mut paths = Vec::new();
    for entry in order.planned() {
        let Some(it) = evaluated.iter_mut().find(|it| it.extension == entry.id) else { continue };
        if it.failure.as_ref().is_some_and(|it| it.certainty.is_certain()) {
            continue;
        }
        let mut unknown = Vec::new();
        for (at, handler) in it.registrations.iter().enumerate().filter(|(_, it)| is_heard(it)) {
            let mut answer =
                Answer { by: Discovery { extension: entry.id, registration: at }, paths: Vec::new() };
            if let Err(reason) = answer.read(&handler.payload) {
                unknown.push(unresolved(handler, reason));
            }
            paths.append(&mut answer.paths);
        }
        it.registrations.extend(unknown);
    }
    paths
}

/// Whether a registration is a handler of the event that is there in time.
fn is_heard(it: &Registration) -> bool {
    let in_time = match &it.phase {
        Phase::Factory => true,
        Phase::Event(event) => &**event == "session_start",
        _ => false,
    };
    it.kind == Kind::Event && in_time && it.name.as_deref() == Some(EVENT)
}

/// What is known of one handler's result.
struct Answer {
    by: Discovery,
    paths: Vec<DiscoveredPath>,
}

impl Answer {
    /// Takes the paths out; an error says why there may be more.
    fn read(&mut self, result: &Known) -> Result<(), Reason> {
        let open = match result {
            Known::Object { open, .. } => open.clone(),
            Known::Unknown(reason) => Some(reason.clone()),
            Known::Function => Some(reason("what the handler returns")),
            Known::Choice(_) => Some(reason("which of several results the handler returns")),
            _ => None,
        };
        let mut problem = open;
        for (name, kind) in FIELDS {
            if let Some(field) = result.field(name)
                && let Err(reason) = self.list(kind, &field.value)
            {
                problem.get_or_insert(reason);
            }
        }
        problem.map_or(Ok(()), Err)
    }

    fn list(&mut self, kind: ResourceFileKind, list: &Known) -> Result<(), Reason> {
        let mut problem = None;
        match list {
            Known::Array(items) => {
                for item in items {
                    match &item.value {
                        Known::String(path) => {
                            self.paths.push(DiscoveredPath { kind, path: path.to_string(), by: self.by });
                        }
                        Known::Unknown(reason) => problem = Some(reason.clone()),
                        Known::Choice(_) => problem = Some(reason("which of several paths it is")),
                        _ => {}
                    }
                }
            }
            Known::Unknown(reason) => problem = Some(reason.clone()),
            Known::Choice(_) => problem = Some(reason("which of several lists it is")),
            _ => {}
        }
        problem.map_or(Ok(()), Err)
    }
}

fn reason(text: &str) -> Reason {
    Reason { kind: ReasonKind::Merged, text: text.into(), at: None }
}

fn unresolved(handler: &Registration, reason: Reason) -> Registration {
    Registration {
        kind: Kind::Resources,
        name: None,
        name_at: None,
        phase: Phase::Event(Arc::from(EVENT)),
        certainty: Certainty::Unresolved(reason, handler.certainty.conditions().to_vec()),
        payload: Known::Undefined,
        ..handler.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::ExtensionId;
    use crate::source::known::Field;

    fn object(fields: Vec<(&str, Known)>) -> Known {
        let fields = fields.into_iter().map(|(key, value)| (key.into(), Field { value, at: None }));
        Known::Object { fields: fields.collect(), open: None }
    }

    fn array(items: Vec<Known>) -> Known {
        Known::Array(items.into_iter().map(|value| Field { value, at: None }).collect())
    }

    /// The paths, and why there may be more.
    fn read(result: &Known) -> (Vec<String>, Option<String>) {
        let by = Discovery { extension: ExtensionId(0), registration: 0 };
        let mut it = Answer { by, paths: Vec::new() };
        let why = it.read(result).err().map(|it| it.text.to_string());
        (it.paths.into_iter().map(|it| format!("{:?} {}", it.kind, it.path)).collect(), why)
    }

    #[test]
    fn paths_are_read_field_by_field() {
        let text = |it: &str| Known::String(it.into());
        let result = object(vec![
            ("promptPaths", array(vec![text("p.md")])),
            ("skillPaths", array(vec![text("a"), Known::Number(1.0), text("b")])),
            ("themePaths", Known::Undefined),
        ]);
        assert_eq!(read(&result), (vec!["Skill a".into(), "Skill b".into(), "Prompt p.md".into()], None));
        assert_eq!(read(&Known::Undefined), (Vec::new(), None));
    }

    #[test]
    fn what_is_not_known_is_said() {
        let why = || Known::Unknown(reason("a file"));
        let known = Known::String("a".into());
        assert_eq!(
            read(&object(vec![("skillPaths", array(vec![known, why()]))])),
            (vec!["Skill a".to_owned()], Some("a file".to_owned()))
        );
        assert_eq!(read(&object(vec![("themePaths", why())])).1.as_deref(), Some("a file"));
        assert_eq!(read(&Known::Function).1.as_deref(), Some("what the handler returns"));
    }
}
