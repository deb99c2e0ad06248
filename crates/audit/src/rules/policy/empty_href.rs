//! The rule `policy/empty-href`.

baseref_findings::rule! {
    "policy/empty-href" Warning "RFC 1808 §5.2"
    "the URL is empty"
    "By RFC 1808 an empty URL is the base, and a link leads to the page itself. Of images, scripts and media browsers load nothing and report an error to the page, which makes it an error; of frames and style sheets they load nothing, either. A form without an action is sent to its page, as meant."
    "baseref audit ." { "page.html": "<img src=\"\">" }

    enum EmptyHref {
        Event: Error => "an empty URL: browsers load nothing, and report an error to the page",
        Frame => "an empty URL: the frame stays empty",
        Resource => "an empty URL: browsers load nothing",
        Anchor => "an empty URL: it leads to the page itself",
    }
}
