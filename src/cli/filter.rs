//! Selects the links to print by their resolved URLs.

use baseref_files::globs::Glob;
use baseref_files::url_filter::UrlFilter;
use baseref_report::links::LinkRow;
use baseref_report::url_parts;
use baseref_resolve::rfc3986::Parts;

/// Conditions that a link must meet, all of them.
#[derive(Debug, Default)]
pub struct Filter {
    /// Any of these schemes, in lower case.
    pub schemes: Vec<String>,
    /// Any of these hosts, of the URL, of the one that a browser goes to, or of a reference without a
    /// URL.
    pub hosts: Vec<Glob>,
    /// Conditions on the whole URL.
    pub urls: UrlFilter,
    /// Whether it must lead to the document's host, or must not: by its URL or in browsers.
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
        let url = row.judged_url();
        let is_of = |condition: &dyn Fn(&str) -> bool| url.is_some_and(condition);
        (!self.errors || row.url().is_none())
            && (self.schemes.is_empty() || is_of(&|url| self.has_scheme(url)))
            && (self.hosts.is_empty() || row.with_hosts().any(|url| self.has_host(url)))
            && self.urls.takes(url)
            && self.side.is_none_or(|side| is_on(side, row))
    }

    fn has_scheme(&self, url: &str) -> bool {
        let scheme = url_parts::scheme(url);
        scheme.is_some_and(|scheme| self.schemes.iter().any(|wanted| *wanted == scheme))
    }

    fn has_host(&self, url: &str) -> bool {
        let host = url_parts::host(url);
        host.is_some_and(|host| self.hosts.iter().any(|glob| glob.is_match(&host)))
    }
}

fn is_on(side: Side, row: &LinkRow<'_>) -> bool {
    side_of(row.judged_url(), row) == side
        || row
            .urls()
            .skip(1)
            .any(|url| side_in_browsers(url, row) == side)
}

fn side_of(url: Option<&str>, row: &LinkRow<'_>) -> Side {
    match (row.retrieval, url) {
        (Some(retrieval), Some(url)) => side_for(retrieval, url),
        _ if row.link.network_path().is_some() => Side::External,
        _ => match Parts::parse(row.link.reference.value.trim()).scheme {
            None => Side::Internal,
            Some(_) => Side::External,
        },
    }
}

/// If the document's URL is unknown, a URL that only browsers give is external.
fn side_in_browsers(url: &str, row: &LinkRow<'_>) -> Side {
    let from = row.retrieval.or(row.link.base.url.as_deref());
    from.map_or(Side::External, |from| side_for(from, url))
}

fn side_for(document: &str, url: &str) -> Side {
    let host = url_parts::host(url);
    if host.is_some() && host == url_parts::host(document) {
        Side::Internal
    } else {
        Side::External
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_host_is_internal() {
        assert_eq!(side_for("http://A/x", "http://a/y"), Side::Internal);
        assert_eq!(side_for("http://a/x", "http://b/y"), Side::External);
        assert_eq!(side_for("mailto:a@b", "mailto:a@b"), Side::External);
    }
}
