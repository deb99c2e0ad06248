//! Reads what was measured of URLs.

use std::path::{Path, PathBuf};

use baseref_audit::External;
use baseref_evidence::link_reports::{Format, StatusError, Statuses};
use baseref_files::{Files, Role};

use super::Refused;

/// The files of `--status`, and how to read them.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The files.
    pub files: Vec<PathBuf>,
    /// Their format, if it is not to be found by their content.
    pub format: Option<Format>,
    /// The first day that is recent enough: `2026-01-31`.
    pub oldest: Option<String>,
    /// What comes before the time and the URL in the address of an archived copy; `None` for the
    /// Wayback Machine.
    pub archive: Option<String>,
}

/// Where the Wayback Machine has its copies.
const WAYBACK_MACHINE: &str = "https://web.archive.org/web/";

impl Request {
    /// Reads the files; `None` if there are none.
    ///
    /// # Errors
    /// If a file cannot be read, or says nothing.
    pub fn read(&self, files: &Files) -> Result<Option<External>, Refused> {
        let statuses = self.statuses(files)?;
        Ok(statuses.map(|statuses| External {
            statuses,
            oldest: self.oldest.clone(),
            archive: match &self.archive {
                Some(archive) if archive.ends_with('/') => archive.clone(),
                Some(archive) => format!("{archive}/"),
                None => WAYBACK_MACHINE.to_owned(),
            },
        }))
    }

    /// Reads the files as [`Self::read`] does.
    ///
    /// # Errors
    /// If a file cannot be read or understood.
    pub(crate) fn statuses(&self, files: &Files) -> Result<Option<Statuses>, Refused> {
        if self.files.is_empty() {
            return Ok(None);
        }
        let mut statuses = Statuses::default();
        for path in &self.files {
            let refused = |error: &dyn std::fmt::Display| Refused(format!("--status: {error}"));
            let read = if path.as_os_str() == "-" {
                let input = files.stdin(Role::Statuses);
                let input = input.map_err(|error| refused(&error))?;
                self.add(&mut statuses, Path::new("standard input"), input)
            } else {
                let named = |error| refused(&format!("{}: {error}", path.display()));
                let file = files.open(path, Role::Statuses).map_err(named)?;
                self.add(&mut statuses, path, file)
            };
            read.map_err(|error| refused(&error))?;
        }
        Ok(Some(statuses))
    }

    fn add(
        &self,
        statuses: &mut Statuses,
        path: &Path,
        input: impl std::io::Read,
    ) -> Result<(), StatusError> {
        let name = path.display().to_string();
        statuses.read(&name, input, self.format).map(drop)
    }
}
