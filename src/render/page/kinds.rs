//! `pi-why tool` and its siblings: winners and losers of one kind.

use super::rows::{contest_rows, is_claimed};
use crate::registry::{Contest, ContestKind, Impact};
use crate::render::Paths;
use crate::render::document::{Document, Sign, Table, Text};
use crate::render::words;
use crate::report::Report;

/// The page of some kinds.
pub fn page(kinds: &[ContestKind], report: &Report, paths: &Paths<'_>) -> Document {
    let mut page = Document::new();
    for (at, kind) in kinds.iter().enumerate() {
        let contests: Vec<&Contest> = report.contests_of(*kind).collect();
        let (sign, summary) = summary(*kind, &contests);
        if at == 0 {
            page.answer(sign, summary);
        } else {
            page.heading(summary);
        }
        if !contests.is_empty() {
            page.gap();
            page.table(table(&contests, paths));
        }
        unresolved(&mut page, &contests, paths);
    }
    page
}

/// `9 tools: 7 built-in, 2 of extensions, 1 contested`.
pub fn summary(kind: ContestKind, contests: &[&Contest]) -> (Sign, Text) {
    let word = words::kind(kind);
    if contests.is_empty() {
        return (Sign::None, Text::from(format!("no {word}s: nothing registers one")));
    }
    let claimed = contests.iter().filter(|it| is_claimed(it)).count();
    let builtin = contests.len() - claimed;
    let at = |impact| contests.iter().filter(|it| it.impact == impact).count();
    let mut parts = Vec::new();
    if builtin > 0 && claimed > 0 {
        parts.push(format!("{builtin} built-in, {claimed} claimed by extensions"));
    } else if builtin > 0 {
        parts.push("all built-in".to_owned());
    }
    let (fatal, warnings) = (at(Impact::Fatal), at(Impact::Warning));
    match fatal {
        0 => {}
        1 => parts.push("1 keeps pi from starting".to_owned()),
        many => parts.push(format!("{many} keep pi from starting")),
    }
    if warnings > 0 {
        parts.push(format!("{warnings} worth a look"));
    }
    if fatal + warnings == 0 && claimed > 0 {
        parts.push("no conflicts".to_owned());
    }
    let sign = match (fatal, warnings) {
        (0, 0) => Sign::Good,
        (0, _) => Sign::Careful,
        _ => Sign::Bad,
    };
    (sign, Text::from(format!("{}: {}", words::count(contests.len(), word), parts.join(", "))))
}

/// The table of some contests, those that matter most first.
pub fn table(contests: &[&Contest], paths: &Paths<'_>) -> Table {
    let mut sorted = contests.to_vec();
    sorted.sort_by_key(|it| (std::cmp::Reverse(it.impact), !is_claimed(it)));
    let mut rows: Vec<Vec<Text>> = sorted.iter().flat_map(|it| contest_rows(it, paths)).collect();
    let mut header = vec!["name", "where", "fate", ""];
    if rows.iter().all(|row| row.last().is_none_or(Text::is_empty)) {
        header.pop();
        for row in &mut rows {
            row.pop();
        }
    }
    Table { header, rows }
}

/// The registrations of a kind of which the name is not known. Every contest of the kind carries the same ones.
fn unresolved(page: &mut Document, contests: &[&Contest], paths: &Paths<'_>) {
    let Some(contest) = contests.first() else { return };
    if contest.may_also_claim.is_empty() {
        return;
    }
    page.heading(format!(
        "{} could not be determined and may be of any name",
        words::count(contest.may_also_claim.len(), "registration")
    ));
    let rows = contest.may_also_claim.iter();
    let rows = rows.map(|it| vec![paths.place(it.at), Text::from(&*it.reason.text)]).collect();
    page.table(Table { header: Vec::new(), rows });
}
