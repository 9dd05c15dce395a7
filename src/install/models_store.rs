//! Reads `models-store.json`, the catalogs that Pi has fetched and keeps (rules, section 8.4; Pi:
//! `dist/core/models-store.js`, `FileModelsStore`). When an entry counts is for the registry to say.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use crate::files::Files;
use crate::json::{self, Node, Object};
use crate::location::SourceMap;

/// The kept catalogs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelsStore {
    /// Where the file is or would be.
    pub path: Utf8PathBuf,
    root: Option<Node>,
}

/// The kept catalog of one provider.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredCatalog<'s> {
    /// When the provider says that it last changed, in milliseconds.
    pub last_modified: Option<f64>,
    /// Its models.
    pub models: &'s [Node],
}

impl ModelsStore {
    /// Reads the file of an agent directory. One that cannot be read counts as empty, as in Pi.
    pub fn read(files: &dyn Files, sources: &SourceMap, agent_dir: &Utf8Path) -> Self {
        let path = agent_dir.join("models-store.json");
        let text = files.read_text(&path).ok().filter(|it| !it.is_empty());
        let root = text.and_then(|text| {
            let file = sources.add(path.clone(), text.clone());
            json::parse(&text, file).ok()
        });
        Self { path, root }
    }

    /// The catalog of a provider.
    pub fn catalog(&self, provider: &str) -> Option<StoredCatalog<'_>> {
        let entry = self.root.as_ref()?.as_object()?.get(provider)?.as_object()?;
        let last_modified = entry.get("lastModified").and_then(Node::as_number);
        Some(StoredCatalog { last_modified, models: entry.get("models")?.as_array()? })
    }

    /// The providers that it has something about.
    pub fn providers(&self) -> impl Iterator<Item = &Arc<str>> {
        self.root.iter().filter_map(Node::as_object).flat_map(Object::iter).map(|(id, _)| id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_catalog_has_its_time_and_models() {
        let text = r#"{"openai": {"models": [{"id": "m"}], "lastModified": 5}, "x": {"models": 3}}"#;
        let file = SourceMap::new().add("/s.json", text);
        let store = ModelsStore { path: "/s.json".into(), root: json::parse(text, file).ok() };
        let catalog = store.catalog("openai");
        assert_eq!(catalog.map(|it| (it.last_modified, it.models.len())), Some((Some(5.0), 1)));
        assert_eq!(store.catalog("x"), None);
    }
}
