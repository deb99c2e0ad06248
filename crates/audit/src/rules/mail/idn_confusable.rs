//! The rule `mail/idn-confusable`.

baseref_findings::rule! {
    "mail/idn-confusable" Error "UTS #39 §4"
    "host looks like another"
    "It has the same skeleton as the domain of the sender or one in `--protect-domains`, or it \
     is entirely in another script and looks like ASCII."
    "baseref audit ." {
        "page.eml": "From: news@apple.com\nContent-Type: text/html\n\n<a href=\"http://xn--80ak6aa92e.com/\">here</a>",
    }

    struct IdnConfusable<'m> { host: &'m str, other: &'m str, through: String } =>
        "{host} looks like {other}{through}"
}
