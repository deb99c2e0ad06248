//! The rule `base/undefined`.

baseref_findings::rule! {
    "base/undefined" Error "RFC 1808 §3.4, §4 step 1"
    "relative link without a base"
    "The document has no base element, no header field gives a base, and the URL that it was \
     retrieved from is unknown. Give it with --url-map, or audit the whole folder."
    "baseref audit page.html" { "page.html": "<a href=\"a.html\">" }

    enum BaseUndefined {
        File => "no base is known: audit the whole folder, or give the URL of the page with -u",
        /// A message has neither a folder nor a URL.
        Message => "no base is known",
    }
}
