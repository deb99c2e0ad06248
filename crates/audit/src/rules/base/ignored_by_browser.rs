//! The rule `base/ignored-by-browser`.

baseref_findings::rule! {
    "base/ignored-by-browser" Warning "HTML, \"set the frozen base URL\""
    "base that browsers ignore"
    "Browsers ignore a base with the scheme data or javascript, one that the page's Content \
     Security Policy forbids, and one in a template, in SVG or in MathML."
    "baseref audit ." { "page.html": "<base href=\"data:text/html,\">" }

    enum BaseIgnored {
        Policy => "a Content Security Policy forbids it",
        Template => "it is in a template",
        ForeignElement => "in SVG and MathML it is not a base element",
        Scheme => "browsers accept no base with this scheme",
    }
}
