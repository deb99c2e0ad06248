//! The proposed successor of a lost page.

use super::page::ComparedPage;
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
    /// Replaces the indices of a proposal by the URLs of these pages.
    pub(super) fn new(found: successors::Proposal, pages: &[&ComparedPage]) -> Self {
        let url = |page: usize| {
            let page = pages.get(page);
            page.map_or_else(String::new, |page| page.url.clone())
        };
        Self {
            url: url(found.page),
            confidence: found.confidence,
            ties: found.ties.into_iter().map(url).collect(),
        }
    }
}
