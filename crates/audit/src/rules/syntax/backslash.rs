//! The rule `syntax/backslash`.

baseref_findings::rule! {
    "syntax/backslash" Warning "RFC 1808 §2.2"
    "backslash in the URL"
    "In http, https and file URLs browsers treat it as a slash; other programs do not."
    "baseref audit ." { "page.html": "<a href=\"dir\\file.html\">" }
}
