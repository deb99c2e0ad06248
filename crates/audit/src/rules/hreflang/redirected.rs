//! The rule `hreflang/redirected`.

baseref_findings::rule! {
    "hreflang/redirected" Warning "HTML, link type alternate"
    "the address of a page in another language redirects"
    "By the rules of `--redirects` the server answers with a redirect. Alternates must name the \
     pages themselves, which name this one in return."
    "baseref audit --redirects netlify:_redirects ." {
        "en.html": "<link rel=\"alternate\" hreflang=\"de\" href=\"alt.html\">",
        "_redirects": "/alt.html /de.html 301\n",
        "de.html": "<link rel=\"alternate\" hreflang=\"en\" href=\"en.html\">",
    }

    struct HreflangRedirected<'m> { by: &'m str, to: &'m str } => "{by} redirects it to {to}"
}
