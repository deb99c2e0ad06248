//! The rule `policy/file-url`.

baseref_findings::rule! {
    "policy/file-url" Error "RFC 8089"
    "the link leads to a file on the reader's machine"
    "Nobody but its author has that file, and browsers do not follow such a link from the web."
    "baseref audit ." { "page.html": "<a href=\"file:///C:/Users/me/a.html\">" }

    struct FileUrl => "a file of the reader's machine"
}
