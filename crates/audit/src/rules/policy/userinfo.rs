//! The rule `policy/userinfo`.

baseref_findings::rule! {
    "policy/userinfo" Warning "RFC 3986 §7.5"
    "user name or password in the URL"
    "Everyone who reads the page can see it."
    "baseref audit ." { "page.html": "<a href=\"https://me:secret@a.example/\">" }

    struct Userinfo => "the URL contains a user name or password"
}
