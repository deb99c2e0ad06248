//! Indexes of captures that count besides the captures of the inputs.

use std::path::PathBuf;

use baseref_evidence::captures::{Builder, CdxError, CdxReader};
use baseref_files::Files;

use super::error::AuditError;

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
    pub(super) fn read(paths: &[PathBuf], files: &Files) -> Result<Self, AuditError> {
        let mut lines = Self::default();
        for path in paths {
            let refused = |source| AuditError::Cdx {
                path: path.clone(),
                source,
            };
            let mut index = CdxReader::open(path, files)
                .map_err(|error| refused(CdxError::Unreadable(error)))?;
            for capture in &mut index {
                let capture = capture.map_err(refused)?;
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
