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

    enum EscapesTree<'m> {
        OutsidePrefix { prefix: &'m str } => "not below {prefix}, where the tree is",
        AboveRoot { map: &'m str }: Error =>
            "it leads out of the tree, above its root; {map} would tell where to",
        /// The link works if the root of the tree is that of the host.
        AboveUnplacedRoot { map: &'m str }: Warning =>
            "it leads out of the tree, above its root, unless that is the root of the host; {map} would \
             tell where to",
        Epub: Error =>
            "it leads out of the EPUB, which reading systems do not follow (epubcheck: RSC-026)",
    }
}
