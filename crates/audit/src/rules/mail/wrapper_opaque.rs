//! The rule `mail/wrapper-opaque`.

baseref_findings::rule! {
    "mail/wrapper-opaque" Note "crates/unwrap"
    "only a service knows where the link leads"
    "The service does not write the target into the link, or encrypts it. Such links are grouped by \
     service."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://protect-eu.mimecast.com/s/AbC\">here</a>",
    }

    enum WrapperOpaque<'m> {
        NoHint { through: String } => "only the service knows where it leads{through}",
        Hint { hint: &'m str, through: String } =>
            "only the service knows where it leads; it names \"{hint}\", which is no proof{through}",
    }
}
