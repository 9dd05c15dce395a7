//! What the runtime holds for one provider after a number of calls (Pi: `dist/core/model-runtime.js`, `registerProvider`,
//! `registerNativeProvider`, `unregisterProvider`).

use std::sync::Arc;

use super::super::contest::{Claim, Outcome};
use super::super::model::Models;
use super::acts::{Act, What, queue};
use super::base::Base;
use super::overlay::Overlay;
use super::slot::Sourced;

/// What does not depend on extensions.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    pub(super) id: Arc<str>,
    /// The provider that Pi ships, or the gateway of models.json.
    pub(super) shipped: Option<Base>,
    /// The configuration of models.json.
    pub(super) config: Option<Sourced>,
}

/// A registration that Pi does not take.
#[derive(Debug, Clone)]
pub(super) struct Rejected {
    pub(super) claim: Arc<Claim>,
    pub(super) message: String,
    pub(super) place: usize,
    pub(super) native: bool,
}

/// What extensions have made of a provider.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) native: Option<Base>,
    pub(super) overlay: Option<Overlay>,
    pub(super) rejected: Vec<Rejected>,
    /// Registrations that count no more, and why.
    pub(super) gone: Vec<(Arc<Claim>, Outcome)>,
}

impl State {
    /// After the calls of the load.
    pub(super) fn loaded(ground: &Ground, acts: &[&Act<'_>]) -> Self {
        let mut state = Self::default();
        let (queued, removed) = queue(acts);
        state.gone.extend(removed.into_iter().map(|it| (Arc::clone(&it.claim), Outcome::Skipped)));
        for act in queued {
            state.apply(ground, act);
        }
        state
    }

    /// One call that takes effect at once.
    pub(super) fn apply(&mut self, ground: &Ground, act: &Act<'_>) {
        let refused = match act.what {
            What::Config(config) => {
                let alone = Overlay::of(config, &act.claim);
                let verdict = validate(ground, &alone);
                if verdict.is_ok() {
                    self.drop_native();
                    self.overlay.get_or_insert_default().add(config, &act.claim);
                }
                verdict
            }
            What::Native(_) | What::Inline(_) if act.id.trim().is_empty() => {
                Err("Provider id must not be empty.".to_owned())
            }
            What::Native(provider) => {
                self.take_over(Base::native(provider, &act.claim));
                Ok(())
            }
            What::Inline(facts) => {
                self.take_over(Base::inline(facts, &act.claim));
                Ok(())
            }
            What::Unregister => {
                self.drop_native();
                self.drop_overlay();
                Ok(())
            }
        };
        if let Err(message) = refused {
            let (claim, native) = (Arc::clone(&act.claim), act.what.is_native());
            self.rejected.push(Rejected { claim, message, place: act.place, native });
        }
    }

    fn take_over(&mut self, native: Base) {
        self.drop_overlay();
        self.drop_native();
        self.native = Some(native);
    }

    fn drop_native(&mut self) {
        let native = self.native.take();
        self.gone.extend(native.map(|it| (it.owner, Outcome::Replaced)));
    }

    fn drop_overlay(&mut self) {
        let calls = self.overlay.take().map(|it| it.calls).unwrap_or_default();
        self.gone.extend(calls.into_iter().map(|it| (it, Outcome::Replaced)));
    }
}

/// Each configuration has to stand alone, on what Pi ships and models.json (Pi: `dist/core/provider-composer.js`,
/// `validateExtensionProvider`).
fn validate(ground: &Ground, alone: &Overlay) -> Result<(), String> {
    let given = |name: &str| alone.given(name).filter(Sourced::is_truthy);
    if given("streamSimple").is_some() && given("api").is_none() && alone.slot("api").clouded.is_none() {
        let id = &ground.id;
        return Err(format!("Provider {id}: \"api\" is required when registering streamSimple."));
    }
    let mut models = ground.shipped.as_ref().map_or_else(Models::default, |it| it.models.clone());
    if let Some(config) = &ground.config {
        models.apply_models_json(&ground.id, config)?;
    }
    models.apply_overlay(&ground.id, alone)
}
