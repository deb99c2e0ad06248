//! The rule `target/dir-no-index`.

baseref_findings::rule! {
    "target/dir-no-index" Error "HTTP servers' documentation of index files"
    "the link leads to a folder without an index"
    "The folder is there, but none of the index files of the hosting is in it: a server answers \
     with a list of files or with an error."
    "baseref audit ." { "page.html": "<a href=\"images/\">", "images/a.png": "" }

    enum DirNoIndex<'m> {
        NoIndexFiles => "a folder, which has no index by this hosting",
        Missing { names: &'m str } => "a folder without {names}",
    }
}
