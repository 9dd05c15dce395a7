//! What the `registerProvider(name, config)` calls of one provider come to (Pi: `dist/core/model-runtime.js`,
//! `registerProvider`): field by field the last value that is not `undefined`. Nothing is merged inside a field.

use std::sync::Arc;

use crate::source::{Known, Reason, ReasonKind};

use super::super::contest::Claim;
use super::base::fields;
use super::slot::{Slot, Sourced};

/// The merged configurations.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Overlay {
    fields: Vec<(Arc<str>, Slot)>,
    /// A configuration may have set fields that are not known.
    pub(in super::super) open: Option<Reason>,
    /// Every call, oldest first.
    pub(in super::super) calls: Vec<Arc<Claim>>,
}

impl Overlay {
    /// One call alone.
    pub(in super::super) fn of(config: &Known, owner: &Arc<Claim>) -> Self {
        let mut overlay = Self::default();
        overlay.add(config, owner);
        overlay
    }

    /// One more call.
    pub(in super::super) fn add(&mut self, config: &Known, owner: &Arc<Claim>) {
        self.calls.push(Arc::clone(owner));
        let (given, open) = fields(config);
        let open = open.cloned().or_else(|| ambiguous(config));
        if let Some(reason) = &open {
            for (_, slot) in &mut self.fields {
                slot.clouded = Some(reason.clone());
            }
            self.open = open;
        }
        for (name, field) in given.iter().filter(|(_, field)| field.value != Known::Undefined) {
            let value = Sourced::new(field.value.clone(), field.at, owner);
            match self.fields.iter_mut().find(|(known, _)| known == name) {
                Some((_, slot)) => slot.put(Some(value)),
                None => self.fields.push((Arc::clone(name), Slot::of(Some(value)))),
            }
        }
    }

    /// A field. One that nobody set is clouded if somebody may have.
    pub(in super::super) fn slot(&self, name: &str) -> Slot {
        let set = self.fields.iter().find(|(known, _)| &**known == name).map(|(_, slot)| slot.clone());
        set.unwrap_or_else(|| Slot { clouded: self.open.clone(), ..Slot::default() })
    }

    /// The value of a field, if it is neither `undefined` nor `null`.
    pub(in super::super) fn given(&self, name: &str) -> Option<Sourced> {
        self.slot(name).top.filter(Sourced::is_given)
    }
}

/// A configuration that is one of several objects.
fn ambiguous(config: &Known) -> Option<Reason> {
    matches!(config, Known::Choice(_)).then(|| Reason {
        kind: ReasonKind::Merged,
        text: "the configuration is one of several".into(),
        at: None,
    })
}
