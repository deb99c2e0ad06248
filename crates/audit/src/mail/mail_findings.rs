//! The findings about mail that rules have made.

use std::sync::Arc;

use super::unwrapped_link::UnwrappedLink;
use crate::view::page::Page;
use baseref_findings::{Finding, Violation};

/// Collects the findings of the rules about mail.
pub(crate) struct MailFindings<'f, 'p> {
    pub(crate) page: &'f Page<'p>,
    pub(crate) findings: Vec<Finding>,
}

impl MailFindings<'_, '_> {
    pub(crate) fn add(
        &mut self,
        opened: &UnwrappedLink<'_>,
        cause: impl Into<Arc<str>>,
        violation: impl Into<Violation>,
    ) -> &mut Finding {
        let finding = self.page.finding(opened.link, cause, violation);
        self.findings.push(finding);
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }
}
