//! The rule `external/unknown`.

baseref_findings::rule! {
    "external/unknown" Note "RFC 9110 §15"
    "link that may or may not work"
    "Servers answer programs with 403, 429 or 5xx where a reader would get a page, and a \
     time-out may be over tomorrow."
    "baseref audit . --status measured.txt" {
        "page.html": "<a href=\"http://a.example/\">",
        "measured.txt": "http://a.example/ 503 \n",
    }

    struct ExternalUnknown { answer: String, date: String } => "{answer}{date}"
}
