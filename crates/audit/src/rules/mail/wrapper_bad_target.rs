//! The rule `mail/wrapper-bad-target`.

baseref_findings::rule! {
    "mail/wrapper-bad-target" Error "crates/unwrap"
    "what is wrapped is no address of the web"
    "A link in mail leads to a page or an address; `javascript:`, `data:` and `file:` are hidden in \
     it."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://nam02.safelinks.protection.outlook.com/?url=javascript%3Aalert(1)\">here</a>",
    }

    struct WrapperBadTarget { through: String } =>
        "what is wrapped is no address of the web{through}"
}
