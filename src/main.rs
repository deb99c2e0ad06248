//! The command line: hands its arguments over and returns the exit code.

fn main() {}
