//! The move to check, as the user describes it.

use std::path::PathBuf;

use crate::error::MoveError;
use baseref_evidence::link_reports::ReportFiles;
use baseref_server::Dialect;
use baseref_site::hosting::Hosting;

/// A move to check.
#[derive(Clone, Debug, Default)]
pub struct MoveRequest {
    /// The site that moves, in its present state: a folder, a zip, an archive of captures, or an index
    /// of captures, which has only addresses.
    pub dir: PathBuf,
    /// Its present URL. Captures of one host provide it themselves.
    pub from: Option<String>,
    /// Its new URL.
    pub to: String,
    /// Its other present URLs.
    pub also_old: Vec<String>,
    /// Other moves, of parts of the site or its neighbours, each `OLD=NEW`.
    pub moves: Vec<String>,
    /// The site rebuilt for the new location.
    pub new_tree: Option<PathBuf>,
    /// Redirect rule files, each `[DIALECT:]FILE`.
    pub redirects: Vec<String>,
    /// Whether old addresses without a rule redirect to the same path below the new URL.
    pub prefix_redirect: bool,
    /// Lists of further old addresses.
    pub urls: Vec<PathBuf>,
    /// How the server of both sites answers where no rules say so.
    pub hosting: Hosting,
    /// The dialects in which missing rules are written.
    pub written: Vec<Dialect>,
    /// The reports of link checkers about the old addresses after the launch.
    pub reports: ReportFiles,
}

/// Splits `OLD=NEW` at the first `=`.
///
/// # Errors
/// If `=` is missing or either side is empty.
pub fn split_move(pair: &str) -> Result<(&str, &str), MoveError> {
    pair.find('=')
        .map(|at| (&pair[..at], &pair[at + 1..]))
        .filter(|(old, new)| !old.is_empty() && !new.is_empty())
        .ok_or_else(|| MoveError::PairArgument(pair.to_owned()))
}
