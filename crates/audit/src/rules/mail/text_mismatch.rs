//! The rule `mail/text-mismatch`.

baseref_findings::rule! {
    "mail/text-mismatch" Error "RFC 3986 §7.6, MailScanner, Thunderbird"
    "the text of a link is the address of one site, and the link leads to another"
    "The whole text is a URL or a host, so readers take it for where the link leads. The wrappers of \
     mail security, newsletters and redirectors are opened first. It is a warning if the text may \
     be the name of a file, and a note if the link names that host in its query."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"http://evil.com/\">www.paypal.com</a>",
    }

    struct TextMismatch<'m> { shown: &'m str, host: &'m str, through: String } =>
        "it shows \"{shown}\", and leads to {host}{through}"
}
