//! The rule `sitemap/blocked`.

baseref_findings::rule! {
    "sitemap/blocked" Error "RFC 9309 §2.2"
    "a sitemap lists an address that robots.txt keeps crawlers from"
    "Of the rules for all crawlers (`User-agent: *`) the longest that matches the address forbids \
     it. A crawler that a group of its own names follows that group alone."
    "baseref audit --url-map .=https://a.example/ ." {
        "sitemap.xml": "<urlset><url><loc>https://a.example/private/page.html</loc></url></urlset>",
        "robots.txt": "User-agent: *\nDisallow: /private/\n",
        "private/page.html": "",
    }

    struct SitemapBlocked<'m> { pattern: &'m str } => "robots.txt has `Disallow: {pattern}`"
}
