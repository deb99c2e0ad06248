//! The binary: runs the command line and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    baseref::cli::run(std::env::args_os())
}
