//! The rule `syntax/control`.

baseref_findings::rule! {
    "syntax/control" Warning "RFC 1808 §2.2"
    "control character in the URL"
    "Browsers remove tabs and line breaks and encode the others."
    "baseref audit ." { "page.html": "<a href=\"a&#10;b.html\">" }
}
