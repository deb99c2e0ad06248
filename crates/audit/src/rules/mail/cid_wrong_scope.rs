//! The rule `mail/cid-wrong-scope`.

use baseref_document::Section;

baseref_findings::rule! {
    "mail/cid-wrong-scope" Note "RFC 2557 §8.2"
    "cid: URL of a part outside the multipart/related of the page"
    "URLs may name parts of the same or an enclosing multipart/related; many programs search the \
     whole message."
    "baseref audit ." {
        "page.eml": "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=\"cid:logo@x\">\n--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\nx\n--b--",
    }

    enum CidWrongScope<'m> {
        OtherRelated { section: &'m Section } =>
            "part {section} is in another multipart/related",
        NoRelated { section: &'m Section } =>
            "part {section} shares no multipart/related with the page",
    }
}
