//! The rule `mail/wrapper-undecodable`.

baseref_findings::rule! {
    "mail/wrapper-undecodable" Warning "crates/unwrap"
    "wrapped link that cannot be unwrapped"
    "Its target is missing, damaged or not an absolute URL, or it is wrapped more than 8 times."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://nam02.safelinks.protection.outlook.com/?url=\">here</a>",
    }

    enum WrapperUndecodable<'m> {
        Damaged { through: String } => "the wrapped URL is missing or damaged{through}",
        Endless { why: &'m str, through: String } =>
            "it cannot be unwrapped to the end: {why}{through}",
    }
}
