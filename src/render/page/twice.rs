//! What is loaded twice: why names clash with themselves.

use crate::install::ExtensionId;
use crate::registry::Contest;
use crate::render::Paths;
use crate::render::document::{Document, Text};
use crate::report::{LoadedExtension, Report, Sameness, Twice, claims};

/// Says of each pair that takes part in some contests that it is one thing.
pub fn told(page: &mut Document, contests: &[&Contest], report: &Report, paths: &Paths<'_>) {
    let part = parties(contests);
    let takes_part = |it: &Twice<'_>| part.contains(&it.first.entry.id) && part.contains(&it.second.entry.id);
    for it in report.loaded_twice().iter().filter(|it| takes_part(it)) {
        page.line(words(it, paths));
    }
}

/// `one package is loaded twice`, if that is why a name has two claims.
pub fn reason(contests: &[&Contest], report: &Report) -> Option<&'static str> {
    let part = parties(contests);
    let [one, other] = part.as_slice() else { return None };
    let found = report.loaded_twice();
    let pair = found.iter().find(|it| {
        let mut ids = [it.first.entry.id, it.second.entry.id];
        ids.sort_unstable();
        ids == [*one, *other]
    })?;
    Some(match pair.same {
        Sameness::Package => "one package is loaded twice",
        Sameness::File | Sameness::Content => "one extension is loaded twice",
    })
}

fn parties(contests: &[&Contest]) -> Vec<ExtensionId> {
    let mut part: Vec<ExtensionId> =
        contests.iter().flat_map(|it| claims(it)).filter_map(|it| it.extension).collect();
    part.sort_unstable();
    part.dedup();
    part
}

fn words(it: &Twice<'_>, paths: &Paths<'_>) -> Text {
    let [first, second] = [it.first, it.second].map(|it| paths.linked(it.entry.path.as_str()));
    let both = first.plain(" and ").then(second);
    match it.same {
        Sameness::File => both.plain(" are one file. Pi compares paths, and these differ, so it loads both."),
        Sameness::Package => {
            both.plain(format!(" are copies of {}. Pi compares paths, so it loads both.", package(it.second)))
        }
        Sameness::Content => both.plain(" are the same text. Pi compares paths, so it loads both."),
    }
}

/// `name@version` of the package that an extension lies in.
fn package(it: &LoadedExtension) -> String {
    let owner = it.file.as_ref().and_then(|it| it.owner.as_ref());
    let Some(owner) = owner else { return "one package".to_owned() };
    owner.version.as_ref().map_or_else(|| owner.name.clone(), |it| format!("{}@{it}", owner.name))
}
