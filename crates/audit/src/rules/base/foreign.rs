//! The rule `base/foreign`.

baseref_findings::rule! {
    "base/foreign" Warning "RFC 1808 §3.1"
    "the base is not on the same site as the page"
    "All relative links of the page lead away from the tree, so none of them can be looked up. If \
     it is the address of the tree, say so: --url-map DIR=URL."
    "baseref audit . --url-map .=https://x.example/" {
        "page.html": "<base href=\"https://other.example/\">",
    }

    struct BaseForeign => "the base is not on the site of the page"
}
