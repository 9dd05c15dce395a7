//! Those who claim a name, and how each is left out.

use camino::Utf8Path;

use super::change::{self, Change};
use crate::files::Files;
use crate::install::{ResourceFileKind, Scope, SourceInfo};
use crate::options::Options;
use crate::registry::{Claim, Contest};
use crate::report::{LoadedExtension, Report, claims};

/// An extension, or a file with a skill, a prompt template or a theme.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rival<'a> {
    /// As Pi names it.
    pub path: &'a Utf8Path,
    /// The list of settings that has it: `extensions`, `skills`, …
    list: &'static str,
    info: &'a SourceInfo,
}

/// How a rival is left out.
pub(super) enum Removal {
    /// By a line of settings.
    Setting(Change),
    /// By leaving out this `-e`.
    Argument(usize),
}

impl<'a> Rival<'a> {
    /// An extension.
    pub fn extension(it: &'a LoadedExtension) -> Self {
        Self { path: &it.entry.path, list: "extensions", info: &it.entry.source_info }
    }

    /// Whoever makes a claim; `None` for Pi itself, for an SDK host, and for what an extension finds.
    pub fn of(claim: &Claim, report: &'a Report) -> Option<Self> {
        if let Some(file) = report.resources.iter().find(|it| *it.path == *claim.path) {
            let list = match file.kind {
                ResourceFileKind::Skill => "skills",
                ResourceFileKind::Prompt => "prompts",
                ResourceFileKind::Theme => "themes",
            };
            return file.discovered.is_none().then_some(Self {
                path: &file.path,
                list,
                info: &file.source_info,
            });
        }
        report.by_id(claim.extension?).map(Self::extension)
    }

    /// How it is left out, given what is left out already.
    pub fn removal(&self, files: &dyn Files, report: &Report, options: &Options) -> Option<Removal> {
        if self.info.scope == Scope::Temporary {
            let named = |it: &String| report.cwd.join(it) == *self.path;
            return options.install.extensions.iter().position(named).map(Removal::Argument);
        }
        change::switching_off(files, report, self.path, self.list, self.info).map(Removal::Setting)
    }
}

/// Those who take part in some contests, each once.
pub(super) fn rivals<'a>(contests: &[&Contest], report: &'a Report) -> Vec<Rival<'a>> {
    let mut found: Vec<Rival<'a>> = Vec::new();
    for claim in contests.iter().flat_map(|it| claims(it)) {
        if let Some(rival) = Rival::of(claim, report)
            && !found.iter().any(|it| it.path == rival.path)
        {
            found.push(rival);
        }
    }
    found
}
