//! The rules about files of redirect rules, with their explanations.

baseref_findings::rules! {
    R_NOT_READ "redirect/unsupported-rule" Warning "docs/verify-move.md"
        "a line of the rules is not read"
        "The server understands it but this program does not, so its effect on addresses is unknown. Addresses that it may match are marked as unknown, never guessed."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects apache:redirects.conf site" {
            "redirects.conf": "RewriteEngine On\n\
             RewriteCond %{HTTP_ACCEPT} text/html\n\
             RewriteRule ^/a$ /b [R]",
            "site/index.html": "",
        };
    R_IRRELEVANT "redirect/other-directive" Note "docs/verify-move.md"
        "a directive is not known to affect where a URL leads"
        "Listed so that nothing in the file is skipped silently."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects apache:redirects.conf site" {
            "redirects.conf": "AddType text/html .shtml",
            "site/index.html": "",
        };
    R_DROPPED "redirect/dropped-line" Warning "docs/verify-move.md"
        "the server ignores a line of the rules"
        "The line does not have the form that the server requires, or repeats an earlier one; the server ignores it, often silently."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects cloudflare:_redirects site" {
            "_redirects": "/a /t 404",
            "site/index.html": "",
        };
    R_OVER_LIMIT "redirect/over-limit" Error "Cloudflare Pages, limits"
        "the server ignores rules because there are too many, or a line is too long"
        "Anything beyond the limit does not exist for the server."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects cloudflare:_redirects site" {
            "_redirects": "/long" * 500,
            "site/index.html": "",
        };
    R_REFUSED "redirect/broken-file" Error "docs/verify-move.md"
        "the server refuses the file of rules"
        "With this line the server does not start, or answers every request with an error."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects apache:redirects.conf site" {
            "redirects.conf": "Redirect /a relative-target",
            "site/index.html": "",
        };
    R_FRAGMENT "redirect/fragment-source" Error "RFC 9110 §7.1"
        "the source of a rule has a fragment"
        "A fragment is never sent to a server, so the rule matches nothing, or every fragment of the page."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects netlify:_redirects site" {
            "_redirects": "/p#x /q",
            "site/index.html": "",
        };
    R_LIMIT "redirect/limit" Error "docs/limits.md"
        "a limit was met: where some addresses lead is not known"
        "Rules can be written so that an answer takes forever: patterns that are tried in vain, texts that double, addresses that are rewritten again and again. What goes beyond a limit is given up, and addresses that depend on it are `not-known`."
        "baseref verify-move --from http://old.example/ --to http://new.example/ \
         --redirects apache:redirects.conf site" {
            "redirects.conf": "RewriteEngine On\nRewriteRule ^(.*)$ /$1a [N]",
            "site/index.html": "",
        };
}
