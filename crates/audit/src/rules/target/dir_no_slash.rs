//! The rule `target/dir-no-slash`.

baseref_findings::rule! {
    "target/dir-no-slash" Note "RFC 1808 §4 step 6"
    "link to a folder without the trailing slash"
    "The server redirects, which costs one more request; if it did not, relative links of the \
     page would be wrong."
    "baseref audit ." { "page.html": "<a href=\"guide\">", "guide/index.html": "" }

    struct DirNoSlash => "a folder: the server redirects to the address with a trailing slash"
}
