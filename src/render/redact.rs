//! Which parts of a source text are not shown because a secret may stand there (law 3: secrets stay secret).
//!
//! In the call of a provider every string is hidden but keys; elsewhere strings that follow a telling name or look like a
//! key. Files of credentials and models.json are hidden string by string.

use std::ops::Range;

use crate::location::{FileId, Span};
use crate::registry::Contest;
use crate::report::Report;
use crate::secret::looks_random;
use crate::source::{Kind, Known};

/// Words in a name before a string that tell of a secret.
const TELLING: [&str; 8] = ["key", "token", "secret", "passw", "auth", "credential", "bearer", "header"];
/// Files in which any string may be a secret.
const SECRET_FILES: [&str; 2] = ["models.json", "auth.json"];
/// Characters before a string that are looked at for a telling name.
const LOOK_BACK: usize = 48;

/// The value of a flag; hidden when it is a text and the name tells of a secret.
pub fn flag_value(contest: &Contest) -> Option<Known> {
    let value = contest.flag_value.as_ref()?;
    let name = contest.name.to_lowercase();
    let text = value.as_str().is_some_and(|it| !it.is_empty());
    let hidden = text && TELLING.iter().any(|it| name.contains(it));
    Some(if hidden { Known::String("***".into()) } else { value.clone() })
}

/// The places in a file in which every string is hidden.
pub struct Zones {
    zones: Vec<Range<usize>>,
}

impl Zones {
    /// The zones of a file: the calls that register providers, or all of it.
    pub fn of(report: &Report, file: FileId) -> Self {
        let source = report.sources.get(file);
        if source.path().file_name().is_some_and(|it| SECRET_FILES.contains(&it)) {
            return Self { zones: Vec::from([Range { start: 0, end: source.text().len() }]) };
        }
        let registrations = report.order.iter().flat_map(|it| &it.registrations);
        let calls = registrations.filter(|it| matches!(it.kind, Kind::Provider | Kind::NativeProvider));
        let here = calls.map(|it| it.call).filter(|it: &Span| it.file == file);
        Self { zones: here.map(|it| it.start as usize..it.end as usize).collect() }
    }

    /// The parts of `window` that are hidden, as ranges of the whole text. `shown` are names that stay whatever they look like.
    pub fn hidden(&self, text: &str, window: &Range<usize>, shown: &[Range<usize>]) -> Vec<Range<usize>> {
        // A string that spans lines may begin before the window: scanning starts where its zone does.
        let zone_start = self.zones.iter().filter(|it| it.end > window.start && it.start < window.end);
        let from = zone_start.map(|it| it.start).min().unwrap_or(window.start).min(window.start);
        let Some(scanned) = text.get(from..window.end) else { return vec![window.clone()] };
        let strings = strings(scanned).into_iter().map(|it| it.start + from..it.end + from);
        strings
            .filter(|it| it.end > window.start && !it.is_empty())
            .filter(|it| !shown.iter().any(|name| name.start <= it.start && it.end <= name.end))
            .filter(|it| self.is_secret(text, it))
            .collect()
    }

    fn is_secret(&self, text: &str, string: &Range<usize>) -> bool {
        let content = text.get(string.clone()).unwrap_or_default();
        let after = text.get(string.end..).unwrap_or_default();
        let is_key = after.get(1..).is_some_and(|it| it.trim_start().starts_with(':'));
        if is_key {
            return false;
        }
        if self.zones.iter().any(|it| it.start <= string.start && string.start < it.end) {
            return true;
        }
        let mut start = string.start.saturating_sub(LOOK_BACK);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        let before = text.get(start..string.start).unwrap_or_default().to_lowercase();
        // Only what belongs to this string: not what stands before another value.
        let before = before.rsplit([',', ';', '\n', '{']).next().unwrap_or_default();
        TELLING.iter().any(|it| before.contains(it))
            || content.split_whitespace().any(looks_random)
            || content.contains('@') && content.contains("://")
    }
}

/// The contents of the strings of a text, quotes left out. Comments are not told apart: too much is hidden rather than too
/// little.
fn strings(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(char, usize)> = None;
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match open {
            None if matches!(character, '"' | '\'' | '`') => open = Some((character, at + 1)),
            Some((quote, start)) if !escaped && (character == quote || character == '\n' && quote != '`') => {
                found.push(start..at);
                open = None;
            }
            _ => {}
        }
        escaped = open.is_some() && character == '\\' && !escaped;
    }
    if let Some((_, start)) = open {
        found.push(start..text.len());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, zone: Option<Range<usize>>, from: usize) -> String {
        let mut out = String::new();
        let mut at = from;
        for hidden in (Zones { zones: zone.into_iter().collect() }).hidden(text, &(from..text.len()), &[]) {
            out.push_str(text.get(at..hidden.start.max(at)).unwrap_or_default());
            out.push('…');
            at = hidden.end;
        }
        out + text.get(at..).unwrap_or_default()
    }

    #[test]
    fn strings_of_a_provider_are_hidden_and_keys_are_not() {
        let text = r#"f("a", { "X-A": "one", b: 'two', c: `three` }); g("d");"#;
        assert_eq!(shown(text, Some(0..48), 0), r#"f("…", { "X-A": "…", b: '…', c: `…` }); g("d");"#);
    }

    #[test]
    fn a_string_that_began_before_the_window_is_hidden() {
        let text = "p(`one\ntwo`, x)\nq(\"y\")";
        assert_eq!(shown(text, Some(0..15), 7), "…`, x)\nq(\"y\")");
    }

    #[test]
    fn telling_names_and_keys_are_hidden_anywhere() {
        let zones = || None;
        assert_eq!(
            shown("const apiKey = \"abc\", name = \"abc\";", zones(), 0),
            "const apiKey = \"…\", name = \"abc\";"
        );
        assert_eq!(
            shown("f(\"sk-a81Bc92Dd03Ee14Ff25\", \"plain words\")", zones(), 0),
            "f(\"…\", \"plain words\")"
        );
        assert_eq!(shown("get('https://user:pw@host.example/x')", zones(), 0), "get('…')");
    }
}
