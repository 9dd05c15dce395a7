//! Options that say which installation is looked at and how Pi would be started. The spellings are Pi's own
//! (`dist/cli/args.js`, `parseArgs`) wherever Pi has the option.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use clap::Args;

use super::Error;
use crate::declared::Declarations;
use crate::environment::{Environment, Platform, architecture};
use crate::files::{Disk, Files as _, RememberedDisk};
use crate::gate::{Config, Pack, Target};
use crate::install::{self, TrustFlag};
use crate::options::Options;
use crate::registry::{FlagArgument, ProviderScope, ToolSelection};
use crate::report::{InspectedPi, Report, VersionFrom};

/// Which installation, and how Pi would be started.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Installation")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of Pi's command line")]
pub struct InstallationOptions {
    /// Pi's agent directory [default: `$PI_CODING_AGENT_DIR` or `~/.pi/agent`]
    #[arg(long, value_name = "DIR", global = true)]
    pub agent_dir: Option<Utf8PathBuf>,
    /// The directory in which pi would be started [default: this one]
    #[arg(long, value_name = "DIR", global = true)]
    pub cwd: Option<Utf8PathBuf>,
    /// Load this extension too (repeatable)
    #[arg(short, long, value_name = "PATH", global = true)]
    pub extension: Vec<String>,
    /// Load only what -e names (-ne)
    #[arg(long, global = true)]
    pub no_extensions: bool,
    /// Trust the project, without the first pass in which it is not trusted yet
    #[arg(short, long, global = true, overrides_with = "no_approve")]
    pub approve: bool,
    /// Do not trust the project (-na)
    #[arg(long, global = true, overrides_with = "approve")]
    pub no_approve: bool,
    /// Enable only these tools, separated by commas
    #[arg(short, long, value_name = "NAMES", global = true)]
    pub tools: Option<String>,
    /// Leave these tools out, separated by commas (-xt)
    #[arg(long, value_name = "NAMES", global = true)]
    pub exclude_tools: Option<String>,
    /// Start without any tool (-nt)
    #[arg(long, global = true)]
    pub no_tools: bool,
    /// Start without the built-in tools (-nbt)
    #[arg(long, global = true)]
    pub no_builtin_tools: bool,
    /// A tool that an SDK host passes in (repeatable)
    #[arg(long, value_name = "NAME", global = true)]
    pub sdk_tool: Vec<String>,
    /// An option that an extension reads, as on Pi's command line (repeatable)
    #[arg(long = "flag", value_name = "NAME[=VALUE]", global = true)]
    pub flag: Vec<String>,
    /// Load this skill file or directory too (repeatable)
    #[arg(long, value_name = "PATH", global = true)]
    pub skill: Vec<String>,
    /// Load this prompt template or directory too (repeatable)
    #[arg(long, value_name = "PATH", global = true)]
    pub prompt_template: Vec<String>,
    /// Load this theme or directory too (repeatable)
    #[arg(long, value_name = "PATH", global = true)]
    pub theme: Vec<String>,
    /// No skills but those of --skill and -e (-ns)
    #[arg(long, global = true)]
    pub no_skills: bool,
    /// No prompt templates but those of --prompt-template and -e (-np)
    #[arg(long, global = true)]
    pub no_prompt_templates: bool,
    /// No themes but those of --theme and -e
    #[arg(long, global = true)]
    pub no_themes: bool,
    /// An environment variable in which pi would be started (repeatable)
    #[arg(long, value_name = "KEY=VALUE", global = true)]
    pub env: Vec<String>,
    /// Start from an empty environment
    #[arg(long, global = true)]
    pub clear_env: bool,
    /// The configuration [default: the nearest pi-why.toml at or above the project]
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "isolated")]
    pub config: Option<Utf8PathBuf>,
    /// No configuration
    #[arg(long, global = true)]
    pub isolated: bool,
    /// The Pi version whose rules to follow
    #[arg(long, value_name = "VERSION", global = true)]
    pub pi_version: Option<String>,
}

impl InstallationOptions {
    /// The question and the machine as this process sees it.
    pub(super) fn resolve(&self) -> Result<(Options, Environment), Error> {
        let environment = self.environment()?;
        let cwd = match &self.cwd {
            Some(path) => existing_directory("--cwd", path)?,
            None => working_directory()?,
        };
        let agent_dir = match &self.agent_dir {
            Some(path) => Some(existing_directory("--agent-dir", path)?),
            None => None,
        };
        let options = Options {
            install: install::Options {
                cwd,
                agent_dir,
                extensions: self.extension.clone(),
                skills: self.skill.clone(),
                prompts: self.prompt_template.clone(),
                themes: self.theme.clone(),
                no_extensions: self.no_extensions,
                no_skills: self.no_skills,
                no_prompts: self.no_prompt_templates,
                no_themes: self.no_themes,
                trust: match (self.approve, self.no_approve) {
                    (true, _) => TrustFlag::Approve,
                    (_, true) => TrustFlag::Refuse,
                    _ => TrustFlag::Undecided,
                },
            },
            tools: ToolSelection {
                allow: self.tools.as_deref().map(names),
                exclude: self.exclude_tools.as_deref().map(names).unwrap_or_default(),
                none: self.no_tools,
                no_builtin: self.no_builtin_tools,
                sdk: self.sdk_tool.iter().map(|it| Arc::from(it.as_str())).collect(),
            },
            flag_arguments: self.flag.iter().map(|it| flag_argument(it)).collect(),
            provider_scope: ProviderScope::default(),
            asked_key: None,
            declarations: Declarations::default(),
            pi_version: self
                .pi_version
                .clone()
                .map(|version| InspectedPi { version, from: VersionFrom::Flag }),
        };
        Ok((options, environment))
    }

    /// The configuration that holds for a project.
    pub(super) fn config(&self, project: &Utf8Path) -> Result<Config, Error> {
        match &self.config {
            Some(path) => Ok(Config::read(&Disk, &absolute(path)?)?),
            None if self.isolated => Ok(Config::default()),
            None => Ok(Config::find(&Disk, project)?),
        }
    }

    /// Inspects what a path leads to: an agent directory, a project, or a pack together with others. Nothing when there is nothing
    /// in it that Pi would load.
    pub(super) fn inspect_path(
        &self,
        what: &'static str,
        path: &Utf8Path,
        with: &[String],
    ) -> Result<(Config, Option<Report>), Error> {
        if !Disk.exists(path) {
            let why = "there is no such file or folder".to_owned();
            return Err(Error::Directory { what, path: path.to_string(), why });
        }
        // The project's own folder stands for the project.
        let path = path.parent().filter(|_| path.file_name() == Some(".pi")).unwrap_or(path);
        let (mut asked, environment) = self.resolve()?;
        let target = if with.is_empty() { Target::of(&Disk, path) } else { Target::Pack };
        let project = if target == Target::AgentDirectory { &asked.install.cwd } else { path };
        let config = self.config(project)?;
        Self::configure(&mut asked, &config);
        match target {
            Target::AgentDirectory => asked.install.agent_dir = Some(path.to_owned()),
            Target::Project => asked.install.cwd = path.to_owned(),
            Target::Pack => {
                let with = with.iter().map(|it| from_here(it)).collect::<Result<_, _>>()?;
                let report = Pack { root: path.to_owned(), with }.inspect(
                    &RememberedDisk::new(),
                    &environment,
                    &asked,
                )?;
                return Ok((config, report));
            }
        }
        Ok((config, Some(crate::inspect(&RememberedDisk::new(), &environment, &asked))))
    }

    /// Takes over what a configuration says about every answer.
    pub(super) fn configure(options: &mut Options, config: &Config) {
        let configured =
            config.pi_version.clone().map(|version| InspectedPi { version, from: VersionFrom::Config });
        options.pi_version = options.pi_version.take().or(configured);
        options.declarations = config.declarations.clone();
        let given = std::mem::take(&mut options.tools.sdk);
        options.tools.sdk = config.sdk_tools.iter().cloned().chain(given).collect();
    }

    fn environment(&self) -> Result<Environment, Error> {
        let inherited =
            || std::env::vars_os().filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)));
        let mut variables: BTreeMap<String, String> =
            if self.clear_env { BTreeMap::new() } else { inherited().collect() };
        for pair in &self.env {
            let (key, value) =
                pair.split_once('=').ok_or_else(|| Error::EnvironmentVariable(pair.clone()))?;
            variables.insert(key.to_owned(), value.to_owned());
        }
        let home = match variables.get("HOME") {
            Some(home) if !home.is_empty() => Some(Utf8PathBuf::from(home)),
            _ => std::env::home_dir().and_then(|it| Utf8PathBuf::from_path_buf(it).ok()),
        };
        Ok(Environment {
            variables,
            home: home.ok_or(Error::NoHome)?,
            platform: Platform::current(),
            architecture: architecture(),
        })
    }
}

/// `NAME` or `NAME=VALUE`, with or without the dashes.
fn flag_argument(text: &str) -> FlagArgument {
    let bare = text.strip_prefix("--").unwrap_or(text);
    match bare.split_once('=') {
        Some((name, value)) => FlagArgument { name: name.into(), value: Some(value.into()) },
        None => FlagArgument { name: bare.into(), value: None },
    }
}

/// Splits a list of tools as Pi does: at commas, trimmed, empty ones dropped.
fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

fn working_directory() -> Result<Utf8PathBuf, Error> {
    let unusable = |why: String| Error::Directory { what: "working directory", path: ".".to_owned(), why };
    let path = std::env::current_dir().map_err(|error| unusable(error.to_string()))?;
    Utf8PathBuf::from_path_buf(path).map_err(|_| unusable("its name is not UTF-8".to_owned()))
}

/// A path made absolute as Node's `path.resolve` does it: dots are taken out of the text, links stay, because Pi compares and
/// shows paths as they are given.
pub(super) fn absolute(path: &Utf8Path) -> Result<Utf8PathBuf, Error> {
    let mut absolute = Utf8PathBuf::new();
    for component in working_directory()?.join(path).components() {
        match component {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                absolute.pop();
            }
            other => absolute.push(other),
        }
    }
    Ok(absolute)
}

/// A path of `--with` as it is meant: from the working directory, if there is something; else as it is given.
fn from_here(with: &str) -> Result<String, Error> {
    let path = absolute(with.into())?;
    Ok(if Disk.exists(&path) { path.into_string() } else { with.to_owned() })
}

/// A directory that must be there.
fn existing_directory(what: &'static str, path: &Utf8Path) -> Result<Utf8PathBuf, Error> {
    let absolute = absolute(path)?;
    if !Disk.is_directory(&absolute) {
        let why = "there is no such directory".to_owned();
        return Err(Error::Directory { what, path: path.to_string(), why });
    }
    Ok(absolute)
}
