//! `node:url`, `URL` and `URLSearchParams`: file URLs are exact, others simple.

use super::super::opaque::Manner;
use super::super::{Evaluator, Methods};
use crate::source::eval::heap::{ObjectId, ObjectKind};
use crate::source::eval::module::{decode_url_path, file_url};
use crate::source::eval::native::{Call, Eval};
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

/// Which properties a URL has, in the order of [`parts_of`].
const PARTS: [&str; 9] =
    ["href", "protocol", "host", "hostname", "port", "pathname", "search", "hash", "origin"];

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
    let class = me.global_class("URL", construct, prototype);
    me.methods(class, &[("URL.canParse", can_parse)]);
    me.opaque_methods(class, Manner::Pure, &["URL.createObjectURL", "URL.revokeObjectURL", "URL.parse"]);
    let why = me.unknown(ReasonKind::NotModelled, "a part of a URL");
    me.open_up(prototype, &why);
    me.realm.modules.insert("\0url".into(), prototype);
    let params = me.opaque_class("URLSearchParams");
    let global = me.realm.global;
    me.hide(global, "URLSearchParams", params.into());
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
        let mut path = super::path::resolve(me.world.options.cwd.as_str(), std::slice::from_ref(&text));
        if text.ends_with('/') && !path.ends_with('/') {
            path.push('/');
        }
        Ok(url_object(me, &file_url(&path)))
    })
}

fn url_object(me: &mut Evaluator<'_>, href: &str) -> Value {
    let prototype = me.realm.modules.get("\0url").copied();
    let url = me.allocate(prototype, ObjectKind::Opaque("URL"));
    for (name, part) in PARTS.into_iter().zip(parts_of(href)) {
        me.put(url, name, Value::string(part));
    }
    url.into()
}

/// The parts of a URL that is written in its normal form.
fn parts_of(href: &str) -> [String; 9] {
    let (scheme, rest) = href.split_once("://").unwrap_or(("", href));
    let (before_hash, hash) =
        rest.split_once('#').map_or((rest, String::new()), |(a, b)| (a, format!("#{b}")));
    let (before_search, search) =
        before_hash.split_once('?').map_or((before_hash, String::new()), |(a, b)| (a, format!("?{b}")));
    let (authority, path) =
        before_search.find('/').map_or((before_search, "/"), |at| before_search.split_at(at));
    let host = authority.rsplit('@').next().unwrap_or_default();
    let (hostname, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let origin = if scheme == "file" { "null".to_owned() } else { format!("{scheme}://{host}") };
    [
        href.to_owned(),
        format!("{scheme}:"),
        host.to_owned(),
        hostname.to_owned(),
        port.to_owned(),
        path.to_owned(),
        search,
        hash,
        origin,
    ]
}

/// The normal form of a URL, if it is of a kind that is modelled.
fn normal_form(text: &str, base: Option<&str>) -> Result<Option<String>, ()> {
    if let Some((scheme, rest)) = text.split_once("://") {
        let is_scheme = !scheme.is_empty() && scheme.bytes().all(|it| it.is_ascii_alphanumeric());
        let is_plain = rest.bytes().all(|it| it.is_ascii_graphic() && !b"\\<>\"`{}|^%".contains(&it));
        if !is_scheme || !is_plain || rest.contains("/.") {
            return Ok(None);
        }
        let (authority, tail) = rest.find(['/', '?', '#']).map_or((rest, ""), |at| rest.split_at(at));
        let tail = if tail.starts_with('/') { tail.to_owned() } else { format!("/{tail}") };
        let scheme = scheme.to_ascii_lowercase();
        let authority = match (scheme.as_str(), authority.rsplit_once(':')) {
            ("http", Some((host, "80"))) | ("https", Some((host, "443"))) => host,
            _ => authority,
        };
        return Ok(Some(format!("{scheme}://{}{tail}", authority.to_ascii_lowercase())));
    }
    let Some(base) = base else { return Err(()) };
    let Some(path) = base.strip_prefix("file://") else { return Ok(None) };
    if text.contains(['?', '#', '\\', '%']) || text.contains(':') {
        return Ok(None);
    }
    let directory = path.rfind('/').map_or("", |at| path.get(..=at).unwrap_or_default());
    let joined =
        if text.starts_with('/') { text.to_owned() } else { format!("{}{text}", decode_url_path(directory)) };
    let mut normal = super::path::normalize(&joined);
    if (text.ends_with('.') || text.is_empty()) && !normal.ends_with('/') && text != path {
        let last = text.rsplit('/').next().unwrap_or_default();
        if last == "." || last == ".." {
            normal.push('/');
        }
    }
    Ok(Some(file_url(&normal)))
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = text_of_url(me, &call.arg(0))?;
    let base = text_of_url(me, &call.arg(1))?;
    me.combine(call.name, &[text, base], |me, values| {
        let [text, base] = values else { return me.not_modelled(call) };
        let Some(text) = me.text_of(text) else { return me.not_modelled(call) };
        match normal_form(&text, base.as_str().map(|it| &**it)) {
            Ok(Some(href)) => Ok(url_object(me, &href)),
            Ok(None) => {
                let object = me.opaque_object("URL", ReasonKind::NotModelled, "the parts of a URL");
                Ok(object.into())
            }
            Err(()) => {
                let error = me.new_error("TypeError", "Invalid URL");
                me.put(error, "code", Value::string("ERR_INVALID_URL"));
                Err(me.trip(error.into()))
            }
        }
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
