//! What link checkers reported about other sites.

use baseref_evidence::link_reports::Statuses;

/// Results of link checkers, and when they are out of date.
#[derive(Debug)]
pub struct External {
    /// The results, from any number of files.
    pub statuses: Statuses,
    /// Results before this day are out of date: `2026-01-31`.
    pub oldest: Option<String>,
    /// The part of the URL of an archived copy that precedes its time and original URL.
    pub archive: String,
}
