//! The rule `policy/empty-href`.

baseref_findings::rule! {
    "policy/empty-href" Warning "RFC 1808 §5.2"
    "empty URL"
    "By RFC 1808 an empty URL is the base, so a link leads to the page itself. For images, \
     scripts and media browsers load nothing and report an error to the page, which makes it an \
     error; for frames and style sheets they load nothing either. An empty form action sends the \
     form to its own page, as intended, and is not reported."
    "baseref audit ." { "page.html": "<img src=\"\">" }

    enum EmptyHref {
        Event: Error => "browsers load nothing and report an error to the page",
        Frame => "the frame stays empty",
        Resource => "browsers load nothing",
        Anchor => "it leads to the page itself",
    }
}
