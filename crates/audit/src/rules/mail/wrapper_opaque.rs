//! The rule `mail/wrapper-opaque`.

baseref_findings::rule! {
    "mail/wrapper-opaque" Note "crates/unwrap"
    "link wrapper hides the real target"
    "The service does not write the target into the link, or encrypts it. Such links are grouped \
     by service."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://protect-eu.mimecast.com/s/AbC\">here</a>",
    }

    enum WrapperOpaque<'m> {
        NoHint { through: String } => "the real target is unknown{through}",
        Hint { hint: &'m str, through: String } =>
            "the real target is unknown; the link names \"{hint}\", which proves nothing{through}",
    }
}
