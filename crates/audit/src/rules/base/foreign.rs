//! The rule `base/foreign`.

baseref_findings::rule! {
    "base/foreign" Warning "RFC 1808 §3.1"
    "base on another site"
    "All relative links of the page lead away from the site, so none of them can be checked. If \
     the base is the address of the site, say so: --url-map DIR=URL."
    "baseref audit . --url-map .=https://x.example/" {
        "page.html": "<base href=\"https://other.example/\">",
    }

    struct BaseForeign => "the page is on another site"
}
