//! The rule `target/escapes-tree`.

baseref_findings::rule! {
    "target/escapes-tree" Warning "RFC 1808 §4 step 6"
    "the link leads out of the tree, on the same host"
    "The URL is on the site's own host, but not below that of the tree: nothing is \
     known of what is there. The cause is too many `..`, or a path that assumes the tree to be the root. \
     If nobody says where the tree is served, only a link above its root leads out of it: an error, \
     unless a browser, which drops what is too much, would find a file. Say with --url-map."
    "baseref audit . --url-map .=https://x.example/docs/" {
        "page.html": "<a href=\"/guide.html\">",
    }
}
