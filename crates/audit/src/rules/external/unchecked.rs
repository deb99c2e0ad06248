//! The rule `external/unchecked`.

baseref_findings::rule! {
    "external/unchecked" Note "documentation of --status"
    "the link was not measured, or too long ago"
    "No file of --status has its URL, or what was measured is older than --max-age."
    "baseref audit . --status measured.txt" {
        "page.html": "<a href=\"http://a.example/new\">",
        "measured.txt": "http://a.example/ 200 \n",
    }

    enum ExternalUnchecked {
        NotListed => "the status files say nothing of it",
        Old { answer: String, date: String } => "{answer}{date}",
    }
}
