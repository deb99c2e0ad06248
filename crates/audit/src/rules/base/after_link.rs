//! The rule `base/after-link`.

baseref_findings::rule! {
    "base/after-link" Warning "HTML, the base element"
    "the base element comes after a link"
    "It also applies to the links before it, but a browser may already have begun to load what they \
     lead to by then, and a person who reads the source will not expect it."
    "baseref audit ." {
        "page.html": "<link href=\"a.css\" rel=\"stylesheet\"><base href=\"/docs/\">",
    }

    enum BaseAfterLink {
        One => "it follows a link",
        Several { count: usize } => "it follows {count} links",
    }
}
