//! The rule `syntax/national`.

baseref_findings::rule! {
    "syntax/national" Note "RFC 1808 §2.2"
    "a brace, bracket, bar, caret or backtick, which must be escaped in a URL"
    "Browsers encode some of them and leave others."
    "baseref audit ." { "page.html": "<a href=\"a{b}.html\">" }
}
