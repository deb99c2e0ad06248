//! The rule `canonical/missing`.

baseref_findings::rule! {
    "canonical/missing" Error "RFC 6596 §3"
    "canonical link to a missing file"
    "Search engines are told to show another address instead of this page, but nothing is there: \
     they may drop both."
    "baseref audit ." { "page.html": "<link rel=\"canonical\" href=\"gone.html\">" }

    enum CanonicalMissing<'m> {
        NoSuchFile => "no such file",
        OtherCase => "the file name differs by case",
        RedirectedNowhere { by: &'m str, to: &'m str } => "{by} redirects it to {to}, which does not exist",
        Refused { status: u16 } => "the redirect rules answer with status {status}",
        Loop { by: &'m str } => "{by} redirects it in an endless loop",
    }
}
