//! The rule `mail/idn-mixed-script`.

baseref_findings::rule! {
    "mail/idn-mixed-script" Warning "UTS #39 §5.2"
    "host name mixes scripts"
    "The restriction level \"highly restrictive\" allows Latin together with the scripts of \
     Chinese, Japanese or Korean, and nothing else."
    "baseref audit ." {
        "page.eml": "Content-Type: text/html; charset=utf-8\n\n<a href=\"http://p\u{430}ypax.com/\">here</a>",
    }

    struct IdnMixedScript<'m> { host: &'m str, through: String } =>
        "{host} mixes scripts that do not belong together{through}"
}
