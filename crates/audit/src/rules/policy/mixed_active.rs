//! The rule `policy/mixed-active`.

baseref_findings::rule! {
    "policy/mixed-active" Error "Mixed Content, \"should fetching request be blocked\""
    "https page loads over http what browsers block"
    "Browsers block scripts, style sheets, frames, tracks and images of a srcset."
    "baseref audit . --url-map .=https://x.example/" {
        "page.html": "<script src=\"http://a.example/a.js\"></script>",
    }
}
