//! Who wins each name and why: one file per kind of name. Pure functions over what `install` and `source`
//! found; no files, no printing.
//!
//! [`resolve`] is the door: it takes an [`Input`] and gives every [`Contest`], whether Pi starts, and what it
//! prints if it does not. Each file of a kind opens with its rules; [`rules`] lists them all.

mod certainty;
mod chord;
pub mod command;
pub mod contest;
mod entry_renderer;
pub mod flag;
mod input;
mod keybinding;
mod message_renderer;
pub mod model;
mod overlap;
pub mod provider;
mod race;
pub mod renderer;
pub mod resource;
mod roster;
pub mod shortcut;
#[cfg(test)]
mod soundness;
pub mod start;
#[cfg(test)]
mod testing;
pub mod tool;

pub use chord::{is_key, is_same_key};
pub use contest::{
    Claim, Contest, ContestKind, Finding, HiddenBy, HiddenWhen, Impact, InSession, Layer, Loser,
    MayAlsoClaim, Outcome,
};
pub use input::{FlagArgument, Input, ProviderScope, ToolSelection};
pub use start::{Fatal, PiWarning, Starts};

use crate::rule::Rule;
use crate::source::Kind;

use roster::Roster;

/// The rules of this stage, file by file.
pub static RULES: &[&[Rule]] = &[
    tool::RULES,
    command::RULES,
    flag::RULES,
    shortcut::RULES,
    renderer::RULES,
    provider::RULES,
    model::RULES,
    resource::RULES,
    start::RULES,
];

/// Every rule of this stage.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().flatten()
}

/// All that can be said about the names of an installation.
#[derive(Debug, Clone)]
pub struct Resolution {
    /// Every claimed name, contested or not: by kind, then by name (commands: then by invocation).
    pub contests: Vec<Contest>,
    /// Whether Pi starts.
    pub starts: Starts,
    /// What keeps it from starting, in the order in which Pi says it. Conditional ones count only for
    /// [`Starts::Unknown`].
    pub fatal: Vec<Fatal>,
    /// What Pi warns about and goes on, in its order.
    pub warnings: Vec<PiWarning>,
}

/// Decides every contest.
pub fn resolve(input: &Input<'_>) -> Resolution {
    let roster = Roster::new(input);
    let unresolved = |kind| roster.unresolved(&[kind]);
    let mut contests = tool::contests(input, &roster, &unresolved(Kind::Tool));
    let (commands, mut warnings) = command::contests(input, &roster, &unresolved(Kind::Command));
    contests.extend(commands);
    contests.extend(flag::contests(input, &roster, &unresolved(Kind::Flag)));
    let (shortcuts, said) = shortcut::contests(input, &roster, &unresolved(Kind::Shortcut));
    contests.extend(shortcuts);
    warnings.extend(said);
    contests.extend(message_renderer::contests(&roster, &unresolved(Kind::MessageRenderer)));
    contests.extend(entry_renderer::contests(&roster, &unresolved(Kind::EntryRenderer)));
    let (providers, rejected) = provider::contests(input, &roster);
    contests.extend(providers);
    contests.extend(resource::contests(input, &roster, &unresolved(Kind::Resources)));
    overlap::look_over(&mut contests, input.catalog);
    let fatal = start::fatal(input, &roster, rejected);
    Resolution { contests, starts: Starts::from_fatal(&fatal), fatal, warnings }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_its_own_id_a_sentence_an_example_and_a_place_in_pi() {
        let mut ids: Vec<_> = rules().map(|it| it.id.0).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        for rule in rules() {
            assert!(rule.sentence.ends_with('.') && rule.example.ends_with('.'), "{}", rule.id);
            assert!(rule.id.0.contains('/') && rule.pi.contains("dist/"), "{}", rule.id);
        }
    }
}
