//! The rule `mail/unsub-body-differs`.

baseref_findings::rule! {
    "mail/unsub-body-differs" Note "RFC 2369 §3.2"
    "the text and the header name other sites for unsubscribing"
    "One of them may belong to a forwarder or to somebody else."
    "baseref audit ." {
        "page.eml": "List-Unsubscribe: <https://a.com/>\nContent-Type: text/html\n\n<a href=\"https://b.com/\">Unsubscribe</a>",
    }

    struct UnsubBodyDiffers<'m> { header: &'m str, link: &'m str } =>
        "the header names {header}, this link {link}"
}
