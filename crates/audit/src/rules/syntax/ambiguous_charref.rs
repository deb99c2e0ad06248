//! The rule `syntax/ambiguous-charref`.

baseref_findings::rule! {
    "syntax/ambiguous-charref" Note "HTML, \"character reference state\""
    "character reference without a semicolon"
    "Text meant as a parameter may be read as a character: write &amp; for &."
    "baseref audit ." { "page.html": "<a href=\"?a=1&copy\">" }
}
