//! The rule `mail/text-mismatch`.

baseref_findings::rule! {
    "mail/text-mismatch" Error "RFC 3986 §7.6, MailScanner, Thunderbird"
    "link shows one site but leads to another"
    "The whole text is a URL or a host, so readers take it for the target. Mail-security \
     wrappers, newsletter links and redirectors are unwrapped first. It is a warning if the text \
     may be a file name, and a note if the link names that host in its query."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"http://evil.com/\">www.paypal.com</a>",
    }

    struct TextMismatch<'m> { shown: &'m str, host: &'m str, through: String } =>
        "it shows \"{shown}\" but leads to {host}{through}"
}
