//! The rule `target/missing-file`.

baseref_findings::rule! {
    "target/missing-file" Error "RFC 1808 §4"
    "link to a missing file"
    "No file of the site answers this address under the hosting rules. Names are compared as on \
     a case-sensitive file system, and `page.html/` is not `page.html`. In a ZIM file the path \
     must be that of an entry, byte for byte, and redirects must lead to one."
    "baseref audit ." { "page.html": "<a href=\"gone.html\">" }

    enum MissingFile<'m> {
        NoSuchFile => "no such file",
        Dangling => "no such file: a symbolic link of that name leads nowhere",
        Placeholder => "no such file: this looks like a template placeholder that was never filled in",
        /// The base names a path that the tree does not have.
        BelowBase { path: &'m str, map: &'m str } =>
            "no such file: the base names {path}, a folder that is not here (served there? {map})",
        RedirectedNowhere { by: &'m str, to: &'m str, status: u16 } =>
            "{by} redirects it to {to} ({status}), which does not exist",
        Refused { status: u16 } => "the redirect rules answer with status {status}",
        NoSuchEntry => "the ZIM file has no entry of this path",
        EntryCircle => "the entry of this path redirects in a circle",
        EntryNowhere => "the entry of this path redirects to one that is not there",
        Loop { by: &'m str } => "{by} redirects it in an endless loop",
    }
}
