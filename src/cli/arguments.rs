//! The command line as Pi users type it, made into what clap reads.
//!
//! Three things differ. Pi has short options of two and three letters (`-ne`, `-nbt`; `dist/cli/args.js`, `parseArgs`),
//! which clap would take as bundles of one-letter ones. Long options that Pi does not know are flags of extensions. And
//! options for the installation may stand before the subcommand as well as after it; clap would let one place hide the
//! other.

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
    let rest = name_flags(spell_out(arguments), command);
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

/// Long options that nobody here knows become `--flag NAME=VALUE`, with a value as Pi takes it: after `=`, or the next
/// argument unless it begins with `-` or `@`. What looks like a slip of the pen is left for clap to complain about.
fn name_flags(arguments: Vec<OsString>, command: &clap::Command) -> Vec<OsString> {
    let known = long_options(command);
    let is_subcommand = |it: &OsStr| command.find_subcommand(it).is_some();
    let mut result: Vec<OsString> = Vec::with_capacity(arguments.len());
    let mut rest = arguments.into_iter().peekable();
    let mut asked = false;
    while let Some(argument) = rest.next() {
        if argument == "--" {
            result.push(argument);
            break;
        }
        asked |= is_subcommand(&argument);
        let option = argument.to_str().and_then(|it| it.strip_prefix("--"));
        let name = option.map(|it| it.split_once('=').map_or(it, |it| it.0));
        let unknown = name.filter(|it| !known.iter().any(|known| known == it || is_slip(known, it)));
        let (Some(option), Some(_)) = (option, unknown) else {
            result.push(argument);
            continue;
        };
        let mut flag = OsString::from(option);
        let is_value = |next: &OsString| {
            !next.to_string_lossy().starts_with(['-', '@']) && (asked || !is_subcommand(next))
        };
        if !option.contains('=')
            && let Some(value) = rest.next_if(is_value)
        {
            flag.push("=");
            flag.push(value);
        }
        result.extend([OsString::from("--flag"), flag]);
    }
    result.extend(rest);
    result
}

/// The long options of the program and all of its subcommands.
fn long_options(command: &clap::Command) -> Vec<&str> {
    let own = command.get_arguments().filter_map(clap::Arg::get_long);
    let theirs = command.get_subcommands().flat_map(|it| it.get_arguments().filter_map(clap::Arg::get_long));
    own.chain(theirs).chain(["help", "version"]).collect()
}

/// Whether one letter too many, too few, wrong or in the wrong place makes an option of another.
fn is_slip(known: &str, given: &str) -> bool {
    given.len() > 3 && strsim::damerau_levenshtein(known, given) == 1
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
    fn options_that_nobody_knows_are_flags_of_extensions() {
        assert_eq!(
            normalised(&["all", "--who", "ada", "--dry=no", "--plan"]),
            ["all", "--flag", "who=ada", "--flag", "dry=no", "--flag", "plan"]
        );
        assert_eq!(normalised(&["--plan", "tool", "x"]), ["tool", "--flag", "plan", "x"]);
        assert_eq!(normalised(&["all", "--colour", "never"]), ["all", "--colour", "never"]);
        assert_eq!(
            normalised(&["check", "--exit-zero", "--", "--who"]),
            ["check", "--exit-zero", "--", "--who"]
        );
    }

    #[test]
    fn a_question_stays_where_it_is() {
        assert_eq!(normalised(&["-a", "Tool \"x\" conflicts"]), ["-a", "Tool \"x\" conflicts"]);
        assert_eq!(normalised(&["-a", "-"]), ["-a", "-"]);
    }
}
