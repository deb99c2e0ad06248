//! The rule `mail/tracker-pixel`.

baseref_findings::rule! {
    "mail/tracker-pixel" Warning "paths of the services for newsletters"
    "tracking pixel"
    "The image is at most one pixel large, or hidden with an identifier in its URL, or its path \
     is that of a known open tracker, or its path suggests one and contains an identifier. \
     Spacers, recognized by their names, are not reported."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<img src=\"https://a.com/wf/open?upn=x\">",
    }

    struct TrackerPixel<'m> { site: &'m str, sign: &'m str } =>
        "it tells {site} that the message was opened ({sign})"
}
