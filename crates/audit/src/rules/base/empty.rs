//! The rule `base/empty`.

baseref_findings::rule! {
    "base/empty" Warning "HTML, the base element"
    "empty base"
    "It gives no base, but keeps browsers from using a later base element."
    "baseref audit ." { "page.html": "<base href=\"\">" }

    struct BaseEmpty => "the href is empty"
}
