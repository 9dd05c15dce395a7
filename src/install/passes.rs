//! How the plans for both verdicts on trust go together: what runs before the question is settled, and what a refusal
//! leaves out (rules, section 1.4; Pi: `dist/core/resource-loader.js`, `loadFinalExtensionSet`).

use super::installation::{Plan, Resource};
use super::load_order::{Entry, LoadOrder, Status};
use super::rules;
use super::source_info::Scope;

/// Numbers the factories of a run in which extensions without trust run first, and adds those of them that the final list
/// does not have.
pub(super) fn run_untrusted_first(trusted: &mut LoadOrder, untrusted: &LoadOrder) {
    let first: Vec<&Entry> = untrusted.planned().collect();
    let place_in_first = |entry: &Entry| first.iter().position(|it| it.import_path == entry.import_path);
    let mut next = first.len();
    let mut is_reused = vec![false; first.len()];
    for entry in trusted.entries.iter_mut().filter(|it| it.status == Status::Planned) {
        let place = if let Some(place) = place_in_first(entry) {
            is_reused[place] = true;
            place
        } else {
            next += 1;
            next - 1
        };
        entry.execution = u32::try_from(place).ok();
    }
    for (place, early) in first.iter().enumerate().filter(|(place, _)| !is_reused[*place]) {
        let execution = u32::try_from(place).ok();
        if let Some(known) = trusted.entries.iter_mut().find(|it| it.path == early.path) {
            known.execution = execution;
            known.ran_before_trust = true;
            known.reason =
                format!("it has run before the project counted, and is not in the list: {}", known.reason);
        } else {
            trusted.push(Entry {
                status: Status::Disabled,
                reason: "it has run before the project counted; what the project says then takes it out of the list"
                    .to_owned(),
                rule: rules::BEFORE_TRUST,
                execution,
                ran_before_trust: true,
                ..(*early).clone()
            });
        }
    }
}

/// Adds to the plan without trust what trust would bring.
pub(super) fn add_untrusted(plan: &mut Plan, trusted: &Plan) {
    const REASON: &str = "the project is not trusted";
    let missing = trusted.order.entries.iter().filter(|it| it.source_info.scope == Scope::Project);
    let added: Vec<Entry> = missing
        .filter(|it| !plan.order.entries.iter().any(|known| known.path == it.path))
        .map(|it| Entry {
            status: Status::Untrusted,
            reason: REASON.to_owned(),
            rule: rules::UNTRUSTED,
            execution: None,
            ran_before_trust: false,
            ..it.clone()
        })
        .collect();
    for it in added {
        plan.order.push(it);
    }
    let pairs = [
        (&mut plan.skills, &trusted.skills),
        (&mut plan.prompts, &trusted.prompts),
        (&mut plan.themes, &trusted.themes),
    ];
    for (without, with) in pairs {
        let missing = with.iter().filter(|it| it.source_info.scope == Scope::Project);
        let added: Vec<Resource> = missing
            .filter(|it| !without.iter().any(|known| known.path == it.path))
            .map(|it| Resource {
                status: Status::Untrusted,
                reason: REASON.to_owned(),
                rule: rules::UNTRUSTED,
                ..it.clone()
            })
            .collect();
        without.extend(added);
    }
}
