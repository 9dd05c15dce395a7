//! Pi's own examples, checked as a pack: the collisions are those that the real Pi has there. `tests/oracle/examples.json` holds
//! what Pi said; the examples themselves are in its npm package, so this runs only where the oracle is installed
//! (`npm ci --prefix tests/oracle --ignore-scripts`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

/// The kinds of names, in the words of both sides.
const KINDS: [&str; 6] = ["tool", "command", "flag", "shortcut", "messageRenderer", "entryRenderer"];

fn main() {
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    let examples = oracle.join("node_modules/@earendil-works/pi-coding-agent/examples/extensions");
    let absent = !examples.is_dir();
    let trial = Trial::test("examples_of_pi_collide_as_they_do_in_pi", move || collide(&oracle, &examples));
    libtest_mimic::run(&Arguments::from_args(), vec![trial.with_ignored_flag(absent)]).exit();
}

fn collide(oracle: &Path, examples: &PathBuf) -> Result<(), Failed> {
    let truth: Value = serde_json::from_str(&fs::read_to_string(oracle.join("examples.json"))?)?;
    let home = tempfile::tempdir()?;
    let output = Command::new(env!("CARGO_BIN_EXE_pi-why"))
        .env_clear()
        .env("HOME", home.path())
        .args(["check", "--format", "json", "--isolated"])
        .arg(examples)
        .output()?;
    same("exit status", &json!(output.status.code()), &json!(1))?;
    let folder = format!("{}/", examples.display());
    let report: Value = serde_json::from_str(&String::from_utf8_lossy(&output.stdout).replace(&folder, ""))?;

    let first_line = |it: &Value| it.as_str().and_then(|it| it.lines().next()).map(str::to_owned);
    let errors = list(&report["fatal"])
        .map(|it| json!({ "path": it["path"], "error": first_line(&it["message"]) }))
        .collect::<Vec<_>>();
    same("errors", &json!(errors), &truth["errors"])?;
    let loaded = list(&report["order"]).filter(|it| it["status"] == "loaded" && it["source"] != "inline");
    same("order", &loaded.map(|it| it["path"].clone()).collect(), &truth["order"])?;
    for kind in KINDS {
        let held =
            list(&report["contests"]).filter(|it| it["kind"] == kind && it["winner"]["layer"] == "extension");
        let held = held.map(|it| {
            let mut row = vec![it["name"].clone(), it["winner"]["path"].clone()];
            if kind == "command" {
                row.extend([it["invocation"].clone(), it["hiddenBy"]["when"].clone()]);
            }
            Value::from(row).to_string()
        });
        let held: BTreeSet<String> = held.collect();
        let wanted: BTreeSet<String> = list(&truth[kind]).map(ToString::to_string).collect();
        same(kind, &json!(held), &json!(wanted))?;
    }

    // The findings of a clash are those names that Pi complains about, each once.
    let quoted = |it: &Value| it["error"].as_str().and_then(|it| it.split('"').nth(1)).map(str::to_owned);
    let complained: BTreeSet<String> =
        list(&truth["errors"]).filter(|it| is_conflict(it)).filter_map(quoted).collect();
    let found = list(&report["check"]["findings"]).filter(|it| it["finding"] == "tool-conflict");
    let found: Vec<&str> = found.filter_map(|it| it["name"].as_str()).collect();
    same("tool-conflict", &json!(found), &json!(complained))
}

fn is_conflict(error: &Value) -> bool {
    error["error"].as_str().is_some_and(|it| it.contains(" conflicts with "))
}

fn list(it: &Value) -> impl Iterator<Item = &Value> {
    it.as_array().into_iter().flatten()
}

fn same(what: &str, is: &Value, wanted: &Value) -> Result<(), Failed> {
    if is == wanted { Ok(()) } else { Err(format!("{what}: pi-why says\n{is:#}\nand Pi\n{wanted:#}").into()) }
}
