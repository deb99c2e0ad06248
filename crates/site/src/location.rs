//! Where a URL is.

use std::borrow::Cow;

/// Where a URL is, relative to the sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location<'u> {
    /// Below the root of a site.
    Inside {
        /// The index of the site, 0-based.
        site: usize,
        /// The rest of its path: no leading slash, no query, no fragment, no dot segments.
        path: Cow<'u, str>,
    },
    /// On the same origin as a site, but not below its root.
    Outside {
        /// The index of the site, 0-based.
        site: usize,
    },
    /// Elsewhere.
    External,
}
