//! Whether the `pi` command starts a session, and if not, what it prints (rules, section 13).

use std::sync::Arc;

use crate::install::ExtensionId;
use crate::location::Span;
use crate::rule::{Rule, RuleId};
use crate::source::{Certainty, Kind};

use super::certainty::both;
use super::contest::{Claim, ContestKind};
use super::input::Input;
use super::roster::{Bid, Moment, Roster};
use super::{flag, tool};

/// An extension does not load.
pub const LOAD_FAILURE: RuleId = RuleId("start/load-failure");

/// The rules of this file.
pub static RULES: &[Rule] = &[Rule {
    id: LOAD_FAILURE,
    sentence: "An extension that cannot be loaded, exports no factory, or whose factory throws keeps Pi from starting.",
    example: "A stray types.d.ts in the extensions folder: `Extension does not export a valid factory function`.",
    pi: "dist/core/extensions/loader.js#loadExtension, dist/main.js",
}];

/// Whether Pi starts a session with these files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Starts {
    /// It does.
    Yes,
    /// It prints what is fatal and exits with status 1.
    No,
    /// That depends on something conditional.
    Unknown,
}

impl Starts {
    /// The answer that a list of reasons gives.
    pub(super) fn from_fatal(fatal: &[Fatal]) -> Self {
        if fatal.iter().any(|it| it.certainty.is_certain()) {
            Self::No
        } else if fatal.is_empty() {
            Self::Yes
        } else {
            Self::Unknown
        }
    }
}

/// One thing that keeps Pi from starting.
#[derive(Debug, Clone, PartialEq)]
pub struct Fatal {
    /// The kind of the name that it is about; `None` for a load failure.
    pub kind: Option<ContestKind>,
    /// The name that it is about.
    pub name: Option<Arc<str>>,
    /// The path that Pi blames; `None` when Pi crashes instead of reporting, or blames an option.
    pub path: Option<Arc<str>>,
    /// The extension behind the path.
    pub extension: Option<ExtensionId>,
    /// Pi's text, after `Failed to load extension "PATH": ` or `Extension "PATH" error: ` if there is a path.
    pub message: String,
    /// In words for people, when there is more to say than the message.
    pub explanation: Option<String>,
    /// The call or line that is to blame.
    pub at: Option<Span>,
    /// How sure it is.
    pub certainty: Certainty,
    /// The rule behind it.
    pub rule: RuleId,
}

/// A warning that Pi itself prints and goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct PiWarning {
    /// The kind of the name.
    pub kind: ContestKind,
    /// The name.
    pub name: Arc<str>,
    /// Whom it blames.
    pub extension: ExtensionId,
    /// Pi's text.
    pub message: String,
    /// The registration.
    pub at: Option<Span>,
    /// How sure it is.
    pub certainty: Certainty,
}

/// Two extensions that register one tool or flag while loading.
#[derive(Debug, Clone)]
pub(super) struct Conflict {
    /// The name under which both registered.
    pub(super) name: Arc<str>,
    /// The one that Pi names as the holder.
    pub(super) owner_claim: Claim,
    /// Path of the one that it blames.
    pub(super) later: Arc<str>,
    /// The one that it blames.
    pub(super) later_claim: Claim,
    certainty: Certainty,
}

/// Every clash among claims in list order (Pi: `dist/core/resource-loader.js`, `detectExtensionConflicts`): each later one
/// clashes with the first. Names are those of the registration, whatever the definition says in the end.
pub(super) fn conflicts(bids: &[Bid<'_>]) -> Vec<Conflict> {
    let mut found = Vec::new();
    for (at, later) in bids.iter().enumerate() {
        let mut earlier = bids[..at].iter().filter(|it| it.name == later.name).peekable();
        let Some(first) = earlier.peek().copied() else { continue };
        let owner = earlier.find(|it| it.claim.certainty.is_certain()).unwrap_or(first);
        found.push(Conflict {
            name: Arc::clone(&later.name),
            owner_claim: owner.claim.clone(),
            later: Arc::clone(&later.claim.path),
            later_claim: later.claim.clone(),
            certainty: both(&owner.claim.certainty, &later.claim.certainty),
        });
    }
    found
}

impl Conflict {
    fn into_fatal(self, kind: ContestKind, rule: RuleId, shown: &str) -> Fatal {
        Fatal {
            kind: Some(kind),
            message: format!("{shown} conflicts with {}", self.owner_claim.path),
            name: Some(self.name),
            path: Some(self.later),
            extension: self.later_claim.extension,
            explanation: None,
            at: self.later_claim.at,
            certainty: self.certainty,
            rule,
        }
    }
}

/// All that is fatal, in Pi's order: crashes, load failures as they happen, conflicts in list order, `-e` paths that
/// are not there, rejected providers, options.
pub(super) fn fatal(input: &Input<'_>, roster: &Roster<'_>, providers: Vec<Fatal>) -> Vec<Fatal> {
    let (crashes, missing): (Vec<_>, Vec<_>) =
        input.planned_fatal.iter().map(planned).partition(|it| it.path.is_none());
    let mut all = crashes;
    all.extend(load_failures(roster));
    all.extend(clashes(roster));
    all.extend(missing);
    all.extend(providers);
    all.extend(flag::argument_errors(input, roster));
    all
}

fn planned(it: &crate::install::Fatal) -> Fatal {
    Fatal {
        kind: None,
        name: None,
        path: it.path.as_ref().map(|it| it.as_str().into()),
        extension: None,
        message: it.message.clone(),
        explanation: Some(it.explanation.clone()),
        at: it.at,
        certainty: Certainty::Certain,
        rule: it.rule,
    }
}

fn load_failures(roster: &Roster<'_>) -> Vec<Fatal> {
    let failed = roster.executed().iter().filter_map(|it| Some((it.entry, it.failure()?)));
    failed
        .map(|(entry, failure)| Fatal {
            kind: None,
            name: None,
            path: Some(entry.path.as_str().into()),
            extension: Some(entry.id),
            message: failure.message.clone(),
            explanation: Some(failure.explanation.clone()).filter(|it| !it.is_empty()),
            at: failure.at,
            certainty: failure.certainty.clone(),
            rule: LOAD_FAILURE,
        })
        .collect()
}

/// Pi looks at one extension after the other, at its tools and then at its flags.
fn clashes(roster: &Roster<'_>) -> Vec<Fatal> {
    let tools = conflicts(&roster.bids(Kind::Tool, Moment::Loading)).into_iter().map(|it| {
        let shown = format!("Tool \"{}\"", it.name);
        it.into_fatal(ContestKind::Tool, tool::FIRST_EXTENSION, &shown)
    });
    let flags = conflicts(&roster.bids(Kind::Flag, Moment::Loading)).into_iter().map(|it| {
        let shown = format!("Flag \"--{}\"", it.name);
        it.into_fatal(ContestKind::Flag, flag::FIRST_EXTENSION, &shown)
    });
    let mut all: Vec<_> = tools.chain(flags).collect();
    let place = |it: &Fatal| roster.listed().iter().position(|member| Some(member.entry.id) == it.extension);
    all.sort_by_key(|it| (place(it), it.kind));
    all
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn pi_says_load_failures_first_then_conflicts_by_extension_tools_before_flags() {
        let both = || vec![registration(Kind::Flag, "f"), registration(Kind::Tool, "t")];
        let small = Small::of([both(), both(), both(), vec![]]).failing(3, Certainty::Certain);
        let missing = crate::install::Fatal {
            path: Some("/gone.ts".into()),
            message: "Extension path does not exist: /gone.ts".to_owned(),
            explanation: String::new(),
            at: None,
            rule: RuleId("order/cli-missing"),
        };
        let mut input = small.input();
        let planned = [missing];
        input.planned_fatal = &planned;
        let found = super::super::resolve(&input);
        let said: Vec<_> = found
            .fatal
            .iter()
            .map(|it| format!("{} {}", it.path.as_deref().unwrap_or("-"), it.message))
            .collect();
        assert_eq!(
            said,
            [
                "/d.ts Failed to load extension: boom",
                "/b.ts Tool \"t\" conflicts with /a.ts",
                "/b.ts Flag \"--f\" conflicts with /a.ts",
                "/c.ts Tool \"t\" conflicts with /a.ts",
                "/c.ts Flag \"--f\" conflicts with /a.ts",
                "/gone.ts Extension path does not exist: /gone.ts",
            ]
        );
        assert_eq!(found.starts, Starts::No);
    }

    #[test]
    fn only_conditional_reasons_leave_the_start_unknown() {
        let may = Certainty::Conditional(vec![condition(1, true)]);
        assert_eq!(Small::of([vec![]]).failing(0, may).resolve().starts, Starts::Unknown);
        assert_eq!(Small::of([vec![]]).resolve().starts, Starts::Yes);
    }
}
