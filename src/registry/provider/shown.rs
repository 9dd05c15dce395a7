//! What of a field's value may be shown. The one place where values of configurations become printable.

use std::sync::Arc;

use crate::environment::Environment;
use crate::secret::{ValueForm, public_url};
use crate::source::Known;
use crate::source::known::Field;

/// How the value of a field is shown.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum Shown<'e> {
    /// As it is.
    Plain,
    /// Without what may be secret in a URL.
    Url,
    /// Only that it is set and how.
    Secret(&'e Environment),
    /// Only that it is set: code, or an object with code in it.
    Code,
}

impl<'e> Shown<'e> {
    /// How a field of a provider or model is shown.
    pub(in super::super) fn field(name: &str, environment: &'e Environment) -> Self {
        match name {
            "baseUrl" => Self::Url,
            "apiKey" => Self::Secret(environment),
            "oauth" | "streamSimple" | "refreshModels" => Self::Code,
            _ if name.starts_with("headers.") => Self::Secret(environment),
            _ => Self::Plain,
        }
    }

    /// What may be printed of a value.
    pub(in super::super) fn of(&self, value: &Known) -> Known {
        match (self, value) {
            (Self::Plain, _) | (_, Known::Unknown(_) | Known::Undefined | Known::Null) => value.clone(),
            (Self::Url, Known::String(url)) => Known::String(public_url(url).into()),
            (Self::Url, Known::Choice(values)) => {
                Known::Choice(values.iter().map(|it| self.of(it)).collect())
            }
            (Self::Secret(environment), Known::String(text)) => secret(&ValueForm::of(text), environment),
            (Self::Code, Known::String(word)) => Known::String(Arc::clone(word)),
            (Self::Code, Known::Object { .. }) if value.field("name").is_some() => object(&[
                ("set", Known::Bool(true)),
                ("name", value.field("name").map_or(Known::Undefined, |it| it.value.clone())),
            ]),
            (Self::Url | Self::Secret(_) | Self::Code, _) => object(&[("set", Known::Bool(true))]),
        }
    }
}

/// A secret by its form: whether it is set, how, and for variables whether they are there.
pub(in super::super) fn secret(form: &ValueForm, environment: &Environment) -> Known {
    let mut fields = vec![("set", Known::Bool(true)), ("form", Known::String(form.word().into()))];
    if let ValueForm::Environment(names) = form {
        let there = |name: &String| environment.variable(name).is_some_and(|it| !it.is_empty());
        let name = |name: &String| Field { value: Known::String(name.as_str().into()), at: None };
        fields.push(("env", Known::Array(names.iter().map(name).collect())));
        fields.push(("resolves", Known::Bool(names.iter().all(there))));
    }
    object(&fields)
}

fn object(fields: &[(&str, Known)]) -> Known {
    let field = |(name, value): &(&str, Known)| (Arc::from(*name), Field { value: value.clone(), at: None });
    Known::Object { fields: fields.iter().map(field).collect(), open: None }
}
