//! The command line, case by case: `tests/command_line/*.trycmd` hold what is typed and what comes of it, and are meant to be
//! read.
//!
//! `TRYCMD=overwrite cargo test --test command_line` writes them anew.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Trial};

/// Set in the process that runs the cases.
const IN_DEMO: &str = "PI_WHY_CASES_IN_DEMO";

fn main() -> ExitCode {
    if env::var_os(IN_DEMO).is_none() {
        return run_in_demo();
    }
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command_line/*.trycmd");
    let trial = Trial::test("cases", move || {
        trycmd::TestCases::new().case(cases).run();
        Ok(())
    });
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}

/// Runs this test again in the demo's project, with the demo's agent directory as `~/agent`, and with nothing else in the
/// environment.
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
