//! The rule `mail/wrapper-undecodable`.

baseref_findings::rule! {
    "mail/wrapper-undecodable" Warning "crates/unwrap"
    "a wrapped link cannot be opened"
    "Its target is missing, damaged or no absolute URL; or it is wrapped more than 8 times."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"https://nam02.safelinks.protection.outlook.com/?url=\">here</a>",
    }
}
