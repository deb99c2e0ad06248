//! The rule `mail/alternative-mismatch`.

baseref_findings::rule! {
    "mail/alternative-mismatch" Note "RFC 2046 §5.1.4"
    "plain text links to a site that the HTML does not"
    "The parts of a multipart/alternative should say the same; readers see only one of them. A site to \
     which an opaque link may lead, that only the HTML has, is not reported."
    "baseref audit ." {
        "page.eml": "Content-Type: multipart/alternative; boundary=b\n\n--b\n\nhttps://a.com/\n--b\nContent-Type: text/html\n\n<a href=\"https://b.com/\">here</a>\n--b--",
    }

    struct AlternativeMismatch<'m> { sites: &'m str } => "only the plain text links to {sites}"
}
