//! The rule `mail/text-other-suffix`.

baseref_findings::rule! {
    "mail/text-other-suffix" Warning "Public Suffix List"
    "the text of a link and its target are one name under two public suffixes"
    "Companies have the same name under several of them, and so do those who imitate them."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"http://www.roses.com/\">www.roses.co.za</a>",
    }

    struct TextOtherSuffix<'m> { shown: &'m str, host: &'m str, through: String } =>
        "it shows \"{shown}\", and leads to {host}{through}"
}
