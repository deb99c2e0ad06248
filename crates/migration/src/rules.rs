//! The rules of `verify-move`, with their explanations.

use super::class::MoveClass;
use baseref_findings::Rule;
pub use baseref_server::findings::{
    R_DROPPED, R_FRAGMENT, R_IRRELEVANT, R_LIMIT, R_NOT_READ, R_OVER_LIMIT, R_REFUSED,
};

baseref_findings::rules! {
    PINNED "move/pinned-to-old" Error "RFC 1808 §1"
        "link would still lead to the old location"
        "The link names the old address, by itself or through the base of its page, so it does not move with the site. Make it relative, or use the new address. Where a base pins many links, fixing that base fixes them all."
        "baseref verify-move --from http://old.example/ --to http://new.example/ ." {
            "a.html": "<a href=\"http://old.example/b.html\">",
            "b.html": "",
        };
    BASE_PINS "move/base-pins-document" Error "RFC 1808 §3.1, §3.2"
        "the base of a page is at the old location"
        "A `<base href>` or a `Base` header takes precedence over the address of the page, so every relative link of the page would still lead to the old location. One edit fixes them all."
        "baseref verify-move --from http://old.example/ --to http://new.example/ ." {
            "g/a.html": "<base href=\"http://old.example/g/\"><a href=\"b.html\">",
        };
    CANONICAL_PINNED "move/canonical-pinned" Error "HTML, link type canonical"
        "a page declares the old address as its own"
        "Search engines, feed readers and browsers take canonical and alternate links, og:url and refreshes for the address of the page itself. Unchanged, they send everyone back to the old location."
        "baseref verify-move --from http://old.example/ --to http://new.example/ ." {
            "a.html": "<link rel=\"canonical\" href=\"http://old.example/a.html\">",
        };
    CLIMBS_OUT "move/climbs-out" Error "RFC 1808 §4"
        "link would leave the new location"
        "The link begins at the root of the host, or climbs above the site with `..`. At the old location its target was part of the site; at the new one it is not."
        "baseref verify-move --from http://old.example/ --to http://new.example/docs/ ." {
            "a.html": "<a href=\"/b.html\">",
            "b.html": "",
        };
    ESCAPES_PREFIX "move/escapes-prefix" Error "RFC 1808 §4"
        "link to a page outside the move would miss it"
        "The target stays at the old location, but the link is relative to the host or the folder, so it would resolve to the new location. Write the absolute URL of the target."
        "baseref verify-move --from http://old.example/g/ --to http://new.example/ ." {
            "a.html": "<a href=\"../hr/q.html\">",
        };
    CHANGED_MEANING "move/changed-meaning" Error "RFC 1808 §4"
        "link would lead to a different page"
        "At the new location the link resolves to a page other than the moved target. Nothing looks broken, but the reader is on the wrong page."
        "baseref verify-move --from http://old.example/ --to http://new.example/docs/ ." {
            "a.html": "<a href=\"/docs/b.html\">",
            "docs/b.html": "",
        };
    UNDETERMINED "move/undetermined" Error "RFC 1808 §3.4"
        "relative link without a known base"
        "The link cannot be resolved, so its fate is unknown."
        "baseref verify-move --from http://old.example/ --to http://new.example/ ." {
            "a.html": "<iframe src=\"data:text/html,<a href=b.html>\"></iframe>",
        };
    MALFORMED "move/malformed" Warning "RFC 1808 §5.2"
        "link without an absolute URL"
        "By the chosen rules the link does not resolve to a URL with a host. Other programs may resolve it differently, before and after the move."
        "baseref verify-move --from http://old.example/ --to http://new.example/ ." {
            "a.html": "<a href=\"http:b\">",
        };
    OUTSIDE_PREFIX "move/outside-prefix" Note "RFC 1808 §4"
        "link leads to a page outside the move"
        "Its target stays where it is. If the new location is on another host, that may be unwanted: a public page may link into an intranet, for example."
        "baseref verify-move --from http://old.example/g/ --to http://new.example/ ." {
            "a.html": "<a href=\"http://old.example/hr/q.html\">",
        };
    EXTERNAL_SCHEME "move/external-scheme-follows" Note "RFC 1808 §4 step 2c"
        "link to another host takes the scheme of its page, which changes"
        "`//host/path` means http on an http page and https on an https page. The other host has to answer on the new scheme too."
        "baseref verify-move --from http://old.example/ --to https://new.example/ ." {
            "a.html": "<script src=\"//cdn.example/x.js\"></script>",
        };
    AMBIGUOUS "move/ambiguous-overlap" Warning "RFC 1808 §4"
        "link target is below the old and the new prefix, and in neither site"
        "One prefix contains the other, so the address alone does not show whether it moves, and no file does either."
        "baseref verify-move --from http://h.example/ --to http://h.example/docs/ ." {
            "a.html": "<a href=\"http://h.example/docs/b.html\">",
        };
    RESOLVER_DEPENDENT "move/resolver-dependent" Warning "RFC 1808 §4, RFC 3986 §5, WHATWG URL"
        "link survives the move by some rule sets only"
        "RFC 1808, RFC 3986 and browsers resolve the link differently, and the move harms it by some of them only. Such a link is never edited, because its intended target is uncertain."
        "baseref verify-move --from http://old.example/ --to https://new.example/ ." {
            "a.html": "<a href=\"http:b\">",
        };
    NOT_EDITED "move/not-edited" Warning "WHATWG Encoding"
        "broken link cannot be edited"
        "The link is in a style sheet, a script, a srcdoc or mail, which are not edited, or its new value cannot be encoded there."
        "baseref verify-move --from http://old.example/ --to http://new.example/ --fix \
         fixed site" {
            "site/a.html": "<style>a { background: url(http://old.example/a.png) }</style>",
        };
    UNREWRITTEN "move/unrewritten-occurrence" Note "HTML"
        "old address outside a link"
        "A comment, a script or the text of the page names the old address. It is not edited, because it may be quoted on purpose."
        "baseref verify-move --from http://old.example/ --to http://new.example/ ." {
            "a.html": "<!-- moved from http://old.example/ -->",
        };
    IN_JSON_LD "move/old-address-in-json-ld" Warning "JSON-LD 1.1; schema.org"
        "old address in JSON-LD"
        "Search engines take the addresses of a page, its images and its publisher from JSON-LD, which is not edited. Generate it again for the new location, or replace the addresses with a text editor."
        "baseref verify-move --from http://old.example/ --to http://new.example/ ." {
            "a.html": "<script type=\"application/ld+json\">{\"@type\": \"Article\", \"url\": \"http://old.example/a.html\"}</script>",
        };
    OTHER_FILE "move/old-address-in-file" Error "RFC 9309, Web App Manifest"
        "old address in a file that is not a document"
        "Crawlers, feed readers and browsers take addresses from robots.txt, manifests, JSON feeds and scripts. Unchanged, these send them back to the old location. Such files are not edited; generate them again for the new location. In data and prose, where the old address may be quoted on purpose, this is a warning."
        "baseref verify-move --from http://old.example/ --to http://new.example/ ." {
            "a.html": "",
            "robots.txt": "Sitemap: http://old.example/sitemap.xml",
        };
    QUERY_ENCODING "move/query-encoding-changed" Warning "WHATWG URL, query state"
        "query would be sent in another encoding"
        "Browsers encode non-ASCII characters in a query by the encoding of the page, which differs in the new site, so the server gets different bytes."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --new-tree new old" {
            "old/a.html": "<meta charset=\"utf-8\"><a href=\"?q=&eacute;\">",
            "new/a.html": "<meta charset=\"iso-8859-1\"><a href=\"?q=&eacute;\">",
        };
    LOST_PAGE "move/lost-page" Error "RFC 1808 §1"
        "page or file missing from the new site"
        "The old address has neither a file nor a redirect. Restore the page, or redirect its address."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --new-tree new old" {
            "old/a.html": "",
            "new/b.html": "",
        };
    REPLACED_ASSET "move/replaced-asset" Note "docs/verify-move.md"
        "build artifact missing from the new site"
        "Bundlers put a digest of the contents into the names of style sheets, scripts and images. The pages of the new build use new names; only cached copies of old pages request the old ones."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --new-tree new old" {
            "old/a.html": "<link rel=\"stylesheet\" href=\"app.3f2a1bc9.css\">",
            "old/app.3f2a1bc9.css": "",
            "new/a.html": "<link rel=\"stylesheet\" href=\"app.77e0d2c4.css\">",
            "new/app.77e0d2c4.css": "",
        };
    LOST_FRAGMENT "move/lost-fragment" Warning "HTML, indicated part of the document"
        "fragment target missing from the new page"
        "The new page has no element with this id or name, so readers land at the top."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --new-tree new old" {
            "old/a.html": "<a href=\"b.html#Install\">",
            "old/b.html": "<h2 id=\"Install\">",
            "new/a.html": "<a href=\"b.html#Install\">",
            "new/b.html": "<h2 id=\"install\">",
        };
    NEW_BROKEN "move/new-broken" Error "RFC 1808 §1"
        "link of the new site leads to a missing file"
        "The old page had no broken link to this target, so the rebuild introduced it."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --new-tree new old" {
            "old/a.html": "",
            "new/a.html": "<a href=\"b.html\">",
        };
    ALREADY_BROKEN "move/already-broken" Note "RFC 1808 §1"
        "link was broken before the move"
        "Its target is missing from both sites, so this is not a regression."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --new-tree new old" {
            "old/a.html": "<a href=\"b.html\">",
            "new/a.html": "<a href=\"b.html\">",
        };
    CHANGED_TARGET "move/changed-target" Error "RFC 1808 §1"
        "link with the same text leads to a different page"
        "The old and the new page both have a link with this text, and the targets differ."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --new-tree new old" {
            "old/a.html": "<a href=\"guide.html\">Guide</a>",
            "old/guide.html": "",
            "new/a.html": "<a href=\"a.html\">Guide</a>",
            "new/guide.html": "",
        };
    REMOVED_LINK "move/removed-link" Note "RFC 1808 §1"
        "link missing from the new page"
        "The new page no longer links to this target."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --new-tree new old" {
            "old/a.html": "<a href=\"b.html\">",
            "old/b.html": "",
            "new/a.html": "",
            "new/b.html": "",
        };
    ADDED_LINK "move/added-link" Note "RFC 1808 §1"
        "link added to the new page"
        "The old page did not link to this target."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --new-tree new old" {
            "old/a.html": "",
            "old/b.html": "",
            "new/a.html": "<a href=\"b.html\">",
            "new/b.html": "",
        };
    CHANGED_METADATA "move/changed-metadata" Warning "HTML, the head element"
        "metadata for search engines changed"
        "The title, canonical URL, robots directive or hreflang alternates of the page differ from before. After a move that alone can lower its ranking in search results."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --new-tree new old" {
            "old/a.html": "<title>A</title>",
            "new/a.html": "<meta name=\"robots\" content=\"noindex\"><title>A</title>",
        };

    R_NOT_READ;
    R_IRRELEVANT;
    R_DROPPED;
    R_OVER_LIMIT;
    R_REFUSED;
    R_FRAGMENT;
    R_CHAIN "redirect/chain" Warning "RFC 9110 §15.4"
        "redirect chain: rule leads to another rule"
        "Each step costs every reader a round trip, and search engines give up after a few. Make the rule lead directly to the end."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/a /b 301\n/b /c.html 301",
            "site/c.html": "",
        };
    R_LOOP "redirect/loop" Error "RFC 9110 §15.4"
        "redirect loop"
        "A browser gives up with an error."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/a /b\n/b /a",
            "site/index.html": "",
        };
    R_LOCAL "redirect/local-target" Error "RFC 6761 §6.3"
        "redirect to the machine of the reader"
        "The target is on localhost or a loopback address. Builds in development mode write such pages and rules; build the site for its own address."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/a http://localhost:1313/a/",
            "site/index.html": "",
        };
    R_DEAD "redirect/dead-target" Error "RFC 9110 §15.4"
        "rule leads to a missing page"
        "The new site has no file at the target."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/a /gone-page",
            "site/index.html": "",
        };
    R_TO_ROOT "redirect/to-root" Warning "RFC 9110 §15.4"
        "rule redirects a page to the start page"
        "Readers do not find what they came for, and search engines treat such a redirect as a missing page."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/old/page.html /",
            "site/index.html": "",
        };
    R_TEMPORARY "redirect/temporary" Note "RFC 9110 §15.4.3"
        "temporary redirect"
        "302, 303 and 307 tell search engines to keep the old address. For a move use 301 or 308; note the server's default where no status is written."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/old /new 302",
            "site/index.html": "",
        };
    R_OFFSITE "redirect/offsite" Note "RFC 9110 §15.4"
        "rule leads out of the new site"
        "Its target cannot be checked."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/blog https://blog.example.net/",
            "site/index.html": "",
        };
    R_SHADOWED "redirect/shadowed" Error "docs/verify-move.md"
        "rule never applies: an earlier one matches first"
        "Rules are tried in order. The earlier rule matches every address of this one, and leads elsewhere. Put the narrower rule first."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/docs/* /d/:splat\n/docs/a /z",
            "site/index.html": "",
        };
    R_UNREACHABLE "redirect/unreachable" Warning "docs/verify-move.md"
        "rule never applies: a file of the new site wins"
        "This server serves the file and never reaches the rule."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/a.html /index.html 301",
            "site/a.html": "",
            "site/index.html": "",
        };
    R_HIDES "redirect/hides-page" Warning "docs/verify-move.md"
        "rule hides a page of the new site"
        "This server applies rules before it looks for files, so nobody can reach the page."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects cloudflare:_redirects site" {
            "_redirects": "/a.html / 301",
            "site/a.html": "",
            "site/index.html": "",
        };
    R_LIMIT;
    R_NOT_KNOWN "redirect/not-known" Error "docs/verify-move.md"
        "old address with an unknown target"
        "It depends on an unsupported rule, or on something that only the server knows: a header, a cookie, the country of the visitor, the answer of a program. Ask the server for the addresses concerned, or lower the level of this rule once that was done."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects apache:redirects.conf site" {
            "redirects.conf": "RewriteEngine On\n\
             RewriteCond %{HTTP_ACCEPT} text/html\n\
             RewriteRule ^/a.html$ http://new.example/a.html [R]",
            "site/a.html": "",
        };
    R_MISSING "redirect/missing" Error "RFC 9110 §15.4"
        "no redirect from an old address to its new one"
        "Old links to this address find nothing."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects apache:redirects.conf site" {
            "redirects.conf": "Redirect permanent /a.html http://new.example/a.html",
            "site/a.html": "",
            "site/b.html": "",
        };
    R_UNUSED "redirect/unused" Note "docs/verify-move.md"
        "rule matches no known old address"
        "It may be for addresses without a file; --urls adds those known from logs or a sitemap."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/typo /index.html",
            "site/index.html": "",
        };
    R_SLASH "redirect/slash" Error "docs/verify-move.md"
        "old address misses a rule only by its final slash"
        "The server distinguishes the two addresses."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects nginx:nginx.conf --urls known.txt site" {
            "nginx.conf": "location = /old { return 301 /index.html; }",
            "site/index.html": "",
            "known.txt": "https://x.example/old/",
        };
    R_CASE "redirect/case" Error "docs/verify-move.md"
        "old address misses a rule only by case"
        "The server distinguishes the two addresses."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects nginx:nginx.conf --urls known.txt site" {
            "nginx.conf": "location = /old { return 301 /index.html; }",
            "site/index.html": "",
            "known.txt": "https://x.example/OLD",
        };
    R_DROPS_QUERY "redirect/drops-query" Note "docs/verify-move.md"
        "rules drop the query of an old address"
        "The content that the query selected is lost."
        "baseref verify-move --from https://x.example/ --to https://x.example/ \
         --redirects nginx:nginx.conf --urls known.txt site" {
            "nginx.conf": "location = /a { return 301 /index.html; }",
            "site/index.html": "",
            "known.txt": "https://x.example/a?q=1",
        };
    NOT_AS_PREDICTED "move/not-as-predicted" Error "documentation of --status"
        "old address does not answer as predicted"
        "The server answers with another status, redirects elsewhere, or redirects to another end \
         than the rules and the sites predict. Either it has other rules than those that were \
         given, or something in front of it or behind it answers."
        "baseref verify-move --from http://old.example/ --to https://new.example/ \
         --redirects rules.csv --status measured.txt site" {
            "rules.csv": "from,to\n/a.html,https://new.example/a.html\n",
            "site/a.html": "",
            "measured.txt": "http://old.example/a.html 302 https://new.example/\n",
        };
    NOT_MEASURED "move/not-measured" Warning "documentation of --status"
        "old address was not checked"
        "The status files have no answer for it, or one that may be temporary: a timeout, 429, 503. `--out \
         recheck=FILE` lists the addresses to check again."
        "baseref verify-move --from http://old.example/ --to https://new.example/ \
         --redirects rules.csv --status measured.txt site" {
            "rules.csv": "from,to\n/a.html,https://new.example/a.html\n",
            "site/a.html": "",
            "measured.txt": "http://old.example/a.html 503 \n",
        };
}

/// The rule that reports a class; `None` if the class is not reported.
#[must_use]
pub fn for_class(class: MoveClass) -> Option<&'static Rule> {
    Some(match class {
        MoveClass::Moves | MoveClass::AlreadyNew | MoveClass::External | MoveClass::Opaque => {
            return None;
        }
        MoveClass::ExternalSchemeFollows => &EXTERNAL_SCHEME,
        MoveClass::OutsidePrefix => &OUTSIDE_PREFIX,
        MoveClass::Pinned => &PINNED,
        MoveClass::CanonicalPinned => &CANONICAL_PINNED,
        MoveClass::ClimbsOut => &CLIMBS_OUT,
        MoveClass::EscapesPrefix => &ESCAPES_PREFIX,
        MoveClass::ChangedMeaning => &CHANGED_MEANING,
        MoveClass::Undetermined => &UNDETERMINED,
        MoveClass::Malformed => &MALFORMED,
        MoveClass::AmbiguousOverlap => &AMBIGUOUS,
    })
}
