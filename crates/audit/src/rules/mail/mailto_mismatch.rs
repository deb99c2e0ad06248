//! The rule `mail/mailto-mismatch`.

baseref_findings::rule! {
    "mail/mailto-mismatch" Warning "RFC 6068"
    "the text of a link is a mail address, and the link writes to another"
    "It is a note if the link leads to a page of another site."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"mailto:joe@bad.com\">joe@good.com</a>",
    }

    enum MailtoMismatch<'m> {
        Address { shown: &'m str, to: &'m str, through: String } =>
            "it shows \"{shown}\", and writes to {to}{through}",
        Page { shown: &'m str, host: &'m str, through: String }: Note =>
            "it shows the address \"{shown}\", and leads to {host}{through}",
    }
}
