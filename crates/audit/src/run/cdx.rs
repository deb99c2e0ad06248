//! Indexes of captures that count besides the captures of the inputs.

use std::path::PathBuf;

use baseref_evidence::captures::{Builder, CdxReader};
use baseref_files::Files;
use baseref_findings::Refused;

/// The captures in the lines of indexes.
#[derive(Default)]
pub(super) struct CdxLines {
    pub(super) captures: Builder,
    /// What could not be read, a line for each index.
    pub(super) unread: Vec<String>,
}

impl CdxLines {
    /// Reads the files of `--cdx`.
    ///
    /// # Errors
    /// If one cannot be read, or is not an index.
    pub(super) fn read(paths: &[PathBuf], files: &Files) -> Result<Self, Refused> {
        let mut lines = Self::default();
        for path in paths {
            let refused = |error: &dyn std::fmt::Display| {
                Refused(format!("--cdx: {}: {error}", path.display()))
            };
            let mut index = CdxReader::open(path, files).map_err(|error| refused(&error))?;
            for capture in &mut index {
                let capture = capture.map_err(|error| refused(&error))?;
                lines.captures.add(&capture);
            }
            let malformed = index.malformed();
            let path = path.display();
            let malformed = malformed.map(|malformed| format!("{path}: {malformed}"));
            lines.unread.extend(malformed);
        }
        Ok(lines)
    }
}
