//! `[[extension]]` of `pi-why.toml`, read.

use camino::Utf8Path;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::{Declarations, Declared, Extension, value};
use crate::install::Scope;
use crate::source::{Kind, Known, Phase};

/// The tables as they are written.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Written {
    path: Spanned<String>,
    #[serde(default)]
    scope: Option<Scope>,
    #[serde(default)]
    instead_of_source: bool,
    #[serde(default)]
    failure: Option<WrittenFailure>,
    #[serde(default)]
    register: Vec<WrittenRegistration>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFailure {
    message: String,
    explanation: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct WrittenRegistration {
    kind: Spanned<Kind>,
    #[serde(default)]
    name: Option<Spanned<String>>,
    #[serde(default)]
    phase: Option<WrittenPhase>,
    #[serde(default, rename = "if")]
    conditions: Vec<String>,
    #[serde(default)]
    unknown: Option<String>,
    #[serde(default)]
    rests_on: Vec<String>,
    #[serde(default)]
    value: Option<WrittenValue>,
}

#[derive(Debug, Clone)]
struct WrittenPhase(Phase);

#[derive(Debug, Clone)]
struct WrittenValue(Known);

impl<'de> Deserialize<'de> for WrittenPhase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let phase = match text.split_once(':') {
            None if text == "factory" => Phase::Factory,
            None if text == "later" => Phase::Later,
            Some(("event", name)) => Phase::Event(name.into()),
            Some(("command", name)) => Phase::Command(name.into()),
            Some(("shortcut", name)) => Phase::Shortcut(name.into()),
            Some(("tool", name)) => Phase::Tool(name.into()),
            _ => {
                let words = "factory, later, event:NAME, command:NAME, shortcut:KEY, tool:NAME";
                return Err(D::Error::custom(format!("`{text}` is no phase; there are {words}")));
            }
        };
        Ok(Self(phase))
    }
}

impl<'de> Deserialize<'de> for WrittenValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let it = toml::Value::deserialize(deserializer)?;
        value::from_toml(it).map(Self).map_err(|error| D::Error::custom(error.message().to_owned()))
    }
}

impl Declarations {
    /// The declarations of a file.
    pub fn new(path: &Utf8Path, text: &str, written: Vec<Written>) -> Self {
        let extensions = written.into_iter().map(Extension::from).collect();
        Self { path: path.to_owned(), text: text.into(), extensions }
    }
}

impl From<Written> for Extension {
    fn from(it: Written) -> Self {
        Self {
            at: it.path.span(),
            path: it.path.into_inner(),
            scope: it.scope,
            instead_of_source: it.instead_of_source,
            failure: it.failure.map(|it| (it.message, it.explanation)),
            registrations: it.register.into_iter().map(Declared::from).collect(),
        }
    }
}

impl From<WrittenRegistration> for Declared {
    fn from(it: WrittenRegistration) -> Self {
        let at = it.name.as_ref().map_or_else(|| it.kind.span(), Spanned::span);
        let kind = it.kind.into_inner();
        let name: Option<std::sync::Arc<str>> = it.name.map(|name| name.into_inner().into());
        let unnamed = name.is_none().then(|| "declared without a name".to_owned());
        let payload = it.value.map_or_else(|| default_payload(kind, name.as_deref()), |it| it.0);
        Self {
            kind,
            phase: it.phase.map_or(Phase::Factory, |it| it.0),
            conditions: it.conditions.iter().map(|text| condition(text)).collect(),
            unknown: it.unknown.filter(|_| name.is_none()).or(unnamed),
            rests_on: it.rests_on,
            payload,
            at,
            name,
        }
    }
}

/// `!(text)` has to be false, anything else true.
fn condition(text: &str) -> (String, bool) {
    match text.strip_prefix("!(").and_then(|it| it.strip_suffix(')')) {
        Some(inner) => (inner.to_owned(), false),
        None => (text.to_owned(), true),
    }
}

/// What is registered when the declaration does not say it.
fn default_payload(kind: Kind, name: Option<&str>) -> Known {
    use crate::source::known::Field;
    let object = |fields| Known::Object { fields, open: None };
    let named = |key: &str| {
        let value = name.map_or(Known::Undefined, |it| Known::String(it.into()));
        object(vec![(key.into(), Field { value, at: None })])
    };
    match kind {
        Kind::Tool => named("name"),
        Kind::NativeProvider => named("id"),
        Kind::MessageRenderer | Kind::EntryRenderer | Kind::Event => Known::Function,
        _ => object(Vec::new()),
    }
}
