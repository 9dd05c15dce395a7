//! What Node has of the web: requests, streams, encodings. Most of it is opaque; URLs are in `node::url`.

use super::opaque::{Manner, instance};
use super::{Evaluator, Methods};
use crate::source::eval::Derivation;
use crate::source::eval::heap::{ObjectId, ObjectKind, Property, Slot};
use crate::source::eval::native::{Call, Code, Eval};
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

const OPAQUE_CLASSES: [&str; 42] = [
    "Blob",
    "File",
    "FormData",
    "Headers",
    "Request",
    "Response",
    "ReadableStream",
    "WritableStream",
    "TransformStream",
    "CompressionStream",
    "DecompressionStream",
    "TextDecoder",
    "TextEncoder",
    "TextDecoderStream",
    "TextEncoderStream",
    "MessageChannel",
    "MessagePort",
    "MessageEvent",
    "BroadcastChannel",
    "WebSocket",
    "ArrayBuffer",
    "SharedArrayBuffer",
    "DataView",
    "Int8Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "Int16Array",
    "Uint16Array",
    "Int32Array",
    "Uint32Array",
    "Float32Array",
    "Float64Array",
    "BigInt64Array",
    "BigUint64Array",
    "PerformanceObserver",
    "ByteLengthQueuingStrategy",
    "CountQueuingStrategy",
    "DisposableStack",
    "AsyncDisposableStack",
    "SuppressedError",
    "URLPattern",
    "CryptoKey",
];

const INTL: [&str; 8] = [
    "DateTimeFormat",
    "NumberFormat",
    "PluralRules",
    "RelativeTimeFormat",
    "ListFormat",
    "Segmenter",
    "DisplayNames",
    "Locale",
];

const GLOBALS: Methods = &[("atob", atob), ("btoa", btoa)];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let global = me.realm.global;
    for name in OPAQUE_CLASSES {
        let class = match element_size(name) {
            Some(_) => me.opaque_class_by(name, construct_typed_array),
            None => me.opaque_class(name),
        };
        me.hide(global, name, class.into());
        if name.ends_with("Array") || name == "Response" || name == "ArrayBuffer" {
            me.opaque_methods(
                class,
                Manner::Pure,
                &["Class.from", "Class.of", "Class.json", "Class.error", "Class.redirect"],
            );
        }
    }
    if let Ok(class) = me.get_of(global, &"ArrayBuffer".into(), &global.into())
        && let Some(class) = class.as_object()
    {
        me.method(class, "ArrayBuffer.isView", |me, call| {
            let is_view = |class: &str| class.ends_with("Array") || matches!(class, "Buffer" | "DataView");
            super::buffer::is_of(me, call, is_view)
        });
    }
    if let Ok(class) = me.get_of(global, &"TextEncoder".into(), &global.into())
        && let Ok(prototype) = me.get_name(&class, "prototype")
        && let Some(prototype) = prototype.as_object()
    {
        me.method(prototype, "TextEncoder.prototype.encode", super::buffer::encode);
    }
    me.methods(global, GLOBALS);
    me.opaque_methods(global, Manner::WorldInTime, &["fetch"]);
    super::event_target::install(me);
    super::abort::install(me);
    let intl = me.global_object("Intl", &[]);
    for name in INTL {
        let class = me.opaque_class(name);
        me.hide(intl, name, class.into());
    }
    super::collation::install(me, intl);
    super::crypto::install(me);
    for (name, what) in [("performance", "the time"), ("navigator", "the machine")] {
        let object = me.opaque_object("Web", ReasonKind::OutsideWorld, what);
        if name == "performance" {
            me.opaque_methods(object, Manner::PositiveNumber, &["performance.now"]);
        }
        me.hide(global, name, object.into());
    }
    user_agent(me);
    for (name, methods) in [
        ("Atomics", &["Atomics.load", "Atomics.store", "Atomics.wait", "Atomics.notify", "Atomics.add"][..]),
        ("WebAssembly", &["WebAssembly.compile", "WebAssembly.instantiate", "WebAssembly.validate"][..]),
    ] {
        let object = me.global_object(name, &[]);
        me.opaque_methods(object, Manner::World, methods);
    }
    super::buffer::install(me);
    super::node::url::install(me);
}

/// `navigator.userAgent` is not known, but Pi does not run in a Cloudflare worker: libraries ask before they make functions from
/// text.
fn user_agent(me: &mut Evaluator<'_>) {
    let text = me.unknown(ReasonKind::OutsideWorld, "the machine");
    let includes = me.new_native("String.prototype.includes", |me, call| match call.text(0).as_deref() {
        Some("Cloudflare") => Ok(Value::FALSE),
        _ => Ok(me.unknown(ReasonKind::OutsideWorld, "the machine")),
    });
    if let Some(unknown) = text.as_unknown() {
        me.derived.insert((Derivation::Property("includes".into()), unknown.id), includes.into());
    }
    let global = me.realm.global;
    if let Some(Property { slot: Slot::Data(navigator), .. }) =
        me.heap.get(global).properties.get(&"navigator".into())
        && let Some(navigator) = navigator.as_object()
    {
        me.hide(navigator, "userAgent", text);
    }
}

/// How many bytes an element of a typed array has.
fn element_size(name: &str) -> Option<f64> {
    let bits = name.strip_suffix("Array")?.trim_start_matches(|it: char| !it.is_ascii_digit());
    match bits.trim_end_matches("Clamped") {
        "8" => Some(1.0),
        "16" => Some(2.0),
        "32" => Some(4.0),
        "64" => Some(8.0),
        _ => None,
    }
}

/// A typed array: what it holds is not known, but how much, if it is made of a number or an array.
fn construct_typed_array(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let array = instance(me, call);
    let source = me.path.settle(&call.arg(0));
    let length = match (&source.data, source.as_object()) {
        (Data::Number(length), _) if *length >= 0.0 && length.fract() == 0.0 => Some(Value::number(*length)),
        (Data::Undefined | Data::Absent, _) => Some(Value::number(0.0)),
        (_, Some(object)) if matches!(me.heap.get(object).kind, ObjectKind::Array(_)) => {
            Some(me.array_length(object))
        }
        _ => None,
    };
    if let (Some(length), Some(object)) = (length, array.as_object()) {
        let size = element_size(call.name).unwrap_or(1.0);
        let bytes = me.map(&length, |_, it| match it.data {
            Data::Number(length) => Value::number(length * size),
            _ => it.clone(),
        });
        me.hide(object, "byteLength", bytes);
        me.hide(object, "length", length);
    }
    Ok(array)
}

/// A class of the global object that extends another.
pub(super) fn subclass(
    me: &mut Evaluator<'_>,
    name: &'static str,
    code: Code,
    parent: ObjectId,
    parents_prototype: ObjectId,
) -> ObjectId {
    let prototype = me.allocate(Some(parents_prototype), ObjectKind::Ordinary);
    let class = me.global_class(name, code, prototype);
    me.heap.get_mut(class).prototype = Some(parent);
    class
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn btoa(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| {
        let text = values.first().and_then(|it| me.text_of(it)).filter(|it| it.is_ascii());
        match text {
            Some(text) => Ok(Value::string(to_base64(text.as_bytes()))),
            None => me.not_modelled(call),
        }
    })
}

fn atob(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| {
        let text = values.first().and_then(|it| me.text_of(it)).unwrap_or_default();
        match from_base64(&text) {
            Some(bytes) => Ok(Value::string(bytes.into_iter().map(char::from).collect::<String>())),
            None => me.not_modelled(call),
        }
    })
}

/// Bytes in base 64.
pub(super) fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for digit in 0..4_usize {
            let value = (bits >> (18 - digit * 6)) & 63;
            let letter = BASE64.get(value as usize).copied().unwrap_or(b'=');
            text.push(if digit > chunk.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

/// Bytes from base 64, the variant for URLs included.
pub(super) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for letter in text.bytes().filter(|it| !it.is_ascii_whitespace()) {
        let letter = match letter {
            b'-' => b'+',
            b'_' => b'/',
            b'=' => break,
            other => other,
        };
        let value = BASE64.iter().position(|it| *it == letter)?;
        bits = (bits << 6) | u32::try_from(value).ok()?;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 255).ok()?);
        }
    }
    Some(bytes)
}
