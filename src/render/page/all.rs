//! `pi-why all`: winners and losers of every kind, contested or not.

use super::{kinds, overview};
use crate::registry::{Contest, ContestKind};
use crate::render::Paths;
use crate::render::document::Document;
use crate::report::Report;

/// The page.
pub fn page(report: &Report, paths: &Paths<'_>) -> Document {
    let mut page = Document::new();
    let (sign, text) = overview::verdict(report);
    page.answer(sign, text);
    let mut kinds: Vec<ContestKind> = report.contests.iter().map(|it| it.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let contests: Vec<&Contest> = report.contests_of(kind).collect();
        let (_, summary) = kinds::summary(kind, &contests);
        page.heading(summary);
        page.table(kinds::table(&contests, paths));
    }
    overview::unresolved(&mut page, report, paths);
    page
}
