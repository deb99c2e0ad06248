//! The rule `external/moved`.

baseref_findings::rule! {
    "external/moved" Warning "RFC 9110 §15.4.2, §15.4.9"
    "link that has moved permanently"
    "The redirect works as long as the old server keeps it. The new URL is at the end of the \
     redirects, all of which are permanent."
    "baseref audit . --status measured.txt" {
        "page.html": "<a href=\"http://a.example/\">",
        "measured.txt": "http://a.example/ 301 https://a.example/\n",
    }

    struct ExternalMoved { answer: String, date: String } => "{answer}{date}"
}
