//! The rule `sitemap/rules-undecided`.

baseref_findings::rule! {
    "sitemap/rules-undecided" Note "sitemaps.org"
    "whether addresses that search engines are told redirect is not known"
    "Lines of `--redirects` decide by what is not known here. One finding names the first address \
     of a document, in a sitemap, a canonical link or an alternate, and the number of them."
    "baseref audit --redirects netlify:_redirects --url-map .=https://a.example/ ." {
        "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
        "_redirects": "/page.html /de/page.html 302! Language=de\n",
        "page.html": "",
    }

    struct SitemapUndecided<'m> { by: &'m str, addresses: String } =>
        "{by} decides, by what is not known here, whether {addresses}"
}
