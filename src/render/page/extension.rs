//! `pi-why extension PATH`: all that one extension registers, and what became of it.

use super::rows::{Fate, fates, remarks};
use super::{cures, missing, order};
use crate::install::Entry;
use crate::registry::Contest;
use crate::render::Paths;
use crate::render::document::{Block, Document, Role, Sign, Snippet, Table, Text};
use crate::render::words;
use crate::report::{LoadStatus, LoadedExtension, Report};
use crate::source::{Certainty, Kind};

/// The page.
pub fn page(asked: &str, report: &Report, paths: &Paths<'_>) -> Document {
    let found = find(asked, report, paths);
    let mut page = Document::new();
    match found.as_slice() {
        [] => missing::extension(&mut page, asked, report, paths),
        [one] => describe(&mut page, one, report, paths),
        several => {
            page.answer(Sign::Careful, format!("{asked} could be any of {} extensions", several.len()));
            page.gap();
            let rows = several.iter().map(|it| {
                vec![
                    paths.linked(it.entry.path.as_str()),
                    Text::from(it.status.as_str()),
                    Text::from(paths.words(&it.reason())),
                ]
            });
            page.table(Table { header: Vec::new(), rows: rows.collect() });
        }
    }
    page
}

/// The extensions that somebody may mean: by whole path, else by the end of the path, else by a part of it or of its source.
pub fn find<'a>(asked: &str, report: &'a Report, paths: &Paths<'_>) -> Vec<&'a LoadedExtension> {
    let absolute = report.cwd.join(asked);
    let home = asked.strip_prefix("~/").map(|rest| report.home.join(rest));
    let bare = asked.trim_start_matches("./").trim_end_matches('/');
    let whole = |it: &Entry| it.path == asked || it.path == absolute || home.as_ref() == Some(&it.path);
    let end = |it: &Entry| it.path.as_str().strip_suffix(bare).is_some_and(|rest| rest.ends_with('/'));
    let part = |it: &Entry| {
        let shown = paths.short(it.path.as_str());
        shown.contains(bare)
            || it.path.as_str().contains(bare)
            || paths.source(&it.source_info).contains(bare)
    };
    let by = |matches: &dyn Fn(&Entry) -> bool| -> Vec<&LoadedExtension> {
        report.order.iter().filter(|it| matches(&it.entry)).collect()
    };
    let found = by(&whole);
    if !found.is_empty() {
        return found;
    }
    let found = by(&end);
    if found.is_empty() { by(&part) } else { found }
}

fn describe(page: &mut Document, it: &LoadedExtension, report: &Report, paths: &Paths<'_>) {
    let name = Text::new().name(paths.short(it.entry.path.as_str()));
    let loaded = it.status == LoadStatus::Loaded;
    if loaded {
        let place = report.position(it.entry.id).map_or(0, |it| it as usize + 1);
        let loads =
            format!("loads as the {}, and registers {}", words::ordinal(place), order::registers(it, report));
        if is_blamed(it, report) {
            let text = name.plain(" ").with(Role::Refused, "keeps pi from starting");
            page.answer(Sign::Bad, text.plain(format!("; it {loads}")));
        } else {
            page.answer(Sign::Good, name.plain(format!(": {loads}")));
        }
    } else {
        let sign = if it.status == LoadStatus::Failed { Sign::Bad } else { Sign::Careful };
        page.answer(
            sign,
            name.plain(format!(" is not loaded ({}): {}", it.status.as_str(), paths.words(&it.reason()))),
        );
    }
    if let Some(failure) = &it.failure {
        if loaded && let Some(condition) = failure.certainty.condition_text() {
            page.line(
                Text::from("It fails to load if ")
                    .code(condition)
                    .plain(format!(": {}", failure.explanation)),
            );
        }
        let said = format!("Failed to load extension \"{}\": {}", it.entry.path, failure.message);
        page.line(Text::from("Pi says: ").code(paths.words(&said)));
        if let Some(at) = failure.at {
            page.push(Block::Snippet(Snippet {
                labels: vec![(at, failure.explanation.clone())],
                secretive: true,
            }));
        }
    }
    page.gap();
    page.line(
        Text::from("from: ")
            .plain(paths.source(&it.entry.source_info))
            .plain(it.entry.package.as_ref().map(|it| format!(", package {it}")).unwrap_or_default()),
    );
    way(page, &it.entry, paths);
    let rows = contest_rows_of(it, report, paths);
    if !rows.is_empty() {
        page.gap();
        page.table(Table { header: vec!["kind", "name", "where", "fate", ""], rows });
    }
    events(page, it);
    unresolved(page, it, paths);
    if is_blamed(it, report) || it.status == LoadStatus::Failed {
        cures::of_start(page, report, paths);
    }
}

/// Whether Pi names the extension when it does not start.
fn is_blamed(it: &LoadedExtension, report: &Report) -> bool {
    report.fatal.iter().any(|fatal| fatal.extension == Some(it.entry.id) && fatal.certainty.is_certain())
}

/// The way on which an extension came into the installation.
pub fn way(page: &mut Document, entry: &Entry, paths: &Paths<'_>) {
    let mut text = Text::from("how it got here: ");
    for (at, step) in entry.trail.iter().enumerate() {
        if at > 0 {
            text = text.plain(" → ");
        }
        text = text.plain(paths.words(&step.text));
        if let Some(span) = step.at {
            text = text.plain(" (").then(paths.place(span)).plain(")");
        }
    }
    if entry.trail.is_empty() {
        text = text.plain(paths.words(&entry.reason));
    }
    page.line(text);
}

/// Every claim of the extension on any name, with its fate.
fn contest_rows_of(it: &LoadedExtension, report: &Report, paths: &Paths<'_>) -> Vec<Vec<Text>> {
    let mut rows = Vec::new();
    for contest in &report.contests {
        for fate in fates(contest).into_iter().filter(|fate| fate.claim.extension == Some(it.entry.id)) {
            let [_, place] = paths.claim_columns(fate.claim);
            rows.push(vec![
                Text::from(words::kind(contest.kind)),
                Text::new().name(words::name(contest)),
                place,
                Text::new().with(fate.role, fate.word),
                remark(contest, it, &fate, paths),
            ]);
        }
    }
    rows
}

/// What the table of the kind says of the claim, and to whom it loses.
fn remark(contest: &Contest, it: &LoadedExtension, fate: &Fate<'_>, paths: &Paths<'_>) -> Text {
    let circumstances = remarks(contest, fate);
    let winner = contest.in_session.as_ref().map_or(&contest.winner, |then| &then.winner);
    match winner {
        Some(winner) if winner.extension != Some(it.entry.id) => {
            let text = if circumstances.is_empty() { circumstances } else { circumstances.plain(", ") };
            text.plain("to ").then(paths.claim(winner))
        }
        _ => circumstances,
    }
}

fn events(page: &mut Document, it: &LoadedExtension) {
    let events: Vec<String> = it.names(Kind::Event).iter().map(ToString::to_string).collect();
    if !events.is_empty() {
        page.gap();
        page.line(format!("listens to {}", words::list(&events)));
    }
}

fn unresolved(page: &mut Document, it: &LoadedExtension, paths: &Paths<'_>) {
    let rows: Vec<Vec<Text>> = it
        .unresolved()
        .map(|it| {
            let reason = match &it.certainty {
                Certainty::Unresolved(reason, _) => reason.text.to_string(),
                _ => String::new(),
            };
            vec![
                paths.place(it.call),
                Text::new().with(Role::Warning, words::registration(it.kind)),
                Text::from(reason),
            ]
        })
        .collect();
    if !rows.is_empty() {
        page.heading(format!("{} could not be determined", words::count(rows.len(), "registration")));
        page.table(Table { header: Vec::new(), rows });
    }
}
