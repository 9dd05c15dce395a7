//! The built-in models, as `pi-ai` gives them to whoever asks (Pi: `pi-ai/dist/providers/all.js`, and `compat` under other
//! names).

use std::sync::Arc;

use super::super::Evaluator;
use super::super::heap::ObjectId;
use super::super::native::{Call, Eval};
use super::super::value::Value;
use crate::catalog::{BuiltinModel, BuiltinProvider, Catalog, PiVersion};
use crate::source::known::ReasonKind;

/// `getBuiltinProviders()`: the ids of those that have models.
pub(super) fn providers(me: &mut Evaluator<'_>, _: &Call<'_>) -> Eval {
    let catalog = Catalog::of(PiVersion::NEWEST);
    let has_models = |id: &&str| catalog.provider(id).is_some_and(|it| !it.models.is_empty());
    let ids = catalog.provider_ids().filter(has_models).map(Value::string).collect();
    Ok(me.new_array(ids).into())
}

/// `getBuiltinModels(provider)`: none for a provider that there is not.
pub(super) fn all(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| {
        let mut models = Vec::new();
        if let Some(provider) = provider(me, values.first()) {
            for model in &provider.models {
                me.step()?;
                models.push(object(me, &provider.id, model)?.into());
            }
        }
        Ok(me.new_array(models).into())
    })
}

/// `getBuiltinModel(provider, id)`: `undefined` for one that there is not.
pub(super) fn one(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0), call.arg(1)], |me, values| {
        let id = values.get(1).and_then(|it| me.text_of(it));
        let Some(provider) = provider(me, values.first()) else { return Ok(Value::UNDEFINED) };
        match provider.models.iter().find(|it| Some(&*it.id) == id.as_deref()) {
            Some(model) => Ok(object(me, &provider.id, model)?.into()),
            None => Ok(Value::UNDEFINED),
        }
    })
}

fn provider(me: &Evaluator<'_>, id: Option<&Value>) -> Option<BuiltinProvider> {
    Catalog::of(PiVersion::NEWEST).provider(&me.text_of(id?)?)
}

fn object(me: &mut Evaluator<'_>, provider: &Arc<str>, model: &BuiltinModel) -> Eval<ObjectId> {
    me.spend_object()?;
    let object = me.new_object();
    for (name, text) in [
        ("id", &model.id),
        ("name", &model.name),
        ("api", &model.api),
        ("provider", provider),
        ("baseUrl", &model.base_url),
    ] {
        me.put(object, name, Value::string(&**text));
    }
    me.put(object, "reasoning", model.reasoning.into());
    let mut rest = vec![("input", Some(&model.input)), ("cost", Some(&model.cost))];
    rest.extend([("compat", model.compat.as_ref()), ("thinkingLevelMap", model.thinking_level_map.as_ref())]);
    for (name, json) in rest {
        if let Some(json) = json {
            let value = me.value_of_json(json)?;
            me.put(object, name, value);
        }
    }
    me.put(object, "contextWindow", Value::number(model.context_window));
    me.put(object, "maxTokens", Value::number(model.max_tokens));
    if !model.headers.is_empty() {
        let headers = me.new_object();
        for name in &model.headers {
            let value = me.unknown(ReasonKind::NotModelled, "a header of a built-in model");
            me.put(headers, name, value);
        }
        me.put(object, "headers", headers.into());
    }
    Ok(object)
}
