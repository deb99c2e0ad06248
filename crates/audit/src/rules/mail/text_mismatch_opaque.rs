//! The rule `mail/text-mismatch-opaque`.

baseref_findings::rule! {
    "mail/text-mismatch-opaque" Note "RFC 3986 §7.6"
    "link shows an address, but its real target is unknown"
    "The link goes through a service that does not write the target into it, or the target is \
     damaged: it cannot be checked offline."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://bit.ly/x\">www.x.com</a>",
    }

    struct TextMismatchOpaque<'m> { shown: &'m str, host: &'m str, through: String } =>
        "it shows \"{shown}\"; where {host} leads is unknown{through}"
}
