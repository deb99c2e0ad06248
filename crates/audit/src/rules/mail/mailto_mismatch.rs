//! The rule `mail/mailto-mismatch`.

baseref_findings::rule! {
    "mail/mailto-mismatch" Warning "RFC 6068"
    "link shows one mail address but writes to another"
    "It is a note if the link leads to a page of another site."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"mailto:joe@bad.com\">joe@good.com</a>",
    }

    enum MailtoMismatch<'m> {
        Address { shown: &'m str, to: &'m str, through: String } =>
            "it shows \"{shown}\" but writes to {to}{through}",
        Page { shown: &'m str, host: &'m str, through: String }: Note =>
            "it shows the address \"{shown}\" but leads to {host}{through}",
    }
}
