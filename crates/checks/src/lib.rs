//! The checks of saved trees, without their command line: requests in plain values in, findings in
//! order out.
//!
//! - [`audit`]: whether links lead where their author thinks;
//! - [`fixing`]: links that an audit replaces;
//! - [`verify_move`]: what a move does to links;
//! - [`seeds`]: what a crawl is to be given to complete the captures.
//!
//! The caller takes the findings, and decides what to do with them. Outside baseref this is the way to
//! run a whole check from a program of one's own, as the Python package does.
//!
//! # What it does not do
//!
//! It parses no arguments, prints nothing and writes no reports: formats are the crate
//! `baseref-report`'s.

pub mod audit;
pub mod fixing;
mod in_turn;
mod redirects;
mod rule_files;
pub mod seeds;
pub mod verify_move;

use baseref_files::Files;
use baseref_findings::Refused;

/// Refuses to continue if an output was found among the inputs.
fn unless_met(files: &Files) -> Result<(), Refused> {
    match files.clash() {
        Some(clash) => Err(Refused(clash.to_string())),
        None => Ok(()),
    }
}
