//! The rule `sitemap/non-canonical`.

baseref_findings::rule! {
    "sitemap/non-canonical" Warning "sitemaps.org; RFC 6596 §3"
    "a sitemap lists a page whose canonical address is another"
    "A sitemap is a list of the addresses that are to be shown in search results, and the page \
     says that it is not one of them."
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
