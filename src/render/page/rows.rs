//! Rows of tables: one per claim of a contest.

use crate::registry::provider::UNREGISTERED;
use crate::registry::{Claim, Contest, ContestKind, Finding, Layer, Outcome};
use crate::render::Paths;
use crate::render::document::{Role, Text};
use crate::render::words;
use crate::report::claims;

/// A claim and what became of it.
pub struct Fate<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// In a word or two.
    pub word: &'static str,
    /// How that word looks.
    pub role: Role,
    /// Whether the claim holds the name in a running session.
    pub holds: bool,
}

/// Every claim of a contest with its fate: who holds the name in a session first, then the others in order of precedence.
pub fn fates(contest: &Contest) -> Vec<Fate<'_>> {
    let (word, role) = words::winner(contest);
    let mut fates = Vec::new();
    let then = contest.in_session.as_ref();
    if let Some(claim) = then.and_then(|it| it.winner.as_ref()) {
        fates.push(Fate { claim, word, role, holds: true });
    }
    if let Some(claim) = &contest.winner
        && !fates.iter().any(|it| it.claim.at == claim.at && it.claim.path == claim.path)
    {
        let replaced = then.is_some();
        fates.push(Fate {
            claim,
            word: if replaced { "until then" } else { word },
            role: if replaced { Role::Dim } else { role },
            holds: !replaced,
        });
    }
    for loser in &contest.losers {
        let (word, role) = words::outcome(loser.outcome);
        let known = fates.iter().any(|it| {
            it.holds
                && it.claim.at.is_some()
                && it.claim.at == loser.claim.at
                && it.claim.path == loser.claim.path
        });
        if !known {
            fates.push(Fate { claim: &loser.claim, word, role, holds: false });
        }
    }
    fates
}

/// The rows of one contest: name, place, fate, circumstances. The name stands in the first row only.
pub fn contest_rows(contest: &Contest, paths: &Paths<'_>) -> Vec<Vec<Text>> {
    let mut rows: Vec<Vec<Text>> = Vec::new();
    for fate in fates(contest) {
        let name = if rows.is_empty() { Text::new().name(words::typed(contest)) } else { Text::new() };
        let place = paths.claim_column(fate.claim);
        let row = vec![
            name,
            if fate.role == Role::Dim { place.all(Role::Dim) } else { place },
            Text::new().with(fate.role, fate.word),
            match (remarks(contest, &fate), particulars(contest, &fate, paths)) {
                (one, other) if one.is_empty() || other.is_empty() => one.then(other),
                (one, other) => one.plain(", ").then(other),
            },
        ];
        // Several values of one line, such as models, are one row.
        if rows.last() != Some(&row) {
            rows.push(row);
        }
    }
    rows
}

/// Why a provider does not come about, or a field of one is gone.
fn particulars(contest: &Contest, fate: &Fate<'_>, paths: &Paths<'_>) -> Text {
    if contest.kind == ContestKind::ProviderField && contest.holder().is_none() {
        return super::fields::lost(contest, paths);
    }
    if contest.kind != ContestKind::Provider {
        return Text::new();
    }
    if fate.word == words::outcome(Outcome::Refused).0 {
        let fatal = paths.report().fatal.iter();
        let mut fatal = fatal.filter(|it| it.kind == Some(contest.kind) && it.at == fate.claim.at);
        return fatal.next().map(|it| Text::from(paths.words(&it.message))).unwrap_or_default();
    }
    match &contest.message {
        Some(message) if fate.word == words::outcome(Outcome::Skipped).0 => Text::from(&**message),
        None if contest.rule == UNREGISTERED => Text::from("taken back by unregisterProvider"),
        _ => Text::new(),
    }
}

/// When and on what condition, and what keeps the name from being used.
pub fn remarks(contest: &Contest, fate: &Fate<'_>) -> Text {
    let mut text = words::circumstances(fate.claim);
    let mut add = |remark: String| {
        let old = std::mem::take(&mut text);
        text = if old.is_empty() { Text::from(remark) } else { old.plain(", ").plain(remark) };
    };
    let reachable = fate.holds || fate.word == words::outcome(Outcome::Skipped).0;
    let active = contest.in_session.as_ref().and_then(|it| it.active).or(contest.active);
    if fate.holds && active == Some(false) {
        add("not active".to_owned());
    }
    if let Some(hidden) = contest.hidden_by.as_ref().filter(|_| reachable) {
        add(super::verdict::hidden(contest.kind, hidden));
    }
    // What Pi's own commands hide is said above.
    if fate.holds && contest.finding == Some(Finding::PromptHidden) && contest.hidden_by.is_none() {
        add(format!("the command /{} answers first", contest.name));
    }
    text
}

/// Whether somebody other than Pi claims the name.
pub fn is_claimed(contest: &Contest) -> bool {
    claims(contest).any(|it| !matches!(it.layer, Layer::Builtin | Layer::Default))
}
