//! The rule `canonical/missing`.

baseref_findings::rule! {
    "canonical/missing" Error "RFC 6596 §3"
    "the canonical address of a page leads to a missing file"
    "Search engines are told to show another address in place of the page's own, and nothing is \
     there: they may drop both."
    "baseref audit ." { "page.html": "<link rel=\"canonical\" href=\"gone.html\">" }
}
