//! The rule `mail/unsub-no-https`.

baseref_findings::rule! {
    "mail/unsub-no-https" Note "RFC 8058 §3.1"
    "List-Unsubscribe has no https URL"
    "Mail programs can only offer to write a message."
    "baseref audit ." {
        "page.eml": "List-Unsubscribe: <mailto:leave@a.com>\nContent-Type: text/html\n\n<a href=\"https://a.com/\">here</a>",
    }

    struct UnsubNoHttps => "List-Unsubscribe has no https URL"
}
