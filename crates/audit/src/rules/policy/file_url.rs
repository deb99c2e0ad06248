//! The rule `policy/file-url`.

baseref_findings::rule! {
    "policy/file-url" Error "RFC 8089"
    "link to a file on the author's machine"
    "Readers do not have that file, and browsers do not follow such a link from the web."
    "baseref audit ." { "page.html": "<a href=\"file:///C:/Users/me/a.html\">" }

    enum FileUrl {
        Link => "readers do not have this file",
        Canonical => "the canonical address of the page is a file that readers do not have",
    }
}
