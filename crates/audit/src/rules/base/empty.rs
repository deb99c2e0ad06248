//! The rule `base/empty`.

baseref_findings::rule! {
    "base/empty" Warning "HTML, the base element"
    "the base element has an empty href"
    "It gives no base, but keeps browsers from using another base element after it."
    "baseref audit ." { "page.html": "<base href=\"\">" }

    struct BaseEmpty => "an empty base"
}
