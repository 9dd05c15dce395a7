//! The texts of URLs: their normal form, their parts, and what setting a part makes of them. Only simple ones are
//! understood: those that the rules of encoding leave as they are.

use crate::source::eval::loading::{decode_url_path, file_url};

/// The parts of a URL that is written in its normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UrlText {
    scheme: String,
    /// Name and password with the colon between them.
    user: String,
    hostname: String,
    port: String,
    path: String,
    /// With its question mark.
    search: String,
    /// With its number sign.
    hash: String,
}

/// What setting a part of a URL comes to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// This URL.
    To(UrlText),
    /// Nothing: the value is none for this part.
    Nothing,
    /// It is not known.
    Unknown,
}

/// Schemes of hosts with ports of their own.
const SPECIAL: [(&str, &str); 5] =
    [("http", "80"), ("https", "443"), ("ws", "80"), ("wss", "443"), ("ftp", "21")];

fn default_port(scheme: &str) -> Option<&'static str> {
    SPECIAL.iter().find(|it| it.0 == scheme).map(|it| it.1)
}

/// Whether a text has none of what is encoded or cut off in a part of a URL.
fn is_plain(text: &str, but: &str) -> bool {
    let is_plain =
        |it: u8| it.is_ascii_graphic() && !b"\\<>\"`{}|^".contains(&it) && !but.as_bytes().contains(&it);
    text.bytes().all(is_plain)
}

/// Whether a path is not as it is written: steps of dots are taken, be they escaped.
fn has_dots(path: &str) -> bool {
    path.split('/').any(|it| matches!(it, "." | "..")) || path.to_ascii_lowercase().contains("%2e")
}

fn is_host(text: &str) -> bool {
    let is_letter = |it: u8| it.is_ascii_lowercase() || it == b'-' || it == b'_';
    let ends_in_number =
        text.rsplit('.').next().is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()));
    let is_address = text.parse::<std::net::Ipv4Addr>().is_ok_and(|it| it.to_string() == text);
    let is_name = text.bytes().all(|it| is_letter(it) || it.is_ascii_digit() || it == b'.');
    !text.is_empty()
        && !text.ends_with('.')
        && is_name
        && (!ends_in_number || is_address)
        && !text.contains("xn--")
}

impl UrlText {
    /// Takes apart what is written in its normal form.
    pub(super) fn of(href: &str) -> Self {
        let (scheme, rest) = href.split_once("://").unwrap_or(("", href));
        let (rest, hash) = rest.find('#').map_or((rest, ""), |at| rest.split_at(at));
        let (rest, search) = rest.find('?').map_or((rest, ""), |at| rest.split_at(at));
        let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let (hostname, port) = host.rsplit_once(':').unwrap_or((host, ""));
        Self {
            scheme: scheme.to_owned(),
            user: user.to_owned(),
            hostname: hostname.to_owned(),
            port: port.to_owned(),
            path: path.to_owned(),
            search: search.to_owned(),
            hash: hash.to_owned(),
        }
    }

    /// The whole text.
    pub(super) fn href(&self) -> String {
        let at = if self.user.is_empty() { "" } else { "@" };
        let (user, host) = (&self.user, self.host());
        format!("{}://{user}{at}{host}{}{}{}", self.scheme, self.path, self.search, self.hash)
    }

    fn host(&self) -> String {
        if self.port.is_empty() { self.hostname.clone() } else { format!("{}:{}", self.hostname, self.port) }
    }

    /// A part by its name.
    pub(super) fn part(&self, name: &str) -> String {
        let (user, password) = self.user.split_once(':').unwrap_or((&self.user, ""));
        match name {
            "protocol" => format!("{}:", self.scheme),
            "username" => user.to_owned(),
            "password" => password.to_owned(),
            "host" => self.host(),
            "hostname" => self.hostname.clone(),
            "port" => self.port.clone(),
            "pathname" => self.path.clone(),
            // A mark with nothing behind it is part of the whole text alone.
            "search" if self.search.len() > 1 => self.search.clone(),
            "hash" if self.hash.len() > 1 => self.hash.clone(),
            "search" | "hash" => String::new(),
            "origin" if default_port(&self.scheme).is_some() => format!("{}://{}", self.scheme, self.host()),
            "origin" => "null".to_owned(),
            _ => self.href(),
        }
    }

    /// The URL with another part.
    pub(super) fn with(&self, name: &str, value: &str) -> Change {
        let mut url = self.clone();
        let is_special = default_port(&self.scheme).is_some();
        match name {
            "origin" => return Change::Nothing,
            "search" | "hash" => {
                let mark = if name == "search" { '?' } else { '#' };
                let value = value.strip_prefix(mark).unwrap_or(value);
                let is_written = |it: u8| it.is_ascii_graphic() && !b"\"<>`'".contains(&it);
                if !value.bytes().all(is_written) || (mark == '?' && value.contains('#')) {
                    return Change::Unknown;
                }
                let text = if value.is_empty() { String::new() } else { format!("{mark}{value}") };
                *(if mark == '?' { &mut url.search } else { &mut url.hash }) = text;
            }
            "pathname" if is_plain(value, "?#") && !has_dots(value) => {
                let slash = if value.starts_with('/') { "" } else { "/" };
                url.path = format!("{slash}{value}");
            }
            "port" if is_special => match value.parse::<u16>() {
                Ok(port) => {
                    url.port = port.to_string();
                    url.drop_default_port();
                }
                Err(_) if value.is_empty() => url.port.clear(),
                Err(_) => return Change::Unknown,
            },
            "hostname" if is_special && is_host(&value.to_ascii_lowercase()) => {
                url.hostname = value.to_ascii_lowercase();
            }
            "host" if is_special => {
                let (hostname, port) = value.split_once(':').unwrap_or((value, ""));
                let (Change::To(named), true) =
                    (url.with("hostname", hostname), !port.is_empty() || !value.contains(':'))
                else {
                    return Change::Unknown;
                };
                return if port.is_empty() { Change::To(named) } else { named.with("port", port) };
            }
            "protocol" if is_special => {
                let scheme = value.strip_suffix(':').unwrap_or(value).to_ascii_lowercase();
                if default_port(&scheme).is_none() {
                    return Change::Unknown;
                }
                url.scheme = scheme;
                url.drop_default_port();
            }
            _ => return Change::Unknown,
        }
        Change::To(url)
    }

    fn drop_default_port(&mut self) {
        if default_port(&self.scheme) == Some(&*self.port) {
            self.port.clear();
        }
    }
}

/// The normal form of a URL, if it is of a kind that is understood; an error if it is none.
pub(super) fn normal_form(text: &str, base: Option<&str>) -> Result<Option<String>, ()> {
    if let Some((scheme, rest)) = text.split_once("://") {
        return Ok(absolute(scheme, rest));
    }
    let scheme = text.split_once(':').map_or("", |it| it.0);
    let is_scheme = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_alphabetic())
            && it.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
    };
    if is_scheme(scheme.trim_start()) {
        return Ok(None);
    }
    let Some(base) = base else { return if text.trim() == text { Err(()) } else { Ok(None) } };
    let Some(path) = base.strip_prefix("file://") else { return Ok(relative(text, base)) };
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

fn absolute(scheme: &str, rest: &str) -> Option<String> {
    let scheme = scheme.to_ascii_lowercase();
    let (before, hash) = rest.find('#').map_or((rest, ""), |at| rest.split_at(at));
    let (before, search) = before.find('?').map_or((before, ""), |at| before.split_at(at));
    let (authority, path) = before.find('/').map_or((before, "/"), |at| before.split_at(at));
    let is_query = |it: u8| it.is_ascii_graphic() && !b"\"<>`'\\^{|}".contains(&it);
    if !is_plain(path, "") || has_dots(path) || !search.bytes().chain(hash.bytes()).all(is_query) {
        return None;
    }
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    if scheme == "file" {
        return authority.is_empty().then(|| format!("file://{path}{search}{hash}"));
    }
    let default = default_port(&scheme)?;
    let (hostname, port) = host.split_once(':').unwrap_or((host, ""));
    let hostname = hostname.to_ascii_lowercase();
    let is_port = port.is_empty() || port.parse::<u16>().is_ok_and(|it| it.to_string() == port);
    if !is_host(&hostname) || !is_port || !is_plain(user, "/?#@;=[]%'") || user.matches(':').count() > 1 {
        return None;
    }
    let port = if port.is_empty() || port == default { String::new() } else { format!(":{port}") };
    let user = user.strip_suffix(':').unwrap_or(user);
    let at = if user.is_empty() { "" } else { "@" };
    Some(format!("{scheme}://{user}{at}{hostname}{port}{path}{search}{hash}"))
}

/// A path and what follows it, seen from a URL that is no file.
fn relative(text: &str, base: &str) -> Option<String> {
    let base = UrlText::of(base);
    if default_port(&base.scheme).is_none() || text.starts_with("//") || text.is_empty() {
        return None;
    }
    let at = if base.user.is_empty() { "" } else { "@" };
    let directory = base.path.rfind('/').map_or("/", |at| base.path.get(..=at).unwrap_or_default());
    let directory = if text.starts_with('/') { "" } else { directory };
    if text.starts_with(['?', '#']) {
        return None;
    }
    absolute(&base.scheme, &format!("{}{at}{}{directory}{text}", base.user, base.host()))
}

/// The names and values of a query.
pub(super) fn pairs_of(query: &str) -> Vec<(String, String)> {
    let query = query.strip_prefix('?').unwrap_or(query);
    let parts = query.split('&').filter(|it| !it.is_empty());
    parts
        .map(|it| {
            let (name, value) = it.split_once('=').unwrap_or((it, ""));
            (decoded(name), decoded(value))
        })
        .collect()
}

/// Undoes the encoding of forms; escapes that are none stay as they are.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut result = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits =
            bytes.get(at + 1..at + 3).filter(|it| byte == b'%' && it.iter().all(u8::is_ascii_hexdigit));
        let escaped =
            digits.and_then(|it| std::str::from_utf8(it).ok()).and_then(|it| u8::from_str_radix(it, 16).ok());
        result.push(escaped.unwrap_or(if byte == b'+' { b' ' } else { byte }));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&result).into_owned()
}

/// The query of names and values.
pub(super) fn query_of(pairs: &[(String, String)]) -> String {
    let encoded = |text: &str| -> String { super::super::uri::encode(text, "*-._ ").replace(' ', "+") };
    let parts: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    parts.join("&")
}
