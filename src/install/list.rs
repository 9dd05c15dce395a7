//! The final lists: what the command line adds, what comes in which order, what runs when (rules, sections 1.2 to 1.4; Pi:
//! `dist/core/resource-loader.js`, `reload`, `loadFinalExtensionSet`, `mergePaths`, `findSourceInfoForPath`).

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use rustc_hash::{FxHashMap, FxHashSet};

use super::accumulator::{Absent, Accumulator, Candidate, Ranked, duplicate};
use super::context::Context;
use super::discovery::LeftOut;
use super::installation::{Fatal, Plan, Resource};
use super::kind::{PerKind, ResourceKind};
use super::load_order::{Entry, EntryKind, ExtensionId, LoadOrder, Status, Step};
use super::options::Options;
use super::packages;
use super::paths::{Base, is_local, resolve, trim, with_plain_spaces};
use super::places::Places;
use super::resolve::{Scopes, resolve as resolve_installed};
use super::rules;
use super::source_info::{Origin, Scope, SourceInfo};
use super::untyped::Crash;
use crate::rule::RuleId;

/// Builds the plan for one verdict on trust.
pub(super) fn plan(context: &Context<'_>, places: &Places, options: &Options, scopes: &Scopes) -> Plan {
    let mut plan = match Lists::gather(context, places, options, scopes) {
        Ok(lists) => lists.into_plan(),
        Err(crash) => Plan { fatal: vec![fatal_crash(crash)], ..Plan::default() },
    };
    plan.diagnostics = context.take_diagnostics();
    plan
}

fn fatal_crash(crash: Crash) -> Fatal {
    Fatal {
        path: None,
        message: crash.message,
        explanation: "Pi does not expect a value of this type and ends with an uncaught error".to_owned(),
        at: Some(crash.at),
        rule: rules::CRASH,
    }
}

/// Paths of the command line, absolute (`dist/main.js`, `resolveCliPaths`).
fn command_line_paths(given: &[String], base: Base<'_>) -> Vec<String> {
    let absolute = |it: &String| if is_local(it) { base.resolve(it).into_string() } else { it.clone() };
    given.iter().map(absolute).collect()
}

struct Lists<'a, 'c> {
    context: &'a Context<'c>,
    places: &'a Places,
    options: &'a Options,
    installed: PerKind<Ranked>,
    temporary: PerKind<Ranked>,
    given: Vec<String>,
    known: KnownPaths,
}

/// How far above a file its package.json is looked for.
const PACKAGE_DEPTH: usize = 5;

impl<'a, 'c> Lists<'a, 'c> {
    fn gather(
        context: &'a Context<'c>,
        places: &'a Places,
        options: &'a Options,
        scopes: &Scopes,
    ) -> Result<Self, Crash> {
        let given = command_line_paths(&options.extensions, context.base(&places.cwd));
        let installed = resolve_installed(context, places, scopes)?;
        let mut accumulator = Accumulator::default();
        let settings = [&scopes.project, &scopes.user];
        packages::add_temporary(context, places, settings, &given, &mut accumulator)?;
        let temporary = accumulator.ranked(context);
        let known = KnownPaths::new(&installed, &temporary);
        Ok(Self { context, places, options, installed, temporary, given, known })
    }

    fn into_plan(self) -> Plan {
        let resources = |kind, no, given: &[String]| self.resources(kind, no, given);
        let skills = resources(ResourceKind::Skills, self.options.no_skills, &self.options.skills);
        let prompts = resources(ResourceKind::Prompts, self.options.no_prompts, &self.options.prompts);
        let themes = resources(ResourceKind::Themes, self.options.no_themes, &self.options.themes);
        let (order, fatal) = self.extensions();
        Plan { order, skills, prompts, themes, fatal, diagnostics: Vec::new() }
    }

    fn extensions(&self) -> (LoadOrder, Vec<Fatal>) {
        let kind = ResourceKind::Extensions;
        let (merged, mut absent) = self.merged(kind, self.options.no_extensions);
        let mut order = LoadOrder::default();
        for candidate in merged {
            order.push(self.planned_entry(candidate));
        }
        for name in &self.context.behaviour.inline_extensions {
            order.push(inline_entry(name));
        }
        let (missing, fatal) = self.missing_paths();
        absent.extend(missing);
        let listed: FxHashSet<_> = order.entries.iter().map(|it| it.path.clone()).collect();
        for it in absent {
            if !listed.contains(&it.left_out.path) {
                order.push(absent_entry(it));
            }
        }
        for (at, entry) in order.entries.iter_mut().filter(|it| it.status == Status::Planned).enumerate() {
            entry.execution = u32::try_from(at).ok();
        }
        (order, fatal)
    }

    /// What is loaded of a kind, the command line's first, and what is not (`mergePaths`).
    fn merged(&self, kind: ResourceKind, only_temporary: bool) -> (Vec<Candidate>, Vec<Absent>) {
        let (temporary, installed) = (self.temporary.get(kind), self.installed.get(kind));
        let mut absent: Vec<Absent> = temporary.absent.iter().chain(&installed.absent).cloned().collect();
        let mut merged: Vec<Candidate> = Vec::new();
        let mut seen: FxHashMap<Utf8PathBuf, usize> = FxHashMap::default();
        for candidate in temporary.candidates.iter().chain(&installed.candidates) {
            let is_temporary = candidate.info.scope == Scope::Temporary;
            let mut candidate = candidate.clone();
            if !candidate.enabled {
                absent.push(switched_off(candidate));
                continue;
            }
            if only_temporary && !is_temporary {
                candidate.enabled = false;
                candidate.rule =
                    if kind == ResourceKind::Extensions { rules::NO_EXTENSIONS } else { rules::NO_RESOURCES };
                "the command line leaves out what is installed".clone_into(&mut candidate.reason);
                candidate.at = None;
                absent.push(switched_off(candidate));
                continue;
            }
            candidate.path = resolve(&self.places.cwd, trim(candidate.path.as_str()));
            let real = self.context.canonical(&candidate.path);
            if let Some(earlier) = seen.get(&real).and_then(|&at| merged.get(at)) {
                let it = duplicate(candidate, earlier);
                absent.push(it);
            } else {
                seen.insert(real, merged.len());
                merged.push(candidate);
            }
        }
        (merged, absent)
    }

    fn planned_entry(&self, candidate: Candidate) -> Entry {
        let source_info = self.known.info(&candidate.path).unwrap_or_else(|| candidate.info.clone());
        let package = candidate.package.or_else(|| self.package_around(&candidate.path));
        Entry {
            id: ExtensionId(0),
            import_path: with_plain_spaces(&candidate.path),
            path: candidate.path,
            kind: EntryKind::File,
            source_info,
            package: package.map(|it| it.to_string()),
            status: Status::Planned,
            reason: candidate.reason,
            rule: candidate.rule,
            at: candidate.at,
            trail: candidate.trail,
            execution: None,
            ran_before_trust: false,
        }
    }

    /// The package whose folder a file lies in, though it is not loaded as one: a copy of a package in the extensions folder, or a
    /// file of one that `-e` names. The project and the agent directory are no such packages.
    fn package_around(&self, path: &Utf8Path) -> Option<Arc<str>> {
        let Places { cwd, agent_dir, .. } = self.places;
        let own = |it: &Utf8Path| cwd.starts_with(it) || agent_dir.starts_with(it);
        let mut folders = path.ancestors().take(PACKAGE_DEPTH).take_while(|it| !own(it));
        folders.find_map(|it| packages::name_and_version(self.context, it))
    }

    /// Paths of `-e` that are not there: Pi reports them and exits.
    fn missing_paths(&self) -> (Vec<Absent>, Vec<Fatal>) {
        let base = self.context.base(&self.places.cwd);
        let given = self.given.iter().filter(|it| is_local(it)).map(|it| (it, base.resolve_trimmed(it)));
        given
            .filter(|(_, path)| !self.context.files.exists(path))
            .map(|(given, path)| {
                let message = format!("Extension path does not exist: {path}");
                let fatal = Fatal {
                    path: Some(path.clone()),
                    explanation: format!("-e names {path}, and there is nothing"),
                    message: message.clone(),
                    at: None,
                    rule: rules::CLI_MISSING,
                };
                let left_out = LeftOut {
                    path,
                    status: Status::Missing,
                    reason: message,
                    rule: rules::CLI_MISSING,
                    at: None,
                    steps: vec![Step { text: format!("-e {given}"), at: None }],
                };
                (Absent { left_out, info: temporary_info("cli"), package: None }, fatal)
            })
            .unzip()
    }

    fn resources(&self, kind: ResourceKind, only_temporary: bool, given: &[String]) -> Vec<Resource> {
        let (merged, mut absent) = self.merged(kind, only_temporary);
        let mut seen: FxHashMap<Utf8PathBuf, Utf8PathBuf> =
            merged.iter().map(|it| (self.context.canonical(&it.path), it.path.clone())).collect();
        let mut resources: Vec<Resource> = merged.into_iter().map(|it| self.planned(it)).collect();
        let base = self.context.base(&self.places.cwd);
        for given in command_line_paths(given, base) {
            let path = base.resolve_trimmed(&given);
            match self.given_resource(&given, path, &mut seen) {
                Ok(resource) => resources.push(resource),
                Err(it) => absent.push(*it),
            }
        }
        let listed: FxHashSet<_> = resources.iter().map(|it| it.path.clone()).collect();
        absent.retain(|it| !listed.contains(&it.left_out.path));
        resources.extend(absent.into_iter().map(absent_resource));
        resources
    }

    fn planned(&self, candidate: Candidate) -> Resource {
        Resource {
            source_info: self.known.info(&candidate.path).unwrap_or(candidate.info),
            path: candidate.path,
            status: Status::Planned,
            reason: candidate.reason,
            rule: candidate.rule,
            at: candidate.at,
            trail: candidate.trail,
        }
    }

    /// A path of `--skill`, `--prompt-template` or `--theme`.
    fn given_resource(
        &self,
        given: &str,
        path: Utf8PathBuf,
        seen: &mut FxHashMap<Utf8PathBuf, Utf8PathBuf>,
    ) -> Result<Resource, Box<Absent>> {
        let trail = vec![Step { text: format!("{given} on the command line"), at: None }];
        let info = self.known.info(&path).unwrap_or_else(|| temporary_info("local"));
        let absent = |status, rule: RuleId, reason: String, path| {
            let left_out = LeftOut { path, status, reason, rule, at: None, steps: trail.clone() };
            Box::new(Absent { left_out, info: info.clone(), package: None })
        };
        if !self.context.files.exists(&path) {
            let reason = format!("there is nothing at {path}");
            return Err(absent(Status::Missing, rules::MISSING, reason, path));
        }
        let real = self.context.canonical(&path);
        if let Some(earlier) = seen.get(&real) {
            let reason = format!("the same file as {earlier}, which stands before it");
            return Err(absent(Status::Duplicate, rules::REAL_PATH, reason, path));
        }
        seen.insert(real, path.clone());
        Ok(Resource {
            path,
            source_info: info.clone(),
            status: Status::Planned,
            reason: "named on the command line".to_owned(),
            rule: rules::RESOURCE_FLAG,
            at: None,
            trail: trail.clone(),
        })
    }
}

/// Where Pi believes each path to come from: whatever mentioned it first, of any kind (`findSourceInfoForPath`).
struct KnownPaths {
    exact: FxHashMap<Utf8PathBuf, SourceInfo>,
    in_order: Vec<Utf8PathBuf>,
}

impl KnownPaths {
    fn new(installed: &PerKind<Ranked>, temporary: &PerKind<Ranked>) -> Self {
        let mut known = Self { exact: FxHashMap::default(), in_order: Vec::new() };
        for kind in ResourceKind::ALL {
            for it in &installed.get(kind).candidates {
                known.add(&it.path, it.info.clone());
            }
        }
        // Extensions and skills of `-e` lose the name of their package; prompts and themes keep it
        for kind in ResourceKind::ALL {
            let is_renamed = matches!(kind, ResourceKind::Extensions | ResourceKind::Skills);
            for it in &temporary.get(kind).candidates {
                known.add(&it.path, if is_renamed { temporary_info("cli") } else { it.info.clone() });
            }
        }
        known
    }

    fn add(&mut self, path: &Utf8Path, info: SourceInfo) {
        if !self.exact.contains_key(path) {
            self.exact.insert(path.to_owned(), info);
            self.in_order.push(path.to_owned());
        }
    }

    fn info(&self, path: &Utf8Path) -> Option<SourceInfo> {
        if let Some(exact) = self.exact.get(path) {
            return Some(exact.clone());
        }
        let above = self.in_order.iter().find(|it| path.starts_with(it))?;
        self.exact.get(above).cloned()
    }
}

fn temporary_info(source: &str) -> SourceInfo {
    SourceInfo {
        source: source.to_owned(),
        scope: Scope::Temporary,
        origin: Origin::TopLevel,
        base_dir: None,
    }
}

fn switched_off(candidate: Candidate) -> Absent {
    Absent {
        left_out: LeftOut {
            path: candidate.path,
            status: Status::Disabled,
            reason: candidate.reason,
            rule: candidate.rule,
            at: candidate.at,
            steps: candidate.trail,
        },
        info: candidate.info,
        package: candidate.package,
    }
}

fn inline_entry(name: &str) -> Entry {
    let path = Utf8PathBuf::from(format!("<inline:{name}>"));
    Entry {
        id: ExtensionId(0),
        import_path: path.clone(),
        path,
        kind: EntryKind::Inline,
        source_info: temporary_info("inline"),
        package: None,
        status: Status::Planned,
        reason: "the pi command brings it itself".to_owned(),
        rule: rules::INLINE,
        at: None,
        trail: Vec::new(),
        execution: None,
        ran_before_trust: false,
    }
}

fn absent_entry(absent: Absent) -> Entry {
    let Absent { left_out, info, package } = absent;
    Entry {
        id: ExtensionId(0),
        import_path: with_plain_spaces(&left_out.path),
        path: left_out.path,
        kind: EntryKind::File,
        source_info: info,
        package: package.map(|it| it.to_string()),
        status: left_out.status,
        reason: left_out.reason,
        rule: left_out.rule,
        at: left_out.at,
        trail: left_out.steps,
        execution: None,
        ran_before_trust: false,
    }
}

fn absent_resource(absent: Absent) -> Resource {
    let Absent { left_out, info, .. } = absent;
    Resource {
        path: left_out.path,
        source_info: info,
        status: left_out.status,
        reason: left_out.reason,
        rule: left_out.rule,
        at: left_out.at,
        trail: left_out.steps,
    }
}
