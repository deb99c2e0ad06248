//! The rule `mail/form-action`.

baseref_findings::rule! {
    "mail/form-action" Warning "HTML, form submission"
    "a form in a message sends what is typed into it"
    "Mail programs do not show who gets it."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<form action=\"https://a.com/login\"></form>",
    }

    struct FormAction<'m> { site: &'m str, through: String } =>
        "what is typed into it goes to {site}{through}"
}
