//! The rule `external/archived`.

baseref_findings::rule! {
    "external/archived" Note "RFC 7089"
    "a web archive has a copy of what the link leads to"
    "The link is dead, or was not measured. Of several copies the one nearest to the date of the \
     page is named, or the last one where that date is not known; copies of errors and of \
     redirects do not count. `--fix archived` writes its address."
    "baseref audit . --status index.cdxj" {
        "page.html": "<a href=\"http://a.example/gone\">",
        "index.cdxj": "example,a)/gone 20240301100000 {\"url\": \"http://a.example/gone\", \
                       \"mime\": \"text/html\", \"status\": \"200\"}\n",
    }

    enum ExternalArchived<'m> {
        Dead { day: &'m str } => "it was archived on {day}",
        NothingReported { day: &'m str } => "it was archived on {day}; nothing was measured",
        NotReported { day: &'m str, address: &'m str } =>
            "it was archived on {day} ({address}); it was not measured",
    }
}
