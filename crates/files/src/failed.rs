//! Why a run has not written what it should.

use std::io;

/// An output that could not be written.
#[derive(Debug)]
pub struct OutputError {
    /// The output, as the user named it.
    pub name: String,
    /// Why.
    pub error: io::Error,
}
