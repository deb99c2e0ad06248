//! The rule `canonical/missing`.

baseref_findings::rule! {
    "canonical/missing" Error "RFC 6596 §3"
    "the canonical address of a page leads to a missing file"
    "Search engines are told to show another address in place of the page's own, and nothing is \
     there: they may drop both."
    "baseref audit ." { "page.html": "<link rel=\"canonical\" href=\"gone.html\">" }

    enum CanonicalMissing<'m> {
        NoSuchFile => "no such file",
        OtherCase => "the file has another case",
        RedirectedNowhere { by: &'m str, to: &'m str } => "{by} redirects it to {to}, where nothing is",
        Refused { status: u16 } => "the rules answer it with {status}",
        Loop { by: &'m str } => "{by} redirects it without end",
    }
}
