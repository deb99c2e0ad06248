//! The rule `syntax/extra-hash`.

baseref_findings::rule! {
    "syntax/extra-hash" Warning "RFC 1808 §2.2"
    "second # in the URL"
    "The fragment begins at the first one."
    "baseref audit ." { "page.html": "<a href=\"a.html#b#c\">" }
}
