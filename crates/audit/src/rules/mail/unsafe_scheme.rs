//! The rule `mail/unsafe-scheme`.

baseref_findings::rule! {
    "mail/unsafe-scheme" Warning "RFC 3986 §7"
    "link in mail leads neither to a page nor to an address"
    "`javascript:` and `vbscript:` run code, `data:` carries a file in the URL, `file:` and `search-ms:` open \
     files of this computer or of a server, and other schemes start programs. The same URL in a wrapper is \
     `mail/wrapper-bad-target`."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"search-ms:query=x\">here</a>",
    }

    struct UnsafeScheme<'m> { scheme: &'m str, through: String }
        => "{scheme}: URL in a link{through}"
}
