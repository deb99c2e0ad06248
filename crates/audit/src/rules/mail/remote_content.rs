//! The rule `mail/remote-content`.

baseref_findings::rule! {
    "mail/remote-content" Note "RFC 9116, mail programs' privacy settings"
    "remote content"
    "Loading it tells the host when and where the message was read. Findings are grouped by \
     site."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<img src=\"https://a.com/logo.png\">",
    }

    struct RemoteContent<'m> { site: &'m str } => "opening the message loads it from {site}"
}
