//! What is worth telling of a provider and its fields. Pi says of none of it anything, but for what it refuses.

use super::super::contest::{Claim, Contest, Finding, Impact, Layer, Loser, Outcome};
use super::super::roster::Moment;
use super::state::State;

fn is_extension(it: &Claim) -> bool {
    it.layer == Layer::Extension
}

/// Judges the contest of a provider's id.
pub(super) fn of_provider(contest: &mut Contest, state: &State) {
    if !state.gone.is_empty() {
        contest.find(Finding::NativeReplaced, Impact::Warning);
    }
    for it in &state.rejected {
        let at_load = Moment::of(&it.claim.phase) == Moment::Loading;
        contest.find(Finding::ProviderRefused, if at_load { Impact::Fatal } else { Impact::Warning });
    }
    let lost = |outcome| move |it: &&Loser| it.outcome == outcome;
    if contest.losers.iter().any(|it| it.outcome == Outcome::Overridden) {
        contest.find(Finding::BuiltinOverridden, Impact::Warning);
    }
    let merged = contest.losers.iter().filter(lost(Outcome::Merged)).map(|it| &it.claim);
    let mut parties = contest.winner.iter().chain(merged).filter(|it| is_extension(it)).map(|it| &it.path);
    if let Some(first) = parties.next()
        && parties.any(|it| it != first)
    {
        contest.find(Finding::ProviderMerged, Impact::Note);
    }
}

/// Judges the contest of a field. That the user's own files outrank each other is what the user wants; that an extension outranks
/// them, or what Pi ships, or another extension, nobody is told.
pub(super) fn of_field(contest: &mut Contest) {
    let by_extension = contest.winner.as_ref().is_some_and(is_extension);
    let overrides = |it: &Loser| match it.claim.layer {
        Layer::Extension => true,
        Layer::ModelsJson | Layer::ModelOverrides | Layer::Auth | Layer::Env => by_extension,
        _ => false,
    };
    let is_list = contest.field.as_deref() == Some("models");
    if contest.losers.iter().any(|it| it.outcome == Outcome::Replaced && overrides(it)) && !is_list {
        contest.find(Finding::ProviderFieldReplaced, Impact::Warning);
    }
    if is_list && !contest.losers.is_empty() {
        let own = |it: &Loser| !matches!(it.claim.layer, Layer::Builtin | Layer::ModelsStore);
        let impact = if contest.losers.iter().any(own) { Impact::Warning } else { Impact::Note };
        contest.find(Finding::ModelsReplaced, impact);
    }
    // Where requests go, and with which key, is worth more than a name.
    let is_built_in = |it: &Loser| it.outcome == Outcome::Overridden && it.claim.layer == Layer::Builtin;
    if by_extension && contest.losers.iter().any(is_built_in) {
        let moves = matches!(contest.field.as_deref(), Some("baseUrl" | "apiKey"));
        contest.find(Finding::BuiltinOverridden, if moves { Impact::Warning } else { Impact::Note });
    }
}
