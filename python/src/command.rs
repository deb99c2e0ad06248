//! The command `baseref`, run in the process of an interpreter.

use std::ffi::OsString;
use std::io::{self, Write};

/// Runs the program with its arguments, without its name, and returns its exit code.
pub fn run(arguments: Vec<OsString>) -> u8 {
    let program = OsString::from("baseref");
    let code = baseref::run_program(std::iter::once(program).chain(arguments));
    // What an executable's runtime does after `main`.
    let _ = io::stdout().flush();
    code
}
