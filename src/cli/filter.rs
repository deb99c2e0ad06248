//! Which links are printed, by what they resolve to.

use globset::GlobMatcher;

use crate::checks::url_filter::UrlFilter;
use crate::report::links::LinkRow;
use crate::report::url_parts;
use crate::resolve::rfc3986::Parts;

/// Conditions that a link must meet, all of them.
#[derive(Debug, Default)]
pub struct Filter {
    /// In small letters; any of them.
    pub schemes: Vec<String>,
    /// Any of them.
    pub hosts: Vec<GlobMatcher>,
    /// Those of its URL as a whole.
    pub urls: UrlFilter,
    /// On which side of the document's host it must lead.
    pub side: Option<Side>,
    /// It must have no URL.
    pub errors: bool,
}

/// Where a link leads, seen from its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// To the document's own host.
    Internal,
    /// Elsewhere.
    External,
}

impl Filter {
    /// Whether the link meets all conditions. One without a URL meets none that is of URLs, but
    /// for those that leave links out.
    #[must_use]
    pub fn takes(&self, row: &LinkRow<'_>) -> bool {
        let url = row.url();
        let is_of = |condition: &dyn Fn(&str) -> bool| url.is_some_and(condition);
        (!self.errors || url.is_none())
            && (self.schemes.is_empty() || is_of(&|url| self.has_scheme(url)))
            && (self.hosts.is_empty() || is_of(&|url| self.has_host(url)))
            && self.urls.takes(url)
            && self.side.is_none_or(|side| side == side_of(row))
    }

    fn has_scheme(&self, url: &str) -> bool {
        let scheme = url_parts::scheme(url);
        scheme.is_some_and(|scheme| self.schemes.iter().any(|wanted| *wanted == scheme))
    }

    fn has_host(&self, url: &str) -> bool {
        let host = url_parts::host(url);
        host.is_some_and(|host| self.hosts.iter().any(|glob| glob.is_match(host.as_ref())))
    }
}

fn side_of(row: &LinkRow<'_>) -> Side {
    let is_internal = match (row.retrieval, row.url()) {
        (Some(retrieval), Some(url)) => {
            let host = url_parts::host(url);
            host.is_some() && host == url_parts::host(retrieval)
        }
        _ => Parts::parse(row.link.reference.value.trim())
            .scheme
            .is_none(),
    };
    if is_internal {
        Side::Internal
    } else {
        Side::External
    }
}
