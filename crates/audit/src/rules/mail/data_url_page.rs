//! The rule `mail/data-url-page`.

baseref_findings::rule! {
    "mail/data-url-page" Error "RFC 2397"
    "a link contains a whole page"
    "It has no address that anybody could check."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"data:text/html,<form>\">here</a>",
    }

    struct DataUrlPage => "a whole page is in the link"
}
