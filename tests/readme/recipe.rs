//! The recipe of the README, taken out of it and run: in a checkout with an old conflict, then with a new one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::Failed;
use serde::Deserialize;

#[derive(Deserialize)]
struct Workflow {
    jobs: Jobs,
}

#[derive(Deserialize)]
struct Jobs {
    check: Job,
}

#[derive(Deserialize)]
struct Job {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    run: Option<String>,
    #[serde(default)]
    r#if: Option<String>,
}

/// The blocks of the README in one language.
fn blocks(readme: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    readme.split(&fence).skip(1).filter_map(|it| Some(it.split_once("\n```")?.0.to_owned())).collect()
}

/// A checkout, with the one of its base in it, and the programs that the recipe calls.
struct Checkout {
    _directory: tempfile::TempDir,
    root: PathBuf,
}

impl Checkout {
    fn new() -> std::io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let root = directory.path().canonicalize()?;
        let it = Self { _directory: directory, root };
        it.write(
            "bin/cargo",
            "#!/bin/sh\ntest \"$1 $2 $3\" = \"install --locked --git\" && test -n \"$4\"\n",
        )?;
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pi-why"), it.root.join("bin/pi-why"))?;
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(it.root.join("bin/cargo"), mode)?;
        Ok(it)
    }

    fn write(&self, path: &str, text: &str) -> std::io::Result<()> {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
        fs::write(path, text)
    }

    /// Runs a script as a runner does.
    fn run(&self, script: &str) -> std::io::Result<Output> {
        let work = self.root.join("work");
        Command::new("/bin/sh")
            .args(["-e", "-c", script])
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", self.root.join("bin").display()))
            .env("HOME", &self.root)
            .env("GITHUB_WORKSPACE", &work)
            .env("PI_WHY_REPOSITORY", "https://example.invalid/pi-why")
            .current_dir(work)
            .output()
    }

    /// The status of each step, and what the steps print. After a failure only those run that always do.
    fn job(&self, steps: &[Step]) -> Result<(Vec<Option<i32>>, String), Failed> {
        let (mut statuses, mut printed, mut failed) = (Vec::new(), String::new(), false);
        for step in steps {
            let Some(script) = &step.run else { continue };
            if failed && step.r#if.as_deref() != Some("always()") {
                statuses.push(None);
                continue;
            }
            let output = self.run(script)?;
            failed |= !output.status.success();
            statuses.push(output.status.code());
            printed.push_str(&String::from_utf8_lossy(&output.stdout));
            if !output.stderr.is_empty() {
                return Err(format!("{script}: {}", String::from_utf8_lossy(&output.stderr)).into());
            }
        }
        Ok((statuses, printed))
    }
}

fn extension(names: &[&str]) -> String {
    let call = |name: &&str| format!("  pi.registerTool({{ name: \"{name}\" }});\n");
    format!("export default (pi) => {{\n{}}};\n", names.iter().map(call).collect::<String>())
}

pub fn works() -> Result<(), Failed> {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"))?;
    let yaml = blocks(&readme, "yaml");
    let workflow: Workflow = serde_saphyr::from_str(yaml.first().ok_or("there is no workflow")?)?;
    let scripts = blocks(&readme, "sh");
    let find =
        |word: &str| scripts.iter().find(|it| it.contains(word)).ok_or(format!("no script has {word}"));
    let (write, compare) = (find("--write-baseline")?, find("--exit-code")?);
    let policy = blocks(&readme, "toml");

    let checkout = Checkout::new()?;
    for tree in ["work", "work/.base"] {
        checkout.write(&format!("{tree}/extensions/a.ts"), &extension(&["search"]))?;
        checkout.write(&format!("{tree}/extensions/b.ts"), &extension(&["search", "note"]))?;
        checkout.write(&format!("{tree}/package.json"), "{\"name\": \"pack\", \"version\": \"1.0.0\"}")?;
    }
    status(&checkout.run(write)?, 0)?;

    // What is old passes, wherever it stands.
    checkout.write("work/extensions/b.ts", &format!("// moved\n{}", extension(&["search", "note"])))?;
    let (statuses, printed) = checkout.job(&workflow.jobs.check.steps)?;
    equal(&*statuses, &[Some(0); 4][..])?;
    equal(&*printed, "")?;
    status(&checkout.run(compare)?, 0)?;

    // What is new fails, is annotated where it stands, and shows up in the log for code scanning.
    checkout.write("work/extensions/a.ts", &extension(&["note", "search"]))?;
    let (statuses, printed) = checkout.job(&workflow.jobs.check.steps)?;
    equal(&*statuses, &[Some(0), Some(1), Some(0), Some(0)][..])?;
    let annotation = "::error file=extensions/b.ts,line=4,col=3,title=tool-conflict::";
    holds(&printed, annotation)?;
    holds(&printed, "tool note moved: project/extensions/b.ts → project/extensions/a.ts")?;
    let sarif = fs::read_to_string(checkout.root.join("work/pi-why.sarif"))?;
    let log: serde_json::Value = serde_json::from_str(&sarif)?;
    let states: Vec<&str> = log["runs"][0]["results"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|it| it["baselineState"].as_str())
        .collect();
    equal(&*states, &["new", "unchanged"][..])?;
    status(&checkout.run(compare)?, 1)?;

    // The policy of the README is one.
    checkout.write("work/pi-why.toml", policy.first().ok_or("there is no policy")?)?;
    checkout.write("work/extensions/a.ts", &extension(&["search", "bash"]))?;
    let denied = checkout.run("pi-why check . --baseline pi-why.jsonl")?;
    status(&denied, 1)?;
    holds(&String::from_utf8_lossy(&denied.stdout), "Our extensions keep off Pi's own tools.")
}

fn status(output: &Output, wanted: i32) -> Result<(), Failed> {
    if output.status.code() == Some(wanted) {
        return Ok(());
    }
    let [out, err] = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
    Err(format!("status {:?}, not {wanted}\n{out}\n{err}", output.status.code()).into())
}

fn equal<T, U>(is: &T, wanted: &U) -> Result<(), Failed>
where
    T: PartialEq<U> + std::fmt::Debug + ?Sized,
    U: std::fmt::Debug + ?Sized,
{
    if is == wanted { Ok(()) } else { Err(format!("{is:?} is not {wanted:?}").into()) }
}

fn holds(text: &str, part: &str) -> Result<(), Failed> {
    if text.contains(part) { Ok(()) } else { Err(format!("{part:?} is not in\n{text}").into()) }
}
