//! The rule `base/unsuitable`.

baseref_findings::rule! {
    "base/unsuitable" Error "RFC 1808 §2"
    "base that nothing can be relative to"
    "Its scheme has no path: mailto, news, data, javascript, about and the like."
    "baseref audit ." { "page.html": "<base href=\"mailto:a@b\">" }

    enum BaseUnsuitable {
        Base => "its scheme has no path",
        Link => "the base of this link has a scheme without a path",
    }
}
