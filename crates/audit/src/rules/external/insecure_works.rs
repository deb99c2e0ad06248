//! The rule `external/insecure-works`.

baseref_findings::rule! {
    "external/insecure-works" Note "RFC 9110 §4.2.2"
    "the same URL works over https"
    "Both URLs were checked, and the secure one is alive."
    "baseref audit . --status measured.txt" {
        "page.html": "<a href=\"http://a.example/\">",
        "measured.txt": "http://a.example/ 200 \nhttps://a.example/ 200 \n",
    }

    struct ExternalInsecureWorks { date: String } => "the same URL works over https{date}"
}
