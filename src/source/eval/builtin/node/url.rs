//! `node:url` and `URL`: file URLs are exact, others simple.

use super::super::opaque::Manner;
use super::super::{Evaluator, Methods};
use super::url_text::{Change, UrlText, normal_form};
use crate::source::eval::Derivation;
use crate::source::eval::heap::{ObjectId, ObjectKind, Property, Slot};
use crate::source::eval::loading::{decode_url_path, file_url};
use crate::source::eval::native::{Call, Code, Eval};
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

const FUNCTIONS: Methods =
    &[("url.fileURLToPath", file_url_to_path), ("url.pathToFileURL", path_to_file_url)];

const OPAQUE: [&str; 6] = [
    "url.parse",
    "url.format",
    "url.resolve",
    "url.domainToASCII",
    "url.domainToUnicode",
    "url.urlToHttpOptions",
];

/// Where the text of a URL is kept.
const HREF: &str = "\0href";

/// Where what is made of a URL's `searchParams` is kept.
const PARAMS: &str = "\0params";

/// Getters of all parts; those with setters as well are told apart by what [`UrlText::with`] answers.
const ACCESSORS: Methods = &[
    ("URL.prototype.href", part),
    ("URL.prototype.protocol", part),
    ("URL.prototype.username", part),
    ("URL.prototype.password", part),
    ("URL.prototype.host", part),
    ("URL.prototype.hostname", part),
    ("URL.prototype.port", part),
    ("URL.prototype.pathname", part),
    ("URL.prototype.search", part),
    ("URL.prototype.hash", part),
];

pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.new_object();
    me.methods(module, FUNCTIONS);
    me.opaque_methods(module, Manner::Pure, &OPAQUE);
    let global = me.realm.global;
    for name in ["URL", "URLSearchParams"] {
        let class = me.get_of(global, &name.into(), &global.into()).unwrap_or(Value::UNDEFINED);
        me.put(module, name, class);
    }
    module
}

/// Puts the classes into the global object.
pub(in crate::source::eval::builtin) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.new_object();
    me.methods(prototype, &[("URL.prototype.toString", href), ("URL.prototype.toJSON", href)]);
    for &(name, get) in ACCESSORS {
        let get = me.new_native(name, get);
        let set = me.new_native(name, set_part);
        accessor(me, prototype, name, get, Some(set));
    }
    for (name, get) in [("URL.prototype.origin", part as Code), ("URL.prototype.searchParams", params)] {
        let get = me.new_native(name, get);
        accessor(me, prototype, name, get, None);
    }
    let class = me.global_class("URL", construct, prototype);
    me.methods(class, &[("URL.canParse", can_parse)]);
    me.opaque_methods(class, Manner::Pure, &["URL.createObjectURL", "URL.revokeObjectURL", "URL.parse"]);
    me.realm.modules.insert("\0url".into(), prototype);
    super::search_params::install(me);
}

/// Adds an accessor, named after the last dot.
pub(in crate::source::eval::builtin) fn accessor(
    me: &mut Evaluator<'_>,
    prototype: ObjectId,
    name: &'static str,
    get: ObjectId,
    set: Option<ObjectId>,
) {
    let slot = Slot::Accessor { get: Some(get), set };
    let property = Property { slot, enumerable: true, writable: true, is_fixed: false };
    let short = name.rsplit('.').next().unwrap_or_default();
    me.heap.get_mut(prototype).properties.insert(short.into(), property);
}

/// The text of a URL object, or the text itself.
fn text_of_url(me: &mut Evaluator<'_>, value: &Value) -> Eval {
    me.each(value, |me, value| match &value.data {
        Data::Object(_) => me.get_name(value, "href"),
        _ => Ok(value.clone()),
    })
}

fn file_url_to_path(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = text_of_url(me, &call.arg(0))?;
    me.combine(call.name, &[text], |me, values| {
        let Some(text) = values.first().and_then(|it| it.as_str().cloned()) else {
            return me.not_modelled(call);
        };
        match text.strip_prefix("file://") {
            Some(path) if path.starts_with('/') => {
                let path = path.split(['?', '#']).next().unwrap_or_default();
                Ok(Value::string(decode_url_path(path)))
            }
            _ => Err(me.throw_error("TypeError", "The URL must be of scheme file")),
        }
    })
}

fn path_to_file_url(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| {
        let Some(text) = values.first().and_then(|it| it.as_str().cloned()) else {
            return me.not_modelled(call);
        };
        let cwd = me.cwd.as_ref().unwrap_or(&me.world.options.cwd).as_str();
        let mut path = super::path::resolve(cwd, std::slice::from_ref(&text));
        if text.ends_with('/') && !path.ends_with('/') {
            path.push('/');
        }
        Ok(url_object(me, &file_url(&path)))
    })
}

fn url_object(me: &mut Evaluator<'_>, href: &str) -> Value {
    let prototype = me.realm.modules.get("\0url").copied();
    url_of(me, prototype, Value::string(href))
}

fn url_of(me: &mut Evaluator<'_>, prototype: Option<ObjectId>, href: Value) -> Value {
    let url = me.allocate(prototype, ObjectKind::Opaque("URL"));
    me.hide(url, HREF, href);
    url.into()
}

/// A part of a URL, named like the getter.
fn part(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let href = me.get_name(call.this, HREF)?;
    part_of(me, &href, call.name.rsplit('.').next().unwrap_or_default())
}

/// A part of the URL of this text.
pub(super) fn part_of(me: &mut Evaluator<'_>, href: &Value, name: &str) -> Eval {
    Ok(me.map(href, |me, href| match &href.data {
        Data::String(text, _) if name == "href" => Value::string(text.clone()).resting_on(href.facts),
        Data::String(text, _) => Value::string(UrlText::of(text).part(name)).resting_on(href.facts),
        Data::Unknown(unknown) => me.derive(unknown, Derivation::Property(name.into())),
        _ => me.unknown(ReasonKind::NotModelled, "a part of a URL"),
    }))
}

fn set_part(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let value = me.to_text(&call.arg(0))?;
    change_part(me, call.this, call.name.rsplit('.').next().unwrap_or_default(), &value)?;
    Ok(Value::UNDEFINED)
}

/// Sets a part of a URL object.
pub(super) fn change_part(me: &mut Evaluator<'_>, url: &Value, name: &str, value: &Value) -> Eval<()> {
    let Some(object) = url.as_object() else { return Ok(()) };
    let href = me.get_name(url, HREF)?;
    let changed = me.combine("URL", &[href, value.clone()], |me, values| {
        let [href, value] = values else { return Ok(Value::UNDEFINED) };
        let (Some(text), Some(value)) = (href.as_str(), me.text_of(value)) else {
            let why = value.as_unknown().or(href.as_unknown()).map(|it| it.reason.clone());
            return Ok(match why {
                Some(why) => me.path.unknown(why),
                None => me.unknown(ReasonKind::NotModelled, "the parts of a URL"),
            });
        };
        me.spend_string(text.len() + value.len())?;
        if name == "href" {
            return match normal_form(&value, None) {
                Ok(Some(href)) => Ok(Value::string(href)),
                Ok(None) => Ok(me.unknown(ReasonKind::NotModelled, "the parts of a URL")),
                Err(()) => invalid(me),
            };
        }
        Ok(match UrlText::of(text).with(name, &value) {
            Change::To(url) => Value::string(url.href()),
            Change::Nothing => href.clone(),
            Change::Unknown => me.unknown(ReasonKind::NotModelled, "the parts of a URL"),
        })
    })?;
    me.write(object, &HREF.into(), changed)
}

/// `searchParams`: the same object each time.
fn params(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let Some(url) = call.this_object() else { return me.not_modelled(call) };
    let known = me.get_name(call.this, PARAMS)?;
    if known.as_object().is_some() {
        return Ok(known);
    }
    let params = super::search_params::of_url(me, url);
    me.hide(url, PARAMS, params.clone());
    Ok(params)
}

fn invalid(me: &mut Evaluator<'_>) -> Eval {
    let error = me.new_error("TypeError", "Invalid URL");
    me.put(error, "code", Value::string("ERR_INVALID_URL"));
    Err(me.trip(error.into()))
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = text_of_url(me, &call.arg(0))?;
    let base = text_of_url(me, &call.arg(1))?;
    let otherwise = me.realm.modules.get("\0url").copied().unwrap_or(me.realm.object);
    let prototype = me.prototype_for(call, otherwise);
    me.combine(call.name, &[text, base], |me, values| {
        let [text, base] = values else { return me.not_modelled(call) };
        let Some(text) = me.text_of(text) else { return me.not_modelled(call) };
        let href = match normal_form(&text, base.as_str().map(|it| &**it)) {
            Ok(Some(href)) => Value::string(href),
            Ok(None) => me.unknown(ReasonKind::NotModelled, "the parts of a URL"),
            Err(()) => return invalid(me),
        };
        Ok(url_of(me, Some(prototype), href))
    })
}

fn can_parse(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.combine(call.name, &[call.arg(0)], |me, values| {
        let text = values.first().and_then(|it| me.text_of(it)).unwrap_or_default();
        match normal_form(&text, None) {
            Ok(Some(_)) => Ok(Value::TRUE),
            Ok(None) => me.not_modelled(call),
            Err(()) => Ok(Value::FALSE),
        }
    })
}

fn href(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.get_name(call.this, "href")
}
