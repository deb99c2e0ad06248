//! The rule `mail/text-mismatch-opaque`.

baseref_findings::rule! {
    "mail/text-mismatch-opaque" Note "RFC 3986 §7.6"
    "the text of a link is an address, and only a service knows where it leads"
    "The link is wrapped by a service that does not write the target into it, or the target is \
     damaged: nothing can be said about it offline."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://bit.ly/x\">www.x.com</a>",
    }

    struct TextMismatchOpaque<'m> { shown: &'m str, host: &'m str, through: String } =>
        "it shows \"{shown}\"; where {host} leads is not known{through}"
}
