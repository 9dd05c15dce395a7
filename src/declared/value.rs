//! Values of JavaScript in TOML. What TOML has no word for is a table with the key `$`.

use serde::de::Error as _;
use toml::Value;

use crate::source::known::Field;
use crate::source::{Known, Reason, ReasonKind};

/// The key of tables that stand for something else.
const MARK: &str = "$";
/// The key that says that an object may have more fields.
const OPEN: &str = "$open";

/// The TOML of a value.
pub(super) fn to_toml(it: &Known) -> Value {
    match it {
        Known::Undefined => marked("undefined", None),
        Known::Null => marked("null", None),
        Known::Bool(it) => Value::Boolean(*it),
        Known::Number(it) => Value::Float(*it),
        Known::String(it) => Value::String(it.to_string()),
        Known::Array(items) => Value::Array(items.iter().map(|it| to_toml(&it.value)).collect()),
        Known::Object { fields, open } => {
            let mut table = toml::Table::new();
            for (key, field) in fields {
                // A field of the object must not be taken for a mark.
                let key = if key.starts_with(MARK) { format!("{MARK}{key}") } else { key.to_string() };
                table.insert(key, to_toml(&field.value));
            }
            if let Some(reason) = open {
                table.insert(OPEN.to_owned(), Value::String(reason.text.to_string()));
            }
            Value::Table(table)
        }
        Known::Function => marked("function", None),
        Known::Choice(values) => {
            marked("choice", Some(("of", Value::Array(values.iter().map(to_toml).collect()))))
        }
        Known::Unknown(reason) => marked("unknown", Some(("why", Value::String(reason.text.to_string())))),
    }
}

fn marked(what: &str, more: Option<(&str, Value)>) -> Value {
    let mut table = toml::Table::new();
    table.insert(MARK.to_owned(), Value::String(what.to_owned()));
    if let Some((key, value)) = more {
        table.insert(key.to_owned(), value);
    }
    Value::Table(table)
}

/// The value of some TOML.
pub(super) fn from_toml(it: Value) -> Result<Known, toml::de::Error> {
    Ok(match it {
        Value::String(it) => Known::String(it.into()),
        #[expect(clippy::cast_precision_loss, reason = "numbers of JavaScript are floats")]
        Value::Integer(it) => Known::Number(it as f64),
        Value::Float(it) => Known::Number(it),
        Value::Boolean(it) => Known::Bool(it),
        Value::Datetime(it) => Known::String(it.to_string().into()),
        Value::Array(items) => Known::Array(items.into_iter().map(field).collect::<Result<_, _>>()?),
        Value::Table(table) => of_table(table)?,
    })
}

fn field(it: Value) -> Result<Field, toml::de::Error> {
    Ok(Field { value: from_toml(it)?, at: None })
}

fn of_table(mut table: toml::Table) -> Result<Known, toml::de::Error> {
    if let Some(mark) = table.remove(MARK) {
        let text = |it: Option<Value>| it.and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default();
        return match mark.as_str() {
            Some("undefined") => Ok(Known::Undefined),
            Some("null") => Ok(Known::Null),
            Some("function") => Ok(Known::Function),
            Some("unknown") => Ok(Known::Unknown(reason(&text(table.remove("why"))))),
            Some("choice") => {
                let of =
                    table.remove("of").and_then(|it| it.try_into::<Vec<Value>>().ok()).unwrap_or_default();
                Ok(Known::Choice(of.into_iter().map(from_toml).collect::<Result<_, _>>()?))
            }
            _ => Err(toml::de::Error::custom(
                "`$` is one of \"undefined\", \"null\", \"function\", \"unknown\", \"choice\"",
            )),
        };
    }
    let open = table.remove(OPEN).map(|it| reason(it.as_str().unwrap_or_default()));
    let fields = table.into_iter().map(|(key, value)| {
        let key = key.strip_prefix(MARK).map_or(key.as_str(), |rest| rest);
        Ok((key.into(), field(value)?))
    });
    Ok(Known::Object { fields: fields.collect::<Result<_, toml::de::Error>>()?, open })
}

fn reason(text: &str) -> Reason {
    Reason { kind: ReasonKind::OutsideWorld, text: text.into(), at: None }
}
