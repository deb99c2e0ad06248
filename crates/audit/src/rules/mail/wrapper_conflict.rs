//! The rule `mail/wrapper-conflict`.

baseref_findings::rule! {
    "mail/wrapper-conflict" Warning "Outlook's originalsrc, Gmail's data-saferedirecturl"
    "a program has noted another target in a link than it has"
    "Outlook and Gmail keep the URL that they wrapped in an attribute. Who copies a message into \
     another and changes its links often leaves these. It is a note for another host of the same site."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://evil.com/\" originalsrc=\"https://accounts.google.com/\">here</a>",
    }

    struct WrapperConflict<'m> { attribute: &'m str, other: &'m str, host: &'m str, through: String } =>
        "{attribute} says {other}, and the link leads to {host}{through}"
}
