//! The words for what the registry found: kinds, outcomes, phases, counts.

use super::document::{Role, Text};
use crate::registry::shortcut::NO_MATCH;
use crate::registry::{Claim, Contest, ContestKind, Impact, Loser, Outcome};
use crate::source::{Kind, Known, Phase};

/// One of a kind.
pub fn kind(kind: ContestKind) -> &'static str {
    match kind {
        ContestKind::Tool => "tool",
        ContestKind::Command => "command",
        ContestKind::Flag => "flag",
        ContestKind::Shortcut => "shortcut",
        ContestKind::MessageRenderer => "message renderer",
        ContestKind::EntryRenderer => "entry renderer",
        ContestKind::Provider => "provider",
        ContestKind::ProviderField => "provider field",
        ContestKind::Model => "model",
        ContestKind::Skill => "skill",
        ContestKind::Prompt => "prompt template",
        ContestKind::Theme => "theme",
    }
}

/// What a registration that is not understood would register.
pub fn registration(kind: Kind) -> &'static str {
    match kind {
        Kind::Tool => "a tool",
        Kind::Command => "a command",
        Kind::Flag => "a flag",
        Kind::Shortcut => "a shortcut",
        Kind::MessageRenderer => "a message renderer",
        Kind::EntryRenderer => "an entry renderer",
        Kind::Provider | Kind::NativeProvider => "a provider",
        Kind::UnregisterProvider => "taking a provider away",
        Kind::Event => "an event handler",
        Kind::Resources => "skills, prompt templates or themes",
        _ => "anything",
    }
}

/// A name as people type it: `/go:1`, `--plan`.
pub fn name(contest: &Contest) -> String {
    match contest.kind {
        ContestKind::Command => format!("/{}", contest.invocation.as_deref().unwrap_or(&contest.name)),
        ContestKind::Flag => format!("--{}", contest.name),
        _ => match &contest.field {
            Some(field) => format!("{}.{field}", contest.name),
            None => contest.name.to_string(),
        },
    }
}

/// The same where a command is typed otherwise once the session has started: `/go, then /go:1`.
pub fn typed(contest: &Contest) -> String {
    match contest.in_session.as_ref().and_then(|it| it.invocation.as_ref()) {
        Some(then) if contest.winner.is_some() => format!("{}, then /{then}", name(contest)),
        Some(then) => format!("/{then}"),
        None => name(contest),
    }
}

/// What became of a claim that does not hold its name.
pub fn outcome(outcome: Outcome) -> (&'static str, Role) {
    match outcome {
        Outcome::Shadowed => ("shadowed", Role::Dim),
        Outcome::Overridden => ("overridden", Role::Dim),
        Outcome::Merged => ("merged", Role::Plain),
        Outcome::Replaced => ("replaced", Role::Dim),
        Outcome::Refused => ("refused", Role::Refused),
        Outcome::Skipped => ("skipped", Role::Warning),
        Outcome::Pending => ("not registered yet", Role::Dim),
    }
}

/// What became of the winner: in a fatal contest nobody wins.
pub fn winner(contest: &Contest) -> (&'static str, Role) {
    // Of a provider only what is refused stops Pi: what is accepted is a layer like the others.
    let is_layer = |it: &Loser| it.outcome == Outcome::Merged;
    if contest.impact == Impact::Fatal
        && contest.kind == ContestKind::Provider
        && contest.losers.iter().any(is_layer)
    {
        return outcome(Outcome::Merged);
    }
    if contest.impact == Impact::Fatal {
        return ("first claim", Role::Warning);
    }
    let then = contest.in_session.as_ref().and_then(|it| it.invocation.as_ref());
    match contest.kind {
        ContestKind::Shortcut if contest.rule == NO_MATCH => ("never fires", Role::Warning),
        ContestKind::Command
            if then.or(contest.invocation.as_ref()).is_some_and(|it| *it != contest.name) =>
        {
            ("renamed", Role::Warning)
        }
        ContestKind::Command | ContestKind::Shortcut => ("answers", Role::Winner),
        ContestKind::MessageRenderer | ContestKind::EntryRenderer => ("renders", Role::Winner),
        _ => ("holds it", Role::Winner),
    }
}

/// When something happens; empty while loading.
pub fn phase(phase: &Phase) -> String {
    match phase {
        Phase::Factory => String::new(),
        Phase::Event(event) => format!("on {event}"),
        Phase::Command(name) => format!("when /{name} runs"),
        Phase::Shortcut(key) => format!("when {key} is pressed"),
        Phase::Tool(name) => format!("while tool {name} runs"),
        _ => "at a later time".to_owned(),
    }
}

/// When a claim is made and what has to hold for it; empty for a certain claim while loading.
pub fn circumstances(claim: &Claim) -> Text {
    let mut text = Text::from(phase(&claim.phase));
    if let Some(condition) = claim.certainty.condition_text() {
        let word = if text.is_empty() { "if " } else { ", if " };
        text = text.plain(word).code(condition);
    }
    text
}

/// `1 tool`, `2 tools`.
pub fn count(number: usize, word: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {word}{ending}")
}

/// `a`, `a and b`, `a, b and c`.
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `1st`, `2nd`, `13th`.
pub fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// A value as JavaScript writes it, as far as it is known.
pub fn value(it: &Known) -> String {
    match it {
        Known::Undefined => "undefined".to_owned(),
        Known::Null => "null".to_owned(),
        Known::Bool(it) => it.to_string(),
        Known::Number(it) => it.to_string(),
        Known::String(it) => format!("\"{it}\""),
        Known::Array(items) => {
            let items: Vec<_> = items.iter().map(|it| value(&it.value)).collect();
            format!("[{}]", items.join(", "))
        }
        Known::Object { fields, .. } => {
            let fields: Vec<_> =
                fields.iter().map(|(key, it)| format!("{key}: {}", value(&it.value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Known::Function => "a function".to_owned(),
        Known::Choice(values) => {
            let values: Vec<_> = values.iter().map(value).collect();
            format!("one of {}", values.join(", "))
        }
        Known::Unknown(reason) => format!("not known ({})", reason.text),
    }
}
