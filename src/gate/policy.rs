//! What counts how much: the one place where a finding's level is settled.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::finding::{Found, Level, Subject, kind_of};
use super::pattern::Pattern;
use crate::install::Scope;
use crate::registry::{ContestKind, Finding};
use crate::report::{Report, claims, scope_of};

/// The word of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// Not a finding.
    Allow,
    /// Shown.
    Note,
    /// Shown as a warning.
    Warn,
    /// An error.
    Deny,
}

impl Word {
    fn level(self) -> Option<Level> {
        match self {
            Self::Allow => None,
            Self::Note => Some(Level::Note),
            Self::Warn => Some(Level::Warning),
            Self::Deny => Some(Level::Error),
        }
    }
}

/// `[check]` of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Check {
    /// The level from which on a finding makes the check fail.
    pub fail_on: Word,
    /// The most that a finding counts which holds only on a condition.
    pub conditional: Word,
    /// What a registration counts that could not be determined.
    pub unresolved: Word,
    /// The baseline, relative to the configuration.
    pub baseline: Option<camino::Utf8PathBuf>,
}

impl Default for Check {
    fn default() -> Self {
        Self { fail_on: Word::Deny, conditional: Word::Warn, unresolved: Word::Note, baseline: None }
    }
}

/// A kind of name as a policy says it: the words of the JSON form; `renderer` for both kinds of those, `extension` for what is
/// about an extension as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum KindWord {
    Tool,
    Command,
    Flag,
    Shortcut,
    Renderer,
    MessageRenderer,
    EntryRenderer,
    Provider,
    ProviderField,
    Model,
    Skill,
    Prompt,
    Theme,
    Extension,
}

impl KindWord {
    fn covers(self, kind: Option<ContestKind>) -> bool {
        let Some(kind) = kind else { return self == Self::Extension };
        match kind {
            ContestKind::Tool => self == Self::Tool,
            ContestKind::Command => self == Self::Command,
            ContestKind::Flag => self == Self::Flag,
            ContestKind::Shortcut => self == Self::Shortcut,
            ContestKind::MessageRenderer => matches!(self, Self::Renderer | Self::MessageRenderer),
            ContestKind::EntryRenderer => matches!(self, Self::Renderer | Self::EntryRenderer),
            ContestKind::Provider => self == Self::Provider,
            ContestKind::ProviderField => self == Self::ProviderField,
            ContestKind::Model => self == Self::Model,
            ContestKind::Skill => self == Self::Skill,
            ContestKind::Prompt => self == Self::Prompt,
            ContestKind::Theme => self == Self::Theme,
        }
    }
}

/// One `[[policy]]`: what it says holds for findings that fit all of its conditions; the first that fits decides.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Rule {
    /// Only these findings.
    #[serde(default)]
    pub finding: Vec<Finding>,
    /// Only names of these kinds.
    #[serde(default)]
    pub kind: Vec<KindWord>,
    /// Only findings about extensions of these scopes.
    #[serde(default)]
    pub scope: Vec<Scope>,
    /// Only these names; globs.
    #[serde(default)]
    pub name: Vec<Pattern>,
    /// Only findings in which one of these takes part: identities such as `npm:x/src/a.ts`, paths as seen from the project, or whole
    /// ones; globs.
    #[serde(default)]
    pub path: Vec<Pattern>,
    /// What the finding counts.
    pub level: Word,
    /// Why.
    pub reason: String,
}

/// How much each finding counts.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// `[check]`.
    pub check: Check,
    /// `[findings]`: the level of a code as a whole.
    pub findings: Vec<(Finding, Word)>,
    /// `[[policy]]`, in order.
    pub rules: Vec<Rule>,
}

/// What a policy says of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// How much it counts.
    pub level: Level,
    /// The reason that a rule gives.
    pub reason: Option<String>,
}

impl Policy {
    /// The judgement on a finding; `None` when it is allowed.
    pub fn judge(&self, found: &Found<'_>, report: &Report) -> Option<Judgement> {
        if let Some(rule) = self.rules.iter().find(|it| it.fits(found, report)) {
            let level = self.limited(rule.level.level()?, found)?;
            return Some(Judgement { level, reason: Some(rule.reason.clone()) });
        }
        let whole = self.findings.iter().find(|(code, _)| *code == found.code).map(|(_, word)| *word);
        let level = match (found.code, whole) {
            (_, Some(word)) => word.level()?,
            (Finding::Unresolved, None) => self.check.unresolved.level()?,
            (_, None) => found.level,
        };
        Some(Judgement { level: self.limited(level, found)?, reason: None })
    }

    /// What is not certain counts no more than `conditional` says.
    fn limited(&self, level: Level, found: &Found<'_>) -> Option<Level> {
        let conditional = !found.certain && found.code != Finding::Unresolved;
        if conditional { Some(level.min(self.check.conditional.level()?)) } else { Some(level) }
    }

    /// Whether a finding of this level makes the check fail.
    pub fn fails(&self, level: Level) -> bool {
        self.check.fail_on.level().is_some_and(|from| level >= from)
    }
}

impl Rule {
    fn fits(&self, found: &Found<'_>, report: &Report) -> bool {
        let kind = match found.subject {
            Subject::Contest(it) => Some(it.kind),
            Subject::Unresolved(_, it) => kind_of(it),
            Subject::Stale(it) => serde_json::from_value(it.kind.as_str().into()).ok(),
            _ => None,
        };
        let among = |patterns: &[Pattern], word: &str| patterns.iter().any(|it| it.matches(word));
        let takes_part = || {
            let whole = found.paths.iter().map(|it| &**it);
            let parties = found.key.parties.iter().map(String::as_str);
            let seen_from_project = parties.clone().filter_map(|it| it.strip_prefix("project/"));
            whole.chain(parties).chain(seen_from_project).any(|it| among(&self.path, it))
        };
        (self.finding.is_empty() || self.finding.contains(&found.code))
            && (self.kind.is_empty() || self.kind.iter().any(|it| it.covers(kind)))
            && (self.name.is_empty() || among(&self.name, &found.key.name))
            && (self.path.is_empty() || takes_part())
            && (self.scope.is_empty() || scopes(found, report).iter().any(|it| self.scope.contains(it)))
    }
}

/// The scopes of those who take part.
pub(super) fn scopes(found: &Found<'_>, report: &Report) -> BTreeSet<Scope> {
    let of_path = |path: &str| report.extension(path).map(|it| it.entry.source_info.scope);
    match found.subject {
        Subject::Contest(it) => claims(it).filter_map(|claim| scope_of(claim, report)).collect(),
        Subject::Failure(it) => it.path.as_deref().and_then(of_path).into_iter().collect(),
        Subject::Unresolved(it, _) | Subject::Absent(it) => BTreeSet::from([it.entry.source_info.scope]),
        Subject::Twice(first, second, _) => {
            BTreeSet::from([first.entry.source_info.scope, second.entry.source_info.scope])
        }
        Subject::Ignored(it) => {
            let path = it.at.map(|at| report.sources.get(at.file).path().to_owned());
            let scope = |it: camino::Utf8PathBuf| {
                if it.starts_with(&report.cwd) { Scope::Project } else { Scope::User }
            };
            path.map(scope).into_iter().collect()
        }
        Subject::Stale(_) => BTreeSet::new(),
    }
}
