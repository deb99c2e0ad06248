//! The rule `sitemap/unlisted`.

baseref_findings::rule! {
    "sitemap/unlisted" Off "sitemaps.org"
    "page is in no sitemap"
    "Search engines find it only through links. Pages that ask not to be indexed or have another \
     canonical address do not belong in a sitemap and are not reported."
    "baseref audit --rule sitemap/unlisted=warning --url-map .=https://a.example/ ." {
        "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
        "page.html": "",
        "forgotten.html": "",
    }

    struct SitemapUnlisted => "no sitemap lists this page"
}
