//! The rule `base/fragment`.

baseref_findings::rule! {
    "base/fragment" Note "RFC 1808 §4"
    "base with a fragment"
    "In RFC 1808 an empty link inherits it; no other rule set uses it."
    "baseref audit ." { "page.html": "<base href=\"http://www.example.com/#top\">" }

    struct BaseFragment => "only RFC 1808 uses the fragment"
}
