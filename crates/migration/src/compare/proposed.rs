//! The new page proposed in place of a lost one.

use super::successors;

/// A page of the new tree that may be the successor of a lost one.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposed {
    /// Its URL.
    pub url: String,
    /// How likely that is, from [`super::successors::THRESHOLD`] to 1.
    pub confidence: f64,
    /// The URLs of others that are as likely.
    pub ties: Vec<String>,
}

impl Proposed {
    /// A proposal, given the URLs of the new pages.
    pub(super) fn new(found: successors::Proposal, url: &dyn Fn(usize) -> String) -> Self {
        Self {
            url: url(found.page),
            confidence: found.confidence,
            ties: found.ties.into_iter().map(url).collect(),
        }
    }
}
