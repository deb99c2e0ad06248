//! Lines for standard error.

use std::io::{self, Write};

use crate::report::text::shown;

/// A line for standard error, with nothing in it that a terminal obeys.
#[must_use]
pub fn message(text: &str) -> String {
    format!("baseref: {}", shown(text))
}

/// Prints lines on standard error.
pub fn print(messages: &[String]) {
    let mut stderr = io::stderr().lock();
    for message in messages {
        // Nothing is left to say it to if standard error is closed.
        let _ = writeln!(stderr, "{message}");
    }
}
