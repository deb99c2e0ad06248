//! The proposed successor of a lost page.

use super::successors;

/// A page of the new site that may be the successor of a lost one.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedPage {
    /// Its URL.
    pub url: String,
    /// The confidence, from [`super::successors::THRESHOLD`] to 1.
    pub confidence: f64,
    /// The URLs of other pages that are as likely.
    pub ties: Vec<String>,
}

impl ProposedPage {
    /// Replaces the page indices of a proposal with URLs.
    pub(super) fn new(found: successors::Proposal, url: &dyn Fn(usize) -> String) -> Self {
        Self {
            url: url(found.page),
            confidence: found.confidence,
            ties: found.ties.into_iter().map(url).collect(),
        }
    }
}
