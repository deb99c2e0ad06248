//! The rule `target/unmappable`.

baseref_findings::rule! {
    "target/unmappable" Warning "RFC 3986 §2.4"
    "URL that cannot be a file name"
    "The path contains an escaped slash or a NUL, or a symbolic link leads out of the site. It \
     is not looked up."
    "baseref audit ." { "page.html": "<a href=\"a%2Fb.html\">" }

    struct Unmappable { why: &'static str } => "not checked: {why}"
}
