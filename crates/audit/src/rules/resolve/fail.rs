//! The rule `resolve/fail`.

baseref_findings::rule! {
    "resolve/fail" Warning "RFC 1808 §4, RFC 3986 §5.2, URL Standard"
    "not all programs make a URL of it"
    "Some of RFC 1808, RFC 3986 and browsers refuse the link. It is an error where browsers do."
    "baseref audit ." { "page.html": "<a href=\"http://a b/\">" }
}
