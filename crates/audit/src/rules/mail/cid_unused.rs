//! The rule `mail/cid-unused`.

baseref_findings::rule! {
    "mail/cid-unused" Note "RFC 2387"
    "embedded part that nothing shows"
    "It is in the multipart/related of the page and has a Content-ID that no link names: \
     programs hide it, or list it as an attachment."
    "baseref audit ." {
        "page.eml": "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>\n--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\nx\n--b--",
    }

    struct CidUnused { parts: String } => "nothing shows part {parts}"
}
