//! The rule `mail/cid-unresolved`.

baseref_findings::rule! {
    "mail/cid-unresolved" Error "RFC 2392"
    "cid: URL of a missing part"
    "The image or page that it names is not in the message."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<img src=\"cid:logo@example\">",
    }

    enum CidUnresolved<'m> {
        NoIds => "no part has this Content-ID",
        OtherIds { ids: &'m str } => "no part has this Content-ID (there are {ids})",
    }
}
