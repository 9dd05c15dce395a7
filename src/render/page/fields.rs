//! Tables of fields: what each is, who set it, and what that hid. For providers and models.

use crate::registry::{Claim, Contest, ContestKind, Layer};
use crate::render::Paths;
use crate::render::document::{Role, Table, Text};
use crate::render::words;
use crate::source::Known;

/// Values of a list that are shown before the rest is counted.
const SHOWN: usize = 6;

/// The table of some fields of one thing.
pub fn table(contests: &[&Contest], paths: &Paths<'_>) -> Table {
    let rows = contests.iter().map(|it| row(it, paths)).collect();
    Table { header: vec!["field", "value", "set by", "instead of"], rows }
}

/// One field.
fn row(it: &Contest, paths: &Paths<'_>) -> Vec<Text> {
    let winner = it.holder();
    let name = it.field.as_deref().unwrap_or(&it.name);
    let set_by = winner.map_or_else(|| lost(it, paths), |claim| owner(claim, paths));
    let set_by = match winner.map(words::circumstances).filter(|it| !it.is_empty()) {
        Some(circumstances) => set_by.plain(", ").then(circumstances),
        None => set_by,
    };
    let mut instead = Text::new();
    let before = it.winner.iter().filter(|_| winner.is_none());
    for claim in before.chain(it.losers.iter().map(|it| &it.claim)) {
        if !instead.is_empty() {
            instead = instead.plain(", ");
        }
        instead = instead.then(owner(claim, paths));
        if let Some(value) =
            claim.value.as_ref().filter(|value| winner.and_then(|it| it.value.as_ref()) != Some(value))
        {
            instead = instead.plain(format!(" ({})", short(value)));
        }
    }
    vec![
        Text::new().name(name),
        Text::from(winner.and_then(|it| it.value.as_ref()).map_or_else(|| "–".to_owned(), short)),
        set_by,
        instead.all(Role::Dim),
    ]
}

/// Why nobody sets a field that somebody set: `lost on session_start, a.ts:3 replaces the headers whole`.
pub fn lost(it: &Contest, paths: &Paths<'_>) -> Text {
    let Some(by) = replacer(it, paths) else { return Text::from("nobody, in the end") };
    let text = match words::circumstances(by) {
        circumstances if circumstances.is_empty() => Text::from("lost"),
        circumstances => Text::from("lost ").then(circumstances),
    };
    text.plain(", ").then(owner(by, paths)).plain(" replaces the headers whole")
}

/// The registration whose headers stand in the place of those that are gone. One without any header leaves no trace.
fn replacer<'r>(it: &Contest, paths: &Paths<'r>) -> Option<&'r Claim> {
    let is_header = |it: &Contest| it.field.as_deref().is_some_and(|field| field.starts_with("headers."));
    if it.kind != ContestKind::ProviderField || !is_header(it) {
        return None;
    }
    let others = paths.report().contests.iter();
    let others = others.filter(|other| other.kind == it.kind && other.name == it.name && is_header(other));
    others.filter_map(Contest::holder).find(|holder| holder.layer == Layer::Extension)
}

/// Who set a field.
pub fn owner(claim: &Claim, paths: &Paths<'_>) -> Text {
    match (claim.layer, claim.at) {
        (_, Some(at)) => paths.place(at),
        (Layer::Builtin, _) => Text::from("pi, as shipped"),
        (Layer::Default, _) => Text::from("pi, by default"),
        (Layer::Env, _) => Text::from("the environment"),
        (Layer::Auth, _) => Text::from("auth.json"),
        (Layer::ModelsStore, _) => Text::from("models-store.json"),
        _ => paths.claim(claim),
    }
}

/// A value in a few words; secrets are known by their form only.
pub fn short(it: &Known) -> String {
    if let Some(words) = secret(it) {
        return words;
    }
    match it {
        Known::String(text) => text.to_string(),
        Known::Array(items) if items.is_empty() => "none".to_owned(),
        Known::Array(items) => {
            let mut shown: Vec<String> = items.iter().take(SHOWN).map(|it| short(&it.value)).collect();
            if items.len() > SHOWN {
                shown.push(format!("… ({} in all)", items.len()));
            }
            shown.join(", ")
        }
        other => words::value(other),
    }
}

/// `set, literal`, `set, from env X (not set here)`.
fn secret(it: &Known) -> Option<String> {
    let set = &it.field("set")?.value;
    if *set != Known::Bool(true) {
        return Some("not set".to_owned());
    }
    let form = it.field("form").and_then(|it| it.value.as_str());
    Some(match form {
        Some("env") => {
            let names = match it.field("env").map(|it| &it.value) {
                Some(Known::Array(names)) => {
                    names.iter().filter_map(|it| it.value.as_str()).collect::<Vec<_>>().join(", ")
                }
                _ => String::new(),
            };
            let there = it.field("resolves").is_some_and(|it| it.value == Known::Bool(true));
            format!("set, from env {names} ({})", if there { "set here" } else { "not set here" })
        }
        Some("command") => "set, by a command".to_owned(),
        Some(form) => format!("set, {form}"),
        None => "set".to_owned(),
    })
}
