//! The rule `syntax/bnf`.

baseref_findings::rule! {
    "syntax/bnf" Off "RFC 1808 §2.2"
    "the value is not a URL by the grammar of RFC 1808"
    "It contains <, > or a quotation mark, which enclose URLs but never occur in them. What a more \
     specific rule says about a value is not repeated."
    "baseref audit . --rule syntax/bnf=warning" { "page.html": "<a href=\"a<b>.html\">" }
}
