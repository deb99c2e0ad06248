//! The rule `mail/userinfo-trick`.

baseref_findings::rule! {
    "mail/userinfo-trick" Error "RFC 3986 §7.6"
    "link shows a host before an @ but leads to the one after it"
    "What stands before the @ is a user name, which browsers do not show as a host."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"http://paypal.com@evil.com/\">here</a>",
    }

    struct UserinfoTrick<'m> { shown: &'m str, host: &'m str, through: String } =>
        "it shows \"{shown}\" before the @ but leads to {host}{through}"
}
