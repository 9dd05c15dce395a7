//! Settles whether the project is trusted, once extensions have had their say (rules, section 12, point 2; Pi:
//! `core/project-trust.js`, `resolveProjectTrusted`).

use super::Inspection;
use crate::install::{Installation, LoadOrder};
use crate::report::{Trust, TrustFrom};
use crate::source::{Evaluated, Kind, Known, Phase};

/// The verdict and what the extensions of the plan that follows from it register.
pub(super) fn settle(inspection: &Inspection<'_>, installation: &Installation) -> (Trust, Vec<Evaluated>) {
    let files = Trust { trusted: installation.trust.trusted, from: installation.trust.from.into() };
    let evaluated = inspection.evaluate(installation, installation.plan_if(files.trusted));
    if !installation.trust.asks_extensions {
        return (files, evaluated);
    }
    // The extensions that are asked are those that run without trust. They are part of either plan, mostly.
    let plan = installation.plan_if(files.trusted);
    let Some(trusted) = handlers_say(&plan.order, &installation.untrusted.order, &evaluated) else {
        return (files, evaluated);
    };
    let trust = Trust { trusted, from: TrustFrom::Extension };
    if trusted == files.trusted {
        return (trust, evaluated);
    }
    (trust, inspection.evaluate(installation, installation.plan_if(trusted)))
}

/// The first answer of a `project_trust` handler, in the list order of the extensions that run without trust. An answer
/// that is not known counts as none: the reader is told what files and flags say.
fn handlers_say(evaluated_order: &LoadOrder, asked: &LoadOrder, evaluated: &[Evaluated]) -> Option<bool> {
    let asked_in_order = asked.planned().filter_map(|entry| {
        let same = evaluated_order.entries.iter().find(|it| it.path == entry.path)?;
        evaluated.iter().find(|it| it.extension == same.id)
    });
    asked_in_order
        .filter(|it| it.failure.is_none())
        .flat_map(|it| &it.registrations)
        .filter(|it| it.kind == Kind::Event && it.phase == Phase::Factory && it.certainty.is_certain())
        .filter(|it| it.name.as_deref() == Some("project_trust"))
        .find_map(|it| answer(&it.payload))
}

/// What a handler's result decides: everything but `undecided` does, and only `yes` is a yes. A result without `trusted`
/// is a no; no result at all is an error that Pi passes over.
fn answer(result: &Known) -> Option<bool> {
    match result {
        Known::Object { fields: _, open: None } => match result.field("trusted").map(|it| &it.value) {
            Some(Known::String(word)) => match &**word {
                "undecided" => None,
                word => Some(word == "yes"),
            },
            Some(Known::Unknown(_) | Known::Choice(_)) => None,
            _ => Some(false),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::known::Field;

    fn says(trusted: Known) -> Option<bool> {
        let fields = vec![("trusted".into(), Field { value: trusted, at: None })];
        answer(&Known::Object { fields, open: None })
    }

    #[test]
    fn only_yes_is_a_yes_and_undecided_asks_the_next() {
        assert_eq!(says(Known::String("yes".into())), Some(true));
        assert_eq!(says(Known::String("no".into())), Some(false));
        assert_eq!(says(Known::Bool(true)), Some(false));
        assert_eq!(says(Known::String("undecided".into())), None);
        assert_eq!(answer(&Known::Function), None);
        assert_eq!(answer(&Known::Undefined), None);
    }
}
