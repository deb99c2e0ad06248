//! The receiver of findings.

use std::sync::Arc;

use baseref_document::ReadError;

use crate::error::SinkError;
use crate::finding::excerpt::Excerpts;
use crate::finding::{Finding, PageName};
use crate::results::judged_link::JudgedLink;
use crate::results::message_summary::MessageSummary;
use crate::settings::shown::Shown;

/// Receives the results of a check, in document order.
pub trait FindingSink {
    /// Which source lines findings should have.
    fn excerpts(&self) -> Excerpts {
        Excerpts::None
    }

    /// Which findings are shown; the others need not be complete.
    fn shown(&self) -> Shown {
        Shown {
            excerpts: self.excerpts(),
            ..Shown::default()
        }
    }

    /// Whether it needs the names of all documents before the first finding. If not, findings may come
    /// while other documents are still being read.
    fn needs_all_documents(&self) -> bool {
        false
    }

    /// Receives the names of all documents before [`Self::begin`], if it needs them.
    fn documents(&mut self, _pages: &mut dyn Iterator<Item = Arc<PageName>>) {}

    /// Called before the first finding.
    ///
    /// # Errors
    /// If an output cannot be written.
    fn begin(&mut self) -> Result<(), SinkError> {
        Ok(())
    }

    /// Receives the links of a document, if links are listed; its findings follow.
    ///
    /// # Errors
    /// If an output cannot be written.
    fn links(&mut self, _page: &PageName, _links: &[JudgedLink]) -> Result<(), SinkError> {
        Ok(())
    }

    /// Receives the findings of a document, and the number of links that were checked in it.
    ///
    /// # Errors
    /// If an output cannot be written.
    fn document(
        &mut self,
        page: &PageName,
        links: u64,
        findings: Vec<Finding>,
    ) -> Result<(), SinkError>;

    /// Receives the summary of a message, after its documents, if [`Self::shown`] asks for it.
    fn message_summary(&mut self, _summary: &MessageSummary) {}

    /// Receives a remark on an input that was skipped or repaired without losing links.
    fn remark(&mut self, _error: &ReadError) {}

    /// Receives findings about inputs that could not be read.
    ///
    /// # Errors
    /// If an output cannot be written.
    fn findings(&mut self, findings: Vec<Finding>) -> Result<(), SinkError>;
}
