//! The rule `policy/mixed-passive`.

baseref_findings::rule! {
    "policy/mixed-passive" Warning "Mixed Content, \"upgradeable content\""
    "https page loads an image, an icon, audio or video over http"
    "Browsers request it over https, or warn."
    "baseref audit . --url-map .=https://x.example/" {
        "page.html": "<img src=\"http://a.example/a.png\">",
    }
}
