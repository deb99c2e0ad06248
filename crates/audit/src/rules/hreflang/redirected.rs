//! The rule `hreflang/redirected`.

baseref_findings::rule! {
    "hreflang/redirected" Warning "HTML, link type alternate"
    "hreflang link to a redirect"
    "The rules of `--redirects` answer with a redirect. Name the final addresses: only those \
     pages link back to this one."
    "baseref audit --redirects netlify:_redirects ." {
        "en.html": "<link rel=\"alternate\" hreflang=\"de\" href=\"alt.html\">",
        "_redirects": "/alt.html /de.html 301\n",
        "de.html": "<link rel=\"alternate\" hreflang=\"en\" href=\"en.html\">",
    }

    struct HreflangRedirected<'m> { by: &'m str, to: &'m str } => "{by} redirects it to {to}"
}
