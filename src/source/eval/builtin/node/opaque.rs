//! The modules of Node that are not modelled: whatever they export is not known.

use super::super::Evaluator;
use crate::source::eval::heap::ObjectId;
use crate::source::eval::value::Value;
use crate::source::known::ReasonKind;

/// Those whose functions only depend on what they are given.
const PURE: [&str; 11] = [
    "assert",
    "assert/strict",
    "buffer",
    "crypto",
    "path/win32",
    "punycode",
    "querystring",
    "string_decoder",
    "util/types",
    "v8",
    "zlib",
];

pub(super) fn module(me: &mut Evaluator<'_>, name: &str) -> ObjectId {
    let (kind, what) = if PURE.contains(&name) {
        (ReasonKind::NotModelled, format!("node:{name} is not modelled"))
    } else {
        (ReasonKind::OutsideWorld, format!("what node:{name} does"))
    };
    let module = me.opaque_object("Module", kind, &what);
    let global = me.realm.global;
    let shared: &[&str] = match name {
        "buffer" => &["Buffer", "Blob", "File", "atob", "btoa"],
        "timers" => {
            &["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"]
        }
        _ => &[],
    };
    for name in shared {
        let value = me.get_of(global, &(*name).into(), &global.into()).unwrap_or(Value::UNDEFINED);
        me.put(module, name, value);
    }
    if name == "timers/promises" {
        me.methods(
            module,
            &[
                ("timers.setTimeout", super::super::timer::promised_timeout),
                ("timers.setImmediate", super::super::timer::promised_immediate),
            ],
        );
    }
    module
}
