//! The rule `external/unchecked`.

baseref_findings::rule! {
    "external/unchecked" Note "documentation of --status"
    "link that was not checked, or too long ago"
    "No file of --status has its URL, or its result is older than --max-age."
    "baseref audit . --status measured.txt" {
        "page.html": "<a href=\"http://a.example/new\">",
        "measured.txt": "http://a.example/ 200 \n",
    }

    enum ExternalUnchecked {
        NotListed => "not in the files of --status",
        Old { answer: String, date: String } => "{answer}{date}",
    }
}
