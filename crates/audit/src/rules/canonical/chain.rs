//! The rule `canonical/chain`.

baseref_findings::rule! {
    "canonical/chain" Warning "RFC 6596 §3"
    "canonical link to a page that is not canonical"
    "RFC 6596 asks for the final address. Search engines may follow the chain or ignore all of \
     it."
    "baseref audit ." {
        "a.html": "<link rel=\"canonical\" href=\"b.html\">",
        "b.html": "<link rel=\"canonical\" href=\"c.html\">",
        "c.html": "",
    }

    enum CanonicalChain {
        Page { path: String } => "its canonical page is {path}",
        OtherSite => "its canonical address is on another site",
    }
}
