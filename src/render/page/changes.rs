//! `pi-why diff`: what changed.

use crate::gate::snapshot::{Change, What};
use crate::render::document::{Document, Role, Sign, Table, Text};
use crate::render::words;

const STILL_REFUSED: &str = "pi still does not start";

/// The page; `starts_now` says whether Pi starts now.
pub fn page(changes: &[Change], starts_now: &str) -> Document {
    let mut page = Document::new();
    if changes.is_empty() {
        let same = "nothing changed: every name has the same holder";
        if starts_now == "no" {
            page.answer(Sign::Careful, format!("{same}; {STILL_REFUSED}"));
        } else {
            page.answer(Sign::Good, same);
        }
        return page;
    }
    let starts = changes.iter().find_map(|it| match it {
        Change::Starts(before, after) => Some((before, after)),
        Change::Name(..) => None,
    });
    let names = changes.len() - usize::from(starts.is_some());
    let count = words::count(names, "change");
    match starts {
        Some((_, after)) if after == "no" => {
            page.answer(
                Sign::Bad,
                Text::new()
                    .with(Role::Refused, "pi does not start any more")
                    .plain(format!("; {count} of names")),
            );
        }
        Some((before, after)) => {
            page.answer(
                Sign::Careful,
                format!("whether pi starts: {before} before, {after} now; {count} of names"),
            );
        }
        None if starts_now == "no" => page.answer(Sign::Bad, format!("{count} of names; {STILL_REFUSED}")),
        None => page.answer(Sign::Careful, format!("{count} of names; pi starts as before")),
    }
    page.gap();
    let rows = changes.iter().filter_map(row).collect();
    page.table(Table { header: vec!["kind", "name", "change", "who"], rows });
    page
}

fn row(it: &Change) -> Option<Vec<Text>> {
    let Change::Name(named, what) = it else { return None };
    let role = if matches!(what, What::Appeared(_)) { Role::Winner } else { Role::Warning };
    Some(vec![
        Text::from(named.kind.as_str()),
        Text::new().name(named.to_string()),
        Text::new().with(role, what.word()),
        Text::from(what.who()),
    ])
}
