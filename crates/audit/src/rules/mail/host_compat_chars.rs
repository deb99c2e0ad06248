//! The rule `mail/host-compat-chars`.

baseref_findings::rule! {
    "mail/host-compat-chars" Note "UTS #46"
    "the host is written in characters that browsers map to others"
    "Styled letters, full-width forms and names in other scripts: the finding says what browsers read."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html; charset=utf-8\n\n<a href=\"http://\u{1d7dc}.example/\">here</a>",
    }

    struct HostCompatChars<'m> { host: &'m str } =>
        "its host is {host}, written in other characters"
}
