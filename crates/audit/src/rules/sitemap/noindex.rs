//! The rule `sitemap/noindex`.

baseref_findings::rule! {
    "sitemap/noindex" Error "sitemaps.org; HTML, meta robots"
    "sitemap lists a noindex page"
    "The sitemap asks search engines to index the page, and the page asks them not to; they obey \
     the page. One of the two is a mistake."
    "baseref audit --url-map .=https://a.example/ ." {
        "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
        "page.html": "<meta name=\"robots\" content=\"noindex\">",
    }

    struct SitemapNoindex => "the page asks not to be indexed"
}
