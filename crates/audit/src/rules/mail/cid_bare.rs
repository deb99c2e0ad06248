//! The rule `mail/cid-bare`.

baseref_findings::rule! {
    "mail/cid-bare" Note "RFC 2392"
    "Content-ID used as a URL without the cid scheme"
    "A few programs show the part; for others it is a relative URL."
    "baseref audit ." {
        "page.eml": "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=\"image001.png\">\n--b\nContent-Type: image/png\nContent-ID: <image001.png>\n\nx\n--b--",
    }

    struct CidBare => "a part has this Content-ID; without \"cid:\" it is a relative URL"
}
