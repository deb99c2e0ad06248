//! What link checkers reported of other sites.

use baseref_evidence::link_reports::Statuses;

/// What was measured, and what makes it too old to count on.
#[derive(Debug)]
pub struct External {
    /// The measurements, of any number of files.
    pub statuses: Statuses,
    /// The first day that is recent enough: `2026-01-31`.
    pub oldest: Option<String>,
    /// What comes before the time and the URL in the address of an archived copy.
    pub archive: String,
}
