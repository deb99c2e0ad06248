//! The rule `syntax/bad-escape`.

baseref_findings::rule! {
    "syntax/bad-escape" Warning "RFC 1808 §2.2"
    "% without two hexadecimal digits in the URL"
    "Write %25 for a percent sign."
    "baseref audit ." { "page.html": "<a href=\"100%.html\">" }
}
