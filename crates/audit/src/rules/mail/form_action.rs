//! The rule `mail/form-action`.

baseref_findings::rule! {
    "mail/form-action" Warning "HTML, form submission"
    "form in a message"
    "Mail programs do not show who gets what is typed into it."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<form action=\"https://a.com/login\"></form>",
    }

    struct FormAction<'m> { site: &'m str, through: String } =>
        "it sends what is typed into it to {site}{through}"
}
