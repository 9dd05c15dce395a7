//! `createProvider` of `pi-ai`, and the functions that make one of Pi's own providers.

use super::super::Evaluator;
use super::super::builtin::opaque::Manner;
use super::super::native::{Call, Eval};
use super::super::value::Value;
use crate::source::known::ReasonKind;

/// `createProvider(input)` (Pi: `pi-ai/dist/models.js`).
pub(super) fn create(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let input = call.arg(0);
    let provider = me.new_object();
    for name in ["id", "name", "baseUrl", "headers", "auth"] {
        let mut value = me.get_name(&input, name)?;
        if name == "name" {
            let id = me.get_name(&input, "id")?;
            value = me.map(&value, |_, it| if it.is_nullish() { id.clone() } else { it.clone() });
        }
        me.put(provider, name, value);
    }
    let models = me.get_name(&input, "models")?;
    let get_models = me.new_native_with("getModels", |_, call| Ok(call.data.clone()), models);
    me.put(provider, "getModels", get_models.into());
    let fetch = me.get_name(&input, "fetchModels")?;
    if !fetch.is_undefined() {
        let refresh = me.new_native("refreshModels", Manner::WorldInTime.code());
        me.put(provider, "refreshModels", refresh.into());
    }
    for name in ["stream", "streamSimple"] {
        let function = me.new_native("Provider.stream", Manner::Pure.code());
        me.put(provider, name, function.into());
    }
    Ok(provider.into())
}

/// One of Pi's own providers.
pub(super) fn built_in(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let id = call.data.as_str().map_or_else(String::new, ToString::to_string);
    let provider = me.opaque_object("Provider", ReasonKind::NotModelled, &format!("the provider {id}"));
    me.put(provider, "id", Value::string(id));
    Ok(provider.into())
}
