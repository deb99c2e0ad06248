//! The command line: hands its arguments over and returns the exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    baseref::cli::run(std::env::args_os())
}
