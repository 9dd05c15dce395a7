//! Everything that is installed, in its order, before the command line has its say (rules, section 1.2; Pi:
//! `dist/core/package-manager.js`, `resolve`, `resolveLocalEntries`, `addAutoDiscoveredResources`).

use camino::{Utf8Path, Utf8PathBuf};

use super::accumulator::{Accumulator, Bringer, Choice, Ranked};
use super::context::Context;
use super::discovery::{self, Collected, SkillFolder};
use super::kind::{PerKind, ResourceKind};
use super::load_order::Step;
use super::manifest::{collect_path, missing};
use super::packages;
use super::patterns::{Patterns, is_override, is_pattern};
use super::places::Places;
use super::rules;
use super::settings::Settings;
use super::source_info::{Origin, Scope, SourceInfo};
use super::untyped::{self, Crash, Written};
use crate::json::Node;
use crate::rule::RuleId;

/// The settings of both scopes, and whether the project counts.
pub(super) struct Scopes {
    pub project: Settings,
    pub user: Settings,
    pub trusted: bool,
}

/// The candidates of every kind in their order.
pub(super) fn resolve(
    context: &Context<'_>,
    places: &Places,
    scopes: &Scopes,
) -> Result<PerKind<Ranked>, Crash> {
    let mut accumulator = Accumulator::default();
    packages::add_configured(context, places, &scopes.project, &scopes.user, &mut accumulator)?;
    let sides = [&scopes.project, &scopes.user].map(|settings| Side { context, places, settings });
    for kind in ResourceKind::ALL {
        for side in &sides {
            side.add_entries(kind, &mut accumulator)?;
        }
    }
    let [project, user] = &sides;
    if scopes.trusted {
        project.add_discovered(&mut accumulator, &project_skill_folders(context, places))?;
    }
    let own_skills = context.environment.home.join(".agents/skills");
    user.add_discovered(&mut accumulator, &[own_skills])?;
    Ok(accumulator.ranked(context))
}

/// `.agents/skills` of the working directory and of those above it, up to the root of the git repository
/// (`collectAncestorAgentsSkillDirs`).
fn project_skill_folders(context: &Context<'_>, places: &Places) -> Vec<Utf8PathBuf> {
    let own = context.environment.home.join(".agents/skills");
    let repository = places.cwd.ancestors().find(|it| context.files.exists(&it.join(".git")));
    let mut folders = Vec::new();
    for directory in places.cwd.ancestors() {
        folders.push(directory.join(".agents/skills"));
        if Some(directory) == repository {
            break;
        }
    }
    folders.retain(|it| *it != own);
    folders
}

/// One scope: its settings and its folders.
struct Side<'a, 'c> {
    context: &'a Context<'c>,
    places: &'a Places,
    settings: &'a Settings,
}

impl Side<'_, '_> {
    fn scope(&self) -> Scope {
        self.settings.scope
    }

    fn base(&self) -> &Utf8Path {
        self.places.of(self.scope())
    }

    fn rule(&self, of_project: RuleId, of_user: RuleId) -> RuleId {
        if self.scope() == Scope::Project { of_project } else { of_user }
    }

    /// `resolveLocalEntries`
    fn add_entries(&self, kind: ResourceKind, accumulator: &mut Accumulator) -> Result<(), Crash> {
        let Some(entries) = self.settings.entries(kind) else { return Ok(()) };
        if untyped::is_empty(entries)? {
            return Ok(());
        }
        let written = untyped::strings(&untyped::iterate(entries, "entries")?, "s", "startsWith")?;
        let (patterns, plain): (Vec<_>, Vec<_>) = written.into_iter().partition(|it| is_pattern(&it.text));
        let judge = Patterns::new(&patterns, self.base());
        // The home directory may be written in paths; in patterns it is not understood
        let paths = self.context.base(self.base());
        for entry in &plain {
            let bringer = self.settings_bringer(kind, entry);
            let path = paths.resolve_trimmed(&entry.text);
            let Some(collected) = collect_path(self.context, &path, kind) else {
                accumulator.leave_out(kind, &bringer, missing(path, entry, Vec::new()));
                continue;
            };
            let Collected { found, left_out } = collected;
            for it in left_out {
                accumulator.leave_out(kind, &bringer, it);
            }
            for found in found {
                let verdict = judge.judge(&found.path);
                let otherwise = "the patterns of the same list select other files";
                let choice = Choice::Patterns { verdict, rule: rules::OVERRIDE, otherwise };
                accumulator.add(kind, &bringer, found, &choice);
            }
        }
        Ok(())
    }

    fn settings_bringer(&self, kind: ResourceKind, entry: &Written) -> Bringer {
        let text = format!("{}, {}[{}] {:?}", self.settings.label(), kind.name(), entry.index, entry.text);
        Bringer {
            info: SourceInfo {
                source: "local".to_owned(),
                scope: self.scope(),
                origin: Origin::TopLevel,
                base_dir: None,
            },
            reason: format!("named by {text}"),
            step: Step { text, at: Some(entry.at) },
            rule: self.rule(rules::PROJECT_SETTINGS, rules::USER_SETTINGS),
            package: None,
        }
    }

    /// `addAutoDiscoveredResources` for one scope.
    fn add_discovered(&self, accumulator: &mut Accumulator, agents: &[Utf8PathBuf]) -> Result<(), Crash> {
        let folder = |kind: ResourceKind| self.base().join(kind.name());
        let extensions = folder(ResourceKind::Extensions);
        let found = discovery::extensions(self.context, &extensions)?;
        self.add_folder(ResourceKind::Extensions, &extensions, self.base(), found, accumulator)?;
        let skills = folder(ResourceKind::Skills);
        let found = discovery::skills(self.context, &skills, SkillFolder::Pi);
        self.add_folder(ResourceKind::Skills, &skills, self.base(), found, accumulator)?;
        for skills in agents {
            let found = discovery::skills(self.context, skills, SkillFolder::Agents);
            let base = skills.parent().unwrap_or(skills);
            self.add_folder(ResourceKind::Skills, skills, base, found, accumulator)?;
        }
        for (kind, suffix) in [(ResourceKind::Prompts, ".md"), (ResourceKind::Themes, ".json")] {
            let directory = folder(kind);
            let found = discovery::flat(self.context, &directory, suffix);
            self.add_folder(kind, &directory, self.base(), found, accumulator)?;
        }
        Ok(())
    }

    fn add_folder(
        &self,
        kind: ResourceKind,
        directory: &Utf8Path,
        base: &Utf8Path,
        collected: Collected,
        accumulator: &mut Accumulator,
    ) -> Result<(), Crash> {
        let bringer = Bringer {
            info: SourceInfo {
                source: "auto".to_owned(),
                scope: self.scope(),
                origin: Origin::TopLevel,
                base_dir: Some(base.to_owned()),
            },
            step: Step { text: format!("the folder {directory}"), at: None },
            rule: self.rule(rules::PROJECT_AUTO, rules::USER_AUTO),
            reason: format!("found in {directory}"),
            package: None,
        };
        let Collected { found, left_out } = collected;
        for it in left_out {
            accumulator.leave_out(kind, &bringer, it);
        }
        if found.is_empty() {
            return Ok(());
        }
        let overrides = match self.settings.entries(kind) {
            Some(entries) => overrides(entries)?,
            None => Vec::new(),
        };
        let patterns = Patterns::overrides(&overrides, base);
        for it in found {
            let verdict = patterns.judge(&it.path);
            let choice = Choice::Patterns { verdict, rule: rules::OVERRIDE, otherwise: "" };
            accumulator.add(kind, &bringer, it, &choice);
        }
        Ok(())
    }
}

fn overrides(entries: &Node) -> Result<Vec<Written>, Crash> {
    let mut written = untyped::strings_of_array(entries, "entries", "pattern")?;
    written.retain(|it| is_override(&it.text));
    Ok(written)
}
