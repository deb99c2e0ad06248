//! The rule `sitemap/elsewhere`.

baseref_findings::rule! {
    "sitemap/elsewhere" Note "sitemaps.org"
    "addresses in a sitemap are not those of the files"
    "Which files the addresses stand for is not known, so they are not judged. Say with --url-map \
     where the folder is served."
    "baseref audit ." {
        "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
    }

    enum SitemapElsewhere {
        NotHere { addresses: String } => "{addresses} on no site whose files are here",
        TooManyPatterns => "robots.txt has too many patterns: not all addresses were compared",
    }
}
