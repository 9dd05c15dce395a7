//! What is asked: by a subcommand, by a message of Pi, or by a bare name.

use std::sync::Arc;

use clap::CommandFactory as _;

use super::{Cli, Command, Error, Name, message};
use crate::catalog::{Catalog, PiVersion};
use crate::registry::{ContestKind, ProviderScope, is_key};
use crate::render::{self, Question};
use crate::report::Report;

/// The kinds that a bare name may be of.
const NAMED: [ContestKind; 10] = [
    ContestKind::Tool,
    ContestKind::Command,
    ContestKind::Flag,
    ContestKind::Shortcut,
    ContestKind::MessageRenderer,
    ContestKind::EntryRenderer,
    ContestKind::Skill,
    ContestKind::Prompt,
    ContestKind::Theme,
    ContestKind::Provider,
];

/// A question, or what may be one.
pub(super) enum Asked {
    /// A question.
    Known(Question),
    /// A word that is a question if somebody claims it as a name; else the error says what it is not.
    Perhaps(Question, Error),
}

impl Asked {
    /// The question as far as it is known before anything is read.
    pub(super) fn question(&self) -> &Question {
        match self {
            Self::Known(question) | Self::Perhaps(question, _) => question,
        }
    }

    /// The question, now that it is known which names there are.
    pub(super) fn settle(self, report: &Report) -> Result<Question, Error> {
        let (question, error) = match self {
            Self::Known(question) => return Ok(question),
            Self::Perhaps(question, error) => (question, error),
        };
        let Question::Name { kinds, name } = question else { return Err(error) };
        let is_claimed = |kind: &ContestKind| !render::named(&[*kind], &name, report).is_empty();
        let questions: Vec<Question> =
            kinds.into_iter().filter(is_claimed).map(|kind| of_kind(kind, &name)).collect();
        match questions.len() {
            0 => Err(error),
            1 => Ok(questions.into_iter().next().unwrap_or(Question::Overview)),
            _ => Ok(Question::Several(questions)),
        }
    }
}

fn of_kind(kind: ContestKind, name: &str) -> Question {
    match kind {
        ContestKind::Provider => Question::Provider(Some(name.to_owned())),
        kind => Question::Name { kinds: vec![kind], name: name.to_owned() },
    }
}

/// What the command line asks.
pub(super) fn asked(cli: &Cli) -> Result<Asked, Error> {
    let of = |kinds: &[ContestKind], it: &Name| match &it.name {
        Some(name) => Question::Name { kinds: kinds.to_vec(), name: name.clone() },
        None => Question::Kinds(kinds.to_vec()),
    };
    let Some(command) = &cli.command else {
        return cli.message.as_deref().map_or(Ok(Asked::Known(Question::Overview)), of_words);
    };
    Ok(Asked::Known(match command {
        Command::Order => Question::Order,
        Command::Tool(it) => of(&[ContestKind::Tool], it),
        Command::Command(it) => of(&[ContestKind::Command], it),
        Command::Flag(it) => of(&[ContestKind::Flag], it),
        Command::Shortcut(it) => of(&[ContestKind::Shortcut], it),
        Command::Renderer(it) => of(&[ContestKind::MessageRenderer, ContestKind::EntryRenderer], it),
        Command::Provider(it) => Question::Provider(it.name.clone()),
        Command::Model(it) => Question::Model(it.name.clone()),
        Command::Skill(it) => of(&[ContestKind::Skill], it),
        Command::Prompt(it) => of(&[ContestKind::Prompt], it),
        Command::Theme(it) => of(&[ContestKind::Theme], it),
        Command::Extension { path } => Question::Extension(path.clone()),
        Command::All => Question::All,
        Command::Check(_)
        | Command::Diff(_)
        | Command::Manifest { .. }
        | Command::Rules { .. }
        | Command::Explain { .. }
        | Command::Schema
        | Command::Completions { .. }
        | Command::Man => Question::Overview,
    }))
}

/// The question in a message of Pi, in what comes from standard input, or in a name.
fn of_words(text: &str) -> Result<Asked, Error> {
    let piped = text == "-";
    let output = if piped { std::io::read_to_string(std::io::stdin())? } else { text.to_owned() };
    let mut questions = message::questions(&output);
    match questions.len() {
        0 if piped => Err(Error::NoMessage),
        0 => {
            let error = Error::NotUnderstood { text: text.to_owned(), near: nearest_command(text) };
            of_word(text, error)
        }
        1 => Ok(Asked::Known(questions.remove(0))),
        _ => Ok(Asked::Known(Question::Several(questions))),
    }
}

/// The question in a single word: `/review` is a command and `ctrl+x` a key whether anybody claims them or not, any other word
/// is a question only if it is somebody's name.
fn of_word(text: &str, error: Error) -> Result<Asked, Error> {
    let one = |kind| Ok(Asked::Known(of_kind(kind, text)));
    match text.split_whitespace().count() {
        1 if text.len() > 1 && text.starts_with('/') && !text[1..].contains('/') => one(ContestKind::Command),
        1 if text.contains('+') && is_key(text) => one(ContestKind::Shortcut),
        1 => Ok(Asked::Perhaps(Question::Name { kinds: NAMED.to_vec(), name: text.to_owned() }, error)),
        _ => Err(error),
    }
}

fn nearest_command(text: &str) -> String {
    let command = Cli::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let near = render::nearest(text, names.into_iter());
    near.first().map_or_else(String::new, |it| format!(". Did you mean {it}?"))
}

/// Which providers the registry has to look at: also one that Pi ships when a question begins with its id, and all of them when
/// what is asked may be misspelt.
pub(super) fn scope(question: &Question) -> ProviderScope {
    let (Question::Provider(Some(asked)) | Question::Model(Some(asked))) = question else {
        return ProviderScope::Touched;
    };
    let begins =
        |id: &&str| asked.strip_prefix(*id).is_some_and(|it| it.is_empty() || it.starts_with(['.', '/']));
    let ids = Catalog::of(PiVersion::NEWEST).provider_ids();
    ids.filter(begins)
        .max_by_key(|it| it.len())
        .map_or(ProviderScope::All, |it| ProviderScope::And(it.into()))
}

/// The key that a question is about, if it is about one.
pub(super) fn asked_key(question: &Question) -> Option<Arc<str>> {
    match question {
        Question::Name { kinds, name } if kinds.contains(&ContestKind::Shortcut) => {
            Some(name.as_str().into())
        }
        Question::Several(questions) => questions.iter().find_map(asked_key),
        _ => None,
    }
}
