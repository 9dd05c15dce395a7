//! `pi-why manifest`: what the source says, as the tables of `pi-why.toml`.

use toml::{Table, Value};

use super::value;
use crate::gate::Identities;
use crate::report::{LoadedExtension, Report};
use crate::source::{Certainty, Kind, Phase, Registration};

/// The tables for some extensions of a report.
pub fn manifest(report: &Report, extensions: &[&LoadedExtension]) -> Result<String, toml::ser::Error> {
    let identities = Identities::new(report);
    let tables: Vec<Value> =
        extensions.iter().map(|it| Value::Table(extension(it, report, &identities))).collect();
    let mut whole = Table::new();
    whole.insert("extension".to_owned(), Value::Array(tables));
    toml::to_string_pretty(&whole)
}

fn extension(it: &LoadedExtension, report: &Report, identities: &Identities) -> Table {
    let mut table = Table::new();
    let path = identities.of(it.entry.path.as_str());
    let same = report.order.iter().filter(|other| identities.of(other.entry.path.as_str()) == path);
    let ambiguous = same.count() > 1;
    table.insert("path".to_owned(), path.into());
    if ambiguous {
        let scope = serde_json::to_value(it.entry.source_info.scope).ok();
        let scope = scope.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
        table.insert("scope".to_owned(), scope.into());
    }
    table.insert("instead-of-source".to_owned(), true.into());
    if let Some(failure) = it.failure.as_ref().filter(|it| it.certainty.is_certain()) {
        let mut words = Table::new();
        words.insert("message".to_owned(), failure.message.clone().into());
        words.insert("explanation".to_owned(), failure.explanation.clone().into());
        table.insert("failure".to_owned(), words.into());
    }
    let registrations: Vec<Value> = it.registrations.iter().map(|it| registration(it).into()).collect();
    if !registrations.is_empty() {
        table.insert("register".to_owned(), registrations.into());
    }
    table
}

fn registration(it: &Registration) -> Table {
    let mut table = Table::new();
    table.insert("kind".to_owned(), kind(it.kind).into());
    if let Some(name) = &it.name {
        table.insert("name".to_owned(), name.to_string().into());
    }
    if it.phase != Phase::Factory {
        table.insert("phase".to_owned(), it.phase.to_string().into());
    }
    let conditions: Vec<Value> = it.certainty.conditions().iter().map(|it| it.to_string().into()).collect();
    if !conditions.is_empty() {
        table.insert("if".to_owned(), conditions.into());
    }
    if let Certainty::Unresolved(reason, _) = &it.certainty {
        table.insert("unknown".to_owned(), reason.text.to_string().into());
    }
    if !it.rests_on.is_empty() {
        let facts: Vec<Value> = it.rests_on.iter().map(|it| it.0.to_string().into()).collect();
        table.insert("rests-on".to_owned(), facts.into());
    }
    table.insert("value".to_owned(), value::to_toml(&it.payload));
    table
}

/// The word of a kind in the JSON form.
fn kind(kind: Kind) -> String {
    let word = serde_json::to_value(kind).ok();
    word.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::value::{from_toml, to_toml};
    use crate::source::known::Field;
    use crate::source::{Known, Reason, ReasonKind};

    fn reason(text: &str) -> Reason {
        Reason { kind: ReasonKind::OutsideWorld, text: text.into(), at: None }
    }

    fn values() -> impl Strategy<Value = Known> {
        let leaf = prop_oneof![
            Just(Known::Undefined),
            Just(Known::Null),
            Just(Known::Function),
            any::<bool>().prop_map(Known::Bool),
            (-1.0e9..1.0e9).prop_map(Known::Number),
            ".{0,8}".prop_map(|it| Known::String(it.into())),
            ".{0,8}".prop_map(|it| Known::Unknown(reason(&it))),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            let field = |value| Field { value, at: None };
            let fields = prop::collection::btree_map("[$a-c]{1,3}", inner.clone(), 0..4);
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4)
                    .prop_map(move |it| Known::Array(it.into_iter().map(field).collect())),
                prop::collection::vec(inner, 0..4).prop_map(Known::Choice),
                (fields, prop::option::of(Just(reason("spread")))).prop_map(move |(it, open)| {
                    let fields = it.into_iter().map(|(key, value)| (key.as_str().into(), field(value)));
                    Known::Object { fields: fields.collect(), open }
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_are_read_back_as_they_were(value in values()) {
            let text = toml::to_string(&toml::Table::from_iter([("v".to_owned(), to_toml(&value))]));
            let text = text.unwrap_or_default();
            let table: toml::Table = toml::from_str(&text).unwrap_or_default();
            let read = table.get("v").cloned().and_then(|it| from_toml(it).ok());
            prop_assert_eq!(read, Some(value), "{}", text);
        }
    }
}
