//! What helps, with what it costs.

use crate::cure::{Ailment, Aim, Cure, Effect};
use crate::registry::{Contest, ContestKind};
use crate::render::document::{Block, Document, Text};
use crate::render::{Paths, words};
use crate::report::Report;
use crate::secret::public_text;

use super::overview::shell_word;

/// Names of one kind that are listed before the rest is counted.
const LISTED: usize = 6;

/// What to change so that another holds the name.
pub fn of_name(page: &mut Document, contests: &[&Contest], report: &Report, paths: &Paths<'_>) {
    let Some(first) = contests.first() else { return };
    let ailment = Ailment::Name(first.kind, std::sync::Arc::clone(&first.name));
    of(page, &ailment, "What helps (each was tried on a copy of the settings)", report, paths);
}

/// What to change so that Pi starts: the best way, and those for one run.
pub fn of_start(page: &mut Document, report: &Report, paths: &Paths<'_>) {
    let Some(found) = report.cures.iter().find(|it| it.ailment == Ailment::Start) else { return };
    let (lasting, once): (Vec<&Cure>, Vec<&Cure>) = found.cures.iter().partition(|it| !it.changes.is_empty());
    list(
        page,
        "What makes pi start (tried on a copy of the settings)",
        lasting.into_iter().take(1).chain(once),
        paths,
    );
}

fn of(page: &mut Document, ailment: &Ailment, heading: &str, report: &Report, paths: &Paths<'_>) {
    let Some(found) = report.cures.iter().find(|it| it.ailment == *ailment) else { return };
    list(page, heading, found.cures.iter(), paths);
}

fn list<'a>(page: &mut Document, heading: &str, cures: impl Iterator<Item = &'a Cure>, paths: &Paths<'_>) {
    let mut cures = cures.peekable();
    if cures.peek().is_none() {
        return;
    }
    page.heading(heading);
    for cure in cures {
        one(page, cure, paths);
    }
}

fn one(page: &mut Document, cure: &Cure, paths: &Paths<'_>) {
    page.line(aim(cure, paths));
    for change in &cure.changes {
        let file = paths.linked(change.file.as_str()).plain("  ");
        page.push(Block::Line(
            2,
            file.code(format!("{}: {}", change.key_as_written(), public_text(&change.value))),
        ));
    }
    if let Some(command) = &cure.run {
        page.push(Block::Line(2, Text::new().code(command_line(command, paths))));
    }
    if !matches!(cure.aim, Aim::StartBare | Aim::StartWithoutProject) {
        page.push(Block::Line(2, Text::new().dim(costs(cure, paths))));
    }
}

/// What a cure is for, with a colon's worth of room after it.
fn aim(cure: &Cure, paths: &Paths<'_>) -> Text {
    let once = if cure.run.is_some() && cure.changes.is_empty() { ", for one run" } else { "" };
    match &cure.aim {
        Aim::Keep(path) => Text::from("to keep ").then(paths.linked(path)).plain(once),
        Aim::KeepBuiltin => Text::from("to keep the built-in one").plain(once),
        Aim::FreeKey => Text::from("to free the key"),
        Aim::Start(gone) => {
            let mut text = Text::from("to start pi without ");
            for (at, path) in gone.iter().enumerate() {
                text = match at {
                    0 => text,
                    _ if at + 1 == gone.len() => text.plain(" and "),
                    _ => text.plain(", "),
                };
                text = text.then(paths.linked(path));
            }
            text.plain(once)
        }
        Aim::StartWithoutProject => Text::from("to start pi once, without what the project brings"),
        Aim::StartBare => Text::from("to start pi once, without any extension"),
    }
}

/// A command line in which a path is one that can be typed.
fn command_line(command: &str, paths: &Paths<'_>) -> String {
    match command.split_once("pi -e ") {
        Some(("", path)) => format!("pi -e {}", shell_word(&paths.typed(path))),
        _ => command.to_owned(),
    }
}

/// What a cure costs and changes besides.
fn costs(cure: &Cure, paths: &Paths<'_>) -> String {
    let mut gone = Vec::new();
    let mut other = Vec::new();
    let named = |kind: ContestKind, name: &str| match kind {
        ContestKind::Command => format!("/{name}"),
        ContestKind::Flag => format!("--{name}"),
        kind => format!("{} {name}", words::kind(kind)),
    };
    let whose = |owner: &str| {
        if owner.starts_with("<builtin:") { "the built-in one".to_owned() } else { paths.short(owner) }
    };
    for effect in &cure.effects {
        match effect {
            Effect::Gone(kind, name) => gone.push(named(*kind, name)),
            Effect::New(kind, name, owner) => {
                other.push(format!("{} of {} is there", named(*kind, name), whose(owner)));
            }
            Effect::Moved(kind, name, owner) => {
                other.push(format!("{} goes to {}", named(*kind, name), whose(owner)));
            }
            Effect::Renamed(before, after) => other.push(format!("/{before} becomes /{after}")),
            Effect::Loads(path) => other.push(format!("{} loads", paths.short(path))),
        }
    }
    let mut parts = Vec::new();
    if !cure.starts {
        parts.push("pi still does not start, for other reasons".to_owned());
    }
    if !gone.is_empty() {
        let rest = gone.len().saturating_sub(LISTED);
        if rest > 1 {
            gone.truncate(LISTED);
            gone.push(format!("{rest} more names"));
        }
        parts.push(format!("costs {}", words::list(&gone)));
    }
    if matches!(cure.aim, Aim::FreeKey) {
        let actions: Vec<String> = cure.changes.iter().map(|it| it.key.clone()).collect();
        parts.push(format!("{} then has no key, unless you give it another", words::list(&actions)));
    }
    parts.extend(other);
    if parts.is_empty() { "nothing else changes".to_owned() } else { parts.join("; ") }
}
