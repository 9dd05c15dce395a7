//! What the modules that the host serves to extensions export, as it stands in `host-exports.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The exports of each module by its specifier.
pub type HostExports = BTreeMap<String, Exports>;

/// Exports by name.
pub type Exports = BTreeMap<String, Export>;

/// What a module exports under one name.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Export {
    /// A function.
    Function,
    /// An asynchronous function.
    Async,
    /// A class with these static members.
    Class(Vec<String>),
    /// A primitive.
    Value(serde_json::Value),
    /// A plain object.
    Object(Exports),
    /// A function that puts this before its argument: `Key.ctrl`.
    Prefix(String),
    /// A function that makes a tool.
    Tool(HostTool),
    /// A function that makes these tools.
    Tools(Vec<String>),
    /// A function that makes the provider of this id.
    Provider(String),
    /// Something else.
    Other,
}

/// A tool that one of Pi's own functions makes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct HostTool {
    /// Its name.
    pub name: String,
    /// Its label.
    pub label: String,
    /// The properties that it has, in order.
    pub keys: Vec<String>,
}
