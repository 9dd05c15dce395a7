//! What a provider is made of before anybody overlays it: the one that Pi ships, a native one of an extension, or a gateway
//! that models.json asks for (Pi: `dist/core/model-runtime.js`, `configureRadiusProviders` and `recomposeProvider`).

use std::sync::Arc;

use crate::catalog::{BuiltinProvider, NativeProviderFacts};
use crate::source::known::Field;
use crate::source::{Known, Reason};

use super::super::contest::{Claim, Layer};
use super::super::model::Models;
use super::slot::{Slot, Sourced};

/// The lowest layer of a provider.
#[derive(Debug, Clone)]
pub(super) struct Base {
    /// Whose it is.
    pub(super) owner: Arc<Claim>,
    pub(super) name: Slot,
    pub(super) address: Slot,
    /// How one logs in.
    pub(super) auth: Vec<Arc<str>>,
    /// Headers of every request.
    pub(super) headers: Slot,
    pub(super) models: Models,
    /// Whether its models come from a catalog of its own.
    pub(super) refreshes: bool,
    /// Sets of variables that make it usable.
    pub(super) credentials: Vec<Vec<Arc<str>>>,
}

impl Base {
    /// A provider that Pi ships.
    pub(super) fn builtin(it: &BuiltinProvider) -> Self {
        let owner = Arc::new(Claim::of_pi(format!("<builtin:{}>", it.id)));
        let text = |value: &Arc<str>| Sourced::new(Known::String(Arc::clone(value)), None, &owner);
        Self {
            name: Slot::of(Some(text(&it.name))),
            address: Slot::of(it.base_url.as_ref().map(text)),
            auth: it.auth.clone(),
            headers: Slot::default(),
            models: Models::builtin(it, &owner),
            refreshes: it.refreshes,
            credentials: it.credentials.clone(),
            owner,
        }
    }

    /// A provider that an inline extension registers.
    pub(super) fn inline(facts: &NativeProviderFacts, owner: &Arc<Claim>) -> Self {
        let text = |value: &str| Sourced::new(Known::String(value.into()), None, owner);
        Self {
            name: Slot::of(Some(text(&facts.name))),
            address: Slot::of(facts.base_url.as_deref().map(text)),
            auth: facts.auth.iter().map(|it| it.as_str().into()).collect(),
            headers: Slot::default(),
            models: Models::default(),
            refreshes: false,
            credentials: Vec::new(),
            owner: Arc::clone(owner),
        }
    }

    /// A provider that an extension registers whole. Its models are known when they are given as data; what its code makes
    /// of them is not.
    pub(super) fn native(provider: &Known, owner: &Arc<Claim>) -> Self {
        let whole = Sourced::new(provider.clone(), None, owner);
        let auth = whole.field("auth");
        let has = |kind: &str| auth.as_ref().and_then(|it| it.field(kind)).is_some_and(|it| it.is_given());
        Self {
            name: Slot::of(whole.field("name")),
            address: Slot::of(whole.field("baseUrl")),
            auth: ["apiKey", "oauth"].into_iter().filter(|it| has(it)).map(Arc::from).collect(),
            headers: Slot::of(whole.field("headers")),
            models: Models::native(&whole),
            refreshes: whole.field("refreshModels").is_some_and(|it| it.is_given()),
            credentials: Vec::new(),
            owner: Arc::clone(owner),
        }
    }

    /// A gateway that models.json asks for with `"oauth": "radius"`.
    pub(super) fn radius(id: &Arc<str>, config: &Sourced) -> Self {
        let owner = &config.owner;
        let name = config.field("name").unwrap_or_else(|| {
            let default = Claim { layer: Layer::Default, at: owner.at, ..Claim::of_pi("<default>") };
            Sourced::new(Known::String(Arc::clone(id)), None, &Arc::new(default))
        });
        Self {
            name: Slot::of(Some(name)),
            address: Slot::default(),
            auth: ["apiKey", "oauth"].map(Arc::from).to_vec(),
            headers: Slot::default(),
            models: Models::default(),
            refreshes: true,
            credentials: vec![vec!["RADIUS_API_KEY".into()]],
            owner: Arc::clone(owner),
        }
    }

    /// Whether one can log in with a key.
    pub(super) fn has_auth(&self, kind: &str) -> bool {
        self.auth.iter().any(|it| &**it == kind)
    }
}

/// The fields of an object, with why there may be more.
pub(in super::super) fn fields(value: &Known) -> (&[(Arc<str>, Field)], Option<&Reason>) {
    match value {
        Known::Object { fields, open } => (fields, open.as_ref()),
        Known::Unknown(reason) => (&[], Some(reason)),
        _ => (&[], None),
    }
}
