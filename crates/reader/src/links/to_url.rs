//! Links as URLs of the crate `url`.

use std::fmt;

use url::Url;

use super::ResolvedLink;
use baseref_resolve::ResolveError;

impl ResolvedLink<'_> {
    /// The URL as one of the crate `url`, which follows the URL Standard: what the RFC rule sets keep as
    /// written is normalised, such as `http://a/../g` to `http://a/g`.
    ///
    /// # Errors
    /// If the link has no URL, or one that the URL Standard does not accept.
    ///
    /// ```
    /// use baseref_document::ReadOptions;
    /// use baseref_reader::{Policy, read_html};
    ///
    /// let page = read_html(b"<a href=../g>", Some("http://a/"), &ReadOptions::default());
    /// let resolved = Policy::default().resolve(&page);
    /// let link = resolved.links().next().expect("the page has a link");
    /// assert_eq!(link.url.as_deref(), Ok("http://a/../g"));
    /// assert_eq!(link.to_url()?.as_str(), "http://a/g");
    /// # Ok::<(), baseref_reader::links::ToUrlError>(())
    /// ```
    pub fn to_url(&self) -> Result<Url, ToUrlError> {
        let url = self
            .url
            .as_ref()
            .map_err(|error| ToUrlError::Unresolved(*error))?;
        Url::parse(url).map_err(ToUrlError::Refused)
    }
}

/// Why a link is no [`Url`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToUrlError {
    /// It resolves to nothing.
    Unresolved(ResolveError),
    /// It resolves to what the URL Standard does not accept.
    Refused(url::ParseError),
}

impl fmt::Display for ToUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unresolved(_) => "the link has no URL",
            Self::Refused(_) => "the link's URL is none by the URL Standard",
        })
    }
}

impl std::error::Error for ToUrlError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            Self::Unresolved(error) => error,
            Self::Refused(error) => error,
        })
    }
}
