//! The answer for one name in one sentence.

use crate::registry::shortcut::NO_MATCH;
use crate::registry::tool::NOT_ALLOWED;
use crate::registry::{Contest, ContestKind, Finding, HiddenBy, HiddenWhen, Impact, Layer, Loser, Outcome};
use crate::render::Paths;
use crate::render::document::{Role, Sign, Text};
use crate::render::words;
use crate::report::Report;
use crate::source::Phase;

use super::fields;
use super::slash::{self, Meaning};
use super::twice;

/// The first line for a name.
pub fn verdict(contests: &[&Contest], report: &Report, paths: &Paths<'_>) -> (Sign, Text) {
    match contests {
        [] => (Sign::None, Text::new()),
        [contest] if contest.kind == ContestKind::Command => command(contest, paths),
        [contest] => single(contest, report, paths),
        [first, ..] if first.kind == ContestKind::Command => renamed_commands(contests, report, paths),
        [first, ..] => single(first, report, paths),
    }
}

fn single(contest: &Contest, report: &Report, paths: &Paths<'_>) -> (Sign, Text) {
    let subject = Text::new().name(words::name(contest)).plain(": ");
    if contest.impact == Impact::Fatal {
        return fatal(contest, subject, report);
    }
    if contest.field.is_some() {
        return field(contest, subject, paths);
    }
    if contest.rule == NO_MATCH
        && let Some(claim) = contest.holder()
    {
        let text = subject.then(paths.claim(claim)).plain(" registers it, and it never fires");
        return (Sign::Careful, text.plain(rivals(contest)));
    }
    let then = contest.in_session.as_ref();
    if let Some(claim) = then.and_then(|it| it.winner.as_ref()) {
        let text = subject.then(paths.claim(claim)).plain(format!(" {} it ", verb(contest)));
        let text = text.plain(since(&claim.phase));
        return match &contest.winner {
            Some(before) => {
                (Sign::Careful, text.plain("; until then ").then(paths.claim(before)).plain(" does"))
            }
            None => (Sign::None, text.plain("; until then nobody does")),
        };
    }
    match &contest.winner {
        Some(claim) => {
            let mut text = subject.then(paths.claim(claim)).plain(format!(" {} it", verb(contest)));
            if let Some(condition) = claim.certainty.condition_text() {
                text = text.plain(" if ").code(condition);
            }
            text = match contest.finding {
                Some(Finding::PromptHidden) => {
                    text.plain(", but ").plain(answers_first(contest, report, paths))
                }
                _ => text.plain(rivals(contest)),
            };
            let sign = if contest.impact >= Impact::Warning { Sign::Careful } else { Sign::None };
            (sign, text)
        }
        None => nobody(contest, subject, paths),
    }
}

/// Which command answers to a prompt template's name.
pub fn answers_first(prompt: &Contest, report: &Report, paths: &Paths<'_>) -> String {
    let is_it = |other: &&Contest| {
        other.kind == ContestKind::Command && other.invocation.as_deref() == Some(&*prompt.name)
    };
    match report.contests.iter().find(is_it).and_then(|it| it.winner.as_ref()) {
        Some(command) => format!("the command of {} answers first", paths.claim(command).to_plain()),
        None => "pi's own command answers first".to_owned(),
    }
}

/// A field of a provider or model: who sets it, and whom that hides.
fn field(contest: &Contest, subject: Text, paths: &Paths<'_>) -> (Sign, Text) {
    let sign = if contest.impact >= Impact::Warning { Sign::Careful } else { Sign::None };
    let Some(winner) = contest.holder() else { return (sign, subject.then(fields::lost(contest, paths))) };
    let mut text = subject.then(fields::owner(winner, paths)).plain(" sets it");
    let own = |layer| !matches!(layer, Layer::Builtin | Layer::Default | Layer::ModelsStore);
    let mut hidden: Vec<String> = contest
        .losers
        .iter()
        .filter(|it| own(it.claim.layer))
        .map(|it| fields::owner(&it.claim, paths).to_plain())
        .collect();
    hidden.dedup();
    if !hidden.is_empty() {
        text = text.plain(format!("; what {} says does not count", words::list(&hidden)));
    }
    (sign, text)
}

/// From when on a late claim counts.
fn since(phase: &Phase) -> String {
    match phase {
        Phase::Event(event) => format!("from {event} on"),
        other => words::phase(other),
    }
}

fn verb(contest: &Contest) -> &'static str {
    match contest.kind {
        ContestKind::Shortcut => "gets",
        ContestKind::MessageRenderer | ContestKind::EntryRenderer => "renders",
        ContestKind::Flag => "owns",
        _ => "holds",
    }
}

fn fatal(contest: &Contest, subject: Text, report: &Report) -> (Sign, Text) {
    let refused = contest.losers.iter().filter(|it| is_rival(it));
    let conditions = refused.clone().any(|it| !it.claim.certainty.is_certain())
        || contest.winner.as_ref().is_some_and(|it| !it.certainty.is_certain());
    let rivals = refused.count() + usize::from(contest.winner.is_some());
    let number = match (twice::reason(&[contest], report), rivals) {
        (Some(reason), _) => reason.to_owned(),
        (None, 2) => "two extensions register it".to_owned(),
        (None, 3) => "three extensions register it".to_owned(),
        (None, many) => format!("{many} extensions register it"),
    };
    if conditions && report.starts != crate::registry::Starts::No {
        return (
            Sign::Careful,
            subject
                .plain("pi may refuse to start, because ")
                .plain(number)
                .plain(", one of them only on a condition"),
        );
    }
    (Sign::Bad, subject.with(Role::Refused, "pi refuses to start").plain(", because ").plain(number))
}

/// Whether a loser takes part in a clash. On a condition, the one that would come first may be among the losers.
pub fn is_rival(it: &Loser) -> bool {
    it.claim.layer == Layer::Extension
        && it.claim.phase == Phase::Factory
        && matches!(it.outcome, Outcome::Refused | Outcome::Shadowed)
}

/// What else is to be said of a name that somebody holds.
fn rivals(contest: &Contest) -> String {
    let count = |outcome| contest.losers.iter().filter(|it| it.outcome == outcome).count();
    if count(Outcome::Overridden) > 0 {
        return format!(" and replaces the built-in {}", words::kind(contest.kind));
    }
    let winner = contest.winner.as_ref().map(|it| it.layer);
    match count(Outcome::Shadowed) {
        0 if winner == Some(Layer::Builtin) => "; no extension registers it".to_owned(),
        0 => match count(Outcome::Pending) {
            0 => "; nobody else registers it".to_owned(),
            _ => String::new(),
        },
        1 => "; another one is shadowed".to_owned(),
        many => format!("; {many} others are shadowed"),
    }
}

fn nobody(contest: &Contest, subject: Text, paths: &Paths<'_>) -> (Sign, Text) {
    if contest.rule == NOT_ALLOWED {
        return (Sign::Careful, subject.plain("the options of this run keep it out, so nobody holds it"));
    }
    let Some(loser) = contest.losers.first() else {
        return (Sign::None, subject.plain("nobody holds it"));
    };
    let would = |text: Text| {
        let when = words::phase(&loser.claim.phase);
        let text = if when.is_empty() { text } else { text.plain(" ").plain(when) };
        match loser.claim.certainty.condition_text() {
            Some(condition) => text.plain(" if ").code(condition),
            None => text,
        }
    };
    match loser.outcome {
        Outcome::Skipped => {
            let text = subject.plain("pi skips the ").plain(words::kind(contest.kind)).plain(" of ");
            let text = text.then(paths.claim(&loser.claim));
            let why = contest.hidden_by.as_ref().map(|it| hidden(contest.kind, it));
            (Sign::Careful, why.map_or(text.clone(), |why| text.plain(format!(", because the key is {why}"))))
        }
        Outcome::Pending => {
            let text = subject.plain("nobody holds it yet; ").then(paths.claim(&loser.claim));
            (Sign::None, would(text.plain(" registers it")))
        }
        _ => {
            let text = subject.plain("nobody holds it; it would be ").then(paths.claim(&loser.claim));
            (Sign::None, would(text))
        }
    }
}

fn command(contest: &Contest, paths: &Paths<'_>) -> (Sign, Text) {
    let typed = Text::new().name(words::name(contest));
    let then = contest.in_session.as_ref();
    if let (Some(before), Some(now)) = (&contest.winner, then.and_then(|it| it.invocation.as_ref())) {
        let text = typed.plain(format!(" becomes /{now} ")).plain("once the session has started: ");
        return (Sign::Careful, text.then(paths.claim(before)).plain(" is not alone with the name any more"));
    }
    let claim = then.and_then(|it| it.winner.as_ref()).or(contest.winner.as_ref());
    let Some(claim) = claim else {
        return nobody(contest, typed.plain(": "), paths);
    };
    if let Some(it) = &contest.hidden_by {
        let sign = Sign::Careful;
        return match it.when {
            HiddenWhen::Always => {
                let text = typed.plain(" runs pi's own ").code(&*it.what).plain(" in the terminal; ");
                (sign, text.then(paths.claim(claim)).plain(" is not reached"))
            }
            HiddenWhen::WithoutArguments => {
                let text =
                    typed.plain(" alone runs pi's own command in the terminal; with arguments it runs ");
                (sign, text.then(paths.claim(claim)))
            }
        };
    }
    let mut text = typed.plain(" runs ").then(paths.claim(claim));
    let circumstances = words::circumstances(claim);
    if !circumstances.is_empty() {
        text = text.plain(", registered ").then(circumstances);
    }
    let renamed = contest.invocation.as_ref().is_some_and(|it| *it != contest.name);
    if renamed {
        text = text.plain(format!("; its author called it /{}", contest.name));
    }
    (if renamed { Sign::Careful } else { Sign::None }, text)
}

/// The name is gone: everybody who registered it got a number.
fn renamed_commands(contests: &[&Contest], report: &Report, paths: &Paths<'_>) -> (Sign, Text) {
    let Some(first) = contests.first() else { return (Sign::None, Text::new()) };
    let bare = contests.iter().any(|it| it.invocation.as_ref() == Some(&it.name) && it.in_session.is_none());
    let name = Text::new().name(format!("/{}", first.name));
    if bare {
        return (Sign::Careful, name.plain(format!(" can be typed in {} ways", contests.len())));
    }
    let number = match contests.len() {
        2 => "both".to_owned(),
        many => format!("all {many}"),
    };
    let meaning = slash::meaning(&first.name, false, slash::Mode::Interactive, report);
    let name = match meaning {
        Meaning::Text => name.plain(" does nothing"),
        other => name.plain(" is ").then(slash::words(other, paths)),
    };
    let reason = twice::reason(contests, report).map_or_else(
        || format!("{} registered it", words::count(contests.len(), "extension")),
        str::to_owned,
    );
    (Sign::Careful, name.plain(format!(": {reason}, so pi renamed {number}")))
}

/// Why a name is not reached.
pub fn hidden(kind: ContestKind, it: &HiddenBy) -> String {
    match (kind, it.when) {
        (ContestKind::Shortcut, _) if it.what.contains(' ') => format!("taken by {}", it.what),
        (ContestKind::Shortcut, _) => format!("reserved for {}", it.what),
        (_, HiddenWhen::Always) => format!("hidden by pi's {}", it.what),
        (_, HiddenWhen::WithoutArguments) => format!("hidden by pi's {} unless arguments follow", it.what),
    }
}
