//! The process around the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    pi_why::cli::complete();
    pi_why::cli::run(std::env::args_os())
}
