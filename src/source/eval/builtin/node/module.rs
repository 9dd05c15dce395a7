//! `node:module`: `createRequire`.

use camino::Utf8Path;

use super::super::opaque::Manner;
use super::super::{Evaluator, Methods};
use crate::source::eval::heap::{Integrity, ObjectId};
use crate::source::eval::loading::decode_url_path;
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::Value;
use crate::source::resolve::{builtin_modules, is_builtin_module};

const FUNCTIONS: Methods = &[("module.createRequire", create_require), ("module.isBuiltin", is_builtin)];

const OPAQUE: [&str; 8] = [
    "module.register",
    "module.findPackageJSON",
    "module.syncBuiltinESMExports",
    "module.enableCompileCache",
    "module.flushCompileCache",
    "module.getCompileCacheDir",
    "module.stripTypeScriptTypes",
    "module.findSourceMap",
];

pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.opaque_class("Module");
    me.methods(module, FUNCTIONS);
    me.opaque_methods(module, Manner::World, &OPAQUE);
    me.put(module, "Module", module.into());
    let names = me.new_array(builtin_modules().map(Value::string).collect());
    me.heap.get_mut(names).integrity = Integrity::Frozen;
    me.put(module, "builtinModules", names.into());
    module
}

/// The `require` of the module that calls this, which nearly always is the one that it is asked for.
fn create_require(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let base = call.arg(0);
    let base = if base.as_object().is_some() { me.get_name(&base, "href")? } else { base };
    let path =
        base.as_str().map(|it| it.strip_prefix("file://").map_or_else(|| it.to_string(), decode_url_path));
    let instance = path.and_then(|path| me.instances.at_path(Utf8Path::new(&path)));
    match instance {
        Some(instance) => Ok(me.require_of(instance)),
        None => me.not_modelled(call),
    }
}

fn is_builtin(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| match values.first().and_then(Value::as_str) {
        Some(name) => Ok(is_builtin_module(name).into()),
        None => me.not_modelled(call),
    })
}
