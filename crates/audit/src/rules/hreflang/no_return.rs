//! The rule `hreflang/no-return`.

baseref_findings::rule! {
    "hreflang/no-return" Warning "HTML, link type alternate"
    "a page in another language does not link back"
    "Search engines take alternates in other languages only from pages that name each other: \
     otherwise anybody could declare another's page a translation."
    "baseref audit ." {
        "en.html": "<link rel=\"alternate\" hreflang=\"de\" href=\"de.html\">",
        "de.html": "<p>",
    }

    enum HreflangNoReturn<'m> {
        NoSuchFile => "no such file",
        NoAlternates => "it names no alternates",
        OtherAlternates => "its alternates do not name this page",
        Refused { status: u16 } => "the rules answer it with {status}",
        Loop { by: &'m str } => "{by} redirects it without end",
    }
}
