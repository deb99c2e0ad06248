//! Errors in reports, with file and line.

/// A report of no known format, or with a malformed line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {reason}", .line.map_or(String::new(), |line| format!(":{line}")))]
pub struct StatusError {
    /// The file, as named by the caller.
    pub file: String,
    /// The line, 1-based; `None` for the whole file.
    pub line: Option<u64>,
    /// The fault, as a sentence without a full stop.
    pub reason: String,
}

/// A fault and its line; the caller adds the file name.
#[derive(Debug)]
pub(crate) struct Problem {
    pub line: Option<u64>,
    pub reason: String,
}

impl Problem {
    pub(crate) fn at(line: u64, reason: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            reason: reason.into(),
        }
    }

    pub(crate) fn in_file(reason: impl Into<String>) -> Self {
        Self {
            line: None,
            reason: reason.into(),
        }
    }

    pub(crate) fn from_csv(error: &csv::Error) -> Self {
        let reason = match error.kind() {
            csv::ErrorKind::Utf8 { .. } => "the line is not in UTF-8".to_owned(),
            _ => error.to_string(),
        };
        Self {
            line: error.position().map(csv::Position::line),
            reason,
        }
    }

    pub(crate) fn from_json(error: &serde_json::Error) -> Self {
        let line = u64::try_from(error.line()).ok().filter(|&line| line > 0);
        let whole = error.to_string();
        // The line is reported separately.
        let reason = whole.split(" at line ").next().unwrap_or(&whole).to_owned();
        Self { line, reason }
    }
}
