//! `settings.json` of the user and of the project (rules, section 12, point 5; Pi: `dist/core/settings-manager.js`,
//! `loadFromStorage`, `migrateSettings`).

use camino::Utf8Path;

use super::context::{Context, JsonFile};
use super::kind::ResourceKind;
use super::source_info::Scope;
use super::untyped;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::json::{Node, Object, Value};
use crate::location::Span;

/// The settings of one scope; empty when there is no file or Pi cannot read it.
#[derive(Clone)]
pub(super) struct Settings {
    pub scope: Scope,
    json: Option<JsonFile>,
}

impl Settings {
    /// No settings at all, as of a project that is not trusted.
    pub fn none(scope: Scope) -> Self {
        Self { scope, json: None }
    }

    /// Reads a file, if it is there.
    pub fn read(context: &Context<'_>, path: &Utf8Path, scope: Scope) -> Self {
        if !context.files.exists(path) {
            return Self::none(scope);
        }
        let Some(file) = context.text(path) else {
            context.tell(problem(
                Code::Unreadable,
                format!("{path} cannot be read; Pi goes on without it"),
                None,
            ));
            return Self::none(scope);
        };
        if file.text.is_empty() {
            return Self::none(scope);
        }
        let Some(json) = context.json(path) else { return Self::none(scope) };
        let complaint = match &*json {
            Ok(node) => match node.value {
                Value::Array(_) | Value::Object(_) => None,
                _ => Some(("it holds no object".to_owned(), node.at)),
            },
            Err(error) => Some((error.message.clone(), error.at)),
        };
        if let Some((message, at)) = complaint {
            let message = format!("Pi cannot read {path} and goes on without it: {message}");
            context.tell(problem(Code::SettingsInvalid, message, Some(at)));
            return Self::none(scope);
        }
        Self { scope, json: Some(json) }
    }

    /// What reports call the file.
    pub fn label(&self) -> &'static str {
        match self.scope {
            Scope::Project => ".pi/settings.json",
            _ => "user settings.json",
        }
    }

    fn object(&self) -> Option<&Object> {
        self.json.as_ref()?.as_ref().as_ref().ok()?.as_object()
    }

    fn get(&self, name: &str) -> Option<&Node> {
        untyped::some(self.object()?.get(name))
    }

    /// `packages`, whatever its type.
    pub fn packages(&self) -> Option<&Node> {
        self.get("packages")
    }

    /// The list of a kind, whatever its type. The object that `skills` once was counts by its `customDirectories`.
    pub fn entries(&self, kind: ResourceKind) -> Option<&Node> {
        let value = self.get(kind.name())?;
        match (kind, value.as_object()) {
            (ResourceKind::Skills, Some(old)) => {
                old.get("customDirectories").filter(|it| it.as_array().is_some_and(|it| !it.is_empty()))
            }
            _ => Some(value),
        }
    }

    /// `defaultProjectTrust` where it decides: `always` or `never`.
    pub fn default_project_trust(&self) -> Option<(bool, Span)> {
        let value = self.get("defaultProjectTrust")?;
        match value.as_str().map(|it| &**it) {
            Some("always") => Some((true, value.at)),
            Some("never") => Some((false, value.at)),
            _ => None,
        }
    }

    /// `npmCommand`; `None` when it is not set to something.
    pub fn npm_command(&self) -> Option<&Node> {
        self.object()?.get("npmCommand")
    }
}

fn problem(code: Code, message: String, at: Option<Span>) -> Diagnostic {
    Diagnostic { code, severity: Severity::Warning, message, help: None, at }
}
