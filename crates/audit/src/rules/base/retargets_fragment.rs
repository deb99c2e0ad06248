//! The rule `base/retargets-fragment`.

baseref_findings::rule! {
    "base/retargets-fragment" Warning "RFC 1808 §4 steps 2a and 5"
    "same-page link leads to another page because of the base"
    "A link that is only a fragment, or empty, is relative to the base like any other."
    "baseref audit ." { "guide.html": "<base href=\"/\"><a href=\"#install\">" }

    struct BaseRetargetsFragment { url: String } => "it leads to {url}"
}
