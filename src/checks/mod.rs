//! The checks of saved trees, without their command line: what is asked, in plain values, to
//! findings in their order.
//!
//! - [`audit`]: whether links lead where their author thinks;
//! - [`verify_move`]: what a move does to them;
//! - [`judging`]: which findings count;
//! - [`url_filter`]: which links are wanted.
//!
//! Who asks takes the findings, and decides what becomes of them.

pub mod audit;
pub mod judging;
pub mod url_filter;
pub mod verify_move;

use crate::findings::{Excerpts, Finding, JudgedLink, PageName};
use crate::walk::{FileId, Opening};

/// Why a run cannot go on, in words for who asked for it: what is asked contradicts itself or
/// names what is not there, or an output cannot be written.
#[derive(Debug)]
pub struct Refused(pub String);

/// Who takes what a check finds, in the order of documents.
pub trait Take {
    /// Which lines of the source findings are to have.
    fn excerpts(&self) -> Excerpts {
        Excerpts::None
    }

    /// The files that will be replaced by outputs: none of them may be read.
    fn replaces(&self) -> Vec<FileId> {
        Vec::new()
    }

    /// The files that are being written: they are passed over.
    fn written(&self) -> Vec<FileId> {
        Vec::new()
    }

    /// Everything is read, and findings follow.
    ///
    /// # Errors
    /// When an output cannot be written.
    fn begin(&mut self) -> Result<(), Refused> {
        Ok(())
    }

    /// Links of a document that was read, if they are listed; its findings follow.
    ///
    /// # Errors
    /// When an output cannot be written.
    fn links(&mut self, _page: &PageName, _links: &[JudgedLink]) -> Result<(), Refused> {
        Ok(())
    }

    /// The findings of a document that was read, with the number of links that were judged in it.
    ///
    /// # Errors
    /// When an output cannot be written.
    fn document(
        &mut self,
        page: &PageName,
        links: u64,
        findings: Vec<Finding>,
    ) -> Result<(), Refused>;

    /// Findings of what was not read.
    ///
    /// # Errors
    /// When an output cannot be written.
    fn findings(&mut self, findings: Vec<Finding>) -> Result<(), Refused>;
}

/// Refuses to go on when an output was found among the inputs.
fn unless_met(opening: &Opening) -> Result<(), Refused> {
    match opening.met.get() {
        Some(path) => Err(Refused(format!(
            "{}: is also an output; nothing was written",
            path.display()
        ))),
        None => Ok(()),
    }
}
