//! The rule `external/dead`.

baseref_findings::rule! {
    "external/dead" Error "RFC 9110 §15.5.5, §15.5.11"
    "what the link leads to is gone"
    "The server answered 404 or 410, if need be at the end of redirects, or the host has no \
     address. This is what the files of --status say; nothing is fetched."
    "baseref audit . --status measured.txt" {
        "page.html": "<a href=\"http://a.example/gone\">",
        "measured.txt": "http://a.example/gone 404 \n",
    }

    struct ExternalDead { answer: String, date: String } => "{answer}{date}"
}
