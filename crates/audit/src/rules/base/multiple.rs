//! The rule `base/multiple`.

baseref_findings::rule! {
    "base/multiple" Warning "HTML, the base element"
    "more than one base element"
    "The first base element with an href wins. This one has no effect."
    "baseref audit ." { "page.html": "<base href=\"/a/\"><base href=\"/b/\">" }

    struct BaseMultiple => "ignored: the first base element wins"
}
