//! The rule `mail/unsub-body-differs`.

baseref_findings::rule! {
    "mail/unsub-body-differs" Note "RFC 2369 §3.2"
    "unsubscribe links to different sites"
    "One of them may belong to a forwarder or to someone else."
    "baseref audit ." {
        "page.eml": "List-Unsubscribe: <https://a.com/>\nContent-Type: text/html\n\n<a href=\"https://b.com/\">Unsubscribe</a>",
    }

    struct UnsubBodyDiffers<'m> { header: &'m str, link: &'m str } =>
        "the header leads to {header}, this link to {link}"
}
