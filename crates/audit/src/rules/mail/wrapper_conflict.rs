//! The rule `mail/wrapper-conflict`.

baseref_findings::rule! {
    "mail/wrapper-conflict" Warning "Outlook's originalsrc, Gmail's data-saferedirecturl"
    "link differs from the one that a mail program recorded"
    "Outlook and Gmail keep the URL that they wrapped in an attribute. Copying a message into \
     another and changing its links often leaves the attribute behind. It is a note if both are \
     hosts of one site."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://evil.com/\" originalsrc=\"https://accounts.google.com/\">here</a>",
    }

    struct WrapperConflict<'m> { attribute: &'m str, other: &'m str, host: &'m str, through: String } =>
        "{attribute} says {other} but the link leads to {host}{through}"
}
