//! The rule `external/archived`.

baseref_findings::rule! {
    "external/archived" Note "RFC 7089"
    "archived copy of a link"
    "The link is dead, or was not checked. Among several copies the closest to the date of the \
     page is named, or the latest if that date is unknown; copies of errors and redirects do not \
     count. `--fix archived` writes its address."
    "baseref audit . --status index.cdxj" {
        "page.html": "<a href=\"http://a.example/gone\">",
        "index.cdxj": "example,a)/gone 20240301100000 {\"url\": \"http://a.example/gone\", \
                       \"mime\": \"text/html\", \"status\": \"200\"}\n",
    }

    enum ExternalArchived<'m> {
        Dead { day: &'m str } => "archived on {day}",
        NothingReported { day: &'m str } => "archived on {day}; the link was not checked",
        NotReported { day: &'m str, address: &'m str } =>
            "archived on {day} ({address}); the link was not checked",
    }
}
