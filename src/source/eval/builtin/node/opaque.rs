//! The modules of Node that are not modelled: whatever they export is not known.

use super::super::Evaluator;
use crate::catalog::NodeObject;
use crate::source::eval::heap::ObjectId;
use crate::source::eval::value::Value;
use crate::source::known::ReasonKind;

/// `http.METHODS`.
const HTTP_METHODS: &str = "ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY \
    MKCALENDAR MKCOL MOVE NOTIFY OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE \
    SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE";

pub(super) fn module(me: &mut Evaluator<'_>, name: &str) -> ObjectId {
    // What a listed module has is made when it is asked for.
    let module = if NodeObject::below(&format!("node:{name}")).next().is_some() {
        me.new_object()
    } else {
        me.opaque_object("Module", ReasonKind::OutsideWorld, &format!("what node:{name} does"))
    };
    let global = me.realm.global;
    let shared: &[&str] = match name {
        "buffer" => &["Buffer", "Blob", "File", "atob", "btoa"],
        "perf_hooks" => &["performance"],
        "timers" => {
            &["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"]
        }
        _ => &[],
    };
    for name in shared {
        let value = me.get_of(global, &(*name).into(), &global.into()).unwrap_or(Value::UNDEFINED);
        me.put(module, name, value);
    }
    if name == "http" {
        let methods = me.new_array(HTTP_METHODS.split(' ').map(Value::string).collect());
        me.put(module, "METHODS", methods.into());
    }
    if name == "worker_threads" {
        // Extensions run in the main thread of Pi.
        let limits = me.new_object();
        for (name, value) in [
            ("isMainThread", Value::TRUE),
            ("isInternalThread", Value::FALSE),
            ("parentPort", Value::NULL),
            ("workerData", Value::NULL),
            ("threadId", Value::number(0.0)),
            ("resourceLimits", limits.into()),
        ] {
            me.put(module, name, value);
        }
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
