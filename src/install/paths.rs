//! Paths as Pi makes them out of what people write (Pi: `dist/utils/paths.js`; `node:path` on POSIX).

use camino::{Utf8Path, Utf8PathBuf};

/// Where relative and `~` paths start from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Base<'a> {
    pub directory: &'a Utf8Path,
    pub home: &'a Utf8Path,
}

impl Base<'_> {
    /// A path of a settings file: blanks around it do not count (`resolvePath` with `trim`).
    pub fn resolve_trimmed(self, written: &str) -> Utf8PathBuf {
        self.resolve(trim(written))
    }

    /// `~`, `~/…` and `file://…` are understood, everything else is relative to the directory (`resolvePath`).
    pub fn resolve(self, written: &str) -> Utf8PathBuf {
        resolve(self.directory, &expand(written, self.home))
    }
}

/// `node:path`'s `resolve(base, path)`: absolute, without `.`, `..`, double or trailing slashes.
pub(super) fn resolve(base: &Utf8Path, path: &str) -> Utf8PathBuf {
    let mut names: Vec<&str> = Vec::new();
    let from_base = if path.starts_with('/') { "" } else { base.as_str() };
    for name in from_base.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    Utf8PathBuf::from(format!("/{}", names.join("/")))
}

/// `node:path`'s `relative(from, to)` for two resolved paths.
pub(super) fn relative(from: &Utf8Path, to: &Utf8Path) -> String {
    let names = |path: &Utf8Path| -> Vec<String> {
        path.as_str().split('/').filter(|it| !it.is_empty()).map(str::to_owned).collect()
    };
    let (from, to) = (names(from), names(to));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    up.chain(to[common..].iter().map(String::as_str)).collect::<Vec<_>>().join("/")
}

/// The last name of a path.
pub(super) fn base_name(path: &Utf8Path) -> &str {
    path.as_str().rsplit('/').next().unwrap_or_default()
}

/// Whether a source is a path rather than a package or a URL (`isLocalPath`).
pub(super) fn is_local(source: &str) -> bool {
    const REMOTE: [&str; 6] = ["npm:", "git:", "github:", "http:", "https:", "ssh:"];
    !REMOTE.iter().any(|it| trim(source).starts_with(it))
}

/// The path that Pi imports: Unicode spaces become plain ones (`resolvePath` with `normalizeUnicodeSpaces`).
pub(super) fn with_plain_spaces(path: &Utf8Path) -> Utf8PathBuf {
    let is_space =
        |it: char| matches!(it, '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}');
    path.as_str().replace(is_space, " ").into()
}

/// JavaScript's `trim`: the byte order mark counts as a blank, U+0085 does not.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|it: char| (it.is_whitespace() && it != '\u{85}') || it == '\u{feff}')
}

fn expand(written: &str, home: &Utf8Path) -> String {
    if written == "~" {
        home.to_string()
    } else if let Some(rest) = written.strip_prefix("~/") {
        format!("{home}/{rest}")
    } else if let Some(rest) = written.strip_prefix("file://") {
        path_of_url(rest).unwrap_or_else(|| written.to_owned())
    } else {
        written.to_owned()
    }
}

/// The path of a `file:` URL without its scheme; `None` for one that Node refuses.
fn path_of_url(rest: &str) -> Option<String> {
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = path.split(['?', '#']).next().filter(|it| it.starts_with('/'))?;
    decode_percent(path).filter(|_| !path.to_ascii_lowercase().contains("%2f"))
}

/// `decodeURIComponent`: `None` when a `%` is not followed by two digits or the bytes are not UTF-8.
pub(super) fn decode_percent(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digits = after.get(..2).and_then(|it| std::str::from_utf8(it).ok())?;
            bytes.push(u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?);
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_resolve_as_in_node() {
        let resolved = |path| resolve(Utf8Path::new("/a/b"), path).to_string();
        assert_eq!(resolved("../c//d/./"), "/a/c/d");
        assert_eq!(resolved("/x/../../y"), "/y");
        assert_eq!(resolved(""), "/a/b");
        assert_eq!(relative(Utf8Path::new("/a/b/c"), Utf8Path::new("/a/d")), "../../d");
        assert_eq!(relative(Utf8Path::new("/a"), Utf8Path::new("/a")), "");
    }

    #[test]
    fn written_paths_know_home_and_file_urls() {
        let base = Base { directory: Utf8Path::new("/w"), home: Utf8Path::new("/home/u") };
        assert_eq!(base.resolve_trimmed(" ~/x "), "/home/u/x");
        assert_eq!(base.resolve("~x"), "/w/~x");
        assert_eq!(base.resolve("file:///a%20b"), "/a b");
        assert_eq!(base.resolve(" x"), "/w/ x");
    }

    #[test]
    fn only_known_schemes_are_remote() {
        assert!(is_local("foo:bar") && is_local("file:///x") && is_local("../x"));
        assert!(!is_local(" npm:x") && !is_local("github:a/b"));
    }
}
