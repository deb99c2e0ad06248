//! Selects the links to print, by what they resolve to.

use globset::GlobMatcher;

use crate::checks::url_filter::UrlFilter;
use crate::report::links::LinkRow;
use crate::report::url_parts;
use crate::resolve::rfc3986::Parts;

/// Conditions that a link must meet, all of them.
#[derive(Debug, Default)]
pub struct Filter {
    /// Any of these schemes, in lower case.
    pub schemes: Vec<String>,
    /// Any of these hosts.
    pub hosts: Vec<GlobMatcher>,
    /// Conditions on the whole URL.
    pub urls: UrlFilter,
    /// Whether it must lead to the document's host, or must not.
    pub side: Option<Side>,
    /// Whether it must have no URL.
    pub errors: bool,
}

/// Where a link leads, relative to its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// To the document's own host.
    Internal,
    /// Elsewhere.
    External,
}

impl Filter {
    /// Whether the link meets all conditions. A link without a URL meets no condition on URLs,
    /// except exclusions.
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
