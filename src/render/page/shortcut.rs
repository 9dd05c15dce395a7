//! Keys that no extension registers: what Pi itself does with them.

use crate::catalog::{Catalog, PiVersion};
use crate::registry::{Claim, Contest, Layer, is_key, shortcut};
use crate::render::document::{Document, Sign, Table, Text};
use crate::render::{Paths, words};

/// Whether only Pi itself has the key.
pub fn is_of_pi(contest: &Contest) -> bool {
    contest.winner.as_ref().is_some_and(|it| it.layer == Layer::Builtin)
}

/// The page of such a key.
pub fn of_pi(page: &mut Document, contest: &Contest, asked: &str, paths: &Paths<'_>) {
    let actions: Vec<&Claim> =
        contest.winner.iter().chain(contest.losers.iter().map(|it| &it.claim)).collect();
    let names: Vec<String> = actions.iter().map(|it| action(it).to_owned()).collect();
    let has = if names.len() == 1 { " has it" } else { " have it" };
    let text = Text::new().name(&*contest.name).plain(": pi's own ").code(words::list(&names)).plain(has);
    page.answer(Sign::None, text.plain("; no extension registers it"));
    if !contest.name.eq_ignore_ascii_case(asked) {
        page.line(format!("{asked} is another spelling of the same key."));
    }
    let (sentence, rule) = if contest.rule == shortcut::RESERVED {
        (
            "Pi keeps this key: a shortcut that an extension registers on it is skipped with a warning.",
            contest.rule,
        )
    } else {
        ("Pi would give this key to an extension that registers it, with a warning.", contest.rule)
    };
    page.line(Text::from(sentence).dim(format!(" ({rule})")));
    page.gap();
    let rows = actions.iter().map(|it| {
        let by = it.at.map_or_else(|| Text::from("pi, by default"), |at| paths.place(at));
        vec![Text::new().name(action(it)), by]
    });
    page.table(Table { header: vec!["action", "bound by"], rows: rows.collect() });
    if actions.len() > 1 {
        page.line("What has the focus decides which of them hears the key.");
    }
    let catalog = Catalog::of(PiVersion::nearest(&paths.report().pi.version));
    let kept = names.iter().filter(|it| catalog.is_reserved(it));
    let freed: Vec<String> = kept.map(|it| format!("\"{it}\": []")).collect();
    if !freed.is_empty() {
        let file = paths.linked(paths.report().agent_dir.join("keybindings.json").as_str());
        page.line(Text::from("to free it for extensions: ").then(file).plain("  ").code(freed.join(", ")));
    }
}

/// What else is to be said of a key that nobody has.
pub fn nobody(asked: &str) -> &'static str {
    if is_key(asked) {
        ", and pi does not bind it: the key is free"
    } else {
        ", and no key press matches this spelling"
    }
}

fn action(claim: &Claim) -> &str {
    claim.path.strip_prefix("<builtin:").and_then(|it| it.strip_suffix('>')).unwrap_or(&claim.path)
}
