//! Lays models.json and the extensions' configuration over a provider, field by field (rules, section 8.2; Pi:
//! `dist/core/provider-composer.js`, `composeModelProvider`).

use std::sync::Arc;

use crate::environment::Environment;
use crate::install::{CredentialKind, Credentials};
use crate::secret::ValueForm;
use crate::source::known::Field;
use crate::source::{Certainty, Fact, Known};

use super::super::contest::{Claim, Layer};
use super::super::model::Models;
use super::base::{Base, fields};
use super::overlay::Overlay;
use super::slot::{Slot, Sourced};
use super::state::{Ground, State};

/// A provider as Pi would use it.
#[derive(Debug, Clone, Default)]
pub(super) struct Composed {
    pub(super) fields: Vec<(Arc<str>, Slot)>,
    pub(super) models: Models,
    /// Why models.json and every registration are dropped.
    pub(super) failure: Option<String>,
}

/// What the machine has to say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Machine<'a> {
    pub(super) environment: &'a Environment,
    pub(super) credentials: &'a Credentials,
}

/// Composes a provider from what the runtime holds for it.
pub(super) fn compose(ground: &Ground, state: &State, machine: Machine<'_>, base: Option<&Base>) -> Composed {
    let (config, overlay) = (ground.config.as_ref(), state.overlay.as_ref());
    if base.is_none() && config.is_none() && overlay.is_none() {
        return Composed::default();
    }
    let shipped = base.map_or_else(Models::default, |it| it.models.clone());
    match models(ground, shipped.clone(), config, overlay) {
        Ok(models) => {
            let mut fields = provider_fields(ground, machine, base, config, overlay);
            fields.push(("models".into(), model_list(&models, base, config, overlay)));
            Composed { fields, models, failure: None }
        }
        Err(failure) => {
            let mut fields = Vec::new();
            if base.is_some() {
                fields = provider_fields(ground, machine, base, None, None);
                fields.push(("models".into(), model_list(&shipped, base, None, None)));
            }
            Composed { fields, models: shipped, failure: Some(failure) }
        }
    }
}

fn models(
    ground: &Ground,
    mut models: Models,
    config: Option<&Sourced>,
    overlay: Option<&Overlay>,
) -> Result<Models, String> {
    if let Some(config) = config {
        models.apply_models_json(&ground.id, config)?;
    }
    if let Some(overlay) = overlay {
        models.apply_overlay(&ground.id, overlay)?;
    }
    if let Some(config) = config {
        models.apply_overrides(config)?;
    }
    Ok(models)
}

/// Every field but the models; only those that somebody set, and the name that there always is.
fn provider_fields(
    ground: &Ground,
    machine: Machine<'_>,
    base: Option<&Base>,
    config: Option<&Sourced>,
    overlay: Option<&Overlay>,
) -> Vec<(Arc<str>, Slot)> {
    let above = |name: &str| overlay.map_or_else(Slot::default, |it| it.slot(name));
    let middle = |name: &str| Slot::of(config.and_then(|it| it.field(name)));
    let mut all: Vec<(Arc<str>, Slot)> = Vec::new();
    let mut add = |name: &str, slot: Slot| {
        if slot.top.is_some() || !slot.below.is_empty() {
            all.push((name.into(), slot));
        }
    };
    let oauth_name = || Slot::of(overlay.and_then(|it| it.given("oauth")).and_then(|it| it.field("name")));
    let untouched = config.is_none() && overlay.is_none();
    let lowest = |of: fn(&Base) -> &Slot| base.map_or_else(Slot::default, |it| of(it).clone());
    let id = default(ground, Known::String(Arc::clone(&ground.id)));
    let id = if untouched { Slot::default() } else { id };
    add("name", Slot::first_given([above("name"), middle("name"), lowest(|it| &it.name), oauth_name(), id]));
    add("baseUrl", Slot::first_given([above("baseUrl"), middle("baseUrl"), lowest(|it| &it.address)]));
    add("api", Slot::first_given([above("api"), middle("api")]));
    let key = [stored(machine, ground), above("apiKey"), middle("apiKey"), ambient(machine, base)];
    add("apiKey", Slot::first_given(key));
    let own_way = |name: &str| above(name).top.is_some() || middle(name).top.is_some();
    if own_way("authHeader") {
        let none = default(ground, Known::Bool(false));
        add("authHeader", Slot::first_given([above("authHeader"), middle("authHeader"), none]));
    }
    add("compat", middle("compat"));
    add("oauth", Slot::first_given([above("oauth"), middle("oauth")]));
    for code in ["streamSimple", "refreshModels"] {
        add(code, above(code));
    }
    for (name, slot) in headers(&above("headers"), config, base) {
        add(&name, slot);
    }
    add("auth", auth_kinds(ground, base, config, overlay));
    all
}

fn default(ground: &Ground, value: Known) -> Slot {
    let owner = Arc::new(Claim { layer: Layer::Default, ..Claim::of_pi(format!("<default:{}>", ground.id)) });
    Slot::of(Some(Sourced::new(value, None, &owner)))
}

/// Headers by name: those of the last registration that has any, over those of models.json. What earlier registrations
/// had is lost with them, also under names that nobody sets again.
fn headers(above: &Slot, config: Option<&Sourced>, base: Option<&Base>) -> Vec<(String, Slot)> {
    let of_config = config.and_then(|it| it.field("headers"));
    let of_base = base.and_then(|it| it.headers.top.clone());
    let lost = above.below.iter().map(|(it, _)| it);
    let layers = above.top.iter().chain(lost.clone()).chain(&of_config).chain(&of_base);
    let mut names: Vec<Arc<str>> = Vec::new();
    for name in layers.flat_map(|it| fields(&it.value).0).map(|(name, _)| name) {
        if !names.contains(name) {
            names.push(Arc::clone(name));
        }
    }
    let slot = |name: &Arc<str>| {
        let mut top = Slot::of(above.top.as_ref().and_then(|it| it.field(name)));
        let open = above.top.as_ref().and_then(|it| fields(&it.value).1).or(above.clouded.as_ref());
        top.clouded = open.filter(|_| top.top.is_none() || above.clouded.is_some()).cloned();
        let below =
            [of_config.as_ref(), of_base.as_ref()].map(|it| Slot::of(it.and_then(|it| it.field(name))));
        let mut slot = Slot::first_given(std::iter::once(top).chain(below));
        let replaced = lost.clone().filter_map(|it| it.field(name));
        slot.below.extend(replaced.map(|it| (it, super::super::contest::Outcome::Replaced)));
        (format!("headers.{name}"), slot)
    };
    names.iter().map(slot).collect()
}

/// What auth.json has for the provider: it owns the key.
fn stored(machine: Machine<'_>, ground: &Ground) -> Slot {
    let Some(it) = machine.credentials.of(&ground.id) else { return Slot::default() };
    let word = match &it.kind {
        CredentialKind::ApiKey(Some(ValueForm::Literal)) | CredentialKind::OAuth => "stored".to_owned(),
        CredentialKind::ApiKey(Some(ValueForm::Command)) => "!".to_owned(),
        CredentialKind::ApiKey(Some(ValueForm::Environment(names))) => {
            references(names.iter().map(String::as_str))
        }
        CredentialKind::ApiKey(None) | CredentialKind::Other => return Slot::default(),
    };
    let claim =
        Claim { layer: Layer::Auth, at: Some(it.at), ..Claim::of_pi(machine.credentials.path.as_str()) };
    Slot::of(Some(Sourced::new(Known::String(word.into()), Some(it.at), &Arc::new(claim))))
}

/// The variable that a shipped provider finds its key in.
fn ambient(machine: Machine<'_>, base: Option<&Base>) -> Slot {
    let Some(set) = base.and_then(|it| set_variables(machine.environment, &it.credentials)) else {
        return Slot::default();
    };
    let reference = references(set.iter().map(|it| &**it));
    let fact = |name: &Arc<str>| Fact(format!("env {name} is set").into());
    let claim = Claim {
        layer: Layer::Env,
        rests_on: set.iter().map(fact).collect(),
        ..Claim::of_pi(set.join(" and "))
    };
    Slot::of(Some(Sourced::new(Known::String(reference.into()), None, &Arc::new(claim))))
}

/// A value that is made of these variables.
fn references<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.flat_map(|it| ["${", it, "}"]).collect()
}

/// The first of some sets of variables that is set whole. Pi takes a blank value for none.
pub(super) fn set_variables<'s>(
    environment: &Environment,
    sets: &'s [Vec<Arc<str>>],
) -> Option<&'s [Arc<str>]> {
    let there = |name: &Arc<str>| environment.variable(name).is_some_and(|it| !it.trim().is_empty());
    sets.iter().find(|set| set.iter().all(there)).map(Vec::as_slice)
}

/// The ways to log in: with a key unless there is only OAuth, and with OAuth if somebody brings it.
fn auth_kinds(
    ground: &Ground,
    base: Option<&Base>,
    config: Option<&Sourced>,
    overlay: Option<&Overlay>,
) -> Slot {
    let of_base = |kind: &str| base.is_some_and(|it| it.has_auth(kind));
    let above = |name: &str| overlay.and_then(|it| it.given(name));
    let oauth = above("oauth").is_some() || of_base("oauth");
    let key = above("apiKey").or_else(|| config.and_then(|it| it.field("apiKey")));
    let touched = config.is_some() || overlay.is_some();
    let api_key = of_base("apiKey") || (touched && (key.is_some() || !oauth));
    let kinds = [("apiKey", api_key), ("oauth", oauth)].into_iter().filter(|it| it.1);
    let kind = |(name, _): (&str, bool)| Field { value: Known::String(name.into()), at: None };
    let value = Known::Array(kinds.map(kind).collect());
    let owner = above("oauth").or(key).map(|it| it.owner).or_else(|| base.map(|it| Arc::clone(&it.owner)));
    match owner {
        Some(owner) => Slot::of(Some(Sourced::new(value, None, &owner))),
        None => default(ground, value),
    }
}

/// The ids of the models: who brought the list, and which ids somebody lost.
fn model_list(
    models: &Models,
    base: Option<&Base>,
    config: Option<&Sourced>,
    overlay: Option<&Overlay>,
) -> Slot {
    let ids = |list: &mut dyn Iterator<Item = &Arc<str>>| {
        Known::Array(list.map(|id| Field { value: Known::String(Arc::clone(id)), at: None }).collect())
    };
    let by_config = config.filter(|it| it.field("models").is_some());
    let top = models.list_owner.clone().or_else(|| by_config.cloned().and_then(|it| it.field("models")));
    let owner = top.as_ref().map(|it| (&it.owner, it.at));
    let owner =
        owner.or_else(|| base.map(|it| (&it.owner, None))).or_else(|| config.map(|it| (&it.owner, it.at)));
    let owner = owner.or_else(|| Some((overlay?.calls.last()?, None)));
    let Some((owner, at)) = owner else { return Slot::default() };
    let value = match &models.open {
        Some((reason, _)) if models.list.is_empty() => Known::Unknown(reason.clone()),
        _ => ids(&mut models.list.iter().map(|it| &it.id)),
    };
    let mut slot = Slot::of(Some(Sourced::new(value, at, owner)));
    if let Some((reason, _)) = &models.open {
        slot.clouded = Some(reason.clone());
    }
    let mut losers: Vec<Arc<Claim>> = Vec::new();
    for (_, lost) in &models.discarded {
        if !losers.iter().any(|it| it.path == lost.owner.path && it.at == lost.owner.at) {
            losers.push(Arc::clone(&lost.owner));
        }
    }
    for owner in losers {
        let theirs =
            models.discarded.iter().filter(|(_, it)| it.owner.path == owner.path && it.owner.at == owner.at);
        let value = ids(&mut theirs.map(|(id, _)| id));
        let lost = Sourced::new(value, None, &owner);
        slot.put_below(lost);
    }
    slot
}

/// Whether a provider can be used as it is composed, so that Pi reads its kept catalog (Pi: pi-ai `dist/models.js`,
/// `resolveRefreshCredential`). A key that turns out not to resolve makes Pi read the catalog, too.
pub(super) fn usable(
    id: &str,
    base: &Base,
    config: Option<&Sourced>,
    overlay: Option<&Overlay>,
    machine: Machine<'_>,
) -> Option<(Certainty, Vec<Fact>)> {
    let sure = Some((Certainty::Certain, Vec::new()));
    let oauth = base.has_auth("oauth") || overlay.is_some_and(|it| it.given("oauth").is_some());
    let stored = machine.credentials.of(id).map(|it| &it.kind);
    match stored {
        Some(CredentialKind::OAuth) => return if oauth { sure } else { None },
        Some(CredentialKind::ApiKey(Some(ValueForm::Literal | ValueForm::Command))) => return sure,
        Some(CredentialKind::ApiKey(Some(ValueForm::Environment(names)))) => {
            let there = |it: &String| machine.environment.variable(it).is_some_and(|it| !it.is_empty());
            if names.iter().all(there) {
                return Some((
                    Certainty::Certain,
                    names.iter().map(|it| Fact(format!("env {it} is set").into())).collect(),
                ));
            }
        }
        _ => {
            let given = overlay.and_then(|it| it.given("apiKey"));
            let configured = given.or_else(|| config.and_then(|it| it.field("apiKey")));
            if let Some(key) = configured {
                return Some((key.owner.certainty.clone(), Vec::new()));
            }
        }
    }
    let set = set_variables(machine.environment, &base.credentials)?;
    Some((Certainty::Certain, set.iter().map(|it| Fact(format!("env {it} is set").into())).collect()))
}
