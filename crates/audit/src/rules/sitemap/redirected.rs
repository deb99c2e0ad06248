//! The rule `sitemap/redirected`.

baseref_findings::rule! {
    "sitemap/redirected" Warning "sitemaps.org"
    "a sitemap lists an address that redirects"
    "By the rules of `--redirects` the server answers with a redirect. A sitemap is a list of the \
     addresses that are to be shown in search results: name the one that it leads to."
    "baseref audit --redirects netlify:_redirects --url-map .=https://a.example/ ." {
        "sitemap.xml": "<urlset><url><loc>https://a.example/old.html</loc></url></urlset>",
        "_redirects": "/old.html /new.html 301\n",
        "new.html": "",
    }

    struct SitemapRedirected<'m> { by: &'m str, to: &'m str } => "{by} redirects it to {to}"
}
