//! The rule `sitemap/elsewhere`.

baseref_findings::rule! {
    "sitemap/elsewhere" Note "sitemaps.org"
    "sitemap addresses outside the checked sites"
    "Which files these addresses stand for is unknown, so they are not checked. Say with \
     --url-map where the folder is served."
    "baseref audit ." {
        "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
    }

    enum SitemapElsewhere {
        NotHere { addresses: String } => "{addresses} not on a checked site",
        TooManyPatterns => "robots.txt has too many patterns: not all addresses were compared",
    }
}
