//! The SARIF form against the official JSON Schema of SARIF 2.1.0, which the package `serde-sarif` carries.

#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "../../fixtures/mod.rs"]
mod fixtures;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fixtures::Fixture;
use serde_json::Value;

/// The package whose source has the schema.
const PACKAGE: &str = "serde-sarif";

/// Where Cargo keeps the source of the package.
fn schema_file() -> PathBuf {
    let metadata = Command::new(env!("CARGO"))
        // What other platforms need is not there.
        .args(["metadata", "--format-version=1", "--offline", "--filter-platform", env!("PLATFORM")])
        .arg("--manifest-path")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let package = packages.iter().find(|it| it["name"] == PACKAGE).expect("the package is a dependency");
    let manifest = package["manifest_path"].as_str().expect("every package has a manifest");
    Path::new(manifest).with_file_name("src").join("schema.json")
}

fn schema() -> jsonschema::Validator {
    let text = fs::read_to_string(schema_file()).expect("the package has the schema");
    let mut schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    assert!(schema["title"].as_str().is_some_and(|it| it.contains("2.1.0")), "another schema");
    // Its patterns for languages have a bracket too many, which strict expressions do not allow. No log of pi-why has a
    // language.
    for of in ["run", "toolComponent"] {
        let language = schema.pointer_mut(&format!("/definitions/{of}/properties/language"));
        let language = language.and_then(Value::as_object_mut).expect("languages are described");
        language.remove("pattern").expect("languages have a pattern");
    }
    jsonschema::options().should_validate_formats(true).build(&schema).expect("the schema is one")
}

/// The log of a fixture, for some arguments.
fn log(fixture: &Fixture, arguments: &[&str]) -> Value {
    let output = fixture.pi_why(&[arguments, &["--format", "sarif"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{arguments:?} is not JSON: {error}\n{}", String::from_utf8_lossy(&output.stderr))
    })
}

#[test]
fn every_log_is_valid() {
    let schema = schema();
    let mut results = 0;
    for name in fixtures::names() {
        let fixture = Fixture::materialise(&name);
        for arguments in [&[][..], &["check", "--exit-zero"], &["tool"]] {
            let log = log(&fixture, arguments);
            let problems: Vec<_> =
                schema.iter_errors(&log).map(|it| format!("{}: {it}", it.instance_path())).collect();
            assert!(problems.is_empty(), "{name} {arguments:?}:\n{}", problems.join("\n"));
            serde_json::from_value::<serde_sarif::sarif::Sarif>(log.clone()).expect("its types fit too");
            results += log["runs"][0]["results"].as_array().map_or(0, Vec::len);
        }
    }
    assert!(results > 300, "only {results} results were seen");
}

#[test]
fn a_wrong_log_is_found_wrong() {
    let schema = schema();
    let mut log = log(&Fixture::materialise("demo"), &[]);
    log["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(!schema.is_valid(&log));
}

/// The identities that services follow findings by.
fn fingerprints(fixture: &Fixture) -> BTreeSet<String> {
    let log = log(fixture, &["check", "--exit-zero"]);
    let results = log["runs"][0]["results"].as_array().cloned().unwrap_or_default();
    let all: Vec<String> = results
        .iter()
        .map(|it| it["partialFingerprints"]["piWhy/v1"].as_str().expect("each has one").to_owned())
        .collect();
    let distinct: BTreeSet<String> = all.iter().cloned().collect();
    assert_eq!(distinct.len(), all.len(), "two findings look the same");
    distinct
}

#[test]
fn fingerprints_outlive_other_lines_and_other_checkouts() {
    let (here, there) = (Fixture::materialise("demo"), Fixture::materialise_in("demo", 90));
    push_lines_down(there.root());
    let (one, other) = (fingerprints(&here), fingerprints(&there));
    assert!(one.len() > 10, "{one:#?}");
    assert_eq!(one, other);
}

/// Puts lines before the first one of every extension.
fn push_lines_down(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder can be listed") {
        let path = entry.expect("a folder can be listed").path();
        if path.is_dir() {
            push_lines_down(&path);
        } else if path.extension().is_some_and(|it| it == "ts" || it == "js") {
            let text = fs::read_to_string(&path).expect("a source file is text");
            fs::write(&path, format!("// one\n// two\n\n{text}")).expect("a file can be written");
        }
    }
}
