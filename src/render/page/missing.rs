//! Answers for names that nobody claims: what comes near.

use crate::registry::{Contest, ContestKind, is_key};
use crate::render::Paths;
use crate::render::document::{Document, Sign, Text};
use crate::render::words;
use crate::report::Report;

/// How alike two names must be to be offered.
const ALIKE: f64 = 0.75;
/// How many names are offered.
const OFFERS: usize = 3;

/// The names that come nearest to `asked`, nearest first.
pub fn nearest<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = asked.to_lowercase();
    let mut scored: Vec<(f64, &str)> = names
        .map(|name| {
            let other = name.to_lowercase();
            let part = !lower.is_empty()
                && (other.contains(&lower) || (!other.is_empty() && lower.contains(&other)));
            let alike = strsim::damerau_levenshtein(&lower, &other) <= 1 || part;
            (if alike { 1.0 } else { strsim::jaro_winkler(&lower, &other) }, name)
        })
        .filter(|(score, _)| *score >= ALIKE)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(OFFERS).map(|(_, name)| name).collect()
}

/// `nobody registers a tool "serach". Did you mean search (npm:my-pack)?`
pub fn name(page: &mut Document, kinds: &[ContestKind], asked: &str, report: &Report, paths: &Paths<'_>) {
    let kind = match kinds {
        [kind] => words::kind(*kind),
        _ => "renderer",
    };
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    let mut text = Text::from(format!("nobody registers {article} {kind} ")).name(format!("\"{asked}\""));
    if kinds == [ContestKind::Shortcut] {
        text = text.plain(super::shortcut::nobody(asked));
    }
    let candidates = || report.contests.iter().filter(|it| kinds.contains(&it.kind));
    // A key that can be pressed is no slip of the pen.
    let is_right = kinds == [ContestKind::Shortcut] && is_key(asked);
    let near = nearest(asked, candidates().filter(|_| !is_right).map(|it| &*it.name));
    let offers: Vec<Text> = near
        .iter()
        .filter_map(|name| candidates().find(|it| *it.name == **name))
        .map(|contest| offer(contest, paths))
        .collect();
    text = joined(text, &offers);
    page.answer(Sign::None, text);
    let elsewhere: Vec<&Contest> = report
        .contests
        .iter()
        .filter(|it| !kinds.contains(&it.kind) && *it.name == *asked && it.field.is_none())
        .collect();
    for contest in elsewhere {
        page.line(format!(
            "There is a {} of this name: pi-why {} {asked}",
            words::kind(contest.kind),
            super::overview::subcommand(contest)
        ));
    }
    let unresolved = candidates().next().map_or(0, |it| it.may_also_claim.len());
    if unresolved > 0 {
        page.line(format!(
            "{} of this kind could not be determined and may be it: pi-why {kind}",
            words::count(unresolved, "registration")
        ));
    }
}

fn offer(contest: &Contest, paths: &Paths<'_>) -> Text {
    let text = Text::new().name(words::name(contest));
    let claim = contest.winner.as_ref().or(contest.losers.first().map(|it| &it.claim));
    match claim {
        Some(claim) => text.plain(" (").then(paths.claim(claim)).plain(")"),
        None => text,
    }
}

fn joined(text: Text, offers: &[Text]) -> Text {
    let Some((last, first)) = offers.split_last() else { return text };
    let mut text = text.plain(". Did you mean ");
    for (at, offer) in first.iter().enumerate() {
        text = if at > 0 { text.plain(", ") } else { text }.then(offer.clone());
    }
    if !first.is_empty() {
        text = text.plain(" or ");
    }
    text.then(last.clone()).plain("?")
}

/// The answer for an extension that is nowhere.
pub fn extension(page: &mut Document, asked: &str, report: &Report, paths: &Paths<'_>) {
    let asked_name = asked.rsplit('/').next().unwrap_or(asked);
    let names = || report.order.iter().filter_map(|it| it.entry.path.file_name());
    let near = nearest(asked_name, names());
    let found =
        report.order.iter().filter(|it| it.entry.path.file_name().is_some_and(|name| near.contains(&name)));
    let offers: Vec<Text> =
        found.take(OFFERS).map(|it| Text::new().name(paths.short(it.entry.path.as_str()))).collect();
    let text = Text::from("no extension is called ").name(format!("\"{asked}\""));
    page.answer(Sign::None, joined(text, &offers));
    page.line("pi-why order lists every extension, loaded or not");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_offered_and_far_ones_are_not() {
        let names = ["search", "fetch_page", "read", "web_search"];
        assert_eq!(nearest("serach", names.into_iter()), ["search"]);
        assert_eq!(nearest("fetch", names.into_iter()), ["fetch_page"]);
        assert_eq!(nearest("zzz", names.into_iter()), [""; 0]);
    }
}
