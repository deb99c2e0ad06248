//! The rule `mail/host-compat-chars`.

baseref_findings::rule! {
    "mail/host-compat-chars" Note "UTS #46"
    "host in characters that browsers map to others"
    "Styled letters, full-width forms and names in other scripts: the finding says which host \
     browsers read."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html; charset=utf-8\n\n<a href=\"http://\u{1d7dc}.example/\">here</a>",
    }

    struct HostCompatChars<'m> { host: &'m str } =>
        "browsers read the host as {host}"
}
