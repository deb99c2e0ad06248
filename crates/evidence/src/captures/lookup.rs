//! The keys that captures are looked up by, and the targets of redirects.

use std::borrow::Cow;

use baseref_resolve::{Resolver, Rules};

use crate::captures::key::{Need, Tier, file, loose, twin};

/// The key that captures are looked up by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyKind {
    Exact,
    Twin,
    /// The loose key for a link to a page.
    Page,
    /// The loose key for a resource of a page.
    Resource,
    /// The key of a file that servers send regardless of the query.
    File,
}

impl KeyKind {
    /// The number of keys.
    pub(crate) const COUNT: usize = Self::File as usize + 1;

    /// Every key, in order.
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Exact,
        Self::Twin,
        Self::Page,
        Self::Resource,
        Self::File,
    ];

    pub(crate) fn new(tier: Tier, need: Need) -> Self {
        match (tier, need) {
            (Tier::Exact, _) => Self::Exact,
            (Tier::Twin, _) => Self::Twin,
            (Tier::Loose, Need::Page) => Self::Page,
            (Tier::Loose, Need::Resource) => Self::Resource,
        }
    }

    /// The key of a URL in its normal form; `None` if it has none.
    pub(crate) fn key(self, url: &str) -> Option<Cow<'_, str>> {
        match self {
            Self::Exact => Some(Cow::Borrowed(url)),
            Self::Twin => Some(Cow::Owned(twin(url))),
            Self::Page | Self::Resource | Self::File => {
                let twin = twin(url);
                let key = self.key_from_twin(&twin)?;
                Some(Cow::Owned(key.into_owned()))
            }
        }
    }

    /// The key of a URL, given its [`twin`] key; `None` if it has none, and for [`Self::Exact`].
    pub(crate) fn key_from_twin(self, twin: &str) -> Option<Cow<'_, str>> {
        match self {
            Self::Exact => None,
            Self::Twin => Some(Cow::Borrowed(twin)),
            Self::Page => Some(Cow::Owned(loose(twin, Need::Page))),
            Self::Resource => Some(Cow::Owned(loose(twin, Need::Resource))),
            Self::File => file(twin).map(Cow::Owned),
        }
    }
}

/// Whether a status means a redirect.
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 300..=303 | 305..=399)
}

/// The `Location` of a redirect from `url`, resolved; `None` if it is not a valid URL.
pub(crate) fn resolved(url: &str, location: &str) -> Option<String> {
    let resolver = Resolver::new(Rules::Whatwg, Some(url), encoding_rs::UTF_8);
    resolver.resolve(location).ok()
}
