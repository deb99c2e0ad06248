//! The rule `canonical/noindex`.

baseref_findings::rule! {
    "canonical/noindex" Warning "HTML, meta robots"
    "the canonical page of a page asks not to be indexed"
    "One says that the other is to be shown in search results, and that says it is not."
    "baseref audit ." {
        "a.html": "<link rel=\"canonical\" href=\"b.html\">",
        "b.html": "<meta name=\"robots\" content=\"noindex\">",
    }

    struct CanonicalNoindex => "the page there asks not to be indexed"
}
