//! The keys by which captures are looked up, and where their redirects lead.

use std::borrow::Cow;

use baseref_resolve::{Resolver, Rules};

use crate::captures::key::{Need, Tier, file, loose, twin};

/// What captures are looked up by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum By {
    Exact,
    Twin,
    /// Loosely, for a link to a page.
    Page,
    /// Loosely, for what a page needs.
    Resource,
    /// As a file that servers give whatever the query is.
    File,
}

impl By {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::File as usize + 1;

    /// All, in order.
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Exact,
        Self::Twin,
        Self::Page,
        Self::Resource,
        Self::File,
    ];

    pub(crate) fn of(tier: Tier, need: Need) -> Self {
        match (tier, need) {
            (Tier::Exact, _) => Self::Exact,
            (Tier::Twin, _) => Self::Twin,
            (Tier::Loose, Need::Page) => Self::Page,
            (Tier::Loose, Need::Resource) => Self::Resource,
        }
    }

    /// The key of a normal form; `None` if it is never found so.
    pub(crate) fn key(self, url: &str) -> Option<Cow<'_, str>> {
        Some(Cow::Owned(match self {
            Self::Exact => return Some(Cow::Borrowed(url)),
            Self::Twin => twin(url),
            Self::Page => loose(&twin(url), Need::Page),
            Self::Resource => loose(&twin(url), Need::Resource),
            Self::File => file(&twin(url))?,
        }))
    }
}

/// Whether an answer with that status says where else to ask.
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 300..=303 | 305..=399)
}

/// The URL that a `Location` leads to.
pub(crate) fn resolved(url: &str, location: &str) -> Option<String> {
    let resolver = Resolver::new(Rules::Whatwg, Some(url), encoding_rs::UTF_8);
    resolver.resolve(location).ok()
}
