//! The rule `resolve/disagree-minor`.

baseref_findings::rule! {
    "resolve/disagree-minor" Off "RFC 1808 §4, RFC 3986 §5.2, URL Standard"
    "RFC 1808, RFC 3986 and browsers give URLs that differ in dot segments or the fragment"
    "Servers usually treat the URLs as the same."
    "baseref audit . --rule resolve/disagree-minor=note" {
        "docs/page.html": "<a href=\"../../../x.html\">",
    }
}
