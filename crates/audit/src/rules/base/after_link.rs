//! The rule `base/after-link`.

baseref_findings::rule! {
    "base/after-link" Warning "HTML, the base element"
    "base element after a link"
    "It also applies to the links before it, but browsers may already have started to load them, \
     and readers of the source will not expect it."
    "baseref audit ." {
        "page.html": "<link href=\"a.css\" rel=\"stylesheet\"><base href=\"/docs/\">",
    }

    enum BaseAfterLink {
        One => "it follows a link",
        Several { count: usize } => "it follows {count} links",
    }
}
