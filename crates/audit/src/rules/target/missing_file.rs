//! The rule `target/missing-file`.

baseref_findings::rule! {
    "target/missing-file" Error "RFC 1808 §4"
    "the link leads to a missing file"
    "No file below the directory answers the address, by the rules of the hosting. Names are \
     compared as a server on a case-sensitive file system would; a page with a slash behind its \
     name (`page.html/`) is not that page."
    "baseref audit ." { "page.html": "<a href=\"gone.html\">" }

    enum MissingFile<'m> {
        NoSuchFile => "no such file",
        Placeholder => "no such file: it looks like a placeholder that was not filled in",
        /// The base names a path that the tree does not have.
        BelowBase { path: &'m str, map: &'m str } =>
            "no such file: the base names {path}, which the tree lacks; {map} would say that it is there",
        RedirectedNowhere { by: &'m str, to: &'m str, status: u16 } =>
            "{by} redirects it to {to} ({status}), where nothing is",
        Refused { status: u16 } => "the rules answer it with {status}",
        Loop { by: &'m str } => "{by} redirects it without end",
    }
}
