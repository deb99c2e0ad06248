//! The rule `mail/wrapper-lookalike`.

baseref_findings::rule! {
    "mail/wrapper-lookalike" Error "crates/unwrap"
    "link imitates a mail-security service"
    "The host contains the name of the service, or the link has its form, but the host belongs \
     to someone else."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://urldefense.com.evil.com/v3/\">here</a>",
    }

    struct WrapperLookalike<'m> { service: &'m str, through: String } =>
        "it looks like a link of {service} but is on another host{through}"
}
