//! The rule `policy/private-host`.

baseref_findings::rule! {
    "policy/private-host" Warning "RFC 1918, RFC 6761"
    "link to a private address"
    "It leads to this machine, a private network, or a host name without a domain."
    "baseref audit ." { "page.html": "<a href=\"http://localhost:8000/\">" }

    enum PrivateHost {
        Link => "only its author can reach it",
        Canonical => "the canonical address of the page is one that only its author can reach",
    }
}
