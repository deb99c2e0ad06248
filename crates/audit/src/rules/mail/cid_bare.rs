//! The rule `mail/cid-bare`.

baseref_findings::rule! {
    "mail/cid-bare" Note "RFC 2392"
    "a URL is the Content-ID of a part, without cid:"
    "Few programs show the part; to others it is a relative URL."
    "baseref audit ." {
        "page.eml": "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=\"image001.png\">\n--b\nContent-Type: image/png\nContent-ID: <image001.png>\n\nx\n--b--",
    }

    struct CidBare => "a part has this Content-ID; without \"cid:\" it is a relative URL"
}
