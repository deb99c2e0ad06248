//! The rule `policy/private-host`.

baseref_findings::rule! {
    "policy/private-host" Warning "RFC 1918, RFC 6761"
    "the link leads to a URL that only the author can reach"
    "This machine, a private network, or a host without a domain."
    "baseref audit ." { "page.html": "<a href=\"http://localhost:8000/\">" }

    struct PrivateHost => "an address that only the author can reach"
}
