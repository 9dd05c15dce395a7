//! Paths and specifiers as text.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// A specifier joined to a directory, dots resolved by text alone.
pub(super) fn joined(directory: &Utf8Path, relative: &str) -> Utf8PathBuf {
    let mut out = Utf8PathBuf::new();
    for part in directory.join(relative).components() {
        match part {
            Utf8Component::ParentDir => {
                out.pop();
            }
            Utf8Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

/// Whether it names a place (rather than a package): `./…`, `../…`, `/…`.
pub(super) fn is_place(specifier: &str) -> bool {
    let dots = specifier.strip_prefix("..").or_else(|| specifier.strip_prefix('.'));
    specifier.starts_with('/') || dots.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The path in a specifier that Node reads as a relative URL: without query and fragment, `%20` and the like
/// decoded. `None` when a slash is hidden in an escape, which Node refuses.
pub(super) fn url_path(specifier: &str) -> Option<String> {
    let path = specifier.split(['?', '#']).next().unwrap_or_default();
    if !path.contains('%') {
        return Some(path.to_owned());
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)).map(|(high, low)| high * 16 + low),
            _ => None,
        };
        match escaped {
            Some(b'/' | b'\\') => return None,
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|it| u8::try_from(it).ok())
}

/// A package's name and the rest of the specifier, which is `.` or begins with `./`. `None` when it is no
/// package's name.
pub(super) fn package_name(specifier: &str) -> Option<(&str, String)> {
    let mut slash = specifier.find('/');
    if specifier.starts_with('@') {
        let first = slash?;
        slash = specifier.get(first + 1..)?.find('/').map(|at| first + 1 + at);
    }
    let name = &specifier[..slash.unwrap_or(specifier.len())];
    if name.is_empty() || name.starts_with('.') || name.contains(['\\', '%']) {
        return None;
    }
    Some((name, format!(".{}", &specifier[name.len()..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifiers_are_taken_apart_as_node_does() {
        assert_eq!(package_name("@a/b/c/d"), Some(("@a/b", "./c/d".to_owned())));
        assert_eq!(package_name("a"), Some(("a", ".".to_owned())));
        assert_eq!(package_name("@a"), None);
        assert!(is_place("..") && is_place("./x") && is_place("/x") && !is_place(".x") && !is_place("...x"));
        assert_eq!(url_path("./a%20b?x#y").as_deref(), Some("./a b"));
        assert_eq!(url_path("./a%2fb"), None);
        assert_eq!(url_path("./100%").as_deref(), Some("./100%"));
    }
}
