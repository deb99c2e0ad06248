//! The rule `mail/text-host-differs`.

baseref_findings::rule! {
    "mail/text-host-differs" Note "Public Suffix List"
    "link shows one host of a site but leads to another"
    "Both belong to the same owner."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html\n\n<a href=\"http://mail.x.com/\">www.x.com</a>",
    }

    struct TextHostDiffers<'m> { shown: &'m str, host: &'m str, through: String } =>
        "it shows \"{shown}\" but leads to {host}{through}"
}
