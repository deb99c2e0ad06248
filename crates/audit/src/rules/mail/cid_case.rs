//! The rule `mail/cid-case`.

use baseref_document::Section;

baseref_findings::rule! {
    "mail/cid-case" Note "RFC 2392 §2"
    "cid: URL and Content-ID differ by case"
    "Content-IDs are case-sensitive; some programs ignore case."
    "baseref audit ." {
        "page.eml": "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=\"cid:Logo@x\">\n--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\nx\n--b--",
    }

    struct CidCase<'m> { section: &'m Section, id: &'m str } =>
        "the Content-ID of part {section} is {id}"
}
