//! The rule `base/ignored-by-browser`.

baseref_findings::rule! {
    "base/ignored-by-browser" Warning "HTML, \"set the frozen base URL\""
    "browsers ignore this base"
    "A base with the scheme data or javascript is never used, nor one that a Content Security \
     Policy of the page forbids, nor one in a template, in SVG or in MathML."
    "baseref audit ." { "page.html": "<base href=\"data:text/html,\">" }

    enum BaseIgnored {
        Policy => "a Content Security Policy forbids it",
        Template => "it is in a template",
        ForeignElement => "in SVG and MathML it is no base element",
        Scheme => "browsers ignore a base with this scheme",
    }
}
