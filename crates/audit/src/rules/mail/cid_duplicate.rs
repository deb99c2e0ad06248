//! The rule `mail/cid-duplicate`.

baseref_findings::rule! {
    "mail/cid-duplicate" Warning "RFC 2045 §7"
    "duplicate Content-ID"
    "Content-IDs must be unique; programs show the first part or the last."
    "baseref audit ." {
        "page.eml": "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=\"cid:logo@x\">\n--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\nx\n--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\ny\n--b--",
    }

    struct CidDuplicate { count: usize } =>
        "{count} parts have this Content-ID; programs show the first or the last"
}
