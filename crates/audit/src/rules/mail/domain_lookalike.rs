//! The rule `mail/domain-lookalike`.

baseref_findings::rule! {
    "mail/domain-lookalike" Warning "dnstwist, URLs of imitations"
    "host imitates a protected domain"
    "A letter or a hyphen is added, missing or changed, two letters are swapped, letters have \
     accents, or the name is a word of another or stands before another domain. Only the domains \
     in `--protect-domains` are compared: between other names a single letter means nothing."
    "baseref audit . --protect-domains domains.txt" {
        "page.eml": "Content-Type: text/html\n\n<a href=\"http://paypal.com.evil.com/\">here</a>",
        "domains.txt": "paypal.com\n",
    }

    struct DomainLookalike<'m> { host: &'m str, domain: &'m str, how: &'m str, through: String } =>
        "{host} imitates {domain} ({how}){through}"
}
