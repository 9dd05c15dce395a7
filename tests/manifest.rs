//! What `pi-why manifest` writes, read back instead of the source, gives the same answers: for every fixture.

#[path = "fixtures/mod.rs"]
#[allow(dead_code, reason = "each test uses a part of it")]
mod fixtures;

use std::fs;

use fixtures::Fixture;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

fn main() {
    let trial = |name: String| Trial::test(name.clone(), move || reads_back(&name));
    let trials = fixtures::names().into_iter().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn reads_back(name: &str) -> Result<(), Failed> {
    let fixture = Fixture::materialise(name);
    // Every path has a slash in it: all extensions are meant.
    let manifest = fixture.pi_why(&["manifest", "/"]);
    if !manifest.status.success() {
        // Nothing but what Pi brings itself.
        return Ok(());
    }
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("pi-why.toml");
    fs::write(&path, &manifest.stdout)?;
    let config = path.to_str().ok_or("the path is not UTF-8")?;
    let source = answers(&fixture, &["all", "--format", "json", "--isolated"])?;
    let declared = answers(&fixture, &["all", "--format", "json", "--config", config])?;
    let differences: Vec<String> = source
        .iter()
        .filter(|it| !declared.contains(it))
        .map(|it| format!("source: {it}"))
        .chain(declared.iter().filter(|it| !source.contains(it)).map(|it| format!("declared: {it}")))
        .collect();
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n").into()) }
}

/// Every contest, and whether Pi starts, without the places.
fn answers(fixture: &Fixture, arguments: &[&str]) -> Result<Vec<Value>, Failed> {
    let output = fixture.pi_why(arguments);
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let mut answers = vec![json!({ "starts": report["starts"] })];
    for contest in report["contests"].as_array().into_iter().flatten() {
        let mut contest = contest.clone();
        without_places(&mut contest);
        answers.push(contest);
    }
    Ok(answers)
}

fn without_places(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, _| key != "at" && key != "restsOn" && key != "mayAlsoClaim");
            fields.values_mut().for_each(without_places);
        }
        Value::Array(items) => items.iter_mut().for_each(without_places),
        _ => {}
    }
}
