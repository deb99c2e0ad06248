//! The rule `syntax/whitespace`.

baseref_findings::rule! {
    "syntax/whitespace" Warning "RFC 1808 §2.2"
    "space in the URL"
    "Write %20."
    "baseref audit ." { "page.html": "<a href=\"my file.html\">" }
}
