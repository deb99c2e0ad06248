//! The audit rules about redirect rule files, with their explanations.

baseref_findings::rules! {
    R_NOT_READ "redirect/unsupported-rule" Warning "docs/verify-move.md"
        "unsupported rule"
        "The server understands this line, but baseref does not. Addresses that it may match are `not-known`, never guessed."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects apache:redirects.conf site" {
            "redirects.conf": "RewriteEngine On\n\
             RewriteCond %{HTTP_ACCEPT} text/html\n\
             RewriteRule ^/a$ /b [R]",
            "site/index.html": "",
        };
    R_IRRELEVANT "redirect/other-directive" Note "docs/verify-move.md"
        "directive without a known effect on addresses"
        "Listed so that nothing in the file is skipped silently."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects apache:redirects.conf site" {
            "redirects.conf": "AddType text/html .shtml",
            "site/index.html": "",
        };
    R_DROPPED "redirect/dropped-line" Warning "docs/verify-move.md"
        "rule ignored by the server"
        "The line does not have the form that the server requires, or repeats an earlier one. The server ignores it, often silently."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects cloudflare:_redirects site" {
            "_redirects": "/a /t 404",
            "site/index.html": "",
        };
    R_OVER_LIMIT "redirect/over-limit" Error "Cloudflare Pages, limits"
        "rule ignored: beyond a limit of the server"
        "There are too many rules, or a line is too long. The server ignores everything beyond the limit."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects cloudflare:_redirects site" {
            "_redirects": "/long" * 500,
            "site/index.html": "",
        };
    R_REFUSED "redirect/broken-file" Error "docs/verify-move.md"
        "rule file refused by the server"
        "With this line the server does not start, or answers every request with an error."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects apache:redirects.conf site" {
            "redirects.conf": "Redirect /a relative-target",
            "site/index.html": "",
        };
    R_FRAGMENT "redirect/fragment-source" Error "RFC 9110 §7.1"
        "rule never matches: its source has a fragment"
        "Clients never send the fragment to a server, so the rule matches nothing, or the page with any fragment."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/p#x /q",
            "site/index.html": "",
        };
    R_LIMIT "redirect/limit" Error "docs/limits.md"
        "rules reached a limit, so some addresses are unknown"
        "Rules can be written so that an answer takes forever: patterns that are tried in vain, texts that double, addresses that are rewritten again and again. Beyond a limit baseref gives up, and the addresses concerned are `not-known`."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects apache:redirects.conf site" {
            "redirects.conf": "RewriteEngine On\nRewriteRule ^(.*)$ /$1a [N]",
            "site/index.html": "",
        };
}
