//! `Buffer`: known only where it holds a known text, as what a file read without an encoding gives.

use std::sync::Arc;

use super::opaque::Manner;
use super::web::{from_base64, to_base64};
use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{ObjectId, ObjectKind};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::Value;

/// Where the text is kept.
const TEXT: &str = "\0text";

const STATICS: Methods = &[
    ("Buffer.from", from),
    ("Buffer.isBuffer", |me, call| is_of(me, call, |class| class == "Buffer")),
    ("Buffer.byteLength", |me, call| {
        me.combine(call.name, &[call.arg(0)], |me, values| match values.first().and_then(Value::as_str) {
            Some(text) => Ok(Value::number(super::units::number(text.len()))),
            None => me.not_modelled(call),
        })
    }),
];

const METHODS: Methods = &[
    ("Buffer.prototype.toString", to_string),
    ("Buffer.prototype.toJSON", |me, call| me.not_modelled(call)),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let parent = prototype_of_bytes(me).unwrap_or(me.realm.object);
    let prototype = me.allocate(Some(parent), ObjectKind::Opaque("Buffer"));
    let class = me.global_class("Buffer", |me, call| Manner::Pure.code()(me, call), prototype);
    me.methods(class, STATICS);
    me.opaque_methods(
        class,
        Manner::Pure,
        &["Buffer.alloc", "Buffer.allocUnsafe", "Buffer.concat", "Buffer.compare", "Buffer.isEncoding"],
    );
    me.methods(prototype, METHODS);
    let why = me.unknown(crate::source::known::ReasonKind::NotModelled, "what a buffer holds");
    me.open_up(prototype, &why);
    me.realm.modules.insert("\0buffer".into(), prototype);
}

impl Evaluator<'_> {
    /// A buffer that holds a text.
    pub(super) fn buffer_of(&mut self, text: Arc<str>) -> ObjectId {
        let prototype = self.realm.modules.get("\0buffer").copied();
        let buffer = self.allocate(prototype, ObjectKind::Opaque("Buffer"));
        self.hide(buffer, TEXT, Value::string(text));
        buffer
    }
}

/// `Uint8Array.prototype`.
fn prototype_of_bytes(me: &mut Evaluator<'_>) -> Option<ObjectId> {
    let global = me.realm.global;
    let class = me.get_of(global, &"Uint8Array".into(), &global.into()).ok()?;
    me.get_name(&class, "prototype").ok()?.as_object()
}

/// Whether the argument is of one of the opaque classes that are meant.
pub(super) fn is_of(me: &mut Evaluator<'_>, call: &Call<'_>, is_meant: fn(&str) -> bool) -> Eval {
    me.each(&call.arg(0), |me, value| {
        let Some(object) = value.as_object() else {
            return if value.is_settled() { Ok(Value::FALSE) } else { Manner::Pure.code()(me, call) };
        };
        match &me.heap.get(object).kind {
            ObjectKind::Opaque(class) if is_meant(class) => Ok(Value::TRUE),
            ObjectKind::Proxy { .. } => Manner::Pure.code()(me, call),
            _ => Ok(Value::FALSE),
        }
    })
}

/// The bytes of a text: how many they are is known.
pub(super) fn encode(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = if call.has(0) { me.to_text(&call.arg(0))? } else { Value::string("") };
    let length = me.map(&text, |_, it| match it.as_str() {
        Some(text) => Value::number(super::units::number(text.len())).resting_on(it.facts),
        None => it.clone(),
    });
    let global = me.realm.global;
    let class = me.get_of(global, &"Uint8Array".into(), &global.into())?;
    me.construct(&class, Arguments::of([length]), None)
}

fn from(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0), call.arg(1)], |me, values| {
        let [source, encoding] = values else { return me.not_modelled(call) };
        if source.as_object().is_none() && source.as_str().is_none() {
            let shown = me.shown_value(source);
            let received = if source.is_nullish() {
                shown
            } else {
                let kind = me.type_of(source);
                format!("type {} ({shown})", me.text_of(&kind).unwrap_or_default())
            };
            let message = format!(
                "The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object. Received {received}"
            );
            return Err(me.throw_error("TypeError", &message));
        }
        let encoding = encoding.as_str().map_or_else(|| "utf8".to_owned(), |it| it.to_ascii_lowercase());
        let text = match (source.as_str(), encoding.as_str()) {
            (Some(text), "utf8" | "utf-8") => Some(text.to_string()),
            (Some(text), "base64" | "base64url") => {
                from_base64(text).and_then(|it| String::from_utf8(it).ok())
            }
            _ => None,
        };
        match text {
            Some(text) => Ok(me.buffer_of(text.into()).into()),
            None => me.not_modelled(call),
        }
    })
}

fn to_string(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = me.get_name(call.this, TEXT)?;
    me.combine(call.name, &[text, call.arg(0)], |me, values| {
        let [text, encoding] = values else { return me.not_modelled(call) };
        let encoding = encoding.as_str().map_or_else(|| "utf8".to_owned(), |it| it.to_ascii_lowercase());
        match (text.as_str(), encoding.as_str()) {
            (Some(_), "utf8" | "utf-8") => Ok(text.clone()),
            (Some(text), "base64") => Ok(Value::string(to_base64(text.as_bytes()))),
            (Some(text), "hex") => Ok(Value::string(super::uri::hexadecimal(text.as_bytes()))),
            _ => me.not_modelled(call),
        }
    })
}
