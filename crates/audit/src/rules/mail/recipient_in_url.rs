//! The rule `mail/recipient-in-url`.

baseref_findings::rule! {
    "mail/recipient-in-url" Note "RFC 8058 §4"
    "the URL contains the address of the recipient"
    "As it is, in base64, or as an MD5, SHA-1 or SHA-256 hash: whoever serves the URL learns who \
     opened it."
    "baseref audit ." {
        "page.eml": "To: joe@x.com\nContent-Type: text/html\n\n<a href=\"https://a.com/?u=am9lQHguY29t\">here</a>",
    }

    struct RecipientInUrl<'m> { how: &'m str } => "the address of the recipient is in it, {how}"
}
