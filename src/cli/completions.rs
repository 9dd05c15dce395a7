//! Shell completion. The shell asks this program, which looks at the installation: names complete as they are.

use clap::{CommandFactory as _, ValueEnum};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{Bash, CompleteEnv, EnvCompleter, Fish, Powershell, Zsh};

use super::{Cli, Error, InstallationOptions};
use crate::files::RememberedDisk;
use crate::registry::{Contest, ContestKind, Finding};
use crate::report::Report;
use crate::rulebook;

/// The environment variable with which the shell asks.
const VARIABLE: &str = "COMPLETE";
/// The name of this program.
const PROGRAM: &str = "pi-why";

/// The shells that can be taught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
}

impl Shell {
    /// The script that registers the completion.
    pub(super) fn script(self) -> Result<String, Error> {
        let shell: &dyn EnvCompleter = match self {
            Self::Bash => &Bash,
            Self::Zsh => &Zsh,
            Self::Fish => &Fish,
            Self::Powershell => &Powershell,
        };
        let mut script = Vec::new();
        shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)?;
        Ok(String::from_utf8_lossy(&script).into_owned())
    }
}

/// Answers the shell and ends the process, if it was the shell that started it.
pub fn complete() {
    CompleteEnv::with_factory(Cli::command).var(VARIABLE).complete();
}

/// Completes a name: of the kind whose subcommand is being typed, as far as the arguments tell.
pub(super) fn names() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &std::ffi::OsStr| {
        let words: Vec<String> = std::env::args().collect();
        let typed = |word: &str| words.iter().any(|it| it == word);
        let kinds: Vec<ContestKind> = [
            ("tool", ContestKind::Tool),
            ("command", ContestKind::Command),
            ("flag", ContestKind::Flag),
            ("shortcut", ContestKind::Shortcut),
            ("renderer", ContestKind::MessageRenderer),
            ("renderer", ContestKind::EntryRenderer),
            ("provider", ContestKind::Provider),
            ("model", ContestKind::Model),
            ("skill", ContestKind::Skill),
            ("prompt", ContestKind::Prompt),
            ("theme", ContestKind::Theme),
        ]
        .into_iter()
        .filter(|(word, _)| typed(word))
        .map(|(_, kind)| kind)
        .collect();
        let name = |it: &Contest| it.invocation.as_ref().unwrap_or(&it.name).to_string();
        candidates(current, |report| {
            report.contests.iter().filter(|it| kinds.contains(&it.kind)).map(name).collect()
        })
    })
}

/// Completes the path of an extension.
pub(super) fn extensions() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &std::ffi::OsStr| {
        candidates(current, |report| report.order.iter().map(|it| it.entry.path.to_string()).collect())
    })
}

/// Completes the id of a rule.
pub(super) fn rules() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &std::ffi::OsStr| {
        offered(current, rulebook::rules().map(|it| it.id.0.to_owned()))
    })
}

/// Completes the code of a finding.
pub(super) fn findings() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &std::ffi::OsStr| {
        offered(current, Finding::ALL.iter().map(|it| it.as_str().to_owned()))
    })
}

/// Names with control characters are left out: a shell would write them to the terminal.
fn candidates(current: &std::ffi::OsStr, names: impl Fn(&Report) -> Vec<String>) -> Vec<CompletionCandidate> {
    let Ok((options, environment)) = InstallationOptions::default().resolve() else { return Vec::new() };
    let report = crate::inspect(&RememberedDisk::new(), &environment, &options);
    offered(current, names(&report).into_iter())
}

fn offered(current: &std::ffi::OsStr, names: impl Iterator<Item = String>) -> Vec<CompletionCandidate> {
    let beginning = current.to_string_lossy();
    names
        .filter(|it| it.starts_with(&*beginning) && !it.chars().any(char::is_control))
        .map(CompletionCandidate::new)
        .collect()
}
