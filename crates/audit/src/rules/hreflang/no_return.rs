//! The rule `hreflang/no-return`.

baseref_findings::rule! {
    "hreflang/no-return" Warning "HTML, link type alternate"
    "hreflang link without a return link"
    "Search engines accept alternates only between pages that name each other; otherwise anyone \
     could declare someone else's page a translation."
    "baseref audit ." {
        "en.html": "<link rel=\"alternate\" hreflang=\"de\" href=\"de.html\">",
        "de.html": "<p>",
    }

    enum HreflangNoReturn<'m> {
        NoSuchFile => "no such file",
        NoAlternates => "the page names no alternates",
        OtherAlternates => "the alternates of that page do not include this one",
        Refused { status: u16 } => "the redirect rules answer with status {status}",
        Loop { by: &'m str } => "{by} redirects it in an endless loop",
    }
}
