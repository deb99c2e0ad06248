//! The rule `mail/recipient-in-url`.

baseref_findings::rule! {
    "mail/recipient-in-url" Note "RFC 8058 §4"
    "recipient's address in the URL"
    "In plain text, in base64, in hexadecimal, or as an MD5, SHA-1 or SHA-256 hash: whoever serves the URL \
     learns who opened it."
    "baseref audit ." {
        "page.eml": "To: joe@x.com\nContent-Type: text/html\n\n<a href=\"https://a.com/?u=am9lQHguY29t\">here</a>",
    }

    struct RecipientInUrl<'m> { how: &'m str } => "it contains the address of the recipient {how}"
}
