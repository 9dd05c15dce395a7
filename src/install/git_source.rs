//! Git sources: which repository a text names, and where Pi keeps its clone (Pi: `dist/utils/git.js`, `parseGitUrl`,
//! which asks npm's hosted-git-info 9.0.3 first).

use super::paths::{decode_percent, trim};

/// A repository as Pi tells repositories apart: host and path, without user, protocol and ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GitSource {
    pub host: String,
    pub path: String,
}

/// Reads a source that is neither an npm package nor a path. Without the prefix `git:` it has to be a URL.
pub(super) fn parse(source: &str) -> Option<GitSource> {
    let trimmed = trim(source);
    let url = match trimmed.strip_prefix("git:") {
        Some(rest) => trim(rest),
        None if has_git_scheme(trimmed) => trimmed,
        None => return None,
    };
    let (repository, reference) = split_reference(url);
    let with_hash = reference.as_ref().map(|it| format!("{repository}#{it}"));
    let candidates = [
        with_hash.clone(),
        Some(url.to_owned()),
        with_hash.map(|it| format!("https://{it}")),
        Some(format!("https://{url}")),
    ];
    for candidate in candidates.iter().flatten() {
        let Some(hosted) = hosted(candidate) else { continue };
        if reference.is_some() && hosted.project.contains('@') {
            continue;
        }
        let user = hosted.user.unwrap_or_else(|| "null".to_owned());
        return build(&hosted.domain, &format!("{user}/{}", hosted.project));
    }
    generic(&repository)
}

fn has_git_scheme(url: &str) -> bool {
    let lower = url.to_ascii_lowercase();
    ["http://", "https://", "ssh://", "git://"].iter().any(|it| lower.starts_with(it))
}

/// Takes the ref off: what follows the first `@` of the path.
fn split_reference(url: &str) -> (String, Option<String>) {
    let (head, path) = if let Some((host, path)) = scp(url) {
        (format!("git@{host}:"), path.to_owned())
    } else if url.contains("://") {
        let Some(parsed) = Url::parse(url) else { return (url.to_owned(), None) };
        (parsed.origin(), parsed.path.trim_start_matches('/').to_owned())
    } else if let Some((host, path)) = url.split_once('/') {
        (format!("{host}/"), path.to_owned())
    } else {
        return (url.to_owned(), None);
    };
    match path.split_once('@') {
        Some((repository, reference)) if !repository.is_empty() && !reference.is_empty() => {
            (format!("{head}{}", repository.trim_end_matches('/')), Some(reference.to_owned()))
        }
        _ => (url.to_owned(), None),
    }
}

/// `git@host:path`
fn scp(url: &str) -> Option<(&str, &str)> {
    let (host, path) = url.strip_prefix("git@")?.split_once(':')?;
    (!host.is_empty() && !path.is_empty()).then_some((host, path))
}

/// Any host: `git@host:path`, a URL, or `host.tld/path`.
fn generic(repository: &str) -> Option<GitSource> {
    if let Some((host, path)) = scp(repository) {
        return build(host, path);
    }
    if ["https://", "http://", "ssh://", "git://"].iter().any(|it| repository.starts_with(it)) {
        let url = Url::parse(repository)?;
        return build(&url.host, url.path.trim_start_matches('/'));
    }
    let (host, path) = repository.split_once('/')?;
    if !host.contains('.') && host != "localhost" {
        return None;
    }
    build(host, path)
}

/// Refuses what would leave the folder of clones.
fn build(host: &str, path: &str) -> Option<GitSource> {
    if path.starts_with('/') {
        return None;
    }
    let path = path.strip_suffix(".git").unwrap_or(path);
    let is_unsafe = |part: &str, slash_allowed: bool| {
        let Some(decoded) = decode_percent(part) else { return true };
        [part, &decoded].iter().any(|it| {
            it.contains(['\0', '\\'])
                || it.starts_with('/')
                || (!slash_allowed && it.contains('/'))
                || it.split('/').any(|name| name == "..")
        })
    };
    if host.is_empty() || path.split('/').count() < 2 || is_unsafe(host, false) || is_unsafe(path, true) {
        return None;
    }
    Some(GitSource { host: host.to_owned(), path: path.to_owned() })
}

/// A repository on one of the hosts that hosted-git-info knows.
struct Hosted {
    domain: String,
    user: Option<String>,
    project: String,
}

struct Host {
    name: &'static str,
    domain: &'static str,
    protocols: &'static [&'static str],
}

const HOSTS: [Host; 5] = [
    Host {
        name: "github",
        domain: "github.com",
        protocols: &["git", "http", "git+ssh", "git+https", "ssh", "https"],
    },
    Host { name: "bitbucket", domain: "bitbucket.org", protocols: &["git+ssh", "git+https", "ssh", "https"] },
    Host { name: "gitlab", domain: "gitlab.com", protocols: &["git+ssh", "git+https", "ssh", "https"] },
    Host {
        name: "gist",
        domain: "gist.github.com",
        protocols: &["git", "git+ssh", "git+https", "ssh", "https"],
    },
    Host { name: "sourcehut", domain: "git.sr.ht", protocols: &["git+ssh", "https"] },
];

fn hosted(url: &str) -> Option<Hosted> {
    let corrected = if is_github_shorthand(url) { format!("github:{url}") } else { url.to_owned() };
    let corrected = with_slashes(&corrected);
    let parsed = Url::parse(&corrected).or_else(|| Url::parse(&without_scp_colon(&corrected)))?;
    if let Some(host) = HOSTS.iter().find(|it| it.name == parsed.scheme) {
        return shortcut(host, &parsed);
    }
    let domain = parsed.host.strip_prefix("www.").unwrap_or(&parsed.host);
    let host = HOSTS.iter().find(|it| it.domain == domain)?;
    if !host.protocols.contains(&parsed.scheme.as_str()) {
        return None;
    }
    let (user, project) = segments(host, &parsed)?;
    let user = match user {
        Some(user) => Some(decode_percent(&user)?),
        None => None,
    };
    Some(Hosted { domain: host.domain.to_owned(), user, project: decode_percent(&project)? })
}

/// `user/repository` and `user/repository#ref`.
fn is_github_shorthand(text: &str) -> bool {
    let bare = text.split('#').next().unwrap_or_default();
    let slash = bare.find('/').is_some_and(|it| it > 0);
    let single = bare.matches('/').count() == 1;
    slash
        && single
        && !bare.ends_with('/')
        && !bare.starts_with('.')
        && !bare.contains(['@', ':'])
        && !bare.contains(char::is_whitespace)
}

fn shortcut(host: &Host, url: &Url) -> Option<Hosted> {
    let path = url.path.strip_prefix('/').unwrap_or(&url.path);
    let path = path.split_once('@').map_or(path, |(_, after)| after);
    let (user, project) = match path.rsplit_once('/') {
        Some((user, project)) => (Some(decode_percent(user)?).filter(|it| !it.is_empty()), project),
        None => (None, path),
    };
    let project = decode_percent(project)?;
    let project = project.strip_suffix(".git").unwrap_or(&project).to_owned();
    Some(Hosted { domain: host.domain.to_owned(), user, project })
}

/// User and project of a URL's path; `None` for paths that are no repository on that host.
fn segments(host: &Host, url: &Url) -> Option<(Option<String>, String)> {
    let without_git = |it: &str| it.strip_suffix(".git").unwrap_or(it).to_owned();
    let filled = |it: &str| !it.is_empty();
    let path = url.path.strip_prefix('/').unwrap_or(&url.path);
    let mut names = path.split('/');
    let (first, second, third) =
        (names.next().unwrap_or_default(), names.next().unwrap_or_default(), names.next());
    match host.name {
        "gitlab" => {
            if path.contains("/-/") || path.contains("/archive.tar.gz") {
                return None;
            }
            let (user, project) = path.rsplit_once('/')?;
            let project = without_git(project);
            (filled(user) && filled(&project)).then(|| (Some(user.to_owned()), project))
        }
        "gist" => match (first, second, third) {
            (_, _, Some("raw")) | ("", "", _) => None,
            (only, "", _) => Some((None, without_git(only))),
            (user, project, _) => Some((Some(user.to_owned()).filter(|it| filled(it)), without_git(project))),
        },
        name => {
            let refused = match name {
                "github" => third.is_some_and(|it| filled(it) && it != "tree"),
                "bitbucket" => third == Some("get"),
                _ => third == Some("archive"),
            };
            let project = without_git(second);
            (!refused && filled(first) && filled(&project)).then(|| (Some(first.to_owned()), project))
        }
    }
}

const PROTOCOLS: [&str; 12] = [
    "git+ssh:",
    "ssh:",
    "git+https:",
    "git:",
    "http:",
    "https:",
    "git+http:",
    "github:",
    "bitbucket:",
    "gitlab:",
    "gist:",
    "sourcehut:",
];

/// Puts `//` behind an unknown `scheme:`, and `git+ssh://` before `user:password@host`.
fn with_slashes(text: &str) -> String {
    let colon = text.find(':');
    let scheme = colon.map_or("", |at| &text[..=at]);
    let after = &text[scheme.len()..];
    if PROTOCOLS.contains(&scheme) || (colon.is_some() && after.starts_with("//")) {
        return text.to_owned();
    }
    match (text.find('@'), colon) {
        (Some(at), colon) if colon.is_none_or(|colon| at > colon) => format!("git+ssh://{text}"),
        (Some(_), _) => text.to_owned(),
        (None, _) => format!("{scheme}//{after}"),
    }
}

/// Turns `git@host:user/repository` into a URL.
fn without_scp_colon(text: &str) -> String {
    let end = text.find('#').unwrap_or(text.len());
    let (bare, hash) = text.split_at(end);
    let mut bare = bare.to_owned();
    if let Some(colon) = bare.rfind(':')
        && bare.rfind('@').is_none_or(|at| colon > at)
    {
        bare.replace_range(colon..=colon, "/");
    }
    if !bare.contains(':') && !text.contains("//") {
        bare.insert_str(0, "git+ssh://");
    }
    bare + hash
}

/// The parts of a URL that matter here.
struct Url {
    scheme: String,
    authority: String,
    host: String,
    path: String,
}

impl Url {
    fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once(':')?;
        let valid = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.');
        if !scheme.starts_with(|it: char| it.is_ascii_alphabetic()) || !scheme.chars().all(valid) {
            return None;
        }
        let scheme = scheme.to_ascii_lowercase();
        let is_special = matches!(scheme.as_str(), "http" | "https");
        let rest = rest.split(['#', '?']).next().unwrap_or_default();
        let after_slashes =
            if is_special { Some(rest.trim_start_matches('/')) } else { rest.strip_prefix("//") };
        let Some(after_slashes) = after_slashes else {
            return Some(Self {
                scheme,
                authority: String::new(),
                host: String::new(),
                path: rest.to_owned(),
            });
        };
        let (authority, path) = match after_slashes.find('/') {
            Some(at) => after_slashes.split_at(at),
            None => (after_slashes, if is_special { "/" } else { "" }),
        };
        let host_and_port = authority.rsplit_once('@').map_or(authority, |(_, it)| it);
        let (host, port) = match host_and_port.rsplit_once(':') {
            Some((host, port)) if !host_and_port.ends_with(']') => (host, port),
            _ => (host_and_port, ""),
        };
        let bad_port = !port.is_empty() && port.parse::<u16>().is_err();
        let bad_host =
            host.contains(|it: char| it.is_whitespace() || matches!(it, '<' | '>' | '^' | '|' | '%'));
        if bad_port || bad_host || (is_special && host.is_empty()) {
            return None;
        }
        let host = if is_special { host.to_ascii_lowercase() } else { host.to_owned() };
        Some(Self { authority: authority.to_owned(), host, path: without_dots(path), scheme })
    }

    /// Everything before the path, and the slash between.
    fn origin(&self) -> String {
        format!("{}://{}/", self.scheme, self.authority)
    }
}

/// Resolves `.` and `..` in the path of a URL.
fn without_dots(path: &str) -> String {
    if !path.split('/').any(|it| it == "." || it == "..") {
        return path.to_owned();
    }
    let mut names: Vec<&str> = Vec::new();
    let last = path.split('/').count() - 1;
    for (at, name) in path.split('/').enumerate() {
        match name {
            "." | ".." => {
                if name == ".." && names.len() > 1 {
                    names.pop();
                }
                if at == last {
                    names.push("");
                }
            }
            name => names.push(name),
        }
    }
    names.join("/")
}

#[cfg(test)]
mod tests {
    use super::parse;

    /// What Pi 0.83.0 makes of a source: host and path of the clone.
    const ANSWERS: &[(&str, Option<&str>)] = &[
        ("git:github.com/a/b", Some("github.com a/b")),
        ("git:a/b", Some("github.com a/b")),
        ("git:github.com/a/b@v1", Some("github.com a/b")),
        ("git:git@github.com:a/b", Some("github.com a/b")),
        ("git:git@github.com:a/b.git@main", Some("github.com a/b")),
        ("git:github:a/b", Some("github.com a/b")),
        ("https://github.com/a/b.git", Some("github.com a/b")),
        ("https://github.com/a/b@v1.2", Some("github.com a/b")),
        ("https://www.github.com/a/b", Some("github.com a/b")),
        ("https://user:token@github.com/a/b", Some("github.com a/b")),
        ("ssh://git@github.com/a/b.git", Some("github.com a/b")),
        ("git://github.com/a/b", Some("github.com a/b")),
        ("HTTPS://GitHub.com/a/b", Some("github.com a/b")),
        ("https://github.com/a/b/tree/main", Some("github.com a/b")),
        (" git: https://github.com/a/b#v2 ", Some("github.com a/b")),
        ("git:example.org/x/y/z.git@r", Some("example.org x/y/z")),
        ("git:localhost/x/y", Some("localhost x/y")),
        ("git:example.org/x", Some("github.com example.org/x")),
        ("git:host/x/y", None),
        ("https://example.org/../../x", None),
        ("git:git@h.org:x/../y/z", None),
        ("github:a/b", None),
        ("a/b", None),
        ("git:gist:abc", Some("gist.github.com null/abc")),
        ("git:gist.github.com/u/abc", Some("gist.github.com u/abc")),
        ("https://gist.github.com/abc", Some("gist.github.com null/abc")),
        ("https://gitlab.com/g/s/p.git", Some("gitlab.com g/s/p")),
        ("git:gitlab.com/g/s/p@x", Some("gitlab.com g/s/p")),
        ("git:bitbucket.org/a/b", Some("bitbucket.org a/b")),
        ("https://git.sr.ht/~u/p", Some("git.sr.ht ~u/p")),
        ("http://bitbucket.org/a/b", Some("bitbucket.org a/b")),
        ("git:a/b@v1", Some("github.com a/b")),
        ("git:a/b#v1", Some("github.com a/b")),
        ("git:github.com:a/b", Some("github.com a/b")),
        ("git:user@host.org:a/b", None),
        ("ssh://git@host.org:22/a/b.git", Some("host.org a/b")),
        ("https://host.org:8080/a/b", Some("host.org a/b")),
        ("git:http://github.com/a/b/issues", Some("github.com a/b/issues")),
        ("git:github.com/a/b/", Some("github.com a/b")),
        ("git:github.com//a/b", None),
        ("https://github.com/a%20x/b", Some("github.com a x/b")),
        ("git:gitlab:g/s/p", Some("gitlab.com g/s/p")),
        ("git:git@gitlab.com:g/s/p.git", Some("gitlab.com g/s/p")),
        ("git:a@b/c", None),
        ("git:./x/y", Some(". x/y")),
        ("git:../x/y", None),
        ("git:/x/y", None),
        ("https://github.com/a", None),
        ("git:sourcehut:~u/p", Some("git.sr.ht ~u/p")),
        ("git:ssh://host/a/b", Some("host a/b")),
        ("git:file:///a/b", None),
        ("git:example.org/a/b@", Some("example.org a/b@")),
        ("git:example.org/a/b/", Some("example.org a/b/")),
        ("https://example.org/a/b/", Some("example.org a/b/")),
    ];

    #[test]
    fn sources_name_the_clones_that_pi_makes_of_them() {
        let wrong: Vec<_> = ANSWERS
            .iter()
            .map(|&(source, expected)| {
                (source, expected, parse(source).map(|it| format!("{} {}", it.host, it.path)))
            })
            .filter(|(_, expected, found)| found.as_deref() != *expected)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
