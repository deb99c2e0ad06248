//! The rule `mail/tracker-pixel`.

baseref_findings::rule! {
    "mail/tracker-pixel" Warning "paths of the services for newsletters"
    "an image only tells that the message was opened"
    "It is at most one pixel large, or hidden with an identifier in its address, or its path is that of a \
     tracker of openings, or counts openings and contains an identifier. Spacers, by their names, are none."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<img src=\"https://a.com/wf/open?upn=x\">",
    }

    struct TrackerPixel<'m> { site: &'m str, sign: &'m str } =>
        "opening the message is reported to {site}: {sign}"
}
