//! Changes as people want to read them: what happens to a whole model, or to a crowd of models of one provider, is one change.

use std::collections::{BTreeMap, BTreeSet};

use super::snapshot::{Change, Named, What};

/// How many models make a crowd.
const CROWD: usize = 3;

/// The same changes, fewer of them.
pub fn summary(changes: &[Change]) -> Vec<Change> {
    by_crowd(&by_model(changes))
}

fn model(it: &Change) -> Option<(&Named, &What)> {
    match it {
        Change::Name(named, what) if named.kind == "model" => Some((named, what)),
        _ => None,
    }
}

/// One change for a model of which the same becomes of several fields, and nothing else.
fn by_model(changes: &[Change]) -> Vec<Change> {
    let mut fates: BTreeMap<&str, (usize, BTreeSet<&What>)> = BTreeMap::new();
    for (named, what) in changes.iter().filter_map(model) {
        let (fields, fate) = fates.entry(&named.name).or_default();
        *fields += 1;
        fate.insert(what);
    }
    let is_whole =
        |named: &Named| fates.get(&*named.name).is_some_and(|(fields, it)| *fields > 1 && it.len() == 1);
    let whole = changes.iter().map(|it| match model(it) {
        Some((named, what)) if is_whole(named) => {
            Change::Name(Named { field: None, ..named.clone() }, what.clone())
        }
        _ => it.clone(),
    });
    each_once(whole)
}

/// One change for several models of a provider of which the same becomes.
fn by_crowd(changes: &[Change]) -> Vec<Change> {
    let mut crowds: BTreeMap<(&str, &Option<String>, &What), usize> = BTreeMap::new();
    for (named, what) in changes.iter().filter_map(model) {
        *crowds.entry((provider(named), &named.field, what)).or_default() += 1;
    }
    let told = changes.iter().map(|it| {
        let Some((named, what)) = model(it) else { return it.clone() };
        let size = crowds.get(&(provider(named), &named.field, what)).copied().unwrap_or_default();
        if size < CROWD {
            return it.clone();
        }
        let name = format!("{}/* ({size} models)", provider(named));
        Change::Name(Named { name, ..named.clone() }, what.clone())
    });
    each_once(told)
}

fn provider(model: &Named) -> &str {
    model.name.split('/').next().unwrap_or_default()
}

fn each_once(changes: impl Iterator<Item = Change>) -> Vec<Change> {
    let mut told = Vec::new();
    for it in changes {
        if !told.contains(&it) {
            told.push(it);
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(kind: &str, name: &str, field: &str, what: What) -> Change {
        let field = Some(field.to_owned()).filter(|it| !it.is_empty());
        Change::Name(Named { kind: kind.to_owned(), name: name.to_owned(), field }, what)
    }

    fn names(changes: &[Change]) -> Vec<String> {
        let named = summary(changes).into_iter().filter_map(|it| match it {
            Change::Name(named, what) => Some(format!("{named} {}", what.word())),
            Change::Starts(..) => None,
        });
        named.collect()
    }

    #[test]
    fn models_are_told_as_wholes_and_in_crowds() {
        let gone = || What::Vanished("a.ts".to_owned());
        let moved = || What::Moved("a.ts".to_owned(), "b.ts".to_owned());
        let mut changes = vec![change("tool", "x", "", gone())];
        for id in ["p/1", "p/2", "p/3", "q/1"] {
            changes.extend([change("model", id, "api", gone()), change("model", id, "name", gone())]);
        }
        changes.extend(["r/1", "r/2", "r/3"].map(|it| change("model", it, "baseUrl", moved())));
        changes.extend([change("model", "s/1", "api", moved()), change("model", "s/1", "name", gone())]);
        assert_eq!(
            names(&changes),
            [
                "x vanished",
                "p/* (3 models) vanished",
                "q/1 vanished",
                "r/* (3 models).baseUrl moved",
                "s/1.api moved",
                "s/1.name vanished",
            ]
        );
    }
}
