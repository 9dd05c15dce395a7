//! The files behind the paths of extensions: real path, package, and what the text is known by.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::files::Files;
use crate::install::{EntryKind, ExtensionId, LoadOrder};
use crate::report::{EntryFile, Owner};
use crate::source::modules::{Library, Modules};

/// The file of each extension that Pi imports; nothing for one that is not there.
pub(super) fn entry_files(
    files: &dyn Files,
    library: &Library,
    order: &LoadOrder,
) -> BTreeMap<ExtensionId, EntryFile> {
    let mut owners = Owners { files, known: BTreeMap::new() };
    let mut found = BTreeMap::new();
    let mut of_size: BTreeMap<u64, Vec<ExtensionId>> = BTreeMap::new();
    for entry in order.planned().filter(|it| it.kind == EntryKind::File) {
        let path = if files.is_directory(&entry.import_path) {
            // Folders are rare: what they stand for is looked up once more.
            Modules::new(files, library).entry_path(&entry.import_path).ok()
        } else {
            Some(entry.import_path.clone())
        };
        let Some(real) = path.and_then(|it| files.canonicalize(&it).ok()) else { continue };
        let Ok(size) = files.metadata(&real).map(|it| it.size) else { continue };
        let owner = real.parent().and_then(|it| owners.of(it));
        of_size.entry(size).or_default().push(entry.id);
        found.insert(entry.id, EntryFile { real, digest: None, owner });
    }
    for id in of_size.into_values().filter(|it| it.len() > 1).flatten() {
        if let Some(file) = found.get_mut(&id) {
            file.digest = files.read(&file.real).ok().map(|it| Sha256::digest(it).to_vec());
        }
    }
    found
}

/// The packages that folders lie in.
struct Owners<'a> {
    files: &'a dyn Files,
    known: BTreeMap<Utf8PathBuf, Option<Owner>>,
}

impl Owners<'_> {
    fn of(&mut self, folder: &Utf8Path) -> Option<Owner> {
        if let Some(known) = self.known.get(folder) {
            return known.clone();
        }
        let above = || folder.parent().filter(|_| folder.file_name() != Some("node_modules"));
        let owner = self.named(folder).or_else(|| above().and_then(|it| self.of(it)));
        self.known.insert(folder.to_owned(), owner.clone());
        owner
    }

    fn named(&self, folder: &Utf8Path) -> Option<Owner> {
        let text = self.files.read_text(&folder.join("package.json")).ok()?;
        let package: Value = serde_json::from_str(&text).ok()?;
        let word = |key: &str| package[key].as_str().filter(|it| !it.is_empty()).map(str::to_owned);
        Some(Owner { root: folder.to_owned(), name: word("name")?, version: word("version") })
    }
}
