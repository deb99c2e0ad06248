//! The rule `syntax/national`.

baseref_findings::rule! {
    "syntax/national" Note "RFC 1808 §2.2"
    "unescaped brace, bracket, bar, caret or backtick in the URL"
    "Browsers encode some of them and leave others."
    "baseref audit ." { "page.html": "<a href=\"a{b}.html\">" }
}
