//! The command line: clap types, one file per subcommand that does more than choose a view.

mod arguments;
mod check;
mod completions;
mod diff;
mod filter;
mod installation;
mod manifest;
mod message;
mod output;
mod question;
mod reference;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub use arguments::normalise;
pub use completions::complete;
pub use filter::FilterOptions;
pub use installation::InstallationOptions;
pub use output::OutputOptions;

use crate::cure::{self, Ailment};
use crate::environment::Environment;
use crate::files::{Files, RememberedDisk};
use crate::options::Options;
use crate::render::{self, Question};
use crate::report::{Cures, Report};

/// Exit status for input or usage that no answer can be given for.
const UNUSABLE: u8 = 2;

/// Says who wins each name that the extensions of a Pi installation register, by which rule, from which line.
#[derive(Debug, Parser)]
#[command(name = "pi-why", version, about, max_term_width = 100, infer_subcommands = false)]
pub struct Cli {
    /// What to ask; without one: will Pi start, and which names are contested.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// A message of Pi to be explained; - reads a whole output from standard input
    pub message: Option<String>,

    /// The names that the answer is about.
    #[command(flatten)]
    pub filter: FilterOptions,

    /// The installation.
    #[command(flatten)]
    pub installation: InstallationOptions,

    /// The output.
    #[command(flatten)]
    pub output: OutputOptions,
}

/// The questions.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Every extension in the order in which Pi lists it, and those that do not load, with the reason
    Order,
    /// Who holds each tool, or everything about one
    Tool(Name),
    /// Who answers each slash command, or everything about one
    Command(Name),
    /// Who owns each command-line flag, or everything about one
    Flag(Name),
    /// Who gets each key, or everything about one
    Shortcut(Name),
    /// Who renders each message and entry type, or everything about one
    Renderer(Name),
    /// Who sets each field of a provider: ID or ID.FIELD, such as kilo.baseUrl or kilo.headers.X-Team
    Provider(Name),
    /// Who sets each field of a model: PROVIDER or PROVIDER/ID
    Model(Name),
    /// Which skill has each name, or everything about one
    Skill(Name),
    /// Which prompt template has each name, or everything about one
    Prompt(Name),
    /// Which theme has each name, or everything about one
    Theme(Name),
    /// Everything that one extension registers, and what became of it
    Extension {
        /// Its path, or a part that only one path has
        #[arg(add = completions::extensions())]
        path: String,
    },
    /// Winners and losers of every kind, contested or not
    All,
    /// Check an installation or a pack against a policy and a baseline; exit status 1 when it fails
    Check(check::CheckOptions),
    /// What changed between two reports, installations or packs
    Diff(diff::DiffOptions),
    /// What the source of an extension or a pack registers, as tables for pi-why.toml
    Manifest {
        /// An extension of the installation, or a pack
        path: String,
    },
    /// The rules by which Pi decides, or one of them
    Rules {
        /// Its id, or the beginning of ids
        #[arg(add = completions::rules())]
        id: Option<String>,
    },
    /// What can be wrong with a name, or one such finding
    Explain {
        /// Its code
        #[arg(add = completions::findings())]
        code: Option<String>,
    },
    /// The JSON Schema of --format json
    Schema,
    /// A script that makes the shell complete this program's arguments, names of this installation included
    Completions {
        /// The shell
        shell: completions::Shell,
    },
    /// The manual page
    Man,
}

/// The name that a question is about.
#[derive(Debug, Clone, clap::Args)]
pub struct Name {
    /// The name; without it, all of them
    #[arg(add = completions::names())]
    pub name: Option<String>,
}

/// Runs the program on the arguments of a process, its own name included.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = Cli::command();
    let arguments = normalise(arguments, &command);
    let cli = match command.try_get_matches_from(arguments).and_then(|it| Cli::from_arg_matches(&it)) {
        Ok(cli) => cli,
        Err(error) => {
            let code = error.exit_code();
            // Help that cannot be written has no other place to go.
            let _ = error.print();
            return u8::try_from(code).map_or(ExitCode::from(UNUSABLE), ExitCode::from);
        }
    };
    match answer(&cli) {
        Ok(code) => code,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&cli.output, &error);
            ExitCode::from(UNUSABLE)
        }
    }
}

fn answer(cli: &Cli) -> Result<ExitCode, Error> {
    match &cli.command {
        Some(Command::Schema) => output::write_data(&render::json::schema()?)?,
        Some(Command::Completions { shell }) => output::write_data(&shell.script()?)?,
        Some(Command::Man) => output::write_data(&reference::manual(Cli::command())?)?,
        Some(Command::Rules { id }) => {
            output::write_document(&cli.output, &reference::rules(id.as_deref())?)?;
        }
        Some(Command::Explain { code }) => {
            output::write_document(&cli.output, &reference::findings(code.as_deref())?)?;
        }
        Some(Command::Check(options)) => return check::run(cli, options),
        Some(Command::Manifest { path }) => output::write_data(&manifest::run(cli, path)?)?,
        Some(Command::Diff(options)) => return diff::run(cli, options),
        _ => {
            let asked = question::asked(cli)?;
            let (mut options, environment) = cli.installation.resolve()?;
            let config = cli.installation.config(&options.install.cwd)?;
            InstallationOptions::configure(&mut options, &config);
            options.provider_scope = question::scope(asked.question());
            options.asked_key = question::asked_key(asked.question());
            let files = RememberedDisk::new();
            let mut report = crate::inspect(&files, &environment, &options);
            let question = asked.settle(&report)?;
            cures(&question, &files, &environment, &options, &mut report);
            cli.filter.filter().apply(&mut report);
            output::write(&cli.output, &question, &report)?;
            // The process ends here: to take everything apart would only take time.
            std::mem::forget(report);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Looks for cures for what is asked about.
fn cures(
    question: &Question,
    files: &dyn Files,
    environment: &Environment,
    options: &Options,
    report: &mut Report,
) {
    match question {
        Question::Name { kinds, name } => {
            let found = render::named(kinds, name, report);
            let Some(first) = found.first() else { return };
            let cures = cure::for_name(files, environment, options, report, &found);
            let ailment = Ailment::Name(first.kind, Arc::clone(&first.name));
            report.cures.push(Cures { ailment, cures });
        }
        Question::Extension(_) if !report.cures.iter().any(|it| it.ailment == Ailment::Start) => {
            let cures = cure::for_start(files, environment, options, report, cure::Search::First);
            report.cures.push(Cures { ailment: Ailment::Start, cures });
        }
        Question::Several(questions) => {
            for it in questions {
                cures(it, files, environment, options, report);
            }
        }
        _ => {}
    }
}

/// Why no answer can be given.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum Error {
    /// Standard output does not take the answer.
    #[error("cannot write the answer: {0}")]
    Write(#[from] std::io::Error),
    /// The answer cannot be put into JSON.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A directory of the options cannot be used.
    #[error("{what} {path}: {why}")]
    Directory {
        /// Which option.
        what: &'static str,
        /// The path as given.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// `--env` without `=`.
    #[error("--env {0}: write it as KEY=VALUE")]
    EnvironmentVariable(String),
    /// The configuration cannot be used.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Config(Box<crate::gate::config::Error>),
    /// The baseline cannot be used.
    #[error("baseline {path}: {why}")]
    Baseline {
        /// The file.
        path: camino::Utf8PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Options that make no sense together.
    #[error("{0}")]
    Usage(String),
    /// There is nothing to make a manifest of.
    #[error("manifest {0}: no extension and no pack")]
    NoExtension(String),
    /// The manifest cannot be written.
    #[error("cannot write TOML: {0}")]
    Toml(#[from] toml::ser::Error),
    /// The pack cannot be looked at.
    #[error(transparent)]
    Pack(#[from] crate::gate::pack::Error),
    /// What came from standard input holds no message of Pi.
    #[error("standard input holds no message of pi that this program knows")]
    NoMessage,
    /// The text is no question.
    #[error("\"{text}\" is neither a question nor a message of pi{near} (see pi-why --help)")]
    NotUnderstood {
        /// What was given.
        text: String,
        /// The subcommand that comes near.
        near: String,
    },
    /// There is no rule or finding of that id.
    #[error("there is no {what} {id}{near}")]
    NoSuchId {
        /// Rule or finding.
        what: &'static str,
        /// What was given.
        id: String,
        /// The id that comes near.
        near: String,
    },
    /// The machine does not say where home is.
    #[error("there is no home directory: set HOME")]
    NoHome,
}

impl Error {
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

impl From<crate::gate::config::Error> for Error {
    fn from(error: crate::gate::config::Error) -> Self {
        Self::Config(Box::new(error))
    }
}
