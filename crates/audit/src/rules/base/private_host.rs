//! The rule `base/private-host`.

baseref_findings::rule! {
    "base/private-host" Error "RFC 1918, RFC 6761"
    "base on a private address"
    "A local preview was published: every relative link leads to a file, to this machine, or to \
     a private network."
    "baseref audit ." { "page.html": "<base href=\"http://localhost:1313/\">" }

    struct BasePrivateHost => "only its author can reach it"
}
