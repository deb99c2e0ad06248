//! The rule `target/slash-dependent`.

baseref_findings::rule! {
    "target/slash-dependent" Warning "RFC 1808 §4 step 6"
    "link leads elsewhere if its page is requested without the trailing slash"
    "The hosting serves this page at two URLs, with a slash and without, so a relative link in \
     it has two meanings. A link that begins with a slash has one."
    "baseref audit . --dir serve" {
        "guide/index.html": "<a href=\"next.html\">",
        "guide/next.html": "",
    }

    struct SlashDependent { other: String } => "without the trailing slash of its page, it leads to {other}"
}
