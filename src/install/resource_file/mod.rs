//! What stands in the files of skills, prompt templates and themes: their names, and why one is not taken (rules, sections 9
//! to 11). Which files there are, and in which order, is for [`super::plan`].

mod frontmatter;
mod prompt;
mod skill;
mod theme;

use std::rc::Rc;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use rustc_hash::FxHashSet;

use self::frontmatter::Frontmatter;
use super::context::{Context, TextFile};
use super::installation::{Plan, Resource};
use super::load_order::{ExtensionId, Status, Step};
use super::rules;
use super::source_info::{Origin, Scope, SourceInfo};
use crate::catalog::Themes;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::location::Span;

/// Kinds of resources that are not code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResourceFileKind {
    /// `SKILL.md` and its like.
    Skill,
    /// A prompt template.
    Prompt,
    /// A theme.
    Theme,
}

/// A path that a `resources_discover` handler of an extension names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscoveredPath {
    /// What is looked for there.
    pub kind: ResourceFileKind,
    /// As the handler writes it: a file or a directory, relative to the working directory.
    pub path: String,
    /// Who names it.
    pub by: Discovery,
}

/// The handler that named a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Discovery {
    /// The extension.
    pub extension: ExtensionId,
    /// Which of the extension's registrations it is.
    pub registration: usize,
}

/// A skill, prompt template or theme that Pi reads, in the order in which it reads them.
#[derive(Debug, Clone)]
pub struct ResourceFile {
    /// What it is.
    pub kind: ResourceFileKind,
    /// The name that it claims.
    pub name: Arc<str>,
    /// The file.
    pub path: Utf8PathBuf,
    /// Where it comes from.
    pub source_info: SourceInfo,
    /// Where the name is written, when it is not the file's or folder's own.
    pub name_at: Option<Span>,
    /// Why Pi does not take it; such a file holds no name.
    pub rejected: Option<String>,
    /// Who brought it in the session; `None` for what is there from the start.
    pub discovered: Option<Discovery>,
}

/// Every skill, prompt template and theme of a plan.
#[derive(Debug, Clone, Default)]
pub struct ResourceFiles {
    /// The files, skills first, each kind in Pi's order.
    pub files: Vec<ResourceFile>,
    /// What Pi itself says about single files (its `[Skill conflicts]` and `[Theme conflicts]` sections), and what it keeps to
    /// itself.
    pub diagnostics: Vec<Diagnostic>,
}

impl ResourceFiles {
    /// Reads the planned resources of a plan, and what extensions find besides.
    pub(super) fn read(
        context: &Context<'_>,
        plan: &Plan,
        themes: &Themes,
        cwd: &Utf8Path,
        discovered: &[DiscoveredPath],
    ) -> Self {
        let mut reader = Reader {
            context,
            themes,
            found: Self::default(),
            real_paths: FxHashSet::default(),
            discovery: None,
        };
        let lists = [
            (ResourceFileKind::Skill, &plan.skills),
            (ResourceFileKind::Prompt, &plan.prompts),
            (ResourceFileKind::Theme, &plan.themes),
        ];
        for (kind, list) in lists {
            let mut seen = FxHashSet::default();
            for resource in list.iter().filter(|it| it.status == Status::Planned) {
                seen.insert(context.canonical(&resource.path));
                reader.one(kind, resource);
            }
            for it in discovered.iter().filter(|it| it.kind == kind) {
                let resource = discovered_resource(context.base(cwd).resolve_trimmed(&it.path));
                // Pi passes over a path that it knows already (`mergePaths`).
                if context.files.exists(&resource.path) && seen.insert(context.canonical(&resource.path)) {
                    reader.discovery = Some(it.by);
                    reader.one(kind, &resource);
                    reader.discovery = None;
                }
            }
        }
        reader.found.diagnostics.extend(context.take_diagnostics());
        reader.found
    }
}

/// Extensions that bring resources leave no trace in settings: where the path comes from is told by the handler.
fn discovered_resource(path: Utf8PathBuf) -> Resource {
    let reason = "an extension names it in the session".to_owned();
    Resource {
        path,
        source_info: SourceInfo {
            source: "extension".to_owned(),
            scope: Scope::Temporary,
            origin: Origin::TopLevel,
            base_dir: None,
        },
        status: Status::Planned,
        trail: vec![Step { text: reason.clone(), at: None }],
        reason,
        rule: rules::RESOURCE_DISCOVERED,
        at: None,
    }
}

struct Reader<'a> {
    context: &'a Context<'a>,
    themes: &'a Themes,
    found: ResourceFiles,
    /// The real paths of the skills that are taken: Pi passes over the same file by another path without a word.
    real_paths: FxHashSet<Utf8PathBuf>,
    /// Whose path is being read, if it is an extension's.
    discovery: Option<Discovery>,
}

impl Reader<'_> {
    fn one(&mut self, kind: ResourceFileKind, resource: &Resource) {
        match kind {
            ResourceFileKind::Skill => self.skills(resource),
            ResourceFileKind::Prompt => self.prompts(resource),
            ResourceFileKind::Theme => self.themes(resource),
        }
    }

    /// The front matter of a file, with the file.
    fn frontmatter(&self, path: &Utf8Path) -> Result<(Rc<TextFile>, Frontmatter), String> {
        let file = self.context.text(path).ok_or("cannot be read")?;
        let frontmatter = Frontmatter::parse(&file.text)?;
        Ok((file, frontmatter))
    }

    /// The `.md` or `.json` files of a directory, links to files included, dot files too.
    fn flat(&self, directory: &Utf8Path, extension: &str) -> Vec<Utf8PathBuf> {
        let entries = self.context.list(directory);
        let paths =
            entries.iter().filter(|it| it.name.ends_with(extension)).map(|it| directory.join(&it.name));
        paths.filter(|it| self.context.files.is_file(it)).collect()
    }

    fn add(&mut self, mut file: ResourceFile) {
        file.discovered = self.discovery;
        if let Some(reason) = &file.rejected {
            self.tell(format!("{}: {reason}", file.path), file.name_at);
        }
        self.found.files.push(file);
    }

    fn tell(&mut self, message: String, at: Option<Span>) {
        self.found.diagnostics.push(Diagnostic {
            code: Code::ResourceInvalid,
            severity: Severity::Warning,
            message,
            help: None,
            at,
        });
    }
}

/// The file name without this ending.
fn stem<'p>(path: &'p Utf8Path, extension: &str) -> &'p str {
    let name = path.file_name().unwrap_or_default();
    name.strip_suffix(extension).unwrap_or(name)
}
