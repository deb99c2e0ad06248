//! The rule `mail/unsub-oneclick-invalid`.

baseref_findings::rule! {
    "mail/unsub-oneclick-invalid" Warning "RFC 8058 §3.1"
    "one-click unsubscribe cannot work"
    "List-Unsubscribe-Post needs the value `List-Unsubscribe=One-Click`, and List-Unsubscribe \
     one https URL. The DKIM signature must cover both fields, which is not checked."
    "baseref audit ." {
        "page.eml": "List-Unsubscribe: <mailto:leave@a.com>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\nContent-Type: text/html\n\n<a href=\"https://a.com/\">here</a>",
    }

    enum UnsubOneclickInvalid<'m> {
        Value { value: &'m str } => "List-Unsubscribe-Post is \"{value}\"",
        NoHttps =>
            "List-Unsubscribe-Post promises one click, but there is no https URL",
    }
}
