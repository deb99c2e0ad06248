//! The rule `base/unsuitable`.

baseref_findings::rule! {
    "base/unsuitable" Error "RFC 1808 §2"
    "nothing can be relative to the base"
    "Its scheme has no path: mailto, news, data, javascript, about and the like."
    "baseref audit ." { "page.html": "<base href=\"mailto:a@b\">" }

    enum BaseUnsuitable {
        Base => "nothing can be relative to a URL of this scheme",
        Link => "relative to a base that nothing can be relative to",
    }
}
