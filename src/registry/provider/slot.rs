//! A field while it is composed: the value on top, who set it, and what lies below.

use std::sync::Arc;

use crate::json;
use crate::location::Span;
use crate::source::known::Field;
use crate::source::{Certainty, Known, Reason};

use super::super::contest::{Claim, Layer, Loser, Outcome};
use super::shown::Shown;

/// A value as it stands in its source, and whose it is. May hold a secret: only [`Sourced::claim`] makes something of it that may
/// be printed.
#[derive(Debug, Clone)]
pub(in super::super) struct Sourced {
    pub(in super::super) value: Known,
    pub(in super::super) at: Option<Span>,
    pub(in super::super) owner: Arc<Claim>,
}

impl Sourced {
    pub(in super::super) fn new(value: Known, at: Option<Span>, owner: &Arc<Claim>) -> Self {
        Self { value, at, owner: Arc::clone(owner) }
    }

    /// A field of a value of the same owner.
    pub(in super::super) fn field(&self, name: &str) -> Option<Self> {
        let field = self.value.field(name)?;
        Some(Self { value: field.value.clone(), at: field.at.or(self.at), owner: Arc::clone(&self.owner) })
    }

    /// Whether JavaScript's `??` takes it: it is neither `undefined` nor `null`, as far as that is known.
    pub(in super::super) fn is_given(&self) -> bool {
        !matches!(self.value, Known::Undefined | Known::Null)
    }

    /// Whether JavaScript takes it as true; a value that is not known counts as true.
    pub(in super::super) fn is_truthy(&self) -> bool {
        self.value.truthiness().unwrap_or(true)
    }

    /// What may be said of it. A value that is not known makes the claim unresolved.
    pub(in super::super) fn claim(&self, shown: &Shown<'_>) -> Claim {
        let mut claim = Claim { at: self.at.or(self.owner.at), ..(*self.owner).clone() };
        claim.value = Some(shown.of(&self.value));
        if let Some(reason) = unknown(&self.value) {
            claim.certainty = unresolved(&claim.certainty, reason);
        }
        claim
    }
}

/// Why a value is not known.
pub(in super::super) fn unknown(value: &Known) -> Option<&Reason> {
    match value {
        Known::Unknown(reason) => Some(reason),
        Known::Choice(values) => values.iter().find_map(unknown),
        _ => None,
    }
}

/// A certainty under which something is not known.
pub(in super::super) fn unresolved(certainty: &Certainty, reason: &Reason) -> Certainty {
    Certainty::Unresolved(reason.clone(), super::super::certainty::conditions(certainty).to_vec())
}

/// The layers of one field.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Slot {
    /// What counts.
    pub(in super::super) top: Option<Sourced>,
    /// What does not, nearest first.
    pub(in super::super) below: Vec<(Sourced, Outcome)>,
    /// Something above may have set it, too.
    pub(in super::super) clouded: Option<Reason>,
}

impl Slot {
    /// The best of a list in which the first given value counts.
    pub(in super::super) fn first_given(layers: impl IntoIterator<Item = Self>) -> Self {
        let mut slot = Self::default();
        for layer in layers {
            let open = slot.top.is_none();
            if open && slot.clouded.is_none() {
                slot.clouded = layer.clouded;
            }
            match layer.top.filter(Sourced::is_given) {
                Some(top) if open => slot.top = Some(top),
                Some(lost) => {
                    let outcome = lost_outcome(&lost);
                    slot.below.push((lost, outcome));
                }
                None => {}
            }
            slot.below.extend(layer.below);
        }
        slot
    }

    /// One value.
    pub(in super::super) fn of(top: Option<Sourced>) -> Self {
        Self { top, below: Vec::new(), clouded: None }
    }

    /// Puts a value on top; what was there goes below.
    pub(in super::super) fn put(&mut self, top: Option<Sourced>) {
        self.bury();
        self.top = top;
        self.clouded = None;
    }

    /// Puts a value on top that is made of the one there and something more.
    pub(in super::super) fn merge(&mut self, top: Sourced) {
        if let Some(old) = self.top.replace(top) {
            self.below.insert(0, (old, Outcome::Merged));
        }
    }

    /// Takes the top away.
    pub(in super::super) fn bury(&mut self) {
        if let Some(old) = self.top.take() {
            let outcome = lost_outcome(&old);
            self.below.insert(0, (old, outcome));
        }
    }

    /// Something that lost at once.
    pub(in super::super) fn put_below(&mut self, lost: Sourced) {
        let outcome = lost_outcome(&lost);
        self.below.push((lost, outcome));
    }

    /// The value on top.
    pub(in super::super) fn value(&self) -> Option<&Known> {
        self.top.as_ref().map(|it| &it.value)
    }

    /// Winner and losers.
    pub(in super::super) fn claims(&self, shown: &Shown<'_>) -> (Option<Claim>, Vec<Loser>) {
        let mut winner = self.top.as_ref().map(|it| it.claim(shown));
        if let (Some(winner), Some(reason)) = (&mut winner, &self.clouded) {
            winner.certainty = unresolved(&winner.certainty, reason);
        }
        let below = self.below.iter();
        (winner, below.map(|(it, outcome)| Loser { claim: it.claim(shown), outcome: *outcome }).collect())
    }
}

fn lost_outcome(it: &Sourced) -> Outcome {
    if it.owner.layer == Layer::Builtin { Outcome::Overridden } else { Outcome::Replaced }
}

/// A JSON value of a file as a known value, with its places.
pub(in super::super) fn known(node: &json::Node) -> Known {
    let field = |node: &json::Node| Field { value: known(node), at: Some(node.at) };
    match &node.value {
        json::Value::Null => Known::Null,
        json::Value::Bool(it) => Known::Bool(*it),
        json::Value::Number(it) => Known::Number(*it),
        json::Value::String(it) => Known::String(Arc::clone(it)),
        json::Value::Array(it) => Known::Array(it.iter().map(field).collect()),
        json::Value::Object(it) => Known::Object {
            fields: it
                .iter()
                .map(|(name, member)| {
                    (Arc::clone(name), Field { value: known(&member.node), at: Some(member.at) })
                })
                .collect(),
            open: None,
        },
    }
}

/// A JSON value of the catalog as a known value.
pub(in super::super) fn known_fact(value: &serde_json::Value) -> Known {
    let field = |value: &serde_json::Value| Field { value: known_fact(value), at: None };
    match value {
        serde_json::Value::Null => Known::Null,
        serde_json::Value::Bool(it) => Known::Bool(*it),
        serde_json::Value::Number(it) => Known::Number(it.as_f64().unwrap_or(f64::NAN)),
        serde_json::Value::String(it) => Known::String(it.as_str().into()),
        serde_json::Value::Array(it) => Known::Array(it.iter().map(field).collect()),
        serde_json::Value::Object(it) => Known::Object {
            fields: it.iter().map(|(name, value)| (name.as_str().into(), field(value))).collect(),
            open: None,
        },
    }
}

/// `{...base, ...over}`.
pub(in super::super) fn spread(base: Option<&Known>, over: &Known) -> Known {
    let mut merged: Vec<(Arc<str>, Field)> = Vec::new();
    let mut unknown = None;
    for value in base.into_iter().chain([over]) {
        match value {
            Known::Object { fields, open } => {
                for (name, field) in fields {
                    match merged.iter_mut().find(|(known, _)| known == name) {
                        Some((_, earlier)) => *earlier = field.clone(),
                        None => merged.push((Arc::clone(name), field.clone())),
                    }
                }
                unknown = open.clone().or(unknown);
            }
            Known::Unknown(reason) => unknown = Some(reason.clone()),
            _ => {}
        }
    }
    Known::Object { fields: merged, open: unknown }
}
