//! The rule `mail/unsub-no-https`.

baseref_findings::rule! {
    "mail/unsub-no-https" Note "RFC 8058 §3.1"
    "List-Unsubscribe without an https URL"
    "Mail programs can only offer to send a message."
    "baseref audit ." {
        "page.eml": "List-Unsubscribe: <mailto:leave@a.com>\nContent-Type: text/html\n\n<a href=\"https://a.com/\">here</a>",
    }

    struct UnsubNoHttps => "the field has no https URL"
}
