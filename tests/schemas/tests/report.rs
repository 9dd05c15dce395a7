//! The JSON form against the schema that the program itself prints.

#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "../../fixtures/mod.rs"]
mod fixtures;

use fixtures::Fixture;
use serde_json::Value;

fn json(fixture: &Fixture, arguments: &[&str]) -> Value {
    let output = fixture.pi_why(arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{arguments:?} is not JSON: {error}\n{}", String::from_utf8_lossy(&output.stderr))
    })
}

fn schema() -> jsonschema::Validator {
    let schema = json(&Fixture::materialise("demo"), &["schema"]);
    jsonschema::options().should_validate_formats(true).build(&schema).expect("the schema is one")
}

#[test]
fn every_report_is_valid() {
    let schema = schema();
    for name in fixtures::names() {
        let fixture = Fixture::materialise(&name);
        for arguments in [&["--format", "json"][..], &["all", "--format", "json"]] {
            let report = json(&fixture, arguments);
            let problems: Vec<_> =
                schema.iter_errors(&report).map(|it| format!("{}: {it}", it.instance_path())).collect();
            assert!(problems.is_empty(), "{name} {arguments:?}:\n{}", problems.join("\n"));
        }
    }
}

#[test]
fn answers_to_single_questions_are_valid() {
    let schema = schema();
    let demo = Fixture::materialise("demo");
    for question in [
        &["tool", "web_search"][..],
        &["command", "review"],
        &["shortcut", "ctrl+p"],
        &["provider", "northwind"],
        &["model", "northwind"],
        &["skill", "release-notes"],
        &["extension", "review.ts"],
        &["order"],
    ] {
        let report = json(&demo, &[question, &["--format", "json"]].concat());
        let problems: Vec<_> = schema.iter_errors(&report).map(|it| it.to_string()).collect();
        assert!(problems.is_empty(), "{question:?}:\n{}", problems.join("\n"));
    }
}

#[test]
fn a_wrong_report_is_found_wrong() {
    let schema = schema();
    let mut report = json(&Fixture::materialise("demo"), &["all", "--format", "json"]);
    report["contests"][0]["severity"] = "dreadful".into();
    assert!(!schema.is_valid(&report));
}
