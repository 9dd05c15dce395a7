//! `pi-why check`: does it pass, and what was found.

use crate::gate::Level;
use crate::gate::check::{Checked, State};
use crate::render::document::{Block, Document, Role, Sign, Text};
use crate::render::findings::message;
use crate::render::{Paths, words};
use crate::report::Report;

/// The page.
pub fn page(checked: &Checked<'_>, report: &Report, paths: &Paths<'_>) -> Document {
    let mut page = Document::new();
    page.answer(if checked.failing > 0 { Sign::Bad } else { Sign::Good }, summary(checked));
    if !checked.items.is_empty() {
        page.gap();
    }
    for it in &checked.items {
        let (word, role) = level(it.found.level);
        let known = it.state == Some(State::Known);
        let mut text = Text::new()
            .with(if known { Role::Dim } else { role }, format!("{word}[{}]", it.found.code.as_str()));
        text = text.plain(" ");
        if let Some(at) = it.found.at {
            text = text.then(paths.place(at)).plain(": ");
        }
        text = text.plain(message(&it.found, report, paths));
        if let Some(reason) = &it.reason {
            text = text.plain(" – ").plain(reason);
        }
        let state = match it.state {
            Some(State::Known) => " (known)",
            Some(State::New) => " (new, not in the baseline)",
            None => "",
        };
        text = text.dim(state);
        page.push(Block::Line(0, if known { text.all(Role::Dim) } else { text }));
    }
    page
}

fn level(level: Level) -> (&'static str, Role) {
    match level {
        Level::Error => ("error", Role::Refused),
        Level::Warning => ("warning", Role::Warning),
        Level::Note => ("note", Role::Dim),
    }
}

/// `the check fails: 1 new finding, 3 known, 2 stale in the baseline`.
fn summary(checked: &Checked<'_>) -> Text {
    let mut parts = Vec::new();
    if checked.has_baseline {
        parts.push(words::count(checked.count(State::New), "new finding"));
        parts.push(format!("{} known", checked.count(State::Known)));
        let stale = checked.count_stale();
        if stale > 0 {
            parts.push(format!("{stale} stale in the baseline"));
        }
    } else {
        for (level, word) in [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Note, "note")] {
            let number = checked.items.iter().filter(|it| it.found.level == level).count();
            if number > 0 {
                parts.push(words::count(number, word));
            }
        }
    }
    let found = if parts.is_empty() { "nothing was found".to_owned() } else { parts.join(", ") };
    let text = Text::from("the check ");
    let text = match checked.failing {
        0 => text.with(Role::Winner, "passes"),
        1 => text.with(Role::Refused, "fails on 1 finding"),
        many => text.with(Role::Refused, format!("fails on {many} findings")),
    };
    text.plain(format!(": {found}"))
}
