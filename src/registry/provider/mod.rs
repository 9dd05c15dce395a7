//! Providers and their models: every field with who set it and what that hid (rules, section 8).
//!
//! `acts` puts the calls of extensions in Pi's order, `state` applies them, `compose` lays the layers over each other,
//! and this file makes contests of it. What is conditional is composed twice, without and with it.

mod acts;
pub(super) mod base;
mod compose;
mod finding;
pub(super) mod overlay;
mod shown;
pub(super) mod slot;
mod state;
#[cfg(test)]
mod tests;
mod worlds;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::rule::{Rule, RuleId};
use crate::source::{Certainty, Kind};

use super::certainty::{between, both};
use super::contest::{Claim, Contest, ContestKind, Finding, Impact, Layer, Loser, MayAlsoClaim, Outcome};
use super::input::{Input, ProviderScope};
use super::model;
use super::roster::{Moment, Roster};
use super::start::Fatal;

use acts::{Act, acts};
use base::Base;
use compose::{Composed, Machine, compose, usable};
use shown::Shown;
use slot::{Slot, Sourced, known};
use state::{Ground, State};

/// A provider that Pi ships and nobody touches.
pub const AS_SHIPPED: RuleId = RuleId("provider/as-shipped");
/// Which layer a field comes from.
pub const PRECEDENCE: RuleId = RuleId("provider/field-precedence");
/// How configurations of extensions come together.
pub const FIELD_MERGE: RuleId = RuleId("provider/field-merge");
/// Native providers come after configurations.
pub const NATIVE_REPLACES: RuleId = RuleId("provider/native-replaces-config");
/// Headers of models.json and of extensions.
pub const HEADERS: RuleId = RuleId("provider/headers");
/// A registration that Pi does not take.
pub const VALIDATED_ALONE: RuleId = RuleId("provider/validated-alone");
/// Layers that do not fit together.
pub const COMPOSE_FAILURE: RuleId = RuleId("provider/compose-failure");
/// Registrations that are taken back.
pub const UNREGISTERED: RuleId = RuleId("provider/unregistered");
/// Where the key comes from.
pub const CREDENTIAL: RuleId = RuleId("provider/credential");

/// The rules of this file.
pub static RULES: &[Rule] = &[
    Rule {
        id: AS_SHIPPED,
        sentence: "A provider that neither models.json nor an extension touches is as Pi ships it.",
        example: "Nobody mentions `groq`.",
        pi: "dist/core/model-runtime.js#recomposeProvider",
    },
    Rule {
        id: PRECEDENCE,
        sentence: "Field by field, an extension's configuration beats models.json, and models.json beats what Pi or a native provider brings.",
        example: "models.json and an extension both set `baseUrl` for `anthropic`: the extension's counts.",
        pi: "dist/core/provider-composer.js#composeModelProvider",
    },
    Rule {
        id: FIELD_MERGE,
        sentence: "Configurations of several extensions merge field by field, the last that runs wins; headers and models are replaced whole.",
        example: "a.ts sets `baseUrl` and `headers`, b.ts runs later and sets `headers`: a.ts's base URL stays, all its headers are gone.",
        pi: "dist/core/model-runtime.js#registerProvider",
    },
    Rule {
        id: NATIVE_REPLACES,
        sentence: "At the start Pi applies configurations first and native providers after them, so a native provider wins whatever the order; later, the last call counts.",
        example: "a.ts registers a native `kilo`, b.ts a configuration for `kilo`: only a.ts's counts.",
        pi: "dist/core/agent-session-services.js#createAgentSessionServices",
    },
    Rule {
        id: HEADERS,
        sentence: "Headers of models.json and of the last configuration that has headers merge by name, the configuration's win.",
        example: "models.json sets `X-A` and `X-B`, an extension `X-B` and `X-C`: all three are sent, `X-B` is the extension's.",
        pi: "dist/core/provider-composer.js#configuredHeaders",
    },
    Rule {
        id: VALIDATED_ALONE,
        sentence: "Each configuration has to be complete on what Pi ships and models.json alone; one that is not keeps Pi from starting.",
        example: "b.ts registers `models` for `kilo` without api and base URL, which a.ts has set: Pi prints an error and exits.",
        pi: "dist/core/provider-composer.js#validateExtensionProvider",
    },
    Rule {
        id: COMPOSE_FAILURE,
        sentence: "When the layers of a provider do not fit together, Pi drops models.json's and every extension's for that provider.",
        example: "models.json has `{\"name\": \"x\"}` alone for `openai`: the built-in provider stays as it is.",
        pi: "dist/core/model-runtime.js#recomposeProvider",
    },
    Rule {
        id: UNREGISTERED,
        sentence: "`unregisterProvider` takes back every registration of that id that ran before it, whoever made it; what runs after it still applies.",
        example: "a.ts registers `kilo`, b.ts runs later and unregisters it: there is no `kilo`.",
        pi: "dist/core/extensions/loader.js#createExtensionRuntime",
    },
    Rule {
        id: CREDENTIAL,
        sentence: "A key stored in auth.json beats an extension's, that beats the one of models.json, and that beats the environment.",
        example: "auth.json has an entry for `openai`: `apiKey` of models.json is not used.",
        pi: "dist/core/provider-composer.js#composeApiKeyAuth",
    },
];

/// Decides every provider that is asked for, and says which registrations keep Pi from starting.
pub(super) fn contests(input: &Input<'_>, roster: &Roster<'_>) -> (Vec<Contest>, Vec<Fatal>) {
    let acts = acts(input, roster);
    let unresolved = roster.unresolved(&[Kind::Provider, Kind::NativeProvider]);
    let mut contests = Vec::new();
    let mut rejected = Vec::new();
    for id in ids(input, &acts) {
        let own: Vec<&Act<'_>> = acts.iter().filter(|it| it.id == id).collect();
        let case = Case::new(input, id, own);
        contests.extend(case.contests(&unresolved));
        rejected.extend(case.rejected());
    }
    rejected.sort_by_key(|(order, _)| *order);
    contests.sort_by_key(|it| it.kind);
    (contests, rejected.into_iter().map(|(_, fatal)| fatal).collect())
}

/// The providers that anybody touches, and those that are asked for.
fn ids(input: &Input<'_>, acts: &[Act<'_>]) -> BTreeSet<Arc<str>> {
    let touched = input.models_json.providers.iter().map(|(id, _)| id).chain(acts.iter().map(|it| &it.id));
    let mut ids: BTreeSet<Arc<str>> = touched.cloned().collect();
    let shipped = || input.catalog.provider_ids();
    match &input.provider_scope {
        ProviderScope::Touched => {}
        ProviderScope::And(asked) => ids.extend(shipped().filter(|id| **id == **asked).map(Arc::from)),
        ProviderScope::All => ids.extend(shipped().map(Arc::from)),
    }
    ids
}

/// Whether the conditional call at a place happens.
type Happens<'h> = dyn Fn(usize) -> bool + 'h;

/// One provider.
struct Case<'c, 'a> {
    input: &'c Input<'a>,
    ground: Ground,
    acts: Vec<&'c Act<'a>>,
}

impl<'c, 'a> Case<'c, 'a> {
    fn new(input: &'c Input<'a>, id: Arc<str>, acts: Vec<&'c Act<'a>>) -> Self {
        let config = input.models_json.provider(&id).map(|member| {
            let claim = Claim {
                layer: Layer::ModelsJson,
                at: Some(member.at),
                ..Claim::of_pi(input.models_json.path.as_str())
            };
            Sourced::new(known(&member.node), Some(member.at), &Arc::new(claim))
        });
        let gateway =
            config.as_ref().filter(|it| it.field("oauth").is_some() && it.field("baseUrl").is_some());
        let shipped = match gateway {
            Some(config) => Some(Base::radius(&id, config)),
            None => input.catalog.provider(&id).map(|it| Base::builtin(&it)),
        };
        Self { input, ground: Ground { id, shipped, config }, acts }
    }

    fn machine(&self) -> Machine<'c> {
        Machine { environment: self.input.environment, credentials: &self.input.credentials }
    }

    /// What the runtime holds after the calls of a moment: the certain ones, and those conditional ones that happen.
    fn state(&self, until: Moment, happens: &Happens<'_>) -> State {
        let counts = |(at, it): &(usize, &&Act<'_>)| it.claim.certainty.is_certain() || happens(*at);
        let happening: Vec<&Act<'_>> =
            self.acts.iter().enumerate().filter(counts).map(|(_, it)| *it).collect();
        let of = |moment: Moment| happening.iter().filter(move |it| it.moment == moment).copied();
        let loading: Vec<_> = of(Moment::Loading).collect();
        let mut state = State::loaded(&self.ground, &loading);
        if until == Moment::Session {
            for act in of(Moment::Session) {
                state.apply(&self.ground, act);
            }
        }
        state
    }

    fn composed(&self, state: &State) -> Composed {
        let base = state.native.as_ref().or(self.ground.shipped.as_ref());
        let composed = compose(&self.ground, state, self.machine(), base);
        let stored =
            base.filter(|_| state.native.is_none()).and_then(|it| self.with_catalog(it, state, &composed));
        match stored {
            Some(base) => compose(&self.ground, state, self.machine(), Some(&base)),
            None => composed,
        }
    }

    /// A provider that Pi ships with the catalog that Pi keeps for it, if that counts. Layers that were dropped have no say
    /// in whether the provider can be used.
    fn with_catalog(&self, base: &Base, state: &State, composed: &Composed) -> Option<Base> {
        let catalog = self.input.models_store.catalog(&self.ground.id)?;
        let newer = catalog.last_modified.is_some_and(|it| it > self.input.catalog.model_data_generated_at());
        if !newer && !base.refreshes {
            return None;
        }
        let layers =
            composed.failure.is_none().then_some((self.ground.config.as_ref(), state.overlay.as_ref()));
        let (config, overlay) = layers.unwrap_or_default();
        let usable = usable(&self.ground.id, base, config, overlay, self.machine());
        let needed = self.input.catalog.behaviour().models_store_needs_credential;
        let (certainty, rests_on) = usable.or((!needed).then_some((Certainty::Certain, Vec::new())))?;
        let path = self.input.models_store.path.as_str();
        let claim = Claim { layer: Layer::ModelsStore, certainty, rests_on, ..Claim::of_pi(path) };
        let mut base = base.clone();
        base.models.add_stored(&self.ground.id, &catalog, &Arc::new(claim));
        Some(base)
    }

    fn contests(&self, unresolved: &[MayAlsoClaim]) -> Vec<Contest> {
        let loaded = self.world(Moment::Loading, unresolved);
        let late = self.acts.iter().any(|it| it.moment == Moment::Session);
        let contests =
            if late { worlds::in_session(loaded, self.world(Moment::Session, unresolved)) } else { loaded };
        let pending: Vec<Claim> =
            self.acts.iter().filter(|it| it.moment == Moment::Later).map(|it| (*it.claim).clone()).collect();
        worlds::with_pending(contests, &self.ground.id, pending)
    }

    /// The answer at a moment, composed without and with what is conditional. What both say is certain only if it is said
    /// whichever of the conditional calls happen.
    fn world(&self, until: Moment, unresolved: &[MayAlsoClaim]) -> Vec<Contest> {
        let answer = |happens: &Happens<'_>| {
            let state = self.state(until, happens);
            self.flat(&state, &self.composed(&state), unresolved)
        };
        let acts = self.acts.iter().enumerate().filter(|(_, it)| it.moment <= until);
        let (places, conditional): (Vec<usize>, Vec<&Certainty>) =
            acts.map(|(at, it)| (at, &it.claim.certainty)).filter(|(_, it)| !it.is_certain()).unzip();
        let together = conditional.into_iter().fold(None, |sure: Option<Certainty>, it| {
            Some(sure.map_or_else(|| it.clone(), |sure| both(&sure, it)))
        });
        let Some(condition) = together else { return answer(&|_| true) };
        let mut contests = worlds::either(answer(&|_| false), answer(&|_| true), &condition);
        for some in between(&places) {
            worlds::doubt(&mut contests, &answer(&|at| some.contains(&at)), &condition);
        }
        contests
    }

    /// One contest for the provider, one for each of its fields, one for each field of each model.
    fn flat(&self, state: &State, composed: &Composed, unresolved: &[MayAlsoClaim]) -> Vec<Contest> {
        let mut contests = vec![self.provider_contest(state, composed)];
        for (field, slot) in &composed.fields {
            contests.push(self.field_contest(field, slot, composed));
        }
        for contest in &mut contests {
            contest.may_also_claim.extend_from_slice(unresolved);
        }
        for (at, model) in composed.models.list.iter().enumerate() {
            let twin = composed.models.list[..at].iter().any(|it| it.id == model.id);
            for (field, slot) in model.slots() {
                let name: Arc<str> = format!("{}/{}", self.ground.id, model.id).into();
                let shown = Shown::field(field, self.input.environment);
                let (winner, losers) = slot.claims(&shown);
                if twin {
                    worlds::add_shadowed(&mut contests, &name, field, winner);
                    continue;
                }
                let rule = model_rule(field, winner.as_ref());
                let mut contest = Contest::new(ContestKind::Model, name, rule);
                contest.field = Some(Arc::clone(field));
                (contest.winner, contest.losers) = (winner, losers);
                contests.push(contest);
            }
        }
        contests
    }

    fn provider_contest(&self, state: &State, composed: &Composed) -> Contest {
        let mut contest = Contest::new(ContestKind::Provider, Arc::clone(&self.ground.id), AS_SHIPPED);
        let base = state.native.as_ref().or(self.ground.shipped.as_ref()).map(|it| &it.owner);
        let config = self.ground.config.as_ref().map(|it| &it.owner);
        let calls = state.overlay.as_ref().map_or(&[][..], |it| &it.calls);
        // Lowest first.
        let mut layers: Vec<&Arc<Claim>> = base.into_iter().collect();
        layers.extend(config.filter(|it| base.is_none_or(|base| !Arc::ptr_eq(base, it))));
        layers.extend(calls);
        if let Some(failure) = &composed.failure {
            contest.message = Some(format!("Provider \"{}\": {failure}", self.ground.id));
            let dropped = layers.split_off(usize::from(base.is_some()));
            contest.losers.extend(dropped.into_iter().rev().map(|it| loser(it, Outcome::Skipped)));
            contest.rule = COMPOSE_FAILURE;
            contest.find(Finding::ProviderRefused, Impact::Warning);
        } else if layers.len() > 1 {
            contest.rule = if calls.len() > 1 { FIELD_MERGE } else { PRECEDENCE };
        } else if config.is_some() || !calls.is_empty() {
            contest.rule = PRECEDENCE;
        }
        contest.winner = layers.pop().map(|it| (**it).clone());
        contest.losers.extend(layers.into_iter().rev().map(|it| loser(it, Outcome::Merged)));
        if state.native.is_some() {
            contest.rule = NATIVE_REPLACES;
        }
        if let (Some(_), Some(shipped)) = (&state.native, &self.ground.shipped) {
            contest.losers.push(loser(&shipped.owner, Outcome::Overridden));
        }
        contest.losers.extend(state.gone.iter().map(|(claim, outcome)| loser(claim, *outcome)));
        if contest.winner.is_none() && !state.gone.is_empty() {
            contest.rule = UNREGISTERED;
        }
        for it in &state.rejected {
            let at_load = Moment::of(&it.claim.phase) == Moment::Loading;
            let outcome = if at_load { Outcome::Refused } else { Outcome::Skipped };
            contest.losers.push(loser(&it.claim, outcome));
            contest.rule = VALIDATED_ALONE;
        }
        finding::of_provider(&mut contest, state);
        contest
    }

    fn field_contest(&self, field: &Arc<str>, slot: &Slot, composed: &Composed) -> Contest {
        let shown = Shown::field(field, self.input.environment);
        let mut contest = Contest::new(ContestKind::ProviderField, Arc::clone(&self.ground.id), PRECEDENCE);
        contest.field = Some(Arc::clone(field));
        (contest.winner, contest.losers) = slot.claims(&shown);
        let extension = |it: &Claim| it.layer == Layer::Extension;
        let by_extension = contest.winner.as_ref().is_some_and(extension);
        let replaced =
            contest.losers.iter().any(|it| extension(&it.claim) && it.outcome == Outcome::Replaced);
        let shipped = contest.winner.as_ref().is_some_and(|it| it.layer == Layer::Builtin);
        contest.rule = match &**field {
            "apiKey" => CREDENTIAL,
            "models" if composed.models.list_owner.is_some() && by_extension => model::LIST_REPLACED,
            it if it.starts_with("headers.") => HEADERS,
            _ if replaced => FIELD_MERGE,
            _ if shipped && contest.losers.is_empty() => AS_SHIPPED,
            _ => PRECEDENCE,
        };
        if &**field == "models"
            && let (Some((reason, at)), Some(owner)) = (&composed.models.open, &contest.winner)
            && let Some(at) = at.or(owner.at)
        {
            let (path, reason) = (Arc::clone(&owner.path), reason.clone());
            contest.may_also_claim.push(MayAlsoClaim { path, at, reason });
        }
        finding::of_field(&mut contest);
        contest
    }

    /// The registrations of the load that Pi does not take: it prints each and exits. With their places in Pi's order.
    fn rejected(&self) -> Vec<((bool, usize), Fatal)> {
        let state = self.state(Moment::Loading, &|_| true);
        let fatal = |it: state::Rejected| {
            let fatal = Fatal {
                kind: Some(ContestKind::Provider),
                name: Some(Arc::clone(&self.ground.id)),
                path: Some(Arc::clone(&it.claim.path)),
                extension: it.claim.extension,
                message: it.message,
                explanation: None,
                at: it.claim.at,
                certainty: it.claim.certainty.clone(),
                rule: VALIDATED_ALONE,
            };
            ((it.native, it.place), fatal)
        };
        state.rejected.into_iter().map(fatal).collect()
    }
}

fn loser(claim: &Arc<Claim>, outcome: Outcome) -> Loser {
    Loser { claim: (**claim).clone(), outcome }
}

fn model_rule(field: &str, winner: Option<&Claim>) -> RuleId {
    if field.starts_with("headers.") {
        return model::HEADERS;
    }
    match winner.map(|it| it.layer) {
        Some(Layer::ModelOverrides) => model::OVERRIDE,
        Some(Layer::ModelsStore) => model::STORE,
        Some(Layer::ModelsJson) if field == "baseUrl" || field == "compat" => model::PROVIDER_WIDE,
        Some(Layer::ModelsJson | Layer::Default) => model::MODELS_JSON_ENTRY,
        Some(Layer::Extension) => model::LIST_REPLACED,
        _ => model::AS_SHIPPED,
    }
}
