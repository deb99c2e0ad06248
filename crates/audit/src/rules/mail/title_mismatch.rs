//! The rule `mail/title-mismatch`.

baseref_findings::rule! {
    "mail/title-mismatch" Warning "HTML, the title attribute"
    "tooltip shows one site but the link leads to another"
    "Programs show the title of a link as a tooltip. Outlook writes the URL before Safe Links \
     into it. It is a note if the link names that host in its query."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"http://evil.com/\" title=\"https://www.paypal.com/\">here</a>",
    }

    struct TitleMismatch<'m> { title: &'m str, host: &'m str, through: String } =>
        "its title is \"{title}\" but it leads to {host}{through}"
}
