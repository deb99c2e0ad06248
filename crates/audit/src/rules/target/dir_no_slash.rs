//! The rule `target/dir-no-slash`.

baseref_findings::rule! {
    "target/dir-no-slash" Note "RFC 1808 §4 step 6"
    "the link leads to a folder through a redirect"
    "Without its trailing slash the URL costs one more request, and relative links of the \
     page would be wrong if the server did not redirect."
    "baseref audit ." { "page.html": "<a href=\"guide\">", "guide/index.html": "" }

    struct DirNoSlash => "a folder: the server redirects to the address with a slash"
}
