//! Node's modules. Those that say something about files and paths are modelled; of the others it is known which
//! names they export, and that what they do belongs to the outside world.

mod assert;
mod async_hooks;
mod child_process;
pub(super) mod events;
mod fs;
mod module;
mod opaque;
mod os;
pub(super) mod path;
mod search_params;
mod sqlite;
pub(super) mod url;
mod url_text;
mod util;
pub(in crate::source::eval) mod written;

use super::Evaluator;
use crate::source::eval::heap::{ObjectId, PropertyKey};
use crate::source::eval::value::Value;

/// The namespace of a module of Node, without `node:`.
pub fn module(me: &mut Evaluator<'_>, name: &str) -> Value {
    let name = name.strip_prefix("node:").unwrap_or(name);
    let key = format!("node:{name}");
    if let Some(&known) = me.realm.modules.get(key.as_str()) {
        return known.into();
    }
    // Whatever is assumed right now does not matter to a module.
    let path = me.path.suspend();
    let module = make(me, name);
    super::member::list_module(me, name, module);
    if me.heap.get(module).properties.get(&PropertyKey::from("default")).is_none() {
        me.hide(module, "default", module.into());
    }
    me.path.restore(path);
    me.realm.modules.insert(key.into(), module);
    module.into()
}

fn make(me: &mut Evaluator<'_>, name: &str) -> ObjectId {
    match name {
        "fs" => fs::module(me),
        "fs/promises" => fs::promises(me),
        "path" | "path/posix" => path::module(me),
        "url" => url::module(me),
        "os" => os::module(me),
        "module" => module::module(me),
        "util" => util::module(me),
        "events" => events::module(me),
        "child_process" => child_process::module(me),
        "process" => global_object(me, "process"),
        "console" => global_object(me, "console"),
        "assert" => assert::module(me, false),
        "assert/strict" => assert::module(me, true),
        "crypto" => super::crypto::module(me),
        "stream" => me.opaque_class("Stream"),
        "async_hooks" => async_hooks::module(me),
        "node:sqlite" | "sqlite" => sqlite::module(me),
        _ => opaque::module(me, name),
    }
}

/// A module that is an object of the global one.
fn global_object(me: &mut Evaluator<'_>, name: &str) -> ObjectId {
    let global = me.realm.global;
    let object = me.get_of(global, &name.into(), &global.into());
    object.ok().and_then(|it| it.as_object()).unwrap_or(global)
}
