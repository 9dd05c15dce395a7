//! The examples of the README are what pi-why prints for the demo installation, and its recipe for CI does what it says.
//!
//! `TRYCMD=overwrite cargo test --test readme` writes them anew.

#[path = "readme/recipe.rs"]
mod recipe;

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Trial};

/// Set in the process that runs the examples.
const IN_DEMO: &str = "PI_WHY_README_IN_DEMO";

fn main() -> ExitCode {
    if env::var_os(IN_DEMO).is_none() {
        return run_in_demo();
    }
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let examples = Trial::test("examples_are_true", move || {
        trycmd::TestCases::new().case(readme).run();
        Ok(())
    });
    let recipe = Trial::test("recipe_lets_old_conflicts_pass_and_new_ones_fail", recipe::works);
    libtest_mimic::run(&Arguments::from_args(), vec![examples, recipe]).exit_code()
}

/// Runs this test again where the README says that its examples are typed: in the demo's project, with the demo's agent
/// directory as `~/agent`, and with nothing else in the environment.
fn run_in_demo() -> ExitCode {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/demo");
    let status = Command::new(env::current_exe().expect("a test knows where it is"))
        .args(env::args_os().skip(1))
        .env_clear()
        .envs(env::var_os("TRYCMD").map(|it| ("TRYCMD", it)))
        .env("HOME", &demo)
        .env("PI_CODING_AGENT_DIR", "~/agent")
        .env("TERM", "dumb")
        .env(IN_DEMO, "1")
        .current_dir(demo.join("project"))
        .status()
        .expect("a test can be started again");
    if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
