//! The rule `base/undefined`.

baseref_findings::rule! {
    "base/undefined" Error "RFC 1808 §3.4, §4 step 1"
    "a relative link in a document without a known base"
    "The document has no base element, no header field gives a base, and the URL that it was \
     retrieved from is not known. Give it with --url-map, or audit the directory as a whole."
    "baseref audit page.html" { "page.html": "<a href=\"a.html\">" }

    enum BaseUndefined {
        File =>
            "relative, and no base is known: audit the folder as a whole, or say with -u what URL the \
             page is from",
        /// A message has neither a folder nor a URL.
        Message => "relative, and no base is known",
    }
}
