//! The rule `policy/userinfo`.

baseref_findings::rule! {
    "policy/userinfo" Warning "RFC 3986 §7.5"
    "the link contains a user name or password"
    "Everyone who reads the page gets it."
    "baseref audit ." { "page.html": "<a href=\"https://me:secret@a.example/\">" }

    struct Userinfo => "a user name or password"
}
