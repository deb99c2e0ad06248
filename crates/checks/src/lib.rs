//! The checks of saved trees, without their command line: requests in plain values in, findings in
//! order out.
//!
//! ```
//! use baseref_checks::url_filter::UrlFilter;
//!
//! let wanted = UrlFilter::new(&["^https:".to_owned()], &["[?]utm_".to_owned()])?;
//! assert!(wanted.takes(Some("https://a.example/")));
//! assert!(!wanted.takes(Some("https://a.example/?utm_source=mail")));
//! # Ok::<(), baseref_checks::Refused>(())
//! ```
//!
//! - [`audit`]: whether links lead where their author thinks;
//! - [`fixing`]: links that an audit replaces;
//! - [`verify_move`]: what a move does to links;
//! - [`measured`]: what was measured of URLs on other sites;
//! - [`judging`]: which findings count;
//! - [`url_filter`]: which links are wanted;
//! - [`sources`]: where in their sources generated pages have what findings are about;
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
mod captured_lines;
pub mod fixing;
mod in_turn;
pub mod judging;
pub mod measured;
mod no_page;
mod passed_over;
mod redirects;
mod rule_files;
pub mod seeds;
pub mod sources;
pub mod url_filter;
pub mod verify_move;

pub use no_page::no_page_in;

use std::sync::Arc;

use baseref_audit::MissingCaptures;
use baseref_document::ReadError;
use baseref_files::Files;
use baseref_findings::{Excerpts, Finding, JudgedLink, Letter, PageName, Shown};

/// Why a run cannot continue, in words for the user: the request contradicts itself or names
/// something that does not exist, or an output cannot be written.
#[derive(Debug)]
pub struct Refused(pub String);

/// Takes the results of a check, in document order.
pub trait Take {
    /// Which source lines findings should have.
    fn excerpts(&self) -> Excerpts {
        Excerpts::None
    }

    /// Which findings are shown: the others need not be complete.
    fn shown(&self) -> Shown {
        Shown {
            excerpts: self.excerpts(),
            ..Shown::default()
        }
    }

    /// Whether it needs the names of all documents before the first finding. If not, findings may come
    /// while the rest are still read.
    fn needs_all_documents(&self) -> bool {
        false
    }

    /// Takes the names of all documents, before [`Self::begin`], if it needs them.
    fn documents(&mut self, _pages: &mut dyn Iterator<Item = Arc<PageName>>) {}

    /// Called before the first finding.
    ///
    /// # Errors
    /// If an output cannot be written.
    fn begin(&mut self) -> Result<(), Refused> {
        Ok(())
    }

    /// Takes links of a document, if they are listed; its findings follow.
    ///
    /// # Errors
    /// If an output cannot be written.
    fn links(&mut self, _page: &PageName, _links: &[JudgedLink]) -> Result<(), Refused> {
        Ok(())
    }

    /// Takes the findings of a document, with the number of links judged in it.
    ///
    /// # Errors
    /// If an output cannot be written.
    fn document(
        &mut self,
        page: &PageName,
        links: u64,
        findings: Vec<Finding>,
    ) -> Result<(), Refused>;

    /// Takes a message in short, if [`Self::shown`] asks for it; its documents precede it.
    fn letter(&mut self, _letter: &Letter) {}

    /// Takes a remark on an input of which nothing is lost: it was passed over, or repaired.
    fn remark(&mut self, _error: &ReadError) {}

    /// Whether it wants what captured pages need and the captures lack as a list.
    fn lists_lacked(&self) -> bool {
        false
    }

    /// Takes what captured pages need and the captures lack, if it wants that.
    fn lacked(&mut self, _lacked: MissingCaptures) {}

    /// Takes findings about what was not read.
    ///
    /// # Errors
    /// If an output cannot be written.
    fn findings(&mut self, findings: Vec<Finding>) -> Result<(), Refused>;
}

/// Refuses to continue if an output was found among the inputs.
fn unless_met(files: &Files) -> Result<(), Refused> {
    match files.clash() {
        Some(clash) => Err(Refused(clash.to_string())),
        None => Ok(()),
    }
}
