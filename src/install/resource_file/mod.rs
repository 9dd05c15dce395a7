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
use super::load_order::Status;
use super::source_info::SourceInfo;
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
    /// Reads the planned resources of a plan.
    pub(super) fn read(context: &Context<'_>, plan: &Plan, themes: &Themes) -> Self {
        let mut reader = Reader { context, themes, found: Self::default(), real_paths: FxHashSet::default() };
        for resource in planned(&plan.skills) {
            reader.skills(resource);
        }
        for resource in planned(&plan.prompts) {
            reader.prompts(resource);
        }
        for resource in planned(&plan.themes) {
            reader.themes(resource);
        }
        reader.found.diagnostics.extend(context.take_diagnostics());
        reader.found
    }
}

fn planned(resources: &[Resource]) -> impl Iterator<Item = &Resource> {
    resources.iter().filter(|it| it.status == Status::Planned)
}

struct Reader<'a> {
    context: &'a Context<'a>,
    themes: &'a Themes,
    found: ResourceFiles,
    /// The real paths of the skills that are taken: Pi passes over the same file by another path without a word.
    real_paths: FxHashSet<Utf8PathBuf>,
}

impl Reader<'_> {
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

    fn add(&mut self, file: ResourceFile) {
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
