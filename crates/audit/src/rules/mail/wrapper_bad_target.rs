//! The rule `mail/wrapper-bad-target`.

baseref_findings::rule! {
    "mail/wrapper-bad-target" Error "crates/unwrap"
    "wrapped URL is not a web or mail address"
    "A link in mail leads to a page or a mail address; this one hides `javascript:`, `data:` or \
     `file:`."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://nam02.safelinks.protection.outlook.com/?url=javascript%3Aalert(1)\">here</a>",
    }

    struct WrapperBadTarget { through: String } =>
        "the wrapped URL is not a web or mail address{through}"
}
