//! Web cryptography, as far as code asks whether it is there: what it gives is random.

use super::opaque::Manner;
use super::{Evaluator, Methods};
use crate::source::eval::heap::ObjectId;
use crate::source::eval::value::{Nature, Value};
use crate::source::known::ReasonKind;

const METHODS: Methods = &[
    ("crypto.getRandomValues", |_, call| Ok(call.arg(0))),
    ("crypto.randomInt", |me, call| {
        me.callbacks_later(call);
        Ok(me.unknown_of(Nature::Number, ReasonKind::OutsideWorld, "a random number"))
    }),
];

/// `globalThis.crypto`.
pub(super) fn install(me: &mut Evaluator<'_>) {
    let object = me.opaque_object("Web", ReasonKind::OutsideWorld, "web cryptography");
    me.methods(object, &METHODS[..1]);
    me.opaque_methods(object, Manner::Text, &["crypto.randomUUID"]);
    me.hide(me.realm.global, "crypto", object.into());
}

/// `node:crypto`: its functions are those of a list, but for these.
pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.new_object();
    me.methods(module, METHODS);
    me.opaque_methods(module, Manner::Text, &["crypto.randomUUID"]);
    let global = me.realm.global;
    let web = me.get_of(global, &"crypto".into(), &global.into()).unwrap_or(Value::UNDEFINED);
    let subtle = me.get_name(&web, "subtle").unwrap_or(Value::UNDEFINED);
    me.put(module, "webcrypto", web);
    me.put(module, "subtle", subtle);
    module
}
