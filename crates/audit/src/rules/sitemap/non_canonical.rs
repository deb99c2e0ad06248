//! The rule `sitemap/non-canonical`.

baseref_findings::rule! {
    "sitemap/non-canonical" Warning "sitemaps.org; RFC 6596 §3"
    "sitemap lists a page that is not canonical"
    "A sitemap lists the addresses to show in search results, and this page names another one as \
     canonical."
    "baseref audit --url-map .=https://a.example/ ." {
        "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
        "page.html": "<link rel=\"canonical\" href=\"other.html\">",
        "other.html": "",
    }

    enum SitemapNonCanonical {
        Page { path: String } => "its canonical page is {path}",
        OtherSite => "its canonical address is on another site",
    }
}
