//! The rule `mail/cid-wrong-scope`.

use baseref_document::Section;

baseref_findings::rule! {
    "mail/cid-wrong-scope" Note "RFC 2557 §8.2"
    "the part of a cid: URL is outside the multipart/related of the page"
    "Links name parts of the same or an enclosing multipart/related; many programs look at all \
     parts of the message."
    "baseref audit ." {
        "page.eml": "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=\"cid:logo@x\">\n--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\nx\n--b--",
    }

    enum CidWrongScope<'m> {
        OtherRelated { section: &'m Section } =>
            "its part, {section}, is in another multipart/related",
        NoRelated { section: &'m Section } =>
            "its part, {section}, is in no multipart/related with the page",
    }
}
