//! The rule `base/relative`.

baseref_findings::rule! {
    "base/relative" Warning "RFC 1808 §10"
    "relative base"
    "RFC 1808 requires an absolute URL. Browsers resolve it against the URL of the document, so \
     it means something else in a copy of the page."
    "baseref audit ." { "page.html": "<base href=\"../\">" }

    enum BaseRelative {
        Resolved => "resolved against the URL of the document",
        NoUrl => "the URL of the document, which it is relative to, is unknown",
    }
}
