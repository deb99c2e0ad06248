//! The rule `target/unmappable`.

baseref_findings::rule! {
    "target/unmappable" Warning "RFC 3986 §2.4"
    "no file can have this URL"
    "A name in the path contains an escaped slash or a NUL, or a symbolic link leads out of the \
     tree. It is not looked up."
    "baseref audit ." { "page.html": "<a href=\"a%2Fb.html\">" }

    struct Unmappable { why: &'static str } => "not looked up: {why}"
}
