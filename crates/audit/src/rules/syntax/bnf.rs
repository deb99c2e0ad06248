//! The rule `syntax/bnf`.

baseref_findings::rule! {
    "syntax/bnf" Off "RFC 1808 §2.2"
    "not a URL by the grammar of RFC 1808"
    "It contains <, > or a quotation mark, which delimit URLs and never occur in them. A value \
     that a more specific rule reports is not reported again."
    "baseref audit . --rule syntax/bnf=warning" { "page.html": "<a href=\"a<b>.html\">" }
}
