//! The command line: clap types, one file per subcommand that does more than choose a view.

mod arguments;
mod installation;
mod output;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub use arguments::normalise;
pub use installation::InstallationOptions;
pub use output::OutputOptions;

use crate::files::Disk;
use crate::registry::ContestKind;
use crate::render::{self, Question};

/// Exit status for input or usage that no answer can be given for.
const UNUSABLE: u8 = 2;

/// Says who wins each name that the extensions of a Pi installation register, by which rule, from which line.
#[derive(Debug, Parser)]
#[command(name = "pi-why", version, about, max_term_width = 100, infer_subcommands = false)]
pub struct Cli {
    /// What to ask; without one: will Pi start, and which names are contested.
    #[command(subcommand)]
    pub command: Option<Command>,

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
    /// Everything that one extension registers, and what became of it
    Extension {
        /// Its path, or a part that only one path has
        path: String,
    },
    /// Winners and losers of every kind, contested or not
    All,
    /// The JSON Schema of --format json
    Schema,
}

/// The name that a question is about.
#[derive(Debug, Clone, clap::Args)]
pub struct Name {
    /// The name; without it, all of them
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
            anstream::eprintln!("pi-why: {error}");
            ExitCode::from(UNUSABLE)
        }
    }
}

fn answer(cli: &Cli) -> Result<ExitCode, Error> {
    if matches!(cli.command, Some(Command::Schema)) {
        output::write_data(&render::json::schema()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (options, environment) = cli.installation.resolve()?;
    let report = crate::inspect(&Disk, &environment, &options);
    output::write(&cli.output, &question(cli.command.as_ref()), &report)?;
    Ok(ExitCode::SUCCESS)
}

fn question(command: Option<&Command>) -> Question {
    let of = |kinds: &[ContestKind], it: &Name| match &it.name {
        Some(name) => Question::Name { kinds: kinds.to_vec(), name: name.clone() },
        None => Question::Kinds(kinds.to_vec()),
    };
    match command {
        None | Some(Command::Schema) => Question::Overview,
        Some(Command::Order) => Question::Order,
        Some(Command::Tool(it)) => of(&[ContestKind::Tool], it),
        Some(Command::Command(it)) => of(&[ContestKind::Command], it),
        Some(Command::Flag(it)) => of(&[ContestKind::Flag], it),
        Some(Command::Shortcut(it)) => of(&[ContestKind::Shortcut], it),
        Some(Command::Renderer(it)) => of(&[ContestKind::MessageRenderer, ContestKind::EntryRenderer], it),
        Some(Command::Extension { path }) => Question::Extension(path.clone()),
        Some(Command::All) => Question::All,
    }
}

/// Why no answer can be given.
#[derive(Debug, thiserror::Error)]
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
    /// The machine does not say where home is.
    #[error("there is no home directory: set HOME")]
    NoHome,
}

impl Error {
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == std::io::ErrorKind::BrokenPipe)
    }
}
