//! Annotations for GitHub Actions: workflow commands on standard output, one per finding.

use std::fmt::Write as _;

use super::Paths;
use super::findings::message;
use crate::gate::Level;
use crate::gate::check::{Item, State};
use crate::gate::snapshot::{Change, What};
use crate::report::Report;

/// One line per finding; known ones need no annotation.
pub fn print(items: &[Item<'_>], report: &Report, paths: &Paths<'_>) -> String {
    let mut out = String::new();
    for item in items.iter().filter(|it| it.state != Some(State::Known)) {
        annotation(&mut out, item, report, paths);
    }
    out
}

/// One line per change; that Pi does not start any more is an error.
pub fn changes(changes: &[Change]) -> String {
    let mut out = String::new();
    for it in changes {
        let (command, words) = match it {
            Change::Starts(before, after) => {
                let command = if after == "no" { "error" } else { "warning" };
                (command, format!("whether pi starts: {before} before, {after} now"))
            }
            Change::Name(named, what) => {
                let command = if matches!(what, What::Appeared(_)) { "notice" } else { "warning" };
                (command, format!("{} {named} {}: {}", named.kind, what.word(), what.who()))
            }
        };
        let _ = writeln!(out, "::{command} title=pi-why diff::{}", data(&words));
    }
    out
}

fn annotation(out: &mut String, item: &Item<'_>, report: &Report, paths: &Paths<'_>) {
    let found = &item.found;
    let command = match found.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut properties = String::new();
    if let Some(at) = found.at.map(|it| report.sources.locate(it)) {
        let file = report.in_checkout(&at.path).unwrap_or(&at.path);
        let _ = write!(properties, "file={},line={},col={},", property(file.as_str()), at.line, at.column);
    } else if let Some(file) = found.path.as_deref().and_then(|it| report.in_checkout(it.into())) {
        let _ = write!(properties, "file={},", property(file.as_str()));
    }
    let reason = item.reason.as_ref().map_or_else(String::new, |it| format!(" – {it}"));
    let text = format!("{}{reason}", message(found, report, paths));
    let title = property(found.code.as_str());
    let _ = writeln!(out, "::{command} {properties}title={title}::{}", data(&text));
}

/// Message text: `%` and line ends are escaped as the runner unescapes them; other control characters are spelt out.
fn data(text: &str) -> String {
    super::visible::visible(text).replace('%', "%25")
}

/// The value of a property; `:` and `,` would end it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_ends_a_property_or_starts_a_command() {
        assert_eq!(property("a,b:c%\n::error"), "a%2Cb%3Ac%25\\n%3A%3Aerror");
        assert_eq!(data("100%"), "100%25");
    }
}
