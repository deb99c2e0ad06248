//! The rule `target/unmappable`.

baseref_findings::rule! {
    "target/unmappable" Warning "RFC 3986 §2.4"
    "URL that cannot be a file name"
    "The path contains an escaped slash, a NUL or an escaped dot segment. It is not looked up."
    "baseref audit ." { "page.html": "<a href=\"a%2Fb.html\">" }

    struct Unmappable => "not checked: an escape in it stands for a slash, a NUL or a dot segment"
}
