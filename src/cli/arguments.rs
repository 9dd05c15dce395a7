//! The command line as Pi users type it, made into what clap reads.
//!
//! Two things differ. Pi has short options of two and three letters (`-ne`, `-nbt`; `dist/cli/args.js`, `parseArgs`),
//! which clap would take as bundles of one-letter ones. And options for the installation may stand before the
//! subcommand as well as after it; clap would let one place hide the other.

use std::ffi::{OsStr, OsString};

/// Pi's short options of more than one letter, and their long forms.
const PI_SHORT_OPTIONS: [(&str, &str); 7] = [
    ("-ne", "--no-extensions"),
    ("-na", "--no-approve"),
    ("-xt", "--exclude-tools"),
    ("-nt", "--no-tools"),
    ("-nbt", "--no-builtin-tools"),
    ("-ns", "--no-skills"),
    ("-np", "--no-prompt-templates"),
];

/// Rewrites the arguments, the program's name included, into the form that the clap types describe.
pub fn normalise(arguments: impl IntoIterator<Item = OsString>, command: &clap::Command) -> Vec<OsString> {
    let mut arguments = arguments.into_iter();
    let mut result: Vec<OsString> = arguments.next().into_iter().collect();
    let rest = spell_out(arguments);
    let leading = leading_options(&rest, command);
    let (before, after) = rest.split_at(leading);
    match after.split_first() {
        Some((name, after)) if command.find_subcommand(name).is_some() => {
            result.push(name.clone());
            result.extend_from_slice(before);
            result.extend_from_slice(after);
        }
        _ => result.extend(rest),
    }
    result
}

/// Replaces Pi's short options, up to a `--`.
fn spell_out(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut literal = false;
    arguments
        .map(|argument| {
            literal |= argument == "--";
            let long = PI_SHORT_OPTIONS.iter().find(|(short, _)| !literal && argument == OsStr::new(short));
            long.map_or(argument, |(_, long)| OsString::from(long))
        })
        .collect()
}

/// How many arguments at the front are options and their values.
fn leading_options(arguments: &[OsString], command: &clap::Command) -> usize {
    let mut at = 0;
    while let Some(argument) = arguments.get(at).and_then(|it| it.to_str()) {
        if argument == "--" || argument == "-" || !argument.starts_with('-') {
            break;
        }
        at += 1 + usize::from(takes_next(argument, command));
    }
    at.min(arguments.len())
}

/// Whether the value of an option is the argument after it.
fn takes_next(option: &str, command: &clap::Command) -> bool {
    if option.contains('=') {
        return false;
    }
    let takes_value =
        |it: &clap::Arg| matches!(it.get_action(), clap::ArgAction::Set | clap::ArgAction::Append);
    match option.strip_prefix("--") {
        Some(long) => command.get_arguments().any(|it| it.get_long() == Some(long) && takes_value(it)),
        // `-e` alone takes the next argument; in `-ex` the value is attached.
        None => option.strip_prefix('-').is_some_and(|short| {
            let mut letters = short.chars();
            let letter = letters.next();
            letters.next().is_none()
                && command.get_arguments().any(|it| it.get_short() == letter && takes_value(it))
        }),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    fn normalised(arguments: &[&str]) -> Vec<String> {
        let arguments = std::iter::once("pi-why").chain(arguments.iter().copied()).map(OsString::from);
        let result = normalise(arguments, &Cli::command());
        result.into_iter().skip(1).map(|it| it.into_string().unwrap_or_default()).collect()
    }

    #[test]
    fn short_options_of_several_letters_are_spelt_out() {
        assert_eq!(
            normalised(&["all", "-ne", "-xt", "a,b"]),
            ["all", "--no-extensions", "--exclude-tools", "a,b"]
        );
        assert_eq!(normalised(&["tool", "--", "-ne"]), ["tool", "--", "-ne"]);
    }

    #[test]
    fn options_before_the_subcommand_move_behind_it() {
        assert_eq!(
            normalised(&["-e", "all", "--cwd", "/x", "-a", "tool", "-e", "b"]),
            ["tool", "-e", "all", "--cwd", "/x", "-a", "-e", "b"]
        );
        assert_eq!(normalised(&["-e=all", "tool"]), ["tool", "-e=all"]);
    }

    #[test]
    fn a_question_stays_where_it_is() {
        assert_eq!(normalised(&["-a", "Tool \"x\" conflicts"]), ["-a", "Tool \"x\" conflicts"]);
        assert_eq!(normalised(&["-a", "-"]), ["-a", "-"]);
    }
}
