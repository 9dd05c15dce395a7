//! Leaves out of a report the names that nobody asked for. The words are those of the JSON form.

use super::{LoadedExtension, Report};
use crate::install::Scope;
use crate::registry::{Claim, Contest, ContestKind, Impact, Layer, Outcome};
use crate::source::{Certainty, Kind, Registration};

/// Which names stay. An empty list lets all of them through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only these kinds.
    pub kinds: Vec<ContestKind>,
    /// Only names that an extension of these scopes claims.
    pub scopes: Vec<Scope>,
    /// Only names that one of these extensions claims: whole paths as Pi names them, or parts.
    pub owners: Vec<String>,
    /// Only names that more than one claims.
    pub contested: bool,
    /// Only names with these severities.
    pub severities: Vec<Impact>,
    /// Only names over which somebody came to one of these outcomes.
    pub outcomes: Vec<Outcome>,
}

impl Filter {
    /// Takes the names out that do not pass.
    pub fn apply(&self, report: &mut Report) {
        if self.is_empty() {
            return;
        }
        let contests = std::mem::take(&mut report.contests);
        report.contests = contests.into_iter().filter(|it| self.passes(it, report)).collect();
        for extension in &mut report.order {
            let passes = self.passes_unresolved(extension);
            let registrations = &mut extension.registrations;
            registrations.retain(|it| !is_unresolved(it) || passes && self.may_be_of_kind(it.kind));
        }
    }

    /// What could not be determined has no winner and no losers: it is of note, and of its extension.
    fn passes_unresolved(&self, of: &LoadedExtension) -> bool {
        let scope = self.scopes.is_empty() || self.scopes.contains(&of.entry.source_info.scope);
        let path = of.entry.path.as_str();
        let owner = self.owners.is_empty() || self.owners.iter().any(|it| path.contains(it.as_str()));
        let severity = self.severities.is_empty() || self.severities.contains(&Impact::Note);
        scope && owner && severity && !self.contested && self.outcomes.is_empty()
    }

    fn may_be_of_kind(&self, kind: Kind) -> bool {
        let kinds: &[ContestKind] = match kind {
            Kind::Tool => &[ContestKind::Tool],
            Kind::Command => &[ContestKind::Command],
            Kind::Flag => &[ContestKind::Flag],
            Kind::Shortcut => &[ContestKind::Shortcut],
            Kind::MessageRenderer => &[ContestKind::MessageRenderer],
            Kind::EntryRenderer => &[ContestKind::EntryRenderer],
            Kind::Provider | Kind::NativeProvider | Kind::UnregisterProvider => {
                &[ContestKind::Provider, ContestKind::ProviderField, ContestKind::Model]
            }
            Kind::Resources => &[ContestKind::Skill, ContestKind::Prompt, ContestKind::Theme],
            Kind::Event | Kind::Anything => return true,
        };
        self.kinds.is_empty() || kinds.iter().any(|it| self.kinds.contains(it))
    }

    /// Whether it lets everything through.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a name stays.
    pub fn passes(&self, contest: &Contest, report: &Report) -> bool {
        let among = |all: &[_], it| all.is_empty() || all.contains(&it);
        let kind = self.kinds.is_empty() || self.kinds.contains(&contest.kind);
        let severity = self.severities.is_empty() || self.severities.contains(&contest.impact);
        let outcome =
            self.outcomes.is_empty() || contest.losers.iter().any(|it| among(&self.outcomes, it.outcome));
        let contested = !self.contested || is_contested(contest);
        let scope = self.scopes.is_empty()
            || claims(contest).any(|it| scope_of(it, report).is_some_and(|it| self.scopes.contains(&it)));
        let owner = self.owners.is_empty()
            || claims(contest).any(|it| self.owners.iter().any(|owner| it.path.contains(owner.as_str())));
        kind && severity && outcome && contested && scope && owner
    }
}

fn is_unresolved(it: &Registration) -> bool {
    matches!(it.certainty, Certainty::Unresolved(..))
}

/// Everybody who claims a name, now or later in the session.
pub fn claims(contest: &Contest) -> impl Iterator<Item = &Claim> {
    let session = contest.in_session.iter().filter_map(|it| it.winner.as_ref());
    contest.winner.iter().chain(session).chain(contest.losers.iter().map(|it| &it.claim))
}

/// More than one has a claim, be it Pi itself; or the name is not what its author gave.
fn is_contested(contest: &Contest) -> bool {
    !contest.losers.is_empty() || contest.in_session.is_some() || contest.impact > Impact::None
}

/// Whose a claim is; `None` for what Pi ships.
pub fn scope_of(claim: &Claim, report: &Report) -> Option<Scope> {
    match claim.layer {
        Layer::Inline | Layer::Sdk | Layer::Env => Some(Scope::Temporary),
        Layer::Builtin | Layer::Default => None,
        Layer::Extension => Some(report.by_id(claim.extension?)?.entry.source_info.scope),
        // Files are told by where they lie.
        _ => {
            let project = camino::Utf8Path::new(&*claim.path).starts_with(&report.cwd);
            Some(if project { Scope::Project } else { Scope::User })
        }
    }
}
