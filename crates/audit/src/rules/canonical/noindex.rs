//! The rule `canonical/noindex`.

baseref_findings::rule! {
    "canonical/noindex" Warning "HTML, meta robots"
    "canonical link to a noindex page"
    "This page asks search engines to show the other one, and the other one asks not to be \
     shown."
    "baseref audit ." {
        "a.html": "<link rel=\"canonical\" href=\"b.html\">",
        "b.html": "<meta name=\"robots\" content=\"noindex\">",
    }

    struct CanonicalNoindex => "the page asks not to be indexed"
}
