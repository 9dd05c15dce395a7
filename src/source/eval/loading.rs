//! Modules that code asks for while it runs: `require`, `import()` and `import.meta`.

use std::fmt::Write as _;

use camino::Utf8Path;

use super::heap::{InstanceId, ObjectKind};
use super::native::{Call, Eval};
use super::path::Stop;
use super::value::{Data, Value};
use super::{Context, Evaluator};
use crate::source::known::ReasonKind;
use crate::source::resolve::{Asking, Importer, Resolution, Treatment};

impl Evaluator<'_> {
    /// The function `require` of a module.
    pub(super) fn require_of(&mut self, id: InstanceId) -> Value {
        let data = Value::number(f64::from(id.0));
        let require = self.new_native_with("require", require, data.clone());
        let resolve = self.new_native_with("require.resolve", require_resolve, data);
        self.hide(require, "resolve", resolve.into());
        require.into()
    }

    /// `import.meta`.
    pub(super) fn import_meta(&mut self, cx: Context<'_>) -> Value {
        let path = self.instances.file(cx.instance).path.clone();
        let object = self.new_object();
        self.put(object, "url", Value::string(file_url(path.as_str())));
        self.put(object, "filename", Value::string(path.as_str()));
        self.put(object, "dirname", Value::string(path.parent().unwrap_or(Utf8Path::new("/")).as_str()));
        let data = Value::number(f64::from(cx.instance.0));
        let resolve = self.new_native_with("import.meta.resolve", import_resolve, data);
        self.put(object, "resolve", resolve.into());
        object.into()
    }

    /// `import(specifier)`: a promise of the namespace, which takes time.
    pub(super) fn import_call(&mut self, cx: Context<'_>, specifier: &Value) -> Eval {
        if self.instances.imports_nothing(cx.instance) {
            let error = self.new_error("TypeError", "A dynamic import callback was not specified.");
            return Ok(self.rejected_promise(error.into()));
        }
        self.each(specifier, |me, specifier| {
            let text = me.to_text(specifier)?;
            let Some(text) = text.as_str().cloned() else {
                let what = "a module whose name is not known";
                let unknown = me.unknown(ReasonKind::ModuleUnavailable, what);
                me.may_throw(&unknown)?;
                return Ok(unknown);
            };
            let text = text.strip_prefix("file://").map_or_else(|| text.to_string(), decode_url_path);
            let exits = me.exits.len();
            let is_immediate = me.is_loaded_by_jiti(cx.instance, &text);
            match me.load_namespace(cx.instance, &text, Asking::Import) {
                Ok(namespace) => {
                    let segment = me.schedule.add(None);
                    // What jiti loads is there as soon as it is asked for.
                    let now = if is_immediate { me.schedule.moment(me.segment()) } else { None };
                    me.schedule.set_moment(segment, now);
                    Ok(me.new_promise(namespace, vec![segment]).into())
                }
                Err(Stop::Abort) => Err(Stop::Abort),
                Err(Stop::Dead) => me.rejected(exits),
            }
        })
    }

    fn is_loaded_by_jiti(&mut self, from: InstanceId, specifier: &str) -> bool {
        let file = self.instances.file(from).clone();
        let importer = Importer { path: &file.path, treatment: file.treatment };
        match self.world.modules.resolve(importer, specifier, Asking::Import) {
            Resolution::File(file) => file.treatment == Treatment::Fresh,
            Resolution::Host(_) | Resolution::Builtin(_) => true,
            Resolution::Opaque(_) | Resolution::Missing(_) => false,
        }
    }

    /// A promise that rejects with what was thrown since a point.
    fn rejected(&mut self, exits: usize) -> Eval {
        let thrown = self.take_exits(exits, |it| matches!(it, super::branch::ExitKind::Throw(..)));
        if thrown.is_empty() {
            return Err(Stop::Dead);
        }
        let mark = self.path.mark();
        let (_, error) = self.caught(thrown, mark);
        let promise = self.new_promise(Value::UNDEFINED, Vec::new());
        if let ObjectKind::Promise(promise) = &mut self.heap.get_mut(promise).kind {
            promise.value = None;
            promise.rejections.push((Vec::new(), error));
        }
        Ok(promise.into())
    }

    fn instance_of_call(call: &Call<'_>) -> InstanceId {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "made from an id")]
        InstanceId(call.data.as_number().unwrap_or(0.0) as u32)
    }
}

fn require(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let from = Evaluator::instance_of_call(call);
    me.each(&call.arg(0), |me, specifier| match specifier.as_str().cloned() {
        Some(text) => me.load_namespace(from, &text, Asking::Require),
        None => Ok(me.unknown(ReasonKind::ModuleUnavailable, "a module whose name is not known")),
    })
}

fn require_resolve(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    resolve_path(me, call, Asking::Require)
}

fn import_resolve(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let path = resolve_path(me, call, Asking::Import)?;
    Ok(me.map(&path, |_, it| match &it.data {
        Data::String(text, _) if text.starts_with('/') => Value::string(file_url(text)),
        _ => it.clone(),
    }))
}

fn resolve_path(me: &mut Evaluator<'_>, call: &Call<'_>, asking: Asking) -> Eval {
    let from = Evaluator::instance_of_call(call);
    let Some(specifier) = call.text(0) else {
        return Ok(me.unknown(ReasonKind::ModuleUnavailable, "a module whose name is not known"));
    };
    let file = me.instances.file(from).clone();
    let importer = Importer { path: &file.path, treatment: file.treatment };
    match me.world.modules.resolve(importer, &specifier, asking) {
        Resolution::File(file) => Ok(Value::string(file.path.as_str())),
        Resolution::Opaque(path) => Ok(Value::string(path.as_str())),
        Resolution::Builtin(name) => Ok(Value::string(name)),
        Resolution::Host(_) => Ok(me.unknown(ReasonKind::OutsideWorld, "where Pi itself is installed")),
        Resolution::Missing(missing) => {
            let error = me.new_error("Error", &missing.message);
            me.put(error, "code", Value::string("MODULE_NOT_FOUND"));
            Err(me.trip(error.into()))
        }
    }
}

/// A path as a `file:` URL, as Node's `pathToFileURL` writes it.
pub fn file_url(path: &str) -> String {
    const PLAIN: &[u8] = b"/-_.!~*'():@&=+$,;[]";
    let mut url = String::from("file://");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || PLAIN.contains(&byte) {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

/// The path of a `file:` URL without its scheme.
pub fn decode_url_path(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = (byte == b'%')
            .then(|| path.get(at + 1..at + 3).and_then(|it| u8::from_str_radix(it, 16).ok()))
            .flatten();
        out.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}
