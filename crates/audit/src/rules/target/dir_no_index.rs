//! The rule `target/dir-no-index`.

baseref_findings::rule! {
    "target/dir-no-index" Error "HTTP servers' documentation of index files"
    "link to a folder without an index"
    "The folder exists, but none of the index files of the hosting is in it, so a server answers \
     with a listing or an error."
    "baseref audit ." { "page.html": "<a href=\"images/\">", "images/a.png": "" }

    enum DirNoIndex<'m> {
        NoIndexFiles => "this hosting has no index files",
        Missing { names: &'m str } => "a folder without {names}",
    }
}
