//! The rule `mail/idn-mixed-script`.

baseref_findings::rule! {
    "mail/idn-mixed-script" Warning "UTS #39 §5.2"
    "a name in the host mixes scripts that do not occur together"
    "The restriction level \"highly restrictive\" allows Latin with the scripts of Chinese, Japanese or \
     Korean, and nothing else."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html; charset=utf-8\n\n<a href=\"http://p\u{430}ypax.com/\">here</a>",
    }

    struct IdnMixedScript<'m> { host: &'m str, through: String } =>
        "a name in {host} mixes scripts that do not occur together{through}"
}
