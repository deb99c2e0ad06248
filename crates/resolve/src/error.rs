//! Why a reference has no URL.

use std::fmt;

/// Why a reference has no URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResolveError {
    /// The reference is relative and the document has no base (RFC 1808 §3.4).
    NoBase,
    /// The reference is relative, and nothing can be resolved against the base.
    BadBase,
    /// The rule set refuses the reference with any base.
    Invalid,
    /// The total length of the URLs in its document would exceed the limit.
    TooLong,
    /// The rule set was not compiled in (a Cargo feature).
    NotBuiltIn,
}

impl ResolveError {
    /// Every reason.
    #[cfg(feature = "serde")]
    pub(crate) const ALL: [Self; 5] = [
        Self::NoBase,
        Self::BadBase,
        Self::Invalid,
        Self::TooLong,
        Self::NotBuiltIn,
    ];

    /// The name of the reason: `no-base`, `bad-base`, `invalid`, `too-long` or `not-built-in`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoBase => "no-base",
            Self::BadBase => "bad-base",
            Self::Invalid => "invalid",
            Self::TooLong => "too-long",
            Self::NotBuiltIn => "not-built-in",
        }
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoBase => {
                "a relative reference needs a base URL, and none is known: \
                 give the URL that the document was retrieved from"
            }
            Self::BadBase => {
                "a relative reference needs an absolute, hierarchical base URL \
                 such as http://host/path, and the base given is not one"
            }
            Self::TooLong => "the URLs of the links of its document would be too long in all",
            Self::NotBuiltIn => "the URL Standard is not built in: it needs the feature `whatwg`",
            Self::Invalid => "the reference is not a valid URL: its host or port cannot be parsed",
        })
    }
}

impl std::error::Error for ResolveError {}
