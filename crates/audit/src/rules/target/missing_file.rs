//! The rule `target/missing-file`.

baseref_findings::rule! {
    "target/missing-file" Error "RFC 1808 §4"
    "the link leads to a missing file"
    "No file below the directory answers the address, by the rules of the hosting. Names are \
     compared as a server on a case-sensitive file system would; a page with a slash behind its \
     name (`page.html/`) is not that page."
    "baseref audit ." { "page.html": "<a href=\"gone.html\">" }
}
