//! What pi-why offers as help is written into the settings, line by line as it says, and asked about again.

#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "fixtures/mod.rs"]
mod fixtures;

use std::fs;

use fixtures::Fixture;
use serde_json::Value;

fn report(fixture: &Fixture, question: &[&str]) -> Value {
    let output = fixture.pi_why(&[question, &["--format", "json", "--quiet"]].concat());
    serde_json::from_slice(&output.stdout).expect("a report is JSON")
}

/// The cures that a question brings and that are lines of files, in a fixture.
fn lasting(name: &str, question: &[&str]) -> Vec<Value> {
    let report = report(&Fixture::materialise(name), question);
    let cures = report["cures"].as_array().cloned().unwrap_or_default();
    cures.into_iter().filter(|it| it["changes"].as_array().is_some_and(|it| !it.is_empty())).collect()
}

/// The same cure in a fresh copy, whose root is another one, carried out.
fn carried_out(name: &str, question: &[&str], at: usize) -> (Value, Fixture) {
    let fixture = Fixture::materialise(name);
    let cures = report(&fixture, question)["cures"].clone();
    let is_lasting = |it: &&Value| it["changes"].as_array().is_some_and(|it| !it.is_empty());
    let cure =
        cures.as_array().into_iter().flatten().filter(is_lasting).nth(at).expect("it was there before");
    for change in cure["changes"].as_array().into_iter().flatten() {
        let text = |key: &str| change[key].as_str().expect("changes are texts");
        write_line(text("file"), text("key"), text("value"));
    }
    (cure.clone(), fixture)
}

/// Sets `KEY` or `KEY[INDEX]` of a JSON file.
fn write_line(file: &str, key: &str, value: &str) {
    let text = fs::read_to_string(file).unwrap_or_else(|_| "{}".to_owned());
    let mut settings: Value = serde_json::from_str(&text).expect("the file is JSON");
    let value: Value = serde_json::from_str(value).expect("the value is JSON");
    match key.strip_suffix(']').and_then(|it| it.split_once('[')) {
        Some((list, index)) => settings[list][index.parse::<usize>().expect("an index")] = value,
        None => settings[key] = value,
    }
    fs::write(file, settings.to_string()).expect("a file can be written");
}

#[test]
fn a_cure_does_what_it_says() {
    let questions: [(&str, &[&str], &str); 7] = [
        ("tool-project-before-user", &["tool", "lookup"], "tool"),
        ("tool-three-claims", &["tool", "search"], "tool"),
        ("renderer-first-match", &["renderer", "note"], "messageRenderer"),
        ("shortcut-last-wins", &["shortcut", "shift+down"], "shortcut"),
        ("command-duplicates-get-suffixes", &["command", "review"], "command"),
        ("skill-first-wins-in-rank-order", &["skill", "one"], "skill"),
        ("theme-name-is-in-the-file", &["theme", "dusk"], "theme"),
    ];
    let mut kept = 0;
    for (name, question, kind) in questions {
        for (at, offered) in lasting(name, question).into_iter().enumerate() {
            let (cure, fixture) = carried_out(name, question, at);
            let now = report(&fixture, question);
            let what = format!("{name}: {offered}");
            assert_eq!(now["starts"] == "yes", cure["starts"] == true, "{what}");
            let (Some(wanted), Some(contests)) = (cure["keeps"].as_str(), now["contests"].as_array()) else {
                continue;
            };
            let holder = contests.iter().find(|it| it["kind"] == kind).map(|it| &it["winner"]);
            let holder = holder.unwrap_or_else(|| panic!("nobody has it: {what}"));
            let is_wanted = match wanted {
                "<builtin>" => holder["layer"] == "builtin",
                path => holder["path"] == path,
            };
            assert!(is_wanted, "{holder} holds it: {what}");
            kept += 1;
        }
    }
    assert!(kept >= 12, "only {kept} cures were tried");
}

#[test]
fn a_pi_that_does_not_start_does_with_the_combination() {
    for (name, question) in [
        ("demo", &["tool", "web_search"][..]),
        ("demo", &["extension", "project/.pi/extensions/review.ts"]),
        ("auto-stray-declaration-file-is-fatal", &["extension", "types.d.ts"]),
        ("provider-models-without-address-are-fatal", &["extension", "a.ts"]),
    ] {
        let starting: Vec<usize> = lasting(name, question)
            .iter()
            .enumerate()
            .filter(|(_, it)| it["starts"] == true)
            .map(|(at, _)| at)
            .collect();
        assert!(!starting.is_empty(), "{name}: nothing makes it start");
        for at in starting {
            let (cure, fixture) = carried_out(name, question, at);
            assert_eq!(report(&fixture, &[])["starts"], "yes", "{name}: {cure}");
        }
    }
}

#[test]
fn a_key_is_freed_by_the_line_of_keybindings() {
    let (cure, fixture) = carried_out("shortcut-reserved-and-builtin-keys", &["shortcut", "ctrl+x"], 0);
    let now = report(&fixture, &["shortcut", "ctrl+x"]);
    assert_eq!(now["contests"][0]["winner"]["layer"], "extension", "{cure}: {now:#}");
}
