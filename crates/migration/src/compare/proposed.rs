//! The proposed successor of a lost page.

use super::page::ComparedPage;
use super::successors;

/// Why a page may be the successor of a lost one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Its address, title, headings and text.
    Text,
    /// It has the bytes of the lost page.
    SameBytes,
    /// The lost page refreshed to it.
    Refresh,
}

/// A page of the new site that may be the successor of a lost one.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedPage {
    /// Its URL.
    pub url: String,
    /// The confidence, from [`super::successors::THRESHOLD`] to 1.
    pub confidence: f64,
    /// The URLs of other pages that are as likely.
    pub ties: Vec<String>,
    /// Why it is proposed.
    pub evidence: Evidence,
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
            evidence: Evidence::Text,
        }
    }

    /// A page or file that is certain by this evidence.
    #[must_use]
    pub fn certain(url: String, evidence: Evidence) -> Self {
        Self {
            url,
            confidence: 1.0,
            ties: Vec::new(),
            evidence,
        }
    }

    /// The proposal for people.
    #[must_use]
    pub fn in_words(&self) -> String {
        let (url, confidence) = (&self.url, self.confidence);
        match self.evidence {
            Evidence::SameBytes => format!("its bytes are at {url} now"),
            Evidence::Refresh => format!("it refreshed to what is at {url} now"),
            Evidence::Text if self.ties.is_empty() => {
                format!("it may be {url} now (confidence {confidence:.2})")
            }
            Evidence::Text => {
                let others = self.ties.join(", ");
                format!("it may be {url} now, or as likely {others} (confidence {confidence:.2})")
            }
        }
    }
}
