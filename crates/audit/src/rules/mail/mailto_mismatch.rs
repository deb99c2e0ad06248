//! The rule `mail/mailto-mismatch`.

baseref_findings::rule! {
    "mail/mailto-mismatch" Warning "RFC 6068"
    "the text of a link is a mail address, and the link writes to another"
    "It is a note if the link leads to a page of another site."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"mailto:joe@bad.com\">joe@good.com</a>",
    }
}
