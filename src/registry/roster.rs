//! The extensions of an installation as Pi holds them once they have loaded, and what each of them claims.
//!
//! Pi keeps one map for each kind and extension (`dist/core/extensions/loader.js`, `createExtensionAPI`): a
//! second registration of a name keeps the first one's place and brings the last one's definition. A failed extension
//! leaves none of its maps behind (rules, section 1.5).

use std::sync::Arc;

use crate::catalog::InlineExtension;
use crate::install::{Entry, EntryKind, ExtensionId};
use crate::source::{Certainty, Evaluated, Failure, Kind, Known, Phase, Registration};

use super::certainty::{either, unless};
use super::contest::{Claim, Layer, MayAlsoClaim};
use super::input::Input;

/// When a registration takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Moment {
    /// While extensions load.
    Loading,
    /// In an event that every session has right at its start.
    Session,
    /// In a command, a tool, another event, a timer: perhaps never.
    Later,
}

impl Moment {
    /// The events of every session are those that Pi emits when a mode binds the extensions
    /// (`dist/core/agent-session.js`, `bindExtensions`).
    pub(super) fn of(phase: &Phase) -> Self {
        match phase {
            Phase::Factory => Self::Loading,
            Phase::Event(event) if matches!(&**event, "session_start" | "resources_discover") => {
                Self::Session
            }
            _ => Self::Later,
        }
    }
}

/// An extension whose factory runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a> {
    /// Its place in the installation.
    pub(super) entry: &'a Entry,
    evaluated: Option<&'a Evaluated>,
    /// The catalog's facts, for an extension that Pi brings itself.
    pub(super) inline: Option<&'static InlineExtension>,
}

/// What one extension claims under one name: all its registrations of it taken together.
#[derive(Debug, Clone)]
pub(super) struct Bid<'a> {
    /// The key under which it was registered.
    pub(super) name: Arc<str>,
    /// The registration that counts.
    pub(super) claim: Claim,
    /// Its definition; `None` for extensions that Pi brings itself.
    pub(super) payload: Option<&'a Known>,
    /// Registrations of the same extension that the last one replaced.
    pub(super) replaced: Vec<Claim>,
}

/// Every extension that runs.
#[derive(Debug, Clone)]
pub(super) struct Roster<'a> {
    listed: Vec<Member<'a>>,
    executed: Vec<Member<'a>>,
}

impl<'a> Roster<'a> {
    pub(super) fn new(input: &Input<'a>) -> Self {
        let member = |entry: &'a Entry| Member {
            entry,
            evaluated: input.evaluated.iter().find(|it| it.extension == entry.id),
            inline: match entry.kind {
                EntryKind::Inline => input.catalog.inline_extension(entry.path.as_str()),
                EntryKind::File => None,
            },
        };
        let listed = input.load_order.planned().map(member).filter(|it| !it.certainly_fails()).collect();
        let executed = input.load_order.executed().into_iter().map(member).collect();
        Self { listed, executed }
    }

    /// Those that load, in list order.
    pub(super) fn listed(&self) -> &[Member<'a>] {
        &self.listed
    }

    /// The one of an id, if it loads.
    pub(super) fn member(&self, id: ExtensionId) -> Option<&Member<'a>> {
        self.listed.iter().find(|it| it.entry.id == id)
    }

    /// Those whose factories run, in execution order: also those that fail, and those that are dropped from the
    /// list once trust is settled.
    pub(super) fn executed(&self) -> &[Member<'a>] {
        &self.executed
    }

    /// The claims on names of one kind that are made up to a moment, in list order.
    pub(super) fn bids(&self, kind: Kind, until: Moment) -> Vec<Bid<'a>> {
        self.listed.iter().flat_map(|it| it.bids(kind, until)).collect()
    }

    /// The claims that are made later than at the start of a session, each on its own.
    pub(super) fn later(&self, kind: Kind) -> Vec<(Arc<str>, Claim)> {
        let named = |member: &Member<'a>, it: &Registration| Some((it.name.clone()?, member.claim(it)));
        self.listed
            .iter()
            .flat_map(|member| {
                let all = member.registrations().iter();
                all.filter(|it| it.kind == kind && Moment::of(&it.phase) == Moment::Later)
                    .filter_map(move |it| named(member, it))
            })
            .collect()
    }

    /// Registrations that could be of any name of one kind.
    pub(super) fn unresolved(&self, kinds: &[Kind]) -> Vec<MayAlsoClaim> {
        let of = |member: &Member<'a>, it: &Registration| match &it.certainty {
            Certainty::Unresolved(reason, _) => Some(MayAlsoClaim {
                path: member.entry.path.as_str().into(),
                at: it.call,
                reason: reason.clone(),
            }),
            _ => None,
        };
        let speaks_of = |it: &&Registration| it.kind == Kind::Anything || kinds.contains(&it.kind);
        self.listed
            .iter()
            .flat_map(|member| {
                member.registrations().iter().filter(speaks_of).filter_map(|it| of(member, it))
            })
            .collect()
    }
}

impl<'a> Member<'a> {
    /// What its code registers, in order; empty for extensions that Pi brings itself.
    pub(super) fn registrations(&self) -> &'a [Registration] {
        self.evaluated.map_or(&[], |it| &it.registrations)
    }

    /// Why it does not load.
    pub(super) fn failure(&self) -> Option<&'a Failure> {
        self.evaluated.and_then(|it| it.failure.as_ref())
    }

    fn certainly_fails(&self) -> bool {
        self.failure().is_some_and(|it| it.certainty.is_certain())
    }

    /// A registration as a claim. Holds only if the extension gets through loading.
    pub(super) fn claim(&self, it: &Registration) -> Claim {
        let mut claim = self.claim_despite_failure(it);
        if let Some(failure) = self.failure() {
            claim.certainty = unless(&claim.certainty, &failure.certainty);
        }
        claim
    }

    /// A registration as a claim that stays even if the extension fails afterwards.
    pub(super) fn claim_despite_failure(&self, it: &Registration) -> Claim {
        Claim {
            path: self.entry.path.as_str().into(),
            layer: Layer::Extension,
            extension: Some(self.entry.id),
            at: Some(it.call),
            name_at: it.name_at,
            trail: it.trail.clone(),
            phase: it.phase.clone(),
            certainty: it.certainty.clone(),
            rests_on: it.rests_on.clone(),
            value: None,
        }
    }

    /// The claim of an extension that Pi brings itself.
    pub(super) fn inline_claim(&self) -> Claim {
        Claim {
            path: self.entry.path.as_str().into(),
            layer: Layer::Inline,
            extension: Some(self.entry.id),
            ..Claim::of_pi("")
        }
    }

    fn bids(&self, kind: Kind, until: Moment) -> Vec<Bid<'a>> {
        let inline = self.inline_names(kind).iter().map(|name| Bid {
            name: name.as_str().into(),
            claim: self.inline_claim(),
            payload: None,
            replaced: Vec::new(),
        });
        let mut bids: Vec<Bid<'a>> = inline.collect();
        let in_time = |it: &&Registration| it.kind == kind && Moment::of(&it.phase) <= until;
        for it in self.registrations().iter().filter(in_time) {
            let Some(name) = &it.name else { continue };
            match bids.iter_mut().find(|bid| bid.name == *name) {
                Some(bid) => bid.again(self.claim(it), &it.payload),
                None => bids.push(Bid {
                    name: Arc::clone(name),
                    claim: self.claim(it),
                    payload: Some(&it.payload),
                    replaced: Vec::new(),
                }),
            }
        }
        bids
    }

    fn inline_names(&self, kind: Kind) -> &'static [String] {
        let Some(inline) = self.inline else { return &[] };
        match kind {
            Kind::Tool => &inline.tools,
            Kind::Command => &inline.commands,
            Kind::Flag => &inline.flags,
            Kind::Shortcut => &inline.shortcuts,
            Kind::MessageRenderer => &inline.message_renderers,
            Kind::EntryRenderer => &inline.entry_renderers,
            _ => &[],
        }
    }
}

impl<'a> Bid<'a> {
    /// The same extension registers the name again: the definition is the last one's, as far as that is certain.
    fn again(&mut self, claim: Claim, payload: &'a Known) {
        if Moment::of(&claim.phase) > Moment::of(&self.claim.phase) {
            // What comes later makes nothing surer about the time before.
            self.replaced.push(claim);
            return;
        }
        let certainty = either(&self.claim.certainty, &claim.certainty);
        if claim.certainty.is_certain() || !self.claim.certainty.is_certain() {
            self.payload = Some(payload);
            self.replaced.push(std::mem::replace(&mut self.claim, claim));
        } else {
            self.replaced.push(claim);
        }
        self.claim.certainty = certainty;
    }
}
