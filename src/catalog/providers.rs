//! The built-in providers and their models, decoded one provider at a time.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

/// A built-in provider.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltinProvider {
    /// Its id.
    pub id: Arc<str>,
    /// Its name for people.
    pub name: Arc<str>,
    /// Where it is reached, when that is one place.
    pub base_url: Option<Arc<str>>,
    /// How one logs in: `apiKey`, `oauth`.
    pub auth: Vec<Arc<str>>,
    /// Whether it has a catalog of its own that it refreshes, instead of the one that Pi distributes.
    pub refreshes: bool,
    /// Sets of environment variables (or `file:PATH`) of which each alone makes it usable, in the order in which Pi looks.
    pub credentials: Vec<Vec<Arc<str>>>,
    /// Its models in Pi's order.
    pub models: Vec<BuiltinModel>,
}

/// A built-in model.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "Pi's own field names")]
pub struct BuiltinModel {
    pub id: Arc<str>,
    pub name: Arc<str>,
    pub api: Arc<str>,
    pub base_url: Arc<str>,
    pub reasoning: bool,
    pub input: Value,
    pub cost: Value,
    pub context_window: f64,
    pub max_tokens: f64,
    pub compat: Option<Value>,
    pub thinking_level_map: Option<Value>,
    /// Names of the headers that every request of the model carries.
    pub headers: Vec<Arc<str>>,
}

/// The id of the provider of one line of the data.
pub(super) fn id_of(line: &str) -> Option<&str> {
    line.strip_prefix("{\"id\":\"")?.split('"').next()
}

/// The provider of one line of the data.
pub(super) fn decode(line: &str) -> Option<BuiltinProvider> {
    let line: Line = serde_json::from_str(line).ok()?;
    let models = line.models.iter().filter_map(|row| line.model(row)).collect();
    Some(BuiltinProvider {
        models,
        id: line.id,
        name: line.name,
        base_url: line.base_url,
        auth: line.auth,
        refreshes: line.refreshes,
        credentials: line.credentials,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    id: Arc<str>,
    name: Arc<str>,
    base_url: Option<Arc<str>>,
    auth: Vec<Arc<str>>,
    refreshes: bool,
    credentials: Vec<Vec<Arc<str>>>,
    apis: Vec<Arc<str>>,
    base_urls: Vec<Arc<str>>,
    inputs: Vec<Value>,
    costs: Vec<Value>,
    compats: Vec<Value>,
    thinking_level_maps: Vec<Value>,
    model_headers: Vec<Vec<Arc<str>>>,
    models: Vec<Row>,
}

/// One model: values and indices into the tables of its line, in the order of the extractor's `MODEL_COLUMNS`. `-1` is
/// no value.
#[derive(Deserialize)]
struct Row(Arc<str>, Arc<str>, usize, usize, bool, usize, usize, f64, f64, isize, isize, isize);

impl Line {
    fn model(&self, row: &Row) -> Option<BuiltinModel> {
        Some(BuiltinModel {
            id: Arc::clone(&row.0),
            name: Arc::clone(&row.1),
            api: Arc::clone(self.apis.get(row.2)?),
            base_url: Arc::clone(self.base_urls.get(row.3)?),
            reasoning: row.4,
            input: self.inputs.get(row.5)?.clone(),
            cost: self.costs.get(row.6)?.clone(),
            context_window: row.7,
            max_tokens: row.8,
            compat: optional(&self.compats, row.9),
            thinking_level_map: optional(&self.thinking_level_maps, row.10),
            headers: optional(&self.model_headers, row.11).unwrap_or_default(),
        })
    }
}

fn optional<T: Clone>(table: &[T], index: isize) -> Option<T> {
    table.get(usize::try_from(index).ok()?).cloned()
}
