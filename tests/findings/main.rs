//! The gate, case by case: `tests/findings/*.toml` hold small installations and packs, and what `pi-why check` says of them under
//! which policy. Every code of the closed list is found by one of them at least.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use serde_json::Value;

/// One file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What it shows.
    #[allow(dead_code, reason = "for the reader")]
    why: String,
    /// What is there before the first step, by path: `agent/…`, `project/…`, `home/…`.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// What links to what.
    #[serde(default)]
    links: BTreeMap<String, String>,
    step: Vec<Step>,
}

/// One run of the program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// What is there from now on; an empty text takes a file away.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// `pi-why.toml` of the project from now on.
    policy: Option<String>,
    #[serde(default)]
    arguments: Vec<String>,
    status: i32,
    /// `LEVEL CODE KIND NAME (PARTIES)`, then `conditional`, `unresolved`, `known`, and the reason of a rule.
    findings: Option<Vec<String>>,
    /// What standard error has in it.
    #[serde(default)]
    says: Vec<String>,
    /// What files have in them afterwards.
    #[serde(default)]
    leaves: BTreeMap<String, String>,
}

/// The codes that were found so far.
type Codes = Arc<Mutex<BTreeSet<String>>>;

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/findings");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().filter_map(|it| Some(it.ok()?.path())).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "toml"));
    paths.sort();
    let codes = Codes::default();
    let trial = |path: PathBuf| {
        let name = path.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        let codes = Arc::clone(&codes);
        Trial::test(name, move || run(&path, &codes))
    };
    let conclusion = libtest_mimic::run(&arguments, paths.into_iter().map(trial).collect());
    if !arguments.list && arguments.filter.is_none() && !conclusion.has_failed() {
        every_code_is_found_and_explained(&codes);
    }
    conclusion.exit();
}

fn every_code_is_found_and_explained(found: &Codes) {
    let place = Place::new();
    let list: Value = serde_json::from_slice(&place.run(&["explain", "--format", "json"]).stdout)
        .expect("explain answers in JSON");
    let codes: BTreeSet<String> = list
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|it| Some(it["finding"].as_str()?.to_owned()))
        .collect();
    let found = found.lock().expect("no case fails while it holds the list");
    assert_eq!(*found, codes, "the codes that cases find, and the closed list");
    for code in codes {
        let answer = place.run(&["explain", &code]);
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        assert!(answer.status.success() && text.starts_with(&format!("{code}: ")), "{code}: {text}");
    }
}

fn run(path: &Path, codes: &Codes) -> Result<(), Failed> {
    let case: Case = toml::from_str(&fs::read_to_string(path)?)?;
    let place = Place::new();
    for (path, text) in &case.files {
        place.write(path, text)?;
    }
    for (path, to) in &case.links {
        place.link(path, to)?;
    }
    for (at, step) in case.step.iter().enumerate() {
        for (path, text) in &step.files {
            if text.is_empty() { place.remove(path)? } else { place.write(path, text)? }
        }
        if let Some(policy) = &step.policy {
            place.write("project/pi-why.toml", policy)?;
        }
        let step = step.check(&place, codes).map_err(|why| format!("step {}: {why}", at + 1));
        step?;
    }
    Ok(())
}

impl Step {
    fn check(&self, place: &Place, codes: &Codes) -> Result<(), String> {
        let mut arguments = vec!["check"];
        arguments.extend(self.arguments.iter().map(String::as_str));
        if self.findings.is_some() {
            arguments.extend(["--format", "json"]);
        }
        let output = place.run(&arguments);
        let err = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(self.status) {
            let out = String::from_utf8_lossy(&output.stdout);
            return Err(format!("status {:?}, not {}\n{out}\n{err}", output.status.code(), self.status));
        }
        if let Some(wanted) = &self.findings {
            let report: Value =
                serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {err}"))?;
            let findings = report["check"]["findings"].as_array().cloned().unwrap_or_default();
            let told: Vec<String> = findings.iter().map(|it| line(it, place)).collect();
            if told != *wanted {
                return Err(format!("found\n  {}\nnot\n  {}", told.join("\n  "), wanted.join("\n  ")));
            }
            let mut codes = codes.lock().map_err(|it| it.to_string())?;
            codes.extend(findings.iter().filter_map(|it| Some(it["finding"].as_str()?.to_owned())));
        }
        if let Some(unsaid) = self.says.iter().find(|it| !err.contains(it.as_str())) {
            return Err(format!("it does not say {unsaid:?}, but\n{err}"));
        }
        for (path, text) in &self.leaves {
            let left = fs::read_to_string(place.root.join(path)).map_err(|error| error.to_string())?;
            if left != *text {
                return Err(format!("{path} holds\n{left}"));
            }
        }
        Ok(())
    }
}

/// A finding in one line.
fn line(it: &Value, place: &Place) -> String {
    let word = |key: &str| it[key].as_str().unwrap_or_default().to_owned();
    let parties: Vec<&str> =
        it["parties"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut line = format!("{} {} {}", word("level"), word("finding"), word("kind"));
    if !word("name").is_empty() {
        line = format!("{line} {}", word("name"));
    }
    line = format!("{line} ({})", parties.join(", "));
    for word in [word("certainty"), word("state")] {
        if !word.is_empty() && word != "certain" && word != "new" {
            line = format!("{line} {word}");
        }
    }
    if !word("reason").is_empty() {
        line = format!("{line} – {}", word("reason"));
    }
    line.replace(&*place.root.to_string_lossy(), "{ROOT}")
}

/// A folder of a case, with a home, an agent directory and a project.
struct Place {
    _directory: tempfile::TempDir,
    root: PathBuf,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("there is room for temporary files");
        let root = directory.path().canonicalize().expect("the directory was just made");
        for folder in ["home", "agent", "project"] {
            fs::create_dir_all(root.join(folder)).expect("folders can be made");
        }
        Self { _directory: directory, root }
    }

    fn write(&self, path: &str, text: &str) -> std::io::Result<()> {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
        fs::write(path, text)
    }

    fn remove(&self, path: &str) -> std::io::Result<()> {
        fs::remove_file(self.root.join(path))
    }

    fn link(&self, path: &str, to: &str) -> std::io::Result<()> {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
        std::os::unix::fs::symlink(self.root.join(to), path)
    }

    /// Runs pi-why in the project, with nothing of the user's around it.
    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_pi-why"))
            .env_clear()
            .env("HOME", self.root.join("home"))
            .env("PI_CODING_AGENT_DIR", self.root.join("agent"))
            .env("PI_OFFLINE", "1")
            .current_dir(self.root.join("project"))
            .args(arguments)
            .output()
            .expect("pi-why can be started")
    }
}
