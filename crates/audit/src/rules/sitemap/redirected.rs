//! The rule `sitemap/redirected`.

baseref_findings::rule! {
    "sitemap/redirected" Warning "sitemaps.org"
    "sitemap lists a redirect"
    "The rules of `--redirects` answer with a redirect. A sitemap lists the addresses to show in \
     search results: name the final one."
    "baseref audit --redirects netlify:_redirects --url-map .=https://a.example/ ." {
        "sitemap.xml": "<urlset><url><loc>https://a.example/old.html</loc></url></urlset>",
        "_redirects": "/old.html /new.html 301\n",
        "new.html": "",
    }

    struct SitemapRedirected<'m> { by: &'m str, to: &'m str } => "{by} redirects it to {to}"
}
