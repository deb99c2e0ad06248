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
}
