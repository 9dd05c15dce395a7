//! The calls that register and unregister providers, in the order in which Pi applies them (rules, section 8.1).

use std::sync::Arc;

use crate::catalog::NativeProviderFacts;
use crate::source::{Kind, Known, Registration};

use super::super::contest::Claim;
use super::super::input::Input;
use super::super::roster::{Member, Moment, Roster};

/// One call.
#[derive(Debug, Clone)]
pub(super) struct Act<'a> {
    /// The provider's id.
    pub(super) id: Arc<str>,
    pub(super) what: What<'a>,
    pub(super) claim: Arc<Claim>,
    pub(super) moment: Moment,
    /// Its place among all calls.
    pub(super) place: usize,
}

/// What a call does.
#[derive(Debug, Clone, Copy)]
pub(super) enum What<'a> {
    /// `registerProvider(id, config)`.
    Config(&'a Known),
    /// `registerProvider(provider)`.
    Native(&'a Known),
    /// The same by an extension that Pi brings.
    Inline(&'static NativeProviderFacts),
    /// `unregisterProvider(id)`.
    Unregister,
}

impl What<'_> {
    pub(super) fn is_native(self) -> bool {
        matches!(self, Self::Native(_) | Self::Inline(_))
    }
}

/// Every call: while loading in execution order, those of failed and dropped extensions included; then those of the session
/// and later ones in list order, in which events are emitted.
pub(super) fn acts<'a>(input: &Input<'a>, roster: &Roster<'a>) -> Vec<Act<'a>> {
    let traces = input.catalog.behaviour().failed_extensions_leave_traces;
    let mut all = Vec::new();
    for member in roster.executed() {
        let fails = member.failure().is_some_and(|it| it.certainty.is_certain());
        if fails && !traces {
            continue;
        }
        for facts in member.inline.map_or(&[][..], |it| &it.native_providers) {
            let claim = Arc::new(member.inline_claim());
            let what = What::Inline(facts);
            all.push(Act {
                id: facts.id.as_str().into(),
                what,
                claim,
                moment: Moment::Loading,
                place: all.len(),
            });
        }
        let claim = |it: &Registration| {
            if traces { member.claim_despite_failure(it) } else { member.claim(it) }
        };
        add(&mut all, member, |it| it == Moment::Loading, claim);
    }
    for member in roster.listed() {
        add(&mut all, member, |it| it > Moment::Loading, |it| member.claim(it));
    }
    all
}

fn add<'a>(
    all: &mut Vec<Act<'a>>,
    member: &Member<'a>,
    when: impl Fn(Moment) -> bool,
    claim: impl Fn(&Registration) -> Claim,
) {
    for it in member.registrations() {
        let moment = Moment::of(&it.phase);
        let (Some(id), true) = (&it.name, when(moment)) else { continue };
        let what = match it.kind {
            // Without a configuration the call throws.
            Kind::Provider if it.payload.truthiness() != Some(false) => What::Config(&it.payload),
            Kind::NativeProvider => What::Native(&it.payload),
            Kind::UnregisterProvider => What::Unregister,
            _ => continue,
        };
        all.push(Act { id: Arc::clone(id), what, claim: Arc::new(claim(it)), moment, place: all.len() });
    }
}

/// What is left of the calls of the load when Pi applies them: configurations first, then native providers; a call that
/// unregisters takes away what was queued before it.
pub(super) fn queue<'q, 'a>(acts: &[&'q Act<'a>]) -> (Vec<&'q Act<'a>>, Vec<&'q Act<'a>>) {
    let mut queued: Vec<&'q Act<'a>> = Vec::new();
    let mut removed: Vec<&'q Act<'a>> = Vec::new();
    for &act in acts {
        if matches!(act.what, What::Unregister) {
            removed.extend(queued.extract_if(.., |it| it.id == act.id));
        } else {
            queued.push(act);
        }
    }
    queued.sort_by_key(|it| (it.what.is_native(), it.place));
    (queued, removed)
}
