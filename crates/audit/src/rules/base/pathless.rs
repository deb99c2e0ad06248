//! The rule `base/pathless`.

baseref_findings::rule! {
    "base/pathless" Note "RFC 1808 §2.4.6, RFC 3986 §5.2.3"
    "base without a path"
    "A slash is added when a relative link is resolved. Write it out."
    "baseref audit ." { "page.html": "<base href=\"http://www.example.com\">" }

    struct BasePathless => "nothing follows the host"
}
