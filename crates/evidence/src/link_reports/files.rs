//! The report files that a user names with `--status`.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use baseref_files::{Files, Role};

use super::error::StatusError;
use super::format::Format;
use super::statuses::Statuses;

/// The files of `--status`, and how to read them.
#[derive(Clone, Debug, Default)]
pub struct ReportFiles {
    /// The files; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Their format; `None` to detect it by their content.
    pub format: Option<Format>,
    /// The oldest acceptable date of a result: `2026-01-31`.
    pub oldest: Option<String>,
    /// The part of an archived copy's URL before the time; `None` for the Wayback Machine.
    pub archive: Option<String>,
}

/// A report that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// It cannot be opened; the path is `None` for standard input.
    #[error("--status: {}{}", .0.as_ref().map_or(String::new(), |path| format!("{}: ", path.display())), .1)]
    Unreadable(Option<PathBuf>, #[source] io::Error),
    /// It is of no known format, or damaged.
    #[error("--status: {0}")]
    Malformed(#[source] StatusError),
}

/// The URL below which the Wayback Machine serves its copies.
const WAYBACK_MACHINE: &str = "https://web.archive.org/web/";

impl ReportFiles {
    /// Reads the files; `None` if there are none.
    ///
    /// # Errors
    /// If a file cannot be read, has no known format, or is malformed.
    pub fn read(&self, files: &Files) -> Result<Option<Statuses>, ReportError> {
        if self.files.is_empty() {
            return Ok(None);
        }
        let mut statuses = Statuses::default();
        for path in &self.files {
            if path.as_os_str() == "-" {
                let input = files.stdin(Role::Statuses);
                let input = input.map_err(|error| ReportError::Unreadable(None, error))?;
                self.add(&mut statuses, Path::new("standard input"), input)?;
            } else {
                let file = files.open(path, Role::Statuses);
                let file =
                    file.map_err(|error| ReportError::Unreadable(Some(path.clone()), error))?;
                self.add(&mut statuses, path, file)?;
            }
        }
        Ok(Some(statuses))
    }

    /// The part of an archived copy's URL before the time, with a final slash.
    #[must_use]
    pub fn archive_prefix(&self) -> String {
        match &self.archive {
            Some(archive) if archive.ends_with('/') => archive.clone(),
            Some(archive) => format!("{archive}/"),
            None => WAYBACK_MACHINE.to_owned(),
        }
    }

    fn add(
        &self,
        statuses: &mut Statuses,
        path: &Path,
        input: impl Read,
    ) -> Result<(), ReportError> {
        let name = path.display().to_string();
        let read = statuses.read(&name, input, self.format);
        read.map(drop).map_err(ReportError::Malformed)
    }
}
