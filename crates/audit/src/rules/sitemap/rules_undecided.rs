//! The rule `sitemap/rules-undecided`.

baseref_findings::rule! {
    "sitemap/rules-undecided" Note "sitemaps.org"
    "cannot tell whether an address given to search engines redirects"
    "Lines of `--redirects` depend on request data that baseref cannot see. There is one finding \
     per document: it names the first such address in a sitemap, a canonical link or an \
     alternate, and their number."
    "baseref audit --redirects netlify:_redirects --url-map .=https://a.example/ ." {
        "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
        "_redirects": "/page.html /de/page.html 302! Language=de\n",
        "page.html": "",
    }

    struct SitemapUndecided<'m> { by: &'m str, addresses: String } =>
        "whether {addresses} depends on request data that baseref cannot see ({by})"
}
