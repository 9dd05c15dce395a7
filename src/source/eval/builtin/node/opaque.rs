//! The modules of Node that are not modelled: whatever they export is not known.

use super::super::Evaluator;
use crate::source::eval::heap::ObjectId;
use crate::source::eval::value::Value;
use crate::source::known::ReasonKind;

/// Every module of Node, without `node:`.
const BUILTIN: [&str; 54] = [
    "assert",
    "assert/strict",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "dns/promises",
    "domain",
    "events",
    "fs",
    "fs/promises",
    "http",
    "http2",
    "https",
    "inspector",
    "inspector/promises",
    "module",
    "net",
    "os",
    "path",
    "path/posix",
    "path/win32",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "readline/promises",
    "repl",
    "stream",
    "stream/consumers",
    "stream/promises",
    "stream/web",
    "string_decoder",
    "sys",
    "timers",
    "timers/promises",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "util/types",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

/// Those whose functions only depend on what they are given.
const PURE: [&str; 12] = [
    "assert",
    "assert/strict",
    "async_hooks",
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

/// Whether a module of Node has this name.
pub(super) fn is_builtin(name: &str) -> bool {
    let bare = name.strip_prefix("node:").unwrap_or(name);
    BUILTIN.contains(&bare)
        || matches!(name, "node:test" | "node:sqlite" | "node:sea" | "node:test/reporters")
}

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
