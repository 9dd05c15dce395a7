//! What may be shown of values that are or may be secrets: that they are set and in which form, never the values.

use std::borrow::Cow;

/// How a configured value says what it is (Pi: `dist/core/resolve-config-value.js`, `parseConfigValueReference`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueForm {
    /// The value itself.
    Literal,
    /// Text with `$NAME` or `${NAME}` in it: these variables, in order.
    Environment(Vec<String>),
    /// `!command`: what a command prints. It is never run here.
    Command,
}

impl ValueForm {
    /// The form of a configured value.
    pub fn of(value: &str) -> Self {
        if value.starts_with('!') {
            return Self::Command;
        }
        match variables(value) {
            names if names.is_empty() => Self::Literal,
            names => Self::Environment(names),
        }
    }

    /// The word for it in reports.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Literal => "literal",
            Self::Environment(_) => "env",
            Self::Command => "command",
        }
    }
}

/// The variables that a text names, each once. `$$` and `$!` are a dollar and an exclamation mark.
fn variables(value: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut rest = value;
    while let Some(at) = rest.find('$') {
        rest = &rest[at + 1..];
        let name = if let Some(after) = rest.strip_prefix(['$', '!']) {
            rest = after;
            ""
        } else if let Some(braced) = rest.strip_prefix('{') {
            let Some((inside, after)) = braced.split_once('}') else { continue };
            rest = after;
            if inside.len() == name_length(inside) { inside } else { "" }
        } else {
            let (name, after) = rest.split_at(name_length(rest));
            rest = after;
            name
        };
        if !name.is_empty() && !names.iter().any(|it| it == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// How much of the beginning of a text is a name of a variable.
fn name_length(text: &str) -> usize {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    if text.starts_with(|it: char| it.is_ascii_digit()) {
        0
    } else {
        text.find(|it| !is_part(it)).unwrap_or(text.len())
    }
}

/// What stands for a part of a URL that is not shown.
const HIDDEN: &str = "***";

/// A URL without user, password and what looks like a token in its query or fragment. Other texts stay.
pub fn public_url(url: &str) -> Cow<'_, str> {
    let (scheme, rest) = match url.find("://") {
        Some(at) => url.split_at(at + 3),
        None => ("", url),
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let user = authority.rfind('@');
    let query = path.find(['?', '#']);
    if user.is_none() && query.is_none() {
        return Cow::Borrowed(url);
    }
    let mut shown = scheme.to_owned();
    match user {
        Some(at) => shown.extend([HIDDEN, &authority[at..]]),
        None => shown.push_str(authority),
    }
    let (path, parameters) = path.split_at(query.unwrap_or(path.len()));
    shown.push_str(path);
    let mut parameters = parameters;
    while let Some(separator) = parameters.chars().next() {
        let body = &parameters[separator.len_utf8()..];
        let (parameter, after) = body.split_at(body.find(['&', '#', '?', ';']).unwrap_or(body.len()));
        shown.push(separator);
        match parameter.split_once('=') {
            Some((name, value)) if is_token(name, value) => shown.extend([name, "=", HIDDEN]),
            None if looks_random(parameter) => shown.push_str(HIDDEN),
            _ => shown.push_str(parameter),
        }
        parameters = after;
    }
    Cow::Owned(shown)
}

/// A sentence in which URLs have lost what may be secret, and words that look like keys are hidden. Names of packages, which
/// may be long and have digits, are in lower case and stay.
pub fn public_text(text: &str) -> String {
    let public = |word: &str| {
        let bare = word.trim_matches(['"', '\'', '`', '(', ')', ',', '.', ';', ':']);
        let has = |of: fn(&char) -> bool| bare.chars().any(|it| of(&it));
        let mixed = has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase) && !bare.contains('/');
        if bare.contains("://") {
            word.replacen(bare, &public_url(bare), 1)
        } else if mixed && looks_random(bare) {
            word.replacen(bare, HIDDEN, 1)
        } else {
            word.to_owned()
        }
    };
    let mut shown = String::with_capacity(text.len());
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        shown.push_str(&public(word));
        shown.push_str(&piece[word.len()..]);
    }
    shown
}

/// Names of parameters whose values are taken for secrets, in lower case.
const TOKEN_WORDS: [&str; 13] = [
    "key", "token", "secret", "pass", "pwd", "auth", "sig", "cred", "session", "code", "jwt", "bearer", "sas",
];

fn is_token(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    !value.is_empty() && (TOKEN_WORDS.iter().any(|it| name.contains(it)) || looks_random(value))
}

/// Whether a text is long and mixed enough to be a key: letters and digits and no ordinary word or date.
pub fn looks_random(value: &str) -> bool {
    let has = |of: fn(&char) -> bool| value.chars().any(|it| of(&it));
    value.len() >= 16 && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic) && !value.contains('.')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_form_of_a_value() {
        let names = |list: &[&str]| ValueForm::Environment(list.iter().map(|&it| it.to_owned()).collect());
        assert_eq!(ValueForm::of("sk-1"), ValueForm::Literal);
        assert_eq!(ValueForm::of("!pass show key"), ValueForm::Command);
        assert_eq!(ValueForm::of("$KEY"), names(&["KEY"]));
        assert_eq!(ValueForm::of("Bearer ${A_1}-$B$A_1"), names(&["A_1", "B"]));
        for literal in ["$$KEY", "$!KEY", "${1A}", "${A", "$1", "a$", "$-"] {
            assert_eq!(ValueForm::of(literal), ValueForm::Literal, "{literal}");
        }
        assert_eq!(ValueForm::of("${A $B"), names(&["B"]));
    }

    #[test]
    fn sentences_keep_their_words() {
        let text = "cannot reach \"https://u:pw@h/x\", key Ab12Cd34Ef56Gh78 of my-package-2-of-many in /tmp/Ab12Cd34Ef56Gh78";
        let shown =
            "cannot reach \"https://***@h/x\", key *** of my-package-2-of-many in /tmp/Ab12Cd34Ef56Gh78";
        assert_eq!(public_text(text), shown);
        let lines = "Cannot find module 'some-package3'\nRequire stack:\n- /x.ts  \n";
        assert_eq!(public_text(lines), lines);
        assert_eq!(public_text("a\nAb12Cd34Ef56Gh78\nb"), "a\n***\nb");
    }

    #[test]
    fn urls_lose_users_and_tokens_and_nothing_else() {
        for plain in [
            "https://h/v1",
            "http://127.0.0.1:8080/v1",
            "https://h/v1?api-version=2024-05-01",
            "",
            "x",
            "h?a=b",
        ] {
            assert_eq!(public_url(plain), plain);
        }
        assert_eq!(public_url("https://me:pw@h:1/v1"), "https://***@h:1/v1");
        assert_eq!(
            public_url("https://h/v1?api_key=abc&x=1#token=z"),
            "https://h/v1?api_key=***&x=1#token=***"
        );
        assert_eq!(public_url("https://h/?q=0123456789abcdef01"), "https://h/?q=***");
        assert_eq!(public_url("me:pw@h/v1"), "***@h/v1");
    }

    proptest! {
        #[test]
        fn a_planted_secret_never_stays(host in "[a-z]{1,8}", path in "(/[a-z]{0,5}){0,2}") {
            let secret = "S3CR3T";
            for url in [
                format!("https://u:{secret}@{host}{path}"),
                format!("https://{secret}@{host}{path}?x=1"),
                format!("https://{host}{path}?x=1&access_token={secret}"),
                format!("https://{host}{path}?Api-Key={secret}&y=2"),
                format!("https://{host}{path}#id_token={secret}"),
            ] {
                prop_assert!(!public_url(&url).contains(secret), "{}", url);
            }
        }

        #[test]
        fn any_text_is_taken(url in ".{0,60}") {
            let _ = public_url(&url);
            let _ = ValueForm::of(&url);
        }
    }
}
