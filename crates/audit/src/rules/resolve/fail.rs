//! The rule `resolve/fail`.

baseref_findings::rule! {
    "resolve/fail" Warning "RFC 1808 §4, RFC 3986 §5.2, URL Standard"
    "invalid URL for some programs"
    "RFC 1808, RFC 3986 or browsers reject the link. It is an error if browsers do."
    "baseref audit ." { "page.html": "<a href=\"http://a b/\">" }
}
