//! The rule `external/dead`.

baseref_findings::rule! {
    "external/dead" Error "RFC 9110 §15.5.5, §15.5.11"
    "dead link"
    "The server answered 404 or 410, possibly after redirects, or the host does not resolve. \
     That is what the files of --status say; baseref connects to nothing."
    "baseref audit . --status measured.txt" {
        "page.html": "<a href=\"http://a.example/gone\">",
        "measured.txt": "http://a.example/gone 404 \n",
    }

    struct ExternalDead { answer: String, date: String } => "{answer}{date}"
}
