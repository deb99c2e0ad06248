//! The rule `external/unknown`.

baseref_findings::rule! {
    "external/unknown" Note "RFC 9110 §15"
    "the measurement does not say whether the link works"
    "Servers answer programs with 403, 429 or 5xx that would answer a reader with a page; a \
     time-out may be over tomorrow."
    "baseref audit . --status measured.txt" {
        "page.html": "<a href=\"http://a.example/\">",
        "measured.txt": "http://a.example/ 503 \n",
    }

    struct ExternalUnknown { answer: String, date: String } => "{answer}{date}"
}
