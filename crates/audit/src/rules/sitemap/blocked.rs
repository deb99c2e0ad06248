//! The rule `sitemap/blocked`.

baseref_findings::rule! {
    "sitemap/blocked" Error "RFC 9309 §2.2"
    "sitemap lists an address that robots.txt blocks"
    "Among the rules for all crawlers (`User-agent: *`), the longest one that matches the \
     address forbids it. A crawler with a group of its own follows only that group."
    "baseref audit --url-map .=https://a.example/ ." {
        "sitemap.xml": "<urlset><url><loc>https://a.example/private/page.html</loc></url></urlset>",
        "robots.txt": "User-agent: *\nDisallow: /private/\n",
        "private/page.html": "",
    }

    struct SitemapBlocked<'m> { pattern: &'m str } => "robots.txt has `Disallow: {pattern}`"
}
