//! What Pi's own packages export. Which names there are is recorded from the real packages, because an import of
//! anything else is `undefined`; what decides names is modelled, the rest is opaque and never harmful.

#![allow(clippy::unnecessary_wraps, reason = "every built-in function has the signature of `Code`")]

mod frontmatter;
mod models;
mod provider;
mod schema;
mod tools;

use super::Evaluator;
use super::builtin::opaque::Manner;
use super::heap::{ObjectId, ObjectKind};
use super::native::{Call, Code, Eval};
use super::value::Value;
use crate::catalog::{Catalog, Export, Exports, PiVersion};
use crate::source::host_modules::HostModule;
use crate::source::known::ReasonKind;

/// Functions that are modelled, by name.
const MODELLED: [(&str, Code); 15] = [
    ("defineTool", |_, call| Ok(call.arg(0))),
    ("getAgentDir", |me, _| Ok(Value::string(me.world.options.agent_dir.as_str()))),
    ("StringEnum", schema::make),
    ("parseFrontmatter", frontmatter::parse),
    ("stripFrontmatter", frontmatter::strip),
    ("createProvider", provider::create),
    ("getBuiltinModel", models::one),
    ("getBuiltinModels", models::all),
    ("getBuiltinProviders", models::providers),
    ("getModel", models::one),
    ("getModels", models::all),
    ("getProviders", models::providers),
    ("wrapRegisteredTool", |_, call| Ok(call.arg(0))),
    ("wrapRegisteredTools", |_, call| Ok(call.arg(0))),
    ("createEventBus", |me, _| Ok(me.new_event_bus())),
];

/// Members whose names depend on the module that they are in.
#[derive(Clone, Copy)]
struct Place<'p> {
    module: HostModule,
    /// The members of `Type`, which `TypeBox` also exports one by one.
    schemas: Option<&'p Exports>,
}

/// The namespace of a module that the host serves.
pub fn module(me: &mut Evaluator<'_>, module: HostModule) -> Value {
    let specifier = module.specifier();
    if let Some(&known) = me.realm.modules.get(specifier) {
        return known.into();
    }
    let exports = Catalog::of(PiVersion::NEWEST).host_exports();
    let Some(members) = exports.get(specifier) else {
        return me.unknown(ReasonKind::UnknownFunction, specifier);
    };
    let schemas = match members.get("Type") {
        Some(Export::Object(schemas)) => Some(schemas),
        _ => None,
    };
    // Whatever is assumed right now does not matter to a module.
    let path = me.path.suspend();
    let place = Place { module, schemas };
    let namespace = object_of(me, place, members);
    if !members.contains_key("default") {
        me.hide(namespace, "default", namespace.into());
    }
    me.path.restore(path);
    me.realm.modules.insert(specifier.into(), namespace);
    namespace.into()
}

fn object_of(me: &mut Evaluator<'_>, place: Place<'_>, members: &'static Exports) -> ObjectId {
    let object = me.new_object();
    for (name, export) in members {
        let value = value_of(me, place, name, export);
        me.put(object, name, value);
    }
    object
}

fn value_of(me: &mut Evaluator<'_>, place: Place<'_>, name: &'static str, export: &'static Export) -> Value {
    match export {
        Export::Function => function(me, place, name).into(),
        Export::Async => me.new_native(name, Manner::WorldInTime.code()).into(),
        Export::Class(statics) => {
            let class = me.opaque_class(name);
            for name in statics {
                me.method(class, name, Manner::Pure.code());
            }
            class.into()
        }
        Export::Value(value) => me.value_of_json(value).unwrap_or(Value::UNDEFINED),
        Export::Object(members) => {
            // Members of `Type` stand for schemas, whatever they are called elsewhere.
            object_of(me, place, members).into()
        }
        Export::Prefix(prefix) => me.new_native_with("Key", key_with, Value::string(prefix.as_str())).into(),
        Export::Tool(_) => me.new_native_with(name, tools::make, Value::string(name)).into(),
        Export::Tools(_) => me.new_native_with(name, tools::make_all, Value::string(name)).into(),
        Export::Provider(id) => {
            me.new_native_with(name, provider::built_in, Value::string(id.as_str())).into()
        }
        Export::Other => {
            let what = format!("{name} of {}", place.module.specifier());
            me.opaque_object("Host", ReasonKind::NotModelled, &what).into()
        }
    }
}

fn function(me: &mut Evaluator<'_>, place: Place<'_>, name: &'static str) -> ObjectId {
    let is_schema = place.schemas.is_some_and(|it| it.contains_key(name))
        && matches!(place.module, HostModule::TypeBox | HostModule::AiCompat);
    let modelled = MODELLED.iter().find(|(it, _)| *it == name).map(|(_, code)| *code);
    let code = if is_schema { schema::make } else { modelled.unwrap_or(Manner::Pure.code()) };
    me.new_native(name, code)
}

/// `Key.ctrl("p")` and its like.
fn key_with(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = me.to_text(&call.arg(0))?;
    me.binary(crate::source::ir::BinaryOp::Add, call.data, &text)
}

impl Evaluator<'_> {
    /// An event bus like that of `pi.events`, but apart from it.
    fn new_event_bus(&mut self) -> Value {
        let prototype = self.realm.object;
        let bus = self.allocate(Some(prototype), ObjectKind::Opaque("EventBus"));
        self.opaque_methods(bus, Manner::Pure, &["EventBus.on", "EventBus.emit", "EventBus.clear"]);
        bus.into()
    }
}
