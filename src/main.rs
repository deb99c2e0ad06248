//! The binary: runs the command line and returns its exit code.

use std::process::ExitCode;

/// That of musl asks the system for each large buffer anew, which takes as long as reading it.
#[cfg(all(baseref_mimalloc, target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(baseref::run_program(std::env::args_os()))
}
