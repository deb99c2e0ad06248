//! The rule `target/escapes-tree`.

baseref_findings::rule! {
    "target/escapes-tree" Warning "RFC 1808 §4 step 6"
    "link out of the site, on the same host"
    "The URL is on the host of the site but not below its address, so it cannot be checked. The \
     cause is one `..` too many, or a path that assumes the site to be at the root of its host. \
     Without --url-map only links above the root of the folder are reported: as errors, or as \
     warnings if browsers, which ignore the excess `..`, would find a file."
    "baseref audit . --url-map .=https://x.example/docs/" {
        "page.html": "<a href=\"/guide.html\">",
    }

    enum EscapesTree<'m> {
        OutsidePrefix { prefix: &'m str } => "not below {prefix}, where the site is",
        AboveRoot { map: &'m str }: Error =>
            "it climbs above the root of the site; {map} says where it is served",
        /// The link works if the root of the tree is that of the host.
        AboveUnplacedRoot { map: &'m str }: Warning =>
            "it climbs above the root of the site, which works only if that is the root of the host; \
             {map} says where it is served",
        Book: Error => "it leads out of the ZIM file, whose readers find nothing there",
        Epub: Error =>
            "it leads out of the EPUB, and reading systems do not follow it (epubcheck: RSC-026)",
    }
}
