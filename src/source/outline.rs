//! What a module asks for and what it gives, without its code.
//!
//! Code in `node_modules` is parsed to learn this much and lowered only when somebody evaluates it: most never is. Of `CommonJS` there
//! is nothing to learn, so that what only native modules import is not even parsed.

use std::sync::Arc;

use oxc_syntax::module_record::{
    ExportEntry, ExportExportName, ExportImportName, ImportImportName, ModuleRecord,
};

use super::ir::{Atom, Export, Imported, Module, Range};

/// The imports and exports of a module.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// What it asks for, in source order: the same list as [`Module::requests`].
    pub(super) requests: Vec<Asked>,
    /// The names that it exports itself.
    pub(super) exports: Vec<Atom>,
    /// The requests of which it exports every name but `default`.
    pub(super) stars: Vec<u32>,
    /// Whether it exports names that only running it tells.
    pub(super) is_open: bool,
    /// As [`Module::is_esm`].
    pub(super) is_esm: bool,
}

/// One module asked for.
#[derive(Debug)]
pub(super) struct Asked {
    /// As written.
    pub(super) specifier: Atom,
    /// The specifier's place.
    pub(super) at: Range,
    /// Never loaded.
    pub(super) erased: bool,
    /// The exports that have to be there.
    pub(super) names: Vec<Atom>,
}

impl Outline {
    /// The outline of a lowered module.
    pub(super) fn of_module(module: &Module) -> Self {
        let requests = module.requests.iter().map(|request| Asked {
            specifier: Arc::clone(&request.specifier),
            at: request.at,
            erased: request.erased,
            names: Vec::new(),
        });
        let mut outline = Self { requests: requests.collect(), is_esm: module.is_esm, ..Self::default() };
        for import in &module.imports {
            outline.needs(import.request, &import.imported);
        }
        for export in &module.exports {
            match export {
                Export::Binding { name, .. } => outline.exports.push(Arc::clone(name)),
                Export::Default => outline.exports.push("default".into()),
                Export::From { name, request, imported } => {
                    outline.exports.push(Arc::clone(name));
                    outline.needs(*request, imported);
                }
                Export::Star { request } => outline.stars.push(*request),
                Export::Assignment => outline.is_open = true,
            }
        }
        outline
    }

    fn needs(&mut self, request: u32, imported: &Imported) {
        let name: Atom = match imported {
            Imported::Default => "default".into(),
            Imported::Named(name) => Arc::clone(name),
            Imported::Namespace => return,
        };
        if let Some(asked) = self.requests.get_mut(request as usize) {
            asked.names.push(name);
        }
    }

    /// The outline of a JavaScript module as oxc's parser sees it.
    pub(super) fn of_record(record: &ModuleRecord<'_>) -> Self {
        let mut requests: Vec<(u32, Asked)> = Vec::new();
        for (specifier, places) in &record.requested_modules {
            let specifier: Atom = specifier.as_str().into();
            requests.extend(places.iter().map(|place| {
                let at = Range { start: place.span.start, end: place.span.end };
                let specifier = Arc::clone(&specifier);
                (place.statement_span.start, Asked { specifier, at, erased: false, names: Vec::new() })
            }));
        }
        requests.sort_by_key(|(statement, _)| *statement);
        let mut outline = Self { is_esm: record.has_module_syntax, ..Self::default() };
        let request_of = |statement: u32| requests.binary_search_by_key(&statement, |(start, _)| *start).ok();
        let mut needed = Vec::new();
        for import in &record.import_entries {
            let name = match &import.import_name {
                ImportImportName::Name(name) => name.name.as_str(),
                ImportImportName::Default(_) => "default",
                ImportImportName::NamespaceObject => continue,
            };
            needed.push((request_of(import.statement_span.start), Atom::from(name)));
        }
        for export in &record.indirect_export_entries {
            // What is imported first and then exported counts with the import.
            let is_written_there = export.statement_span.contains_inclusive(export.span);
            if let ExportImportName::Name(name) = &export.import_name
                && is_written_there
            {
                needed.push((request_of(export.statement_span.start), Atom::from(name.name.as_str())));
            }
        }
        let stars = record.star_export_entries.iter().filter(|it| it.export_name.is_null());
        let stars = stars.filter_map(|it| request_of(it.statement_span.start));
        outline.stars = stars.filter_map(|index| u32::try_from(index).ok()).collect();
        let named =
            [&record.local_export_entries, &record.indirect_export_entries, &record.star_export_entries];
        outline.exports = named.into_iter().flatten().filter_map(exported_name).collect();
        outline.requests = requests.into_iter().map(|(_, asked)| asked).collect();
        for (request, name) in needed {
            if let Some(asked) = request.and_then(|index| outline.requests.get_mut(index)) {
                asked.names.push(name);
            }
        }
        outline
    }
}

fn exported_name(export: &ExportEntry<'_>) -> Option<Atom> {
    match &export.export_name {
        ExportExportName::Name(name) => Some(name.name.as_str().into()),
        ExportExportName::Default(_) => Some("default".into()),
        ExportExportName::Null => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::location::SourceMap;
    use crate::source::ir::Dialect;
    use crate::source::parse::{Goal, outline, parse};

    #[test]
    fn both_ways_to_an_outline_agree() {
        let text = "import a, { b as c, default as d } from 'x'; import * as e from 'y'; import 'z';
            import {} from 'x'; export { f as g, default as h } from 'x'; export * from 'y'; export * as i from 'z';
            export { a, c as 'j k' }; export const l = 1, { m } = e; export default class {}; export function n() {}";
        let file = SourceMap::new().add("/m", text);
        let quick = outline(text, Goal::Module).unwrap();
        let thorough = Outline::of_module(&parse(text, file, Dialect::JavaScript, Goal::Module).unwrap());
        let requests = |outline: &Outline| -> Vec<(Atom, u32, Vec<Atom>)> {
            let sorted = |names: &[Atom]| {
                let mut names = names.to_vec();
                names.sort();
                names
            };
            let asked = outline.requests.iter();
            asked.map(|it| (Arc::clone(&it.specifier), it.at.start, sorted(&it.names))).collect()
        };
        let exports = |outline: &Outline| {
            let mut names = outline.exports.clone();
            names.sort();
            names
        };
        assert_eq!(requests(&quick), requests(&thorough));
        assert_eq!(exports(&quick), exports(&thorough));
        assert_eq!(quick.stars, thorough.stars);
        assert!(quick.is_esm && thorough.is_esm);
    }
}
