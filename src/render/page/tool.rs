//! What comes with a tool: how the model is told of it, and how its calls are shown.

use crate::catalog::{Catalog, PiVersion};
use crate::registry::{Contest, Layer};
use crate::render::document::{Document, Text};
use crate::render::words;
use crate::report::Report;
use crate::source::{Kind, Known, Registration};

/// Fields of a definition that tell the model of a tool or show its calls, with what they are.
const FIELDS: [(&str, &str); 4] = [
    ("promptSnippet", "its line in the system prompt"),
    ("promptGuidelines", "its guidelines in the system prompt"),
    ("renderCall", "how its calls are shown"),
    ("renderResult", "how its results are shown"),
];

/// Says what follows the winner of a tool's name.
pub fn follows(page: &mut Document, contest: &Contest, report: &Report) {
    let Some(winner) =
        contest.in_session.as_ref().and_then(|it| it.winner.as_ref()).or(contest.winner.as_ref())
    else {
        return;
    };
    if winner.layer != Layer::Extension {
        return;
    }
    let owner = winner.extension.and_then(|id| report.by_id(id));
    let registration = owner.and_then(|it| it.registrations.iter().find(|it| is_it(it, contest, winner.at)));
    let Some(Registration { payload: payload @ Known::Object { open, .. }, .. }) = registration else {
        return;
    };
    let has = |field: &str| payload.field(field).is_some_and(|it| it.value.truthiness() != Some(false));
    let brings: Vec<String> =
        FIELDS.iter().filter(|(field, _)| has(field)).map(|(_, words)| (*words).to_owned()).collect();
    if !brings.is_empty() {
        page.line(format!("With it come {}.", words::list(&brings)));
    }
    let catalog = Catalog::of(PiVersion::nearest(&report.pi.version));
    let builtin = catalog.tools().iter().any(|it| it.name == *contest.name);
    if builtin && open.is_none() && !(has("renderCall") && has("renderResult")) {
        page.line(Text::from(
            "Its calls are still drawn by the built-in tool of this name where it brings no drawing of its own.",
        ));
    }
}

fn is_it(it: &Registration, contest: &Contest, at: Option<crate::location::Span>) -> bool {
    it.kind == Kind::Tool && Some(it.call) == at && it.name.as_deref() == Some(&*contest.name)
}
