//! The rule `mail/domain-lookalike`.

baseref_findings::rule! {
    "mail/domain-lookalike" Warning "dnstwist, URLs of imitations"
    "the host contains a protected domain, or differs from it in one letter or in accents"
    "A letter or a hyphen more or less, two letters exchanged, the name as a word of another or before \
     another domain. Only the domains in `--protect-domains` are compared: between other names it says \
     nothing."
    "baseref audit . --protect-domains domains.txt" {
        "page.eml": "Content-Type: text/html\n\n<a href=\"http://paypal.com.evil.com/\">here</a>",
        "domains.txt": "paypal.com\n",
    }

    struct DomainLookalike<'m> { host: &'m str, domain: &'m str, how: &'m str, through: String } =>
        "{host} has {domain} {how}{through}"
}
