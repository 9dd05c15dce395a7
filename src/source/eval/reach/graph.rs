//! Whether a module, with all that it imports, may register anything: answered without running it.

use std::rc::Rc;
use std::sync::Arc;

use camino::Utf8PathBuf;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Evaluator, MAX_SEARCHED};
use crate::location::FileId;
use crate::source::eval::heap::InstanceId;
use crate::source::ir::{Module, Range};
use crate::source::mentions::{Mentions, Named};
use crate::source::modules::Modules;
use crate::source::resolve::{Asking, Importer, ModuleFile, Resolution};

/// What has been found out about modules as seen from one extension.
#[derive(Debug, Default)]
pub struct Graphs {
    answers: FxHashMap<ModuleFile, bool>,
    /// Modules from which none is reached that registers.
    harmless: FxHashSet<ModuleFile>,
}

/// What has been found out about modules, whoever loads them.
#[derive(Debug, Default)]
pub struct Texts {
    mentions: FxHashMap<FileId, Arc<Mentions>>,
    /// The variables that functions and classes name, each once, by the place of the code.
    variables: FxHashMap<(FileId, u32, u32), Rc<[Named]>>,
    /// Whether the package in a folder knows of Pi.
    knows_pi: FxHashMap<Utf8PathBuf, bool>,
}

impl Texts {
    pub(super) fn mentions(&mut self, modules: &Modules<'_>, module: &Module) -> Arc<Mentions> {
        Arc::clone(self.mentions.entry(module.file).or_insert_with(|| modules.mentions(module)))
    }

    /// The variables that the code of a function or class names.
    pub(super) fn variables(&mut self, modules: &Modules<'_>, module: &Module, range: Range) -> Rc<[Named]> {
        let place = (module.file, range.start, range.end);
        if let Some(known) = self.variables.get(&place) {
            return Rc::clone(known);
        }
        let mut named: Vec<Named> = self.mentions(modules, module).variables_within(range).collect();
        named.sort_unstable();
        named.dedup();
        let named: Rc<[Named]> = named.into();
        self.variables.insert(place, Rc::clone(&named));
        named
    }
}

impl Evaluator<'_> {
    /// Whether a module that is loaded at run time, or anything that it imports, may register something.
    pub(super) fn import_registers(&mut self, from: InstanceId, specifier: &str) -> bool {
        let importer = self.instances.file(from);
        let importer = Importer { path: &importer.path, treatment: importer.treatment };
        match self.world.modules.resolve(importer, specifier, Asking::Import) {
            Resolution::File(root) => self.graph_registers(&root),
            _ => false,
        }
    }

    /// Whether a module or anything that it imports names a registering method, or loads what is not known.
    pub(super) fn graph_registers(&mut self, root: &ModuleFile) -> bool {
        let graphs = self.reach.graphs.entry(self.extension).or_default();
        if graphs.harmless.contains(root) {
            return false;
        }
        if let Some(&known) = graphs.answers.get(root) {
            return known;
        }
        let mut seen = FxHashSet::default();
        let answer = self.search_graph(root, &mut seen);
        let graphs = self.reach.graphs.entry(self.extension).or_default();
        if answer {
            graphs.answers.insert(root.clone(), true);
        } else {
            graphs.harmless.extend(seen);
        }
        answer
    }

    fn search_graph(&mut self, root: &ModuleFile, seen: &mut FxHashSet<ModuleFile>) -> bool {
        let modules = self.world.modules;
        let mut open = vec![root.clone()];
        while let Some(file) = open.pop() {
            let is_harmless =
                self.reach.graphs.get(&self.extension).is_some_and(|it| it.harmless.contains(&file));
            if is_harmless || !seen.insert(file.clone()) {
                continue;
            }
            if !self.is_own_file(&file) && !self.knows_pi(&file) {
                continue;
            }
            let Ok(module) = modules.module(&file) else { continue };
            let mentions = self.reach.texts.mentions(modules, &module);
            if seen.len() > MAX_SEARCHED || mentions.registers() || mentions.loads_unknown() {
                return true;
            }
            let importer = Importer { path: &file.path, treatment: file.treatment };
            let loaded = mentions.loaded().map(|it| modules.resolve(importer, it, Asking::Import));
            let linked = modules.links(&file).unwrap_or_default();
            open.extend(loaded.chain(linked.iter().flatten().cloned()).filter_map(|it| match it {
                Resolution::File(file) => Some(file),
                _ => None,
            }));
        }
        false
    }

    /// Whether a package that an extension uses is made for Pi, so that it may register what it is handed `pi` for.
    pub(super) fn knows_pi(&mut self, file: &ModuleFile) -> bool {
        let folder = self.world.modules.package_of(&file.path);
        if let Some(&known) = self.reach.texts.knows_pi.get(folder) {
            return known;
        }
        let manifest = self.world.files.read_text(&folder.join("package.json"));
        let answer = manifest.is_ok_and(|it| it.contains("pi-coding-agent"));
        self.reach.texts.knows_pi.insert(folder.to_owned(), answer);
        answer
    }
}
