//! Reads `models.json` as Pi does (rules, section 8.3; Pi: `dist/core/model-config.js`, `ModelConfig.load`).
//!
//! `//` comments and trailing commas are stripped, then it has to be JSON and to match a schema. One mistake makes Pi
//! ignore the whole file. Values stay values here; what may be shown of them is for the registry to say.

mod comments;
mod schema;

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

pub use schema::Violation;

use crate::catalog::Catalog;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::files::Files;
use crate::json::{self, Member, Node};
use crate::location::{SourceMap, Span};

/// One load of `models.json`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelsJson {
    /// Where the file is or would be.
    pub path: Utf8PathBuf,
    /// The configured providers in file order; empty when the file is not there or has a mistake.
    pub providers: Vec<(Arc<str>, Member)>,
    /// Why Pi ignores the file.
    pub problem: Option<ModelsJsonProblem>,
}

/// Why Pi ignores `models.json` as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelsJsonProblem {
    /// What Pi shows. For a text that is no JSON the words after the colon are this program's, Pi's are the JavaScript engine's.
    pub message: String,
    /// Each mistake and its place; empty when the file cannot be read at all.
    pub places: Vec<(Span, String)>,
    /// The ids under `providers` that get lost with the file, as far as they can be read.
    pub lost: Vec<Arc<str>>,
}

impl ModelsJson {
    /// Reads the file of an agent directory.
    pub fn read(files: &dyn Files, sources: &SourceMap, agent_dir: &Utf8Path, catalog: Catalog) -> Self {
        let path = agent_dir.join("models.json");
        match files.read_text(&path) {
            Ok(text) => Self::parse(&text, path, sources, catalog),
            Err(error) if error.kind() == ErrorKind::NotFound => Self { path, ..Self::default() },
            Err(error) => {
                let message = format!("Failed to load models.json: {error}\n\nFile: {path}");
                let problem = ModelsJsonProblem { message, places: Vec::new(), lost: Vec::new() };
                Self { path, providers: Vec::new(), problem: Some(problem) }
            }
        }
    }

    /// Reads a text.
    pub fn parse(text: &str, path: Utf8PathBuf, sources: &SourceMap, catalog: Catalog) -> Self {
        let file = sources.add(path.clone(), text);
        let ignored = |message: String, places, lost| Self {
            problem: Some(ModelsJsonProblem { message: format!("{message}\n\nFile: {path}"), places, lost }),
            path: path.clone(),
            providers: Vec::new(),
        };
        // Stripping keeps every offset: what is taken out becomes spaces.
        let root = match json::parse(&comments::strip(text), file) {
            Ok(root) => root,
            Err(error) => {
                let message = format!("Failed to parse models.json: {}", error.message);
                return ignored(message, vec![(error.at, error.message)], Vec::new());
            }
        };
        let providers = providers(&root);
        let violations = schema::violations(catalog.models_schema(), &root);
        if violations.is_empty() {
            return Self { path, providers, problem: None };
        }
        let mut message = "Invalid models.json schema:".to_owned();
        for it in &violations {
            let _ = write!(message, "\n  - {it}");
        }
        let lost = providers.into_iter().map(|(id, _)| id).collect();
        ignored(message, violations.iter().map(|it| (it.at, it.to_string())).collect(), lost)
    }

    /// The configuration of a provider.
    pub fn provider(&self, id: &str) -> Option<&Member> {
        self.providers.iter().find(|(key, _)| &**key == id).map(|(_, member)| member)
    }

    /// What is to be told about the file: one diagnostic for each mistake.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let Some(problem) = &self.problem else { return Vec::new() };
        let help = match problem.lost.as_slice() {
            [] => "Pi ignores the whole file until this is mended".to_owned(),
            lost => format!("Pi ignores the whole file until this is mended: {}", lost.join(", ")),
        };
        let diagnostic = |at: Option<Span>, message: String| Diagnostic {
            code: Code::ModelsInvalid,
            severity: Severity::Warning,
            message,
            help: Some(help.clone()),
            at,
        };
        if problem.places.is_empty() {
            return vec![diagnostic(None, problem.message.clone())];
        }
        let told = problem.places.iter();
        told.map(|(at, text)| diagnostic(Some(*at), format!("models.json: {text}"))).collect()
    }
}

fn providers(root: &Node) -> Vec<(Arc<str>, Member)> {
    let providers = root.as_object().and_then(|it| it.get("providers")).and_then(Node::as_object);
    providers.into_iter().flat_map(json::Object::iter).map(|(id, it)| (Arc::clone(id), it.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::PiVersion;

    fn parse(text: &str) -> ModelsJson {
        ModelsJson::parse(text, "/a/models.json".into(), &SourceMap::new(), Catalog::of(PiVersion::V0_83_0))
    }

    fn message(text: &str) -> String {
        parse(text).problem.map(|it| it.message).unwrap_or_default()
    }

    #[test]
    fn comments_and_trailing_commas_are_read_over() {
        let read = parse("// top\n{\"providers\": {\"x\": {\"baseUrl\": \"http://h//p\", // why\n},},}");
        let ids: Vec<_> = read.providers.iter().map(|(id, _)| &**id).collect();
        assert_eq!((ids, read.problem), (vec!["x"], None));
    }

    #[test]
    fn block_comments_a_byte_order_mark_and_nothing_are_mistakes() {
        for text in ["/* c */{\"providers\":{}}", "\u{feff}{\"providers\":{}}", ""] {
            assert!(message(text).starts_with("Failed to parse models.json: "), "{text:?}");
        }
    }

    #[test]
    fn one_mistake_loses_every_provider_and_says_where() {
        let read = parse("{\"providers\": {\"good\": {\"baseUrl\": \"u\"}, \"bad\": {\"baseUrl\": 3}}}");
        assert!(read.providers.is_empty());
        let problem = read.problem.as_ref();
        assert_eq!(
            problem.map(|it| it.message.as_str()),
            Some(
                "Invalid models.json schema:\n  - providers.bad.baseUrl: must be string\n\nFile: /a/models.json"
            )
        );
        assert_eq!(problem.map(|it| it.lost.len()), Some(2));
        assert_eq!(read.diagnostics()[0].at.map(|it| (it.start, it.end)), Some((60, 61)));
    }
}
