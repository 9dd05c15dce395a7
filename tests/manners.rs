//! How the program behaves at a terminal, in a pipe and under an agent.

#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "fixtures/mod.rs"]
mod fixtures;

use std::io::Write as _;
use std::process::{Output, Stdio};

use fixtures::Fixture;

fn demo(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let demo = Fixture::materialise("demo");
    demo.command(arguments).envs(environment.iter().copied()).output().expect("pi-why can be started")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("answers are UTF-8")
}

#[test]
fn colours_are_for_those_who_want_them() {
    let coloured = |arguments: &[&str], environment: &[(&str, &str)]| {
        stdout(&demo(arguments, environment)).contains("\u{1b}[")
    };
    assert!(!coloured(&[], &[]), "a pipe");
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(coloured(&["--color", "always"], &[]));
    assert!(!coloured(&[], &[("NO_COLOR", "1")]));
    assert!(!coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["--color", "always", "--format", "json"], &[]), "JSON has no colours");
}

#[test]
fn places_can_be_clicked_where_the_terminal_can() {
    let linked = |arguments: &[&str], environment: &[(&str, &str)]| {
        stdout(&demo(arguments, environment)).contains("\u{1b}]8;;file:///")
    };
    assert!(linked(&["--color", "always"], &[("FORCE_HYPERLINK", "1")]));
    assert!(!linked(&["--color", "always"], &[]));
    assert!(!linked(&[], &[("FORCE_HYPERLINK", "1")]), "what strips colours strips links");
    assert!(!linked(&["--color", "always"], &[("FORCE_HYPERLINK", "0")]));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let demo = Fixture::materialise("demo");
    for format in ["table", "json", "markdown", "compact"] {
        let mut command = demo.command(&["all", "--format", format]);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("pi-why can be started");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("pi-why ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.contains("pi-why:"), "{format}: {} {said}", output.status);
    }
}

#[test]
fn an_agent_gets_one_line_for_each_finding() {
    let demo = Fixture::materialise("demo");
    let asked = |arguments: &[&str]| {
        let mut command = demo.command(arguments);
        stdout(&command.env("PI_CODING_AGENT", "true").output().expect("pi-why can be started"))
    };
    assert_eq!(asked(&[]), stdout(&demo.pi_why(&["--format", "compact"])));
    assert!(asked(&["--format", "table"]).starts_with('✗'), "who says so gets the table");
}

#[test]
fn diagnostics_go_where_no_data_goes() {
    let fixture = Fixture::materialise("settings-broken-file-is-empty");
    let loud = fixture.pi_why(&["all", "--format", "json"]);
    assert!(!loud.stderr.is_empty());
    assert!(serde_json::from_slice::<serde_json::Value>(&loud.stdout).is_ok());
    let quiet = fixture.pi_why(&["all", "--format", "json", "--quiet"]);
    assert!(quiet.stderr.is_empty());
    assert_eq!(quiet.stdout, loud.stdout);
}

#[test]
fn who_asks_is_told_what_was_read_and_how_long_it_took() {
    let demo = Fixture::materialise("demo");
    let output = demo.pi_why(&["--verbose"]);
    let said = String::from_utf8_lossy(&output.stderr);
    for part in ["read  ./.pi/settings.json", " files read", " ms  install", " ms  source", " ms  registry"] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert_eq!(stdout(&output), stdout(&demo.pi_why(&[])));
}

#[test]
fn no_control_character_reaches_the_terminal() {
    for name in fixtures::names().iter().filter(|it| it.contains("odd") || it.contains("exact")) {
        let fixture = Fixture::materialise(name);
        for format in ["table", "markdown", "compact", "github"] {
            let page = stdout(&fixture.pi_why(&["all", "--format", format]));
            let bad: Vec<char> = page.chars().filter(|it| it.is_control() && *it != '\n').collect();
            assert!(bad.is_empty(), "{name} {format}: {bad:?}");
        }
    }
}

#[test]
fn shells_are_taught_the_names_of_the_installation() {
    let demo = Fixture::materialise("demo");
    for (shell, word) in
        [("bash", "complete"), ("zsh", "compdef"), ("fish", "complete"), ("powershell", "Register")]
    {
        let script = stdout(&demo.pi_why(&["completions", shell]));
        assert!(script.contains(word) && script.contains("COMPLETE"), "{shell}: {script}");
    }
    let offered = |words: &[&str]| {
        let index = (words.len() - 1).to_string();
        let line = [&["--"][..], words].concat();
        let mut command = demo.command(&line);
        command.envs([
            ("COMPLETE", "bash"),
            ("_CLAP_COMPLETE_INDEX", &*index),
            ("_CLAP_COMPLETE_COMP_TYPE", "9"),
        ]);
        command.env("_CLAP_IFS", "\n");
        stdout(&command.output().expect("pi-why can be started"))
    };
    assert!(offered(&["pi-why", "tool", "web"]).contains("web_search"));
    assert!(offered(&["pi-why", "command", "rev"]).contains("review:1"));
    assert!(offered(&["pi-why", "provider", "north"]).contains("northwind"));
    assert!(offered(&["pi-why", "skill", "rel"]).contains("release-notes"));
    assert!(offered(&["pi-why", "rules", "command/s"]).contains("command/suffix"));
    assert!(offered(&["pi-why", "explain", "loaded"]).contains("loaded-twice"));
}

#[test]
fn a_pasted_output_is_explained_message_by_message() {
    let demo = Fixture::materialise("demo");
    let asked = |output: &str| {
        let mut command = demo.command(&["-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("pi-why can be started");
        let mut stdin = child.stdin.take().expect("it was asked for");
        stdin.write_all(output.as_bytes()).expect("pi-why reads");
        drop(stdin);
        child.wait_with_output().expect("pi-why ends")
    };
    let answer = asked(
        "\u{1b}[31mError: Failed to load extension \"/x/b.ts\": Tool \"web_search\" conflicts with /x/a.ts\u{1b}[39m\n\
         Error: Failed to load extension \"/x/b.ts\": Flag \"--plan\" conflicts with /x/a.ts\n\
         Hint: Start without extensions using \"pi -ne\".\n",
    );
    let page = stdout(&answer);
    let first = page.lines().next().unwrap_or_default();
    assert!(first.contains("will not start here: 2 conflicts are fatal"), "{page}");
    for part in ["web_search: pi refuses to start", "--plan: pi refuses to start", "to start pi without"] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    let nothing = asked("all is well\n");
    assert_eq!(nothing.status.code(), Some(2));
    assert!(nothing.stdout.is_empty());
}
