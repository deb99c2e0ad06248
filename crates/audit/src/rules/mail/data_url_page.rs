//! The rule `mail/data-url-page`.

baseref_findings::rule! {
    "mail/data-url-page" Error "RFC 2397"
    "link contains a whole page"
    "It has no address that anyone could check."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"data:text/html,<form>\">here</a>",
    }

    struct DataUrlPage => "the page is in the URL itself"
}
