//! Declarations of a base, by the layers of RFC 1808 §3.

use std::sync::Arc;

use super::place::Place;
use super::retrieval::Retrieval;

/// A URL declared as a base, as written in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Declaration {
    /// An attribute value with character references decoded; a header field value as written,
    /// except that line ends before white space are removed; or a URL.
    pub value: Arc<str>,
    /// Where it is declared.
    pub at: Place,
}

impl Declaration {
    #[doc(hidden)]
    #[must_use]
    pub fn new(value: impl Into<Arc<str>>, at: Place) -> Self {
        Self {
            value: value.into(),
            at,
        }
    }

    /// The user's statement that a document was retrieved from `url` (RFC 1808 §3.3).
    #[must_use]
    pub fn retrieved_from(url: &str) -> Self {
        Self {
            value: url.into(),
            at: Place::Retrieval(Retrieval::Url),
        }
    }
}
