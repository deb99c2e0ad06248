//! The rule `mail/text-other-suffix`.

baseref_findings::rule! {
    "mail/text-other-suffix" Warning "Public Suffix List"
    "link shows a name but leads to it under another public suffix"
    "Companies have the same name under several suffixes, and so do their imitators."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"http://www.roses.com/\">www.roses.co.za</a>",
    }

    struct TextOtherSuffix<'m> { shown: &'m str, host: &'m str, through: String } =>
        "it shows \"{shown}\" but leads to {host}{through}"
}
