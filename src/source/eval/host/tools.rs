//! `createReadTool` and its siblings: tools whose names are known.

use super::super::Evaluator;
use super::super::native::{Call, Eval};
use super::super::value::Value;
use crate::catalog::{Catalog, Export, Exports, HostTool, PiVersion};
use crate::source::known::ReasonKind;

fn exports() -> Option<&'static Exports> {
    let specifier = crate::source::host_modules::HostModule::CodingAgent.specifier();
    Catalog::of(PiVersion::NEWEST).host_exports().get(specifier)
}

/// One tool.
pub(super) fn make(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let facts = call.data.as_str().and_then(|it| exports()?.get(&**it));
    match facts {
        Some(Export::Tool(facts)) => Ok(tool(me, facts)),
        _ => Ok(me.unknown(ReasonKind::NotModelled, "a tool of Pi")),
    }
}

/// Several tools in Pi's order.
pub(super) fn make_all(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let facts = call.data.as_str().and_then(|it| exports()?.get(&**it));
    let Some(Export::Tools(names)) = facts else {
        return Ok(me.unknown(ReasonKind::NotModelled, "tools of Pi"));
    };
    let tools = names.iter().filter_map(|name| by_name(name)).map(|facts| tool(me, facts)).collect();
    Ok(me.new_array(tools).into())
}

/// The facts of the plain tool of a name.
fn by_name(name: &str) -> Option<&'static HostTool> {
    let all = exports()?.iter().filter(|(function, _)| !function.ends_with("Definition"));
    all.filter_map(|(_, export)| match export {
        Export::Tool(facts) => Some(facts),
        _ => None,
    })
    .find(|it| it.name == name)
}

fn tool(me: &mut Evaluator<'_>, facts: &HostTool) -> Value {
    let object = me.new_object();
    for key in &facts.keys {
        let value = match key.as_str() {
            "name" => Value::string(facts.name.as_str()),
            "label" => Value::string(facts.label.as_str()),
            "execute" | "renderCall" | "renderResult" | "prepareArguments" => {
                let code = super::super::builtin::opaque::Manner::Pure.code();
                me.new_native("a method of a tool of Pi", code).into()
            }
            _ => me.unknown(ReasonKind::NotModelled, format!("the {key} of the tool {}", facts.name)),
        };
        me.put(object, key, value);
    }
    object.into()
}
