//! The `pi` part of a `package.json` (rules, section 1.3; Pi: `dist/core/package-manager.js`, `readPiManifest`,
//! `collectFilesFromManifestEntries`).

use camino::{Utf8Path, Utf8PathBuf};

use super::context::{Context, JsonFile};
use super::discovery::{self, Collected, Found, LeftOut};
use super::kind::ResourceKind;
use super::load_order::{Status, Step};
use super::manifest_glob;
use super::paths::resolve;
use super::patterns::is_override;
use super::rules;
use super::untyped::{self, Crash, Written};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::json::{Node, Value};

/// What a folder's `package.json` says about Pi.
pub(super) struct Manifest {
    directory: Utf8PathBuf,
    package: JsonFile,
}

impl Manifest {
    /// Reads the manifest of a folder; `None` when there is none, it is not JSON, or says nothing about Pi.
    pub fn read(context: &Context<'_>, directory: &Utf8Path) -> Option<Self> {
        let path = directory.join("package.json");
        let package = context.json(&path)?;
        if let Err(error) = &*package {
            context.tell(Diagnostic {
                code: Code::ManifestInvalid,
                severity: Severity::Warning,
                message: format!("{path} is not JSON ({}); Pi goes on as if it said nothing", error.message),
                help: None,
                at: Some(error.at),
            });
        }
        let manifest = Self { directory: directory.to_owned(), package };
        manifest.pi().is_some().then_some(manifest)
    }

    fn pi(&self) -> Option<&Node> {
        let package = self.package.as_ref().as_ref().ok()?;
        untyped::some(package.as_object()?.get("pi"))
    }

    /// Whether it counts where Pi only looks at its truth: `"pi": ""` does not.
    pub fn is_truthy(&self) -> bool {
        self.pi().is_some_and(untyped::is_truthy)
    }

    /// What it says about a kind, whatever its type.
    pub fn list(&self, kind: ResourceKind) -> Option<&Node> {
        self.pi()?.as_object()?.get(kind.name())
    }

    /// The extensions that it names and that exist, globs taken literally (`resolveExtensionEntries`).
    pub fn existing_extensions(&self, context: &Context<'_>) -> Result<Collected, Crash> {
        let mut collected = Collected::default();
        let Some(list) = self.list(ResourceKind::Extensions).filter(|it| untyped::has_length(it, true))
        else {
            return Ok(collected);
        };
        let elements = untyped::iterate(list, "manifest.extensions")?;
        for (index, element) in elements.iter().enumerate() {
            let Some(text) = element.as_str() else {
                let message = format!(
                    "The \"paths[1]\" argument must be of type string. Received {}",
                    received(&element.value)
                );
                return Err(Crash::type_error(message, element.at));
            };
            let path = resolve(&self.directory, text);
            let written = Written { text: text.clone(), at: element.at, index };
            let steps = vec![step(ResourceKind::Extensions, &written)];
            if context.files.exists(&path) {
                collected.found.push(Found { path, steps });
            } else {
                collected.left_out.push(missing(path, &written, steps));
            }
        }
        Ok(collected)
    }

    /// The files that entries of its own stand for, and its overrides. The entries are checked as Pi happens to.
    pub fn collect(
        &self,
        context: &Context<'_>,
        entries: &Node,
        kind: ResourceKind,
    ) -> Result<(Collected, Vec<Written>), Crash> {
        let entries = untyped::strings_of_array(entries, "entries", "s")?;
        let (overrides, plain): (Vec<_>, Vec<_>) = entries.into_iter().partition(|it| is_override(&it.text));
        let mut collected = Collected::default();
        for entry in plain {
            let step = step(kind, &entry);
            let is_glob = entry.text.contains(['*', '?']);
            let paths = if is_glob {
                manifest_glob::expand(context, &self.directory, &entry.text)
            } else {
                vec![resolve(&self.directory, &entry.text)]
            };
            for path in paths {
                let mut here = collect_path(context, &path, kind);
                match &mut here {
                    Some(here) => {
                        for steps in here.found.iter_mut().map(|it| &mut it.steps) {
                            steps.insert(0, step.clone());
                        }
                    }
                    None if is_glob => {}
                    None => collected.left_out.push(missing(path, &entry, vec![step.clone()])),
                }
                collected.append(here.unwrap_or_default());
            }
        }
        Ok((collected, overrides))
    }
}

fn step(kind: ResourceKind, written: &Written) -> Step {
    Step {
        text: format!("package.json, pi.{}[{}] {:?}", kind.name(), written.index, written.text),
        at: Some(written.at),
    }
}

/// A file itself, or what is in a folder; `None` when there is nothing (`collectFilesFromPaths`).
pub(super) fn collect_path(context: &Context<'_>, path: &Utf8Path, kind: ResourceKind) -> Option<Collected> {
    if context.files.is_file(path) {
        let found = vec![Found { path: path.to_owned(), steps: Vec::new() }];
        Some(Collected { found, left_out: Vec::new() })
    } else if context.files.is_directory(path) {
        // Pi swallows the error of a folder that it cannot make sense of
        Some(discovery::collect(context, path, kind).unwrap_or_default())
    } else {
        None
    }
}

pub(super) fn missing(path: Utf8PathBuf, written: &Written, steps: Vec<Step>) -> LeftOut {
    LeftOut {
        reason: format!("there is nothing at {path}"),
        path,
        status: Status::Missing,
        rule: rules::MISSING,
        at: Some(written.at),
        steps,
    }
}

/// Node's words for a value of the wrong type.
fn received(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(it) => format!("type boolean ({it})"),
        Value::Number(it) => format!("type number ({it})"),
        Value::String(it) => format!("type string ({it:?})"),
        Value::Array(_) => "an instance of Array".to_owned(),
        Value::Object(_) => "an instance of Object".to_owned(),
    }
}
