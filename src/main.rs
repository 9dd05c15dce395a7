//! The process around the library.

use std::process::ExitCode;

/// Parsing makes many small allocations on several threads, which it serves faster than most systems' own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    pi_why::cli::complete();
    pi_why::cli::run(std::env::args_os())
}
