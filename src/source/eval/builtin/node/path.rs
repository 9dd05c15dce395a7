//! `node:path` as it is on systems with `/`.

use std::sync::Arc;

use camino::Utf8Path;

use super::super::{Evaluator, Methods};
use crate::source::eval::heap::ObjectId;
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::Value;
use crate::source::known::ReasonKind;

const FUNCTIONS: Methods = &[
    ("path.join", |me, call| texts(me, call, |_, parts| Value::string(join(parts)))),
    ("path.resolve", |me, call| {
        texts(me, call, |me, parts| match me.cwd.clone() {
            None if !parts.iter().any(|it| it.starts_with('/')) => no_cwd(me),
            cwd => Value::string(resolve(cwd.as_deref().map_or("/", Utf8Path::as_str), parts)),
        })
    }),
    ("path.normalize", |me, call| texts(me, call, |_, parts| Value::string(normalize(first(parts))))),
    ("path.dirname", |me, call| texts(me, call, |_, parts| Value::string(dirname(first(parts))))),
    ("path.basename", |me, call| {
        texts(me, call, |_, parts| {
            let suffix = parts.get(1).map_or("", |it| it);
            Value::string(basename(first(parts), suffix))
        })
    }),
    ("path.extname", |me, call| texts(me, call, |_, parts| Value::string(extname(first(parts))))),
    ("path.isAbsolute", |me, call| texts(me, call, |_, parts| first(parts).starts_with('/').into())),
    ("path.relative", |me, call| {
        texts(me, call, |me, parts| {
            let Some(cwd) = me.cwd.clone() else { return no_cwd(me) };
            let cwd = cwd.as_str();
            let from = resolve(cwd, parts.get(..1).unwrap_or_default());
            let to = resolve(cwd, parts.get(1..2).unwrap_or_default());
            Value::string(relative(&from, &to))
        })
    }),
    ("path.toNamespacedPath", |_, call| Ok(call.arg(0))),
    ("path.parse", parse),
    ("path.format", format),
    ("path.matchesGlob", |me, call| me.not_modelled(call)),
];

fn no_cwd(me: &mut Evaluator<'_>) -> Value {
    me.unknown(ReasonKind::NotModelled, super::super::process::NO_CWD)
}

pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.new_object();
    me.methods(module, FUNCTIONS);
    me.put(module, "sep", Value::string("/"));
    me.put(module, "delimiter", Value::string(":"));
    me.put(module, "posix", module.into());
    let windows = me.opaque_object("Path", ReasonKind::NotModelled, "paths of Windows");
    me.put(module, "win32", windows.into());
    module
}

/// Runs a function on texts. Anything else among the arguments is a `TypeError` in Node.
fn texts(
    me: &mut Evaluator<'_>,
    call: &Call<'_>,
    code: impl Fn(&mut Evaluator<'_>, &[Arc<str>]) -> Value,
) -> Eval {
    me.combine(call.name, &all_args(call), |me, values| {
        let mut parts = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            match value.as_str() {
                Some(text) => parts.push(text.clone()),
                // The suffix of `basename` may be left out.
                None if index > 0 && call.name == "path.basename" => {}
                None => {
                    let what = me.text_of(value).unwrap_or_else(|| "an object".into());
                    let message = format!("The \"path\" argument must be of type string. Received {what}");
                    let error = me.new_error("TypeError", &message);
                    me.put(error, "code", Value::string("ERR_INVALID_ARG_TYPE"));
                    return Err(me.trip(error.into()));
                }
            }
        }
        Ok(code(me, &parts))
    })
}

fn all_args(call: &Call<'_>) -> Vec<Value> {
    let at_least = usize::from(!matches!(call.name, "path.join" | "path.resolve"));
    let mut values = call.args.to_vec();
    values.extend(call.rest.cloned());
    while values.len() < at_least {
        values.push(Value::UNDEFINED);
    }
    values
}

fn first(parts: &[Arc<str>]) -> &str {
    parts.first().map_or("", |it| it)
}

/// Without `.`, `..` and double slashes (Node: `lib/path.js`, `posix.normalize`).
pub(in crate::source::eval) fn normalize(path: &str) -> String {
    if path.is_empty() {
        return ".".to_owned();
    }
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|it| *it != "..") => {
                parts.pop();
            }
            ".." if is_absolute => {}
            _ => parts.push(part),
        }
    }
    let mut result = parts.join("/");
    if result.is_empty() {
        return if is_absolute {
            "/".to_owned()
        } else if path.ends_with('/') {
            "./".to_owned()
        } else {
            ".".to_owned()
        };
    }
    if path.ends_with('/') {
        result.push('/');
    }
    if is_absolute { format!("/{result}") } else { result }
}

/// `path.join`.
pub(in crate::source::eval) fn join(parts: &[Arc<str>]) -> String {
    let parts: Vec<&str> = parts.iter().map(|it| &**it).filter(|it| !it.is_empty()).collect();
    normalize(&parts.join("/"))
}

/// `path.resolve`.
pub(in crate::source::eval) fn resolve(cwd: &str, parts: &[Arc<str>]) -> String {
    let mut path = String::new();
    for part in parts.iter().rev().map(|it| &**it).chain([cwd]).filter(|it| !it.is_empty()) {
        path = if path.is_empty() { part.to_owned() } else { format!("{part}/{path}") };
        if part.starts_with('/') {
            break;
        }
    }
    let path = normalize(&path);
    match path.strip_suffix('/') {
        Some(rest) if !rest.is_empty() => rest.to_owned(),
        _ => path,
    }
}

fn dirname(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "." } else { "/" };
    }
    match trimmed.rfind('/') {
        None => ".",
        Some(at) => {
            let parent = trimmed.get(..at).unwrap_or_default();
            // Slashes in the middle stay as they are, as in Node.
            let parent_trimmed = parent.trim_end_matches('/');
            match (at, parent_trimmed.is_empty()) {
                (0, _) => "/",
                (1, true) => "//",
                _ => parent,
            }
        }
    }
}

fn basename<'p>(path: &'p str, suffix: &str) -> &'p str {
    let trimmed = path.trim_end_matches('/');
    let name = trimmed.rsplit('/').next().unwrap_or_default();
    match name.strip_suffix(suffix) {
        Some(stem) if !stem.is_empty() => stem,
        _ => name,
    }
}

fn extname(path: &str) -> &str {
    let name = basename(path, "");
    match name.rfind('.') {
        Some(at) if at > 0 && name != ".." => name.get(at..).unwrap_or_default(),
        _ => "",
    }
}

fn relative(from: &str, to: &str) -> String {
    let parts =
        |path: &str| path.split('/').filter(|it| !it.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (from, to) = (parts(from), parts(to));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.iter().skip(common).map(|_| "..".to_owned());
    up.chain(to.iter().skip(common).cloned()).collect::<Vec<_>>().join("/")
}

fn parse(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    texts(me, call, |me, parts| {
        let path = first(parts);
        let (base, ext) = (basename(path, ""), extname(path));
        let root = if path.starts_with('/') { "/" } else { "" };
        let dir = if path.contains('/') { dirname(path) } else { "" };
        let name = base.strip_suffix(ext).unwrap_or(base);
        me.object_of([
            ("root", Value::string(root)),
            ("dir", Value::string(dir)),
            ("base", Value::string(base)),
            ("ext", Value::string(ext)),
            ("name", Value::string(name)),
        ])
    })
}

fn format(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let parts = call.arg(0);
    let mut values = Vec::with_capacity(5);
    for name in ["dir", "root", "base", "name", "ext"] {
        values.push(me.get_name(&parts, name)?);
    }
    me.combine(call.name, &values, |_, values| {
        let text =
            |at: usize| values.get(at).and_then(|it| it.as_str().cloned()).unwrap_or_else(|| "".into());
        let (dir, root, base) = (text(0), text(1), text(2));
        let ext = text(4);
        let dot = if ext.is_empty() || ext.starts_with('.') { "" } else { "." };
        let base = if base.is_empty() { format!("{}{dot}{ext}", text(3)) } else { base.to_string() };
        let dir = if dir.is_empty() { root.clone() } else { dir };
        Ok(Value::string(match &*dir {
            "" => base,
            dir if dir == &*root => format!("{dir}{base}"),
            dir => format!("{dir}/{base}"),
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arcs(parts: &[&str]) -> Vec<Arc<str>> {
        parts.iter().map(|it| Arc::from(*it)).collect()
    }

    #[test]
    fn paths_are_those_of_node() {
        for (path, expected) in [
            ("/a/./b/../c/", "/a/c/"),
            ("a/../..", ".."),
            ("", "."),
            ("//a", "/a"),
            ("./", "./"),
            ("/..", "/"),
        ] {
            assert_eq!(normalize(path), expected, "{path}");
        }
        assert_eq!(join(&arcs(&["/a", "", "../b"])), "/b");
        assert_eq!(resolve("/w", &arcs(&["a", "..", "b/"])), "/w/b");
        assert_eq!(resolve("/w", &arcs(&["a", "/x", "y"])), "/x/y");
        for (path, expected) in
            [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("", "."), ("/", "/"), ("a//b", "a/"), ("//a", "//")]
        {
            assert_eq!(dirname(path), expected, "{path}");
        }
        assert_eq!(basename("/a/b.ts/", ".ts"), "b");
        assert_eq!(basename(".ts", ".ts"), ".ts");
        for (path, expected) in [("a.b.c", ".c"), (".rc", ""), ("a.", "."), ("..", ""), ("/x.y/z", "")] {
            assert_eq!(extname(path), expected, "{path}");
        }
        assert_eq!(relative("/a/b/c", "/a/d"), "../../d");
        assert_eq!(relative("/a", "/a"), "");
    }
}
