//! The models of one provider, layer upon layer (rules, section 8.2; Pi: `dist/core/provider-composer.js`).
//!
//! Each function stands for one of Pi's and fails with its words. Every field keeps what lies below it.

use std::sync::Arc;

use crate::catalog::{BuiltinModel, BuiltinProvider};
use crate::install::StoredCatalog;
use crate::location::Span;
use crate::rule::{Rule, RuleId};
use crate::source::known::Field;
use crate::source::{Known, Reason, ReasonKind};

use super::contest::{Claim, Layer};
use super::provider::base::fields;
use super::provider::overlay::Overlay;
use super::provider::slot::{Slot, Sourced, known, known_fact, spread};

/// A model as it comes with its provider.
pub const AS_SHIPPED: RuleId = RuleId("model/as-shipped");
/// A complete new model of models.json.
pub const MODELS_JSON_ENTRY: RuleId = RuleId("model/models-json-entry");
/// A base URL or compat setting of the provider for every model.
pub const PROVIDER_WIDE: RuleId = RuleId("model/provider-wide");
/// An extension's list in place of all others.
pub const LIST_REPLACED: RuleId = RuleId("model/extension-list-replaces");
/// The topmost layer.
pub const OVERRIDE: RuleId = RuleId("model/override");
/// A newer catalog that Pi fetched.
pub const STORE: RuleId = RuleId("model/models-store");
/// Headers of a model.
pub const HEADERS: RuleId = RuleId("model/headers");

/// The rules of this file.
pub static RULES: &[Rule] = &[
    Rule {
        id: AS_SHIPPED,
        sentence: "A model of a built-in or native provider keeps its fields unless a later layer sets them.",
        example: "Nobody touches `anthropic`: its models are those of the Pi version.",
        pi: "dist/core/model-runtime.js#recomposeProvider",
    },
    Rule {
        id: MODELS_JSON_ENTRY,
        sentence: "An entry of `models` in models.json is a complete new model: nothing but api and base URL is taken over from the model that it replaces, or else from the provider's first model.",
        example: "`{\"id\": \"claude-opus-4-5\", \"name\": \"Mine\"}` has 128000 tokens of context and no reasoning.",
        pi: "dist/core/provider-composer.js#modelFromJson",
    },
    Rule {
        id: PROVIDER_WIDE,
        sentence: "A base URL of models.json, or of an extension that brings no models, goes to every model of the provider, and so do compat settings of models.json.",
        example: "models.json sets `baseUrl` for `anthropic`: all its models are reached there.",
        pi: "dist/core/provider-composer.js#applyModelsJson, #applyExtension",
    },
    Rule {
        id: LIST_REPLACED,
        sentence: "The `models` of an extension replace the whole list, models.json's included; each is taken as it is written.",
        example: "An extension registers `openai` with one model: the other 37 are gone.",
        pi: "dist/core/provider-composer.js#applyExtension",
    },
    Rule {
        id: OVERRIDE,
        sentence: "`modelOverrides` of models.json come last and change models of every origin field by field, but neither api nor base URL.",
        example: "An override of `name` also renames a model that an extension registered.",
        pi: "dist/core/provider-composer.js#applyModelOverride",
    },
    Rule {
        id: STORE,
        sentence: "models-store.json replaces and adds models of a built-in provider when it is newer than the Pi version and the provider has a usable credential.",
        example: "A model that appeared after the release is there once `OPENAI_API_KEY` is set.",
        pi: "dist/core/remote-catalog-provider.js#withRemoteCatalog",
    },
    Rule {
        id: HEADERS,
        sentence: "Headers of a model merge by name: an extension's model beats a model of models.json, which beats modelOverrides; all beat headers of the provider.",
        example: "The same header in `modelOverrides` and in `models`: that of `models` is sent.",
        pi: "dist/core/provider-composer.js#rawModelHeaders",
    },
];

/// The fields that a definition brings besides its id, api, base URL and headers.
const COPIED: [&str; 8] =
    ["name", "reasoning", "input", "cost", "contextWindow", "maxTokens", "compat", "thinkingLevelMap"];
/// The settings of `compat` that merge one level deeper.
const NESTED_COMPAT: [&str; 3] = ["openRouterRouting", "vercelGatewayRouting", "chatTemplateKwargs"];

/// One model.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) id: Arc<str>,
    slots: Vec<(Arc<str>, Slot)>,
}

/// The models of a provider, in Pi's order.
#[derive(Debug, Clone, Default)]
pub(super) struct Models {
    pub(super) list: Vec<Model>,
    /// Models that are there or not, or whose ids are not known.
    pub(super) open: Option<(Reason, Option<Span>)>,
    /// Models of lower layers that an extension's list leaves out, by the layer that lost them.
    pub(super) discarded: Vec<(Arc<str>, Sourced)>,
    /// Who brought the list.
    pub(super) list_owner: Option<Sourced>,
}

impl Model {
    fn new(id: &Arc<str>) -> Self {
        Self { id: Arc::clone(id), slots: Vec::new() }
    }

    /// The field's layers.
    pub(super) fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|(known, _)| &**known == name).map(|(_, slot)| slot)
    }

    /// Every field with its layers.
    pub(super) fn slots(&self) -> impl Iterator<Item = (&Arc<str>, &Slot)> {
        self.slots.iter().map(|(name, slot)| (name, slot))
    }

    fn slot_mut(&mut self, name: &str) -> &mut Slot {
        let at = self.slots.iter().position(|(known, _)| &**known == name).unwrap_or_else(|| {
            self.slots.push((name.into(), Slot::default()));
            self.slots.len() - 1
        });
        &mut self.slots[at].1
    }

    fn put(&mut self, name: &str, value: Option<Sourced>) {
        if value.is_some() || self.slot(name).is_some() {
            self.slot_mut(name).put(value);
        }
    }

    fn given(&self, name: &str) -> Option<&Sourced> {
        self.slot(name)?.top.as_ref().filter(|it| it.is_given())
    }

    /// A model that takes the place of this one: nothing stays, all is remembered.
    fn replaced(mut self) -> Self {
        for (_, slot) in &mut self.slots {
            slot.bury();
        }
        self
    }

    fn builtin(it: &BuiltinModel, owner: &Arc<Claim>) -> Self {
        let mut model = Self::new(&it.id);
        let mut put = |name: &str, value: Known| model.put(name, Some(Sourced::new(value, None, owner)));
        put("name", Known::String(Arc::clone(&it.name)));
        put("api", Known::String(Arc::clone(&it.api)));
        put("baseUrl", Known::String(Arc::clone(&it.base_url)));
        put("reasoning", Known::Bool(it.reasoning));
        put("input", known_fact(&it.input));
        put("cost", known_fact(&it.cost));
        put("contextWindow", Known::Number(it.context_window));
        put("maxTokens", Known::Number(it.max_tokens));
        for (name, value) in [("compat", &it.compat), ("thinkingLevelMap", &it.thinking_level_map)] {
            if let Some(value) = value {
                put(name, known_fact(value));
            }
        }
        for header in &it.headers {
            put(&format!("headers.{header}"), Known::String("".into()));
        }
        model
    }

    /// A model of the store or of a native provider, as it is written.
    fn as_written(id: &Arc<str>, written: &Sourced) -> Self {
        let mut model = Self::new(id);
        for name in COPIED.into_iter().chain(["api", "baseUrl"]) {
            model.put(name, written.field(name));
        }
        model.put_headers(written);
        model
    }

    /// Headers merge by name; the later call wins.
    fn put_headers(&mut self, definition: &Sourced) {
        let Some(headers) = definition.field("headers") else { return };
        for (name, field) in fields(&headers.value).0 {
            let value = Sourced::new(field.value.clone(), field.at, &headers.owner);
            self.put(&format!("headers.{name}"), Some(value));
        }
    }
}

impl Models {
    /// What Pi ships.
    pub(super) fn builtin(it: &BuiltinProvider, owner: &Arc<Claim>) -> Self {
        let list = it.models.iter().map(|model| Model::builtin(model, owner)).collect();
        Self { list, ..Self::default() }
    }

    /// What a native provider of an extension has: known if its models are given as data.
    pub(super) fn native(provider: &Sourced) -> Self {
        let mut models = Self { list_owner: Some(provider.clone()), ..Self::default() };
        match provider.field("models") {
            Some(Sourced { value: Known::Array(elements), owner, .. }) => {
                for element in &elements {
                    match element_id(element) {
                        Ok(id) => {
                            let written = Sourced::new(element.value.clone(), element.at, &owner);
                            models.list.push(Model::as_written(&id, &written));
                        }
                        Err(reason) => models.open = Some((reason, element.at)),
                    }
                }
            }
            _ => models.open = Some((by_code(), provider.owner.at)),
        }
        models
    }

    /// The catalog that Pi keeps: same ids are replaced, new ones appended.
    pub(super) fn add_stored(&mut self, provider: &str, catalog: &StoredCatalog<'_>, owner: &Arc<Claim>) {
        for node in catalog.models {
            let Some(object) = node.as_object() else { continue };
            let text = |name: &str| object.get(name).and_then(crate::json::Node::as_str);
            let (Some(id), Some(of)) = (text("id"), text("provider")) else { continue };
            if &**of == provider {
                let written = Sourced::new(known(node), Some(node.at), owner);
                self.upsert(id, |old| match old {
                    Some(old) => old.rewritten(&written),
                    None => Model::as_written(id, &written),
                });
            }
        }
    }

    fn upsert(&mut self, id: &Arc<str>, make: impl FnOnce(Option<Model>) -> Model) {
        match self.list.iter().position(|it| it.id == *id) {
            Some(at) => {
                let old = std::mem::replace(&mut self.list[at], Model::new(id));
                self.list[at] = make(Some(old));
            }
            None => self.list.push(make(None)),
        }
    }

    /// The model that stands in for what a definition leaves out.
    fn defaults(&self, id: &str) -> Option<&Model> {
        self.list.iter().find(|it| &*it.id == id).or_else(|| self.list.first())
    }

    /// `applyModelsJson`.
    pub(super) fn apply_models_json(&mut self, provider: &str, config: &Sourced) -> Result<(), String> {
        let field = |name: &str| config.field(name);
        let entries = field("models").map(|it| elements(&it)).unwrap_or_default();
        if field("oauth").is_some() && field("baseUrl").is_none() {
            return Err(format!("Provider {provider}: \"baseUrl\" is required when \"oauth\" is set."));
        }
        let overrides = field("modelOverrides").is_some_and(|it| !fields(&it.value).0.is_empty());
        let says = ["baseUrl", "headers", "compat", "apiKey", "oauth", "authHeader"];
        if entries.is_empty() && !overrides && says.iter().all(|it| field(it).is_none()) {
            return Err(format!(
                "Provider {provider}: must specify \"baseUrl\", \"headers\", \"compat\", \"modelOverrides\", or \"models\"."
            ));
        }
        let (base_url, compat) = (field("baseUrl").filter(|_| field("oauth").is_none()), field("compat"));
        for model in &mut self.list {
            if let Some(base_url) = &base_url {
                model.put("baseUrl", Some(base_url.clone()));
            }
            model.merge_compat(compat.as_ref());
        }
        for entry in entries {
            let id = entry.field("id").and_then(|it| it.value.as_str().map(Arc::from));
            let Some(id) = id else { continue };
            let defaults = self.defaults(&id).cloned();
            let made = from_json(provider, &id, &entry, config, defaults.as_ref())?;
            self.upsert(&id, |old| match old {
                Some(old) => old.replaced_by(made),
                None => made,
            });
        }
        Ok(())
    }

    /// `applyExtension`.
    pub(super) fn apply_overlay(&mut self, provider: &str, overlay: &Overlay) -> Result<(), String> {
        let list = overlay.slot("models");
        let Some(definitions) = list.top.clone().filter(Sourced::is_truthy) else {
            let base_url = overlay.slot("baseUrl");
            for model in &mut self.list {
                if let Some(value) = base_url.top.clone().filter(|it| it.is_given() && it.is_truthy()) {
                    model.put("baseUrl", Some(value));
                }
                if let Some(reason) = &base_url.clouded {
                    model.slot_mut("baseUrl").clouded = Some(reason.clone());
                }
            }
            if let Some(reason) = list.clouded {
                self.cloud(&reason);
            }
            return Ok(());
        };
        let below = std::mem::take(self);
        self.list_owner = Some(definitions.clone());
        match &definitions.value {
            Known::Array(elements) => {
                for element in elements {
                    let written = Sourced::new(element.value.clone(), element.at, &definitions.owner);
                    self.add_definition(provider, overlay, &written, &below)?;
                }
            }
            Known::Unknown(reason) => self.open = Some((reason.clone(), definitions.at)),
            Known::Choice(_) => self.open = Some((one_of_several(), definitions.at)),
            _ => return Err("config.models.map is not a function".to_owned()),
        }
        if let Some(reason) = list.clouded {
            self.cloud(&reason);
        }
        self.discard(below);
        Ok(())
    }

    fn add_definition(
        &mut self,
        provider: &str,
        overlay: &Overlay,
        written: &Sourced,
        below: &Self,
    ) -> Result<(), String> {
        if !written.is_given() {
            let (what, read) =
                (shown_nothing(&written.value), if below.list.is_empty() { "api" } else { "id" });
            return Err(format!("Cannot read properties of {what} (reading '{read}')"));
        }
        let element = Field { value: written.value.clone(), at: written.at };
        let id = match element_id(&element) {
            Ok(id) => id,
            Err(reason) => {
                self.open = Some((reason, written.at));
                return Ok(());
            }
        };
        let defaults = below.defaults(&id);
        let pick = |name: &str| {
            let own = written.field(name).filter(Sourced::is_given);
            let open = fields(&written.value).1.filter(|_| own.is_none() && written.field(name).is_none());
            let unknown = open.map(|it| Sourced::new(Known::Unknown(it.clone()), written.at, &written.owner));
            let inherited = || defaults.and_then(|it| it.given(name)).cloned();
            let maybe = || {
                let reason = overlay.slot(name).clouded?;
                Some(Sourced::new(Known::Unknown(reason), written.at, &written.owner))
            };
            own.or(unknown).or_else(|| overlay.given(name)).or_else(maybe).or_else(inherited)
        };
        let api = pick("api").filter(Sourced::is_truthy);
        let api = api.ok_or_else(|| missing_api(provider, &id))?;
        let base_url = pick("baseUrl").filter(Sourced::is_truthy);
        let base_url = base_url.ok_or_else(|| missing_base_url(provider))?;
        let mut model = match below.list.iter().find(|it| it.id == id) {
            Some(old) => old.clone().replaced(),
            None => Model::new(&id),
        };
        model.copy(written);
        model.put("api", Some(api));
        model.put("baseUrl", Some(base_url));
        model.restore_headers(below);
        model.put_headers(written);
        self.list.push(model);
        Ok(())
    }

    fn discard(&mut self, below: Self) {
        self.discarded = below.discarded;
        for model in below.list {
            if self.list.iter().any(|it| it.id == model.id) {
                continue;
            }
            let lost = ["name", "api", "baseUrl"].iter().find_map(|it| model.given(it).cloned());
            if let Some(lost) = lost {
                self.discarded.push((model.id, lost));
            }
        }
    }

    /// Something may have changed every model, or the list itself.
    pub(super) fn cloud(&mut self, reason: &Reason) {
        self.open.get_or_insert_with(|| (reason.clone(), reason.at));
        for model in &mut self.list {
            for (_, slot) in &mut model.slots {
                slot.clouded.get_or_insert_with(|| reason.clone());
            }
        }
    }

    /// `applyModelOverride` for every model that has one.
    pub(super) fn apply_overrides(&mut self, config: &Sourced) -> Result<(), String> {
        let Some(overrides) = config.field("modelOverrides") else { return Ok(()) };
        let owner = Arc::new(Claim { layer: Layer::ModelOverrides, ..(*overrides.owner).clone() });
        for model in &mut self.list {
            let Some(field) = overrides.value.field(&model.id) else { continue };
            model.apply_override(&Sourced::new(field.value.clone(), field.at, &owner))?;
        }
        Ok(())
    }
}

impl Model {
    /// `{...definition}`: every field as it is written; one that an unknown part may bring is not known.
    fn copy(&mut self, written: &Sourced) {
        let open = fields(&written.value).1;
        for name in COPIED {
            let own = written.field(name).filter(|it| it.value != Known::Undefined);
            let unknown =
                || open.map(|it| Sourced::new(Known::Unknown(it.clone()), written.at, &written.owner));
            self.put(name, own.or_else(unknown));
        }
    }

    /// A model of the store in the place of a shipped one.
    fn rewritten(self, written: &Sourced) -> Self {
        let made = Self::as_written(&self.id, written);
        self.replaced_by(made)
    }

    /// Another model in the place of this one.
    fn replaced_by(self, made: Self) -> Self {
        let mut model = self.replaced();
        for (name, slot) in made.slots {
            if let Some(top) = slot.top {
                model.slot_mut(&name).put(Some(top));
            }
            let place = model.slot_mut(&name);
            place.below.splice(0..0, slot.below);
        }
        model
    }

    /// Headers of models.json stay when an extension's model takes the place of the model.
    fn restore_headers(&mut self, below: &Models) {
        let Some(old) = below.list.iter().find(|it| it.id == self.id) else { return };
        for (name, slot) in old.slots.iter().filter(|(name, _)| name.starts_with("headers.")) {
            let of_config = |it: &Sourced| it.owner.layer == Layer::ModelsJson;
            if slot.top.as_ref().is_some_and(of_config) {
                *self.slot_mut(name) = slot.clone();
            }
        }
    }

    /// `mergeCompat(model.compat, over)`.
    fn merge_compat(&mut self, over: Option<&Sourced>) {
        let Some(over) = over else { return };
        let merged = merge_compat(self.slot("compat").and_then(Slot::value), &over.value);
        self.slot_mut("compat").merge(Sourced { value: merged, ..over.clone() });
    }

    fn apply_override(&mut self, over: &Sourced) -> Result<(), String> {
        for name in ["name", "reasoning", "input", "contextWindow", "maxTokens"] {
            if let Some(value) = over.field(name) {
                self.put(name, Some(value));
            }
        }
        if let Some(map) = over.field("thinkingLevelMap") {
            let merged = spread(self.slot("thinkingLevelMap").and_then(Slot::value), &map.value);
            self.slot_mut("thinkingLevelMap").merge(Sourced { value: merged, ..map });
        }
        if let Some(cost) = over.field("cost") {
            let merged = merge_cost(self.slot("cost").and_then(Slot::value), &cost.value)?;
            self.slot_mut("cost").merge(Sourced { value: merged, ..cost });
        }
        self.merge_compat(over.field("compat").as_ref());
        // Headers of overrides are the lowest of a model's own, so they go below what is there.
        let headers = over.field("headers");
        for (name, field) in headers.iter().flat_map(|it| fields(&it.value).0) {
            let value = Sourced::new(field.value.clone(), field.at, &over.owner);
            let slot = self.slot_mut(&format!("headers.{name}"));
            match slot.top.take() {
                Some(top) if top.owner.layer != Layer::Builtin => {
                    slot.below.insert(0, (value, super::contest::Outcome::Replaced));
                    slot.top = Some(top);
                }
                shipped => {
                    slot.top = shipped;
                    slot.put(Some(value));
                }
            }
        }
        Ok(())
    }
}

/// `modelFromJson`.
fn from_json(
    provider: &str,
    id: &Arc<str>,
    entry: &Sourced,
    config: &Sourced,
    defaults: Option<&Model>,
) -> Result<Model, String> {
    let pick = |name: &str| {
        let inherited = || defaults.and_then(|it| it.given(name)).cloned();
        entry.field(name).or_else(|| config.field(name)).or_else(inherited)
    };
    let api = pick("api").filter(Sourced::is_truthy).ok_or_else(|| missing_api(provider, id))?;
    let base_url = pick("baseUrl").filter(Sourced::is_truthy).ok_or_else(|| missing_base_url(provider))?;
    for name in ["contextWindow", "maxTokens"] {
        if let Some(Known::Number(limit)) = entry.field(name).map(|it| it.value)
            && limit <= 0.0
        {
            return Err(format!("Provider {provider}, model {id}: invalid {name}"));
        }
    }
    let owner = Arc::new(Claim {
        layer: Layer::Default,
        at: entry.at,
        path: Arc::clone(&entry.owner.path),
        ..Claim::of_pi("")
    });
    let or = |name: &str, default: Known| {
        Some(entry.field(name).unwrap_or_else(|| Sourced::new(default, entry.at, &owner)))
    };
    let mut model = Model::new(id);
    model.put("name", or("name", Known::String(Arc::clone(id))));
    model.put("api", Some(api));
    model.put("baseUrl", Some(base_url));
    model.put("reasoning", or("reasoning", Known::Bool(false)));
    model.put("input", or("input", known_fact(&serde_json::json!(["text"]))));
    let free = serde_json::json!({ "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0 });
    model.put("cost", or("cost", known_fact(&free)));
    model.put("contextWindow", or("contextWindow", Known::Number(128_000.0)));
    model.put("maxTokens", or("maxTokens", Known::Number(16_384.0)));
    model.put("thinkingLevelMap", entry.field("thinkingLevelMap"));
    model.put("compat", config.field("compat"));
    model.merge_compat(entry.field("compat").as_ref());
    model.put_headers(entry);
    Ok(model)
}

/// `mergeCompat`.
fn merge_compat(base: Option<&Known>, over: &Known) -> Known {
    let mut merged = spread(base, over);
    let Known::Object { fields, .. } = &mut merged else { return merged };
    for name in NESTED_COMPAT {
        let of = |value: Option<&Known>| value.and_then(|it| it.field(name)).map(|it| it.value.clone());
        let (below, above) = (of(base), of(Some(over)));
        let is_object = |it: &Option<Known>| matches!(it, Some(Known::Object { .. } | Known::Array(_)));
        if let Some((_, field)) = fields.iter_mut().find(|(known, _)| &**known == name)
            && (is_object(&below) || is_object(&above))
        {
            field.value = spread(below.as_ref(), &above.unwrap_or(Known::Undefined));
        }
    }
    merged
}

/// The cost of an override over that of its model, price by price.
fn merge_cost(base: Option<&Known>, over: &Known) -> Result<Known, String> {
    let mut merged = Vec::new();
    for name in ["input", "output", "cacheRead", "cacheWrite", "tiers"] {
        let own = over.field(name).filter(|it| !matches!(it.value, Known::Undefined | Known::Null));
        let value = match (own, base) {
            (Some(own), _) => Some(own.clone()),
            (None, None | Some(Known::Undefined)) => {
                return Err(format!("Cannot read properties of undefined (reading '{name}')"));
            }
            (None, Some(Known::Null)) => {
                return Err(format!("Cannot read properties of null (reading '{name}')"));
            }
            (None, Some(base)) => base.field(name).cloned(),
        };
        merged.extend(value.map(|it| (Arc::from(name), it)));
    }
    Ok(Known::Object { fields: merged, open: None })
}

fn elements(list: &Sourced) -> Vec<Sourced> {
    match &list.value {
        Known::Array(elements) => {
            elements.iter().map(|it| Sourced::new(it.value.clone(), it.at, &list.owner)).collect()
        }
        _ => Vec::new(),
    }
}

/// The id of a model in an extension's list, or why it is not known.
fn element_id(element: &Field) -> Result<Arc<str>, Reason> {
    match (&element.value, element.value.field("id").map(|it| &it.value)) {
        (_, Some(Known::String(id))) => Ok(Arc::clone(id)),
        (Known::Unknown(reason), _)
        | (_, Some(Known::Unknown(reason)))
        | (Known::Object { open: Some(reason), .. }, None) => Err(reason.clone()),
        _ => Err(one_of_several()),
    }
}

fn one_of_several() -> Reason {
    Reason { kind: ReasonKind::Merged, text: "it is one of several values".into(), at: None }
}

fn by_code() -> Reason {
    let text = "the models of a native provider come from its code".into();
    Reason { kind: ReasonKind::UnknownFunction, text, at: None }
}

fn shown_nothing(value: &Known) -> &'static str {
    if *value == Known::Null { "null" } else { "undefined" }
}

fn missing_api(provider: &str, id: &str) -> String {
    format!("Provider {provider}, model {id}: no \"api\" specified. Set at provider or model level.")
}

fn missing_base_url(provider: &str) -> String {
    format!("Provider {provider}: \"baseUrl\" is required when defining custom models.")
}
