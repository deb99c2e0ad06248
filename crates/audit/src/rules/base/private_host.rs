//! The rule `base/private-host`.

baseref_findings::rule! {
    "base/private-host" Error "RFC 1918, RFC 6761"
    "the base is a URL that only the author can reach"
    "A build for a local preview was published: every relative link leads to a file, to this \
     machine, or to a host of a private network."
    "baseref audit ." { "page.html": "<base href=\"http://localhost:1313/\">" }

    struct BasePrivateHost => "only the author can reach the base"
}
