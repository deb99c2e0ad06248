//! The rule `resolve/disagree-path`.

baseref_findings::rule! {
    "resolve/disagree-path" Warning "RFC 1808 §4, RFC 3986 §5.2, URL Standard"
    "RFC 1808, RFC 3986 and browsers lead to different paths"
    "The three rule sets do not resolve this link to one URL: the results differ in path or \
     query. It is an error if they lead to different files."
    "baseref audit ." { "docs/page.html": "<a href=\"..\\x.html\">" }
}
