//! Extensions that are loaded more than once, so that their names clash with themselves: Pi compares real paths, and nothing
//! else.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{EntryFile, LoadedExtension, Owner, Report};
use crate::source::{Kind, Phase};

/// Why two extensions are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// Both paths lead to one file.
    File,
    /// Both belong to copies of one package.
    Package,
    /// Both files hold the same text and register the same names.
    Content,
}

/// Two loaded extensions that are one.
#[derive(Debug, Clone, Copy)]
pub struct Twice<'a> {
    /// The one that comes first in the list.
    pub first: &'a LoadedExtension,
    /// The other one.
    pub second: &'a LoadedExtension,
    /// What makes them one.
    pub same: Sameness,
}

/// What an extension claims.
type Names = BTreeSet<(Kind, Arc<str>)>;

impl Report {
    /// Each loaded extension that is one with another before it.
    pub fn loaded_twice(&self) -> Vec<Twice<'_>> {
        let mut firsts: Vec<(&LoadedExtension, &EntryFile, Names)> = Vec::new();
        let mut found = Vec::new();
        for second in self.loaded() {
            let Some(file) = &second.file else { continue };
            let names = names(second);
            let same = firsts
                .iter()
                .find_map(|(first, other, theirs)| Some((*first, sameness(other, theirs, file, &names)?)));
            match same {
                Some((first, same)) => found.push(Twice { first, second, same }),
                None => firsts.push((second, file, names)),
            }
        }
        found
    }
}

fn names(it: &LoadedExtension) -> Names {
    let of_factory =
        it.registrations.iter().filter(|it| it.phase == Phase::Factory && it.kind != Kind::Event);
    of_factory.filter_map(|it| Some((it.kind, Arc::clone(it.name.as_ref()?)))).collect()
}

fn sameness(one: &EntryFile, names: &Names, other: &EntryFile, theirs: &Names) -> Option<Sameness> {
    if one.real == other.real {
        return Some(Sameness::File);
    }
    if let (Some(owner), Some(their_owner)) = (&one.owner, &other.owner)
        && is_copy(owner, their_owner)
    {
        // A package may bring several extensions: those that are copies of each other stand at the same place in it, or claim the
        // same names where one copy is built and the other is not.
        let inside =
            |file: &EntryFile, owner: &Owner| file.real.strip_prefix(&owner.root).ok().map(Into::into);
        let place: Option<camino::Utf8PathBuf> = inside(one, owner);
        let same_place = owner.version == their_owner.version && place == inside(other, their_owner);
        if same_place || !names.is_disjoint(theirs) {
            return Some(Sameness::Package);
        }
    }
    let same_text = one.digest.is_some() && one.digest == other.digest;
    (same_text && !names.is_empty() && names == theirs).then_some(Sameness::Content)
}

fn is_copy(one: &Owner, other: &Owner) -> bool {
    one.name == other.name && one.root != other.root
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(real: &str, package: Option<(&str, &str)>, text: Option<&str>) -> EntryFile {
        let owner = package.map(|(root, version)| Owner {
            root: root.into(),
            name: "p".to_owned(),
            version: Some(version.to_owned()),
        });
        EntryFile { real: real.into(), digest: text.map(|it| it.as_bytes().to_vec()), owner }
    }

    fn tools(names: &[&str]) -> Names {
        names.iter().map(|&it| (Kind::Tool, it.into())).collect()
    }

    type Side = (EntryFile, &'static [&'static str]);

    #[allow(clippy::needless_pass_by_value, reason = "it reads better")]
    fn same((one, names): Side, (other, theirs): Side) -> Option<Sameness> {
        sameness(&one, &tools(names), &other, &tools(theirs))
    }

    #[test]
    fn one_file_is_one_whatever_its_paths() {
        assert_eq!(same((file("/a", None, None), &[]), (file("/a", None, None), &[])), Some(Sameness::File));
    }

    #[test]
    fn copies_of_a_package_are_one_file_by_file() {
        let at = |path, root, version| file(path, Some((root, version)), None);
        let here = |names| -> Side { (at("/x/a.ts", "/x", "1"), names) };
        assert_eq!(same(here(&[]), (at("/y/a.ts", "/y", "1"), &[])), Some(Sameness::Package));
        assert_eq!(same(here(&["t"]), (at("/y/b.ts", "/y", "1"), &["u"])), None);
        assert_eq!(same(here(&["t"]), (at("/x/b.ts", "/x", "1"), &["t"])), None);
        assert_eq!(same(here(&["t"]), (at("/y/dist/a.js", "/y", "2"), &["t"])), Some(Sameness::Package));
        assert_eq!(same(here(&["t"]), (at("/y/a.ts", "/y", "2"), &["u"])), None);
    }

    #[test]
    fn a_text_is_one_only_if_it_claims_the_same_names() {
        let a = |names| -> Side { (file("/a", None, Some("x")), names) };
        let b = |names| -> Side { (file("/b", None, Some("x")), names) };
        assert_eq!(same(a(&["t"]), b(&["t"])), Some(Sameness::Content));
        assert_eq!(same(a(&["t"]), b(&["u"])), None);
        assert_eq!(same(a(&[]), b(&[])), None);
        assert_eq!(same(a(&["t"]), (file("/b", None, None), &["t"])), None);
    }
}
