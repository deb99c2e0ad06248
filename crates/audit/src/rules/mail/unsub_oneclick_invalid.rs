//! The rule `mail/unsub-oneclick-invalid`.

baseref_findings::rule! {
    "mail/unsub-oneclick-invalid" Warning "RFC 8058 §3.1"
    "List-Unsubscribe-Post cannot work"
    "It needs the value `List-Unsubscribe=One-Click` and one https URL in List-Unsubscribe. The \
     signature (DKIM) must cover both fields, which is not checked."
    "baseref audit ." {
        "page.eml": "List-Unsubscribe: <mailto:leave@a.com>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\nContent-Type: text/html\n\n<a href=\"https://a.com/\">here</a>",
    }

    enum UnsubOneclickInvalid<'m> {
        Value { value: &'m str } => "List-Unsubscribe-Post is \"{value}\"",
        NoHttps =>
            "List-Unsubscribe-Post promises one click, and there is no https URL for it",
    }
}
