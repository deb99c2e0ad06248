//! Errors in reports, with file and line.

use std::io;

/// A report of no known format, or with a malformed line.
#[derive(Debug, thiserror::Error)]
#[error("{file}{}: {source}{}", after_colon(*line), read_as(*format))]
pub struct StatusError {
    /// The file, as named by the caller.
    pub file: String,
    /// The line, 1-based; `None` for the whole file.
    pub line: Option<u64>,
    /// The name of the format in which the file was read; `None` if it has none.
    pub format: Option<&'static str>,
    /// The fault.
    pub source: ReportFault,
}

fn after_colon(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!(":{line}"))
}

fn read_as(format: Option<&str>) -> String {
    format.map_or_else(String::new, |format| format!(" (read as {format})"))
}

/// What is wrong with a report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportFault {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// It is not in the encoding that its byte order mark indicates.
    #[error("the file is not valid {0}, which its byte order mark indicates")]
    Encoding(&'static str),
    /// A line is not in UTF-8.
    #[error("the line is not in UTF-8")]
    NotUtf8,
    /// It is not CSV.
    #[error(transparent)]
    Csv(csv::Error),
    /// It is not JSON, or JSON of another form. The line is reported separately.
    #[error("{}", without_line(.0))]
    Json(serde_json::Error),
    /// A status of a link is unknown.
    #[error("{0:?} is not a status of Sphinx's linkcheck")]
    SphinxStatus(String),
    /// A row has no result.
    #[error(transparent)]
    Row(#[from] RowError),
    /// An object of an array has no result.
    #[error("object {number}: {source}")]
    Object {
        /// Its number, 1-based.
        number: u64,
        /// The reason.
        source: RowError,
    },
    /// A line of an index is malformed, with what is wrong with it.
    #[error("the line {0}")]
    IndexLine(&'static str),
    /// A row in the answer of a CDX server is malformed.
    #[error("row {number} {fault}")]
    IndexRow {
        /// Its number, 1-based.
        number: u64,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// It is too long to be kept.
    #[error("the reports contain more than 4 GiB of URLs")]
    Full,
    /// It is of no known form, or of another form than its format, in words.
    #[error("{0}")]
    Form(&'static str),
}

/// What is wrong with a row.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// It has no URL.
    #[error("the row has no URL")]
    NoUrl,
    /// Its URL has line breaks.
    #[error("the URL spans several lines: is a quote not closed?")]
    LongUrl,
    /// Its status is no number of three digits.
    #[error("{0} is no status")]
    Status(String),
}

fn without_line(error: &serde_json::Error) -> String {
    let whole = error.to_string();
    whole.split(" at line ").next().unwrap_or(&whole).to_owned()
}

/// A fault and its line; the caller adds the file name.
#[derive(Debug)]
pub(crate) struct Problem {
    pub line: Option<u64>,
    pub fault: ReportFault,
}

impl Problem {
    pub(crate) fn at(line: u64, fault: impl Into<ReportFault>) -> Self {
        Self {
            line: Some(line),
            fault: fault.into(),
        }
    }

    pub(crate) fn in_file(fault: impl Into<ReportFault>) -> Self {
        Self {
            line: None,
            fault: fault.into(),
        }
    }
}

impl From<&'static str> for ReportFault {
    fn from(form: &'static str) -> Self {
        Self::Form(form)
    }
}

impl From<csv::Error> for Problem {
    fn from(error: csv::Error) -> Self {
        Self {
            line: error.position().map(csv::Position::line),
            fault: match error.kind() {
                csv::ErrorKind::Utf8 { .. } => ReportFault::NotUtf8,
                _ => ReportFault::Csv(error),
            },
        }
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        Self {
            line: u64::try_from(error.line()).ok().filter(|&line| line > 0),
            fault: ReportFault::Json(error),
        }
    }
}
