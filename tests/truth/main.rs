//! pi-why against the real Pi: for every fixture, the report of `pi-why all --format json` must say what Pi decided
//! (`truth.json`, recorded by `tests/oracle/`), and must be sure of it.
//!
//! One test for each fixture: `cargo test --test truth tool-` runs those about tools.

mod comparison;
#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "../fixtures/mod.rs"]
mod fixtures;

use comparison::Comparison;
use fixtures::Fixture;
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let trials =
        fixtures::names().into_iter().map(|name| Trial::test(name.clone(), move || agrees(&name))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn agrees(name: &str) -> Result<(), Failed> {
    let fixture = Fixture::materialise(name);
    let output = fixture.pi_why(&["all", "--format", "json"]);
    let complaint = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("pi-why ended with {}:\n{complaint}", output.status).into());
    }
    let report = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the report is not JSON: {error}\n{complaint}"))?;
    let problems = Comparison::of(&fixture.truth, &report).problems(fixture.is_conditional());
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}
