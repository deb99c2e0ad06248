//! The rule `mail/meta-refresh`.

baseref_findings::rule! {
    "mail/meta-refresh" Warning "HTML, meta refresh"
    "message opens another page by itself"
    "A `meta` refresh in a message leads on without a click, where a program follows it: in a browser, and in \
     attached pages."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<meta http-equiv=refresh content='0;url=https://a.com/'>",
    }

    struct MetaRefresh<'m> { site: &'m str, through: String }
        => "the message opens {site} by itself{through}"
}
