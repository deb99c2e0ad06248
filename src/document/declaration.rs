//! What declares a base, by the layers of RFC 1808 §3.

use std::sync::Arc;

use super::place::Place;
use super::retrieval::Retrieval;

/// A URL offered as base, as it stands in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Attribute value with character references decoded; or header value as it stands,
    /// unfolded only in that the line ends before white space are gone; or URL.
    pub value: Arc<str>,
    /// Where it is declared.
    pub at: Place,
}

impl Declaration {
    /// The URL that the user says a document was retrieved from (RFC 1808 §3.3).
    #[must_use]
    pub fn retrieved_from(url: &str) -> Self {
        Self {
            value: url.into(),
            at: Place::Retrieval(Retrieval::Url),
        }
    }
}
