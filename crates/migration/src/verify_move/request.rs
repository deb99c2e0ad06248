//! The move to check, as the user describes it.

use std::path::PathBuf;

use baseref_evidence::link_reports::ReportFiles;
use baseref_findings::Refused;

/// The move to check.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The tree that moves, in its present state: a folder, a zip, an archive of captures, or an index
    /// of captures, of which only the addresses are known.
    pub dir: PathBuf,
    /// Its present URL. Of captures it need not be given if they are of one host.
    pub from: Option<String>,
    /// Its new URL.
    pub to: String,
    /// Other URLs that it has at present.
    pub also_old: Vec<String>,
    /// Parts and neighbours that move elsewhere, each `OLD=NEW`.
    pub moves: Vec<String>,
    /// The tree rebuilt for the new place.
    pub new_tree: Option<PathBuf>,
    /// Files of redirect rules, each `[DIALECT:]FILE`.
    pub redirects: Vec<String>,
    /// Whether every old address without a rule of its own redirects to the same path below the new
    /// URL.
    pub prefix_redirect: bool,
    /// Files of more old addresses.
    pub urls: Vec<PathBuf>,
    /// What link checkers reported of the old addresses after the launch.
    pub reports: ReportFiles,
}

/// Splits `OLD=NEW`, where URLs may contain `=`.
///
/// # Errors
///
/// When either side is empty or there is no `=`.
pub fn split_move(pair: &str) -> Result<(&str, &str), Refused> {
    pair.find('=')
        .map(|at| (&pair[..at], &pair[at + 1..]))
        .filter(|(old, new)| !old.is_empty() && !new.is_empty())
        .ok_or_else(|| Refused(format!("{pair:?} is not of the form OLD=NEW")))
}
