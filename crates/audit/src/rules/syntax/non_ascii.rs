//! The rule `syntax/non-ascii`.

baseref_findings::rule! {
    "syntax/non-ascii" Warning "RFC 1808 §2.2"
    "non-ASCII characters in the URL"
    "Browsers encode them in UTF-8, and in a query in the encoding of the page; other programs \
     may not."
    "baseref audit ." { "page.html": "<a href=\"café.html\">" }
}
