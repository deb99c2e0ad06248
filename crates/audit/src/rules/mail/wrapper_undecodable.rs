//! The rule `mail/wrapper-undecodable`.

baseref_findings::rule! {
    "mail/wrapper-undecodable" Warning "crates/unwrap"
    "a wrapped link cannot be opened"
    "Its target is missing, damaged or no absolute URL; or it is wrapped more than 8 times."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://nam02.safelinks.protection.outlook.com/?url=\">here</a>",
    }

    enum WrapperUndecodable<'m> {
        Damaged { through: String } => "what is wrapped is missing or damaged{through}",
        Endless { why: &'m str, through: String } =>
            "it cannot be opened to its end: {why}{through}",
    }
}
