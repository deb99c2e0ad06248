//! The rules of the audit: names, levels and explanations.

baseref_findings::rules! {
    MISSING_FILE "target/missing-file" Error "RFC 1808 §4"
        "the link leads to a missing file"
        "No file below the directory answers the address, by the rules of the hosting. Names are \
         compared as a server on a case-sensitive file system would; a page with a slash behind its \
         name (`page.html/`) is not that page."
        "baseref audit ." { "page.html": "<a href=\"gone.html\">" };

    MISSING_FRAGMENT "target/missing-fragment" Error "HTML, \"find a potential indicated element\""
        "the page exists, but nothing in it has the name after the #"
        "No element of the page has the fragment as its id, and no anchor has it as its name; a \
         browser shows the top of the page. The name is looked up as written first, then with its \
         escapes decoded. Text fragments, `#top` and fragments of pages that are not HTML are not \
         judged. What a server puts into a page (`<!--#include … -->`) counts as written there."
        "baseref audit ." {
            "page.html": "<a href=\"guide.html#instal\">",
            "guide.html": "<h2 id=\"install\">",
        };

    CANONICAL_MISSING "canonical/missing" Error "RFC 6596 §3"
        "the canonical address of a page leads to a missing file"
        "Search engines are told to show another address in place of the page's own, and nothing is \
         there: they may drop both."
        "baseref audit ." { "page.html": "<link rel=\"canonical\" href=\"gone.html\">" };

    CANONICAL_REDIRECTED "canonical/redirected" Warning "RFC 6596 §3"
        "the canonical address of a page redirects"
        "By the rules of the hosting, or those of `--redirects`, the server answers with a redirect. \
         Name the address that it leads to: search engines that see two different ones choose by \
         themselves."
        "baseref audit ." {
            "page.html": "<link rel=\"canonical\" href=\"guide\">",
            "guide/index.html": "",
        };

    CANONICAL_CHAIN "canonical/chain" Warning "RFC 6596 §3"
        "the canonical page of a page names yet another one"
        "RFC 6596 asks that the target of a canonical link be the last one. Search engines may follow \
         the chain or ignore all of it."
        "baseref audit ." {
            "a.html": "<link rel=\"canonical\" href=\"b.html\">",
            "b.html": "<link rel=\"canonical\" href=\"c.html\">",
            "c.html": "",
        };

    CANONICAL_HIDDEN "canonical/noindex" Warning "HTML, meta robots"
        "the canonical page of a page asks not to be indexed"
        "One says that the other is to be shown in search results, and that says it is not."
        "baseref audit ." {
            "a.html": "<link rel=\"canonical\" href=\"b.html\">",
            "b.html": "<meta name=\"robots\" content=\"noindex\">",
        };

    HREFLANG_NO_RETURN "hreflang/no-return" Warning "HTML, link type alternate"
        "a page in another language does not link back"
        "Search engines take alternates in other languages only from pages that name each other: \
         otherwise anybody could declare another's page a translation."
        "baseref audit ." {
            "en.html": "<link rel=\"alternate\" hreflang=\"de\" href=\"de.html\">",
            "de.html": "<p>",
        };

    HREFLANG_REDIRECTED "hreflang/redirected" Warning "HTML, link type alternate"
        "the address of a page in another language redirects"
        "By the rules of `--redirects` the server answers with a redirect. Alternates must name the \
         pages themselves, which name this one in return."
        "baseref audit --redirects netlify:_redirects ." {
            "en.html": "<link rel=\"alternate\" hreflang=\"de\" href=\"alt.html\">",
            "_redirects": "/alt.html /de.html 301\n",
            "de.html": "<link rel=\"alternate\" hreflang=\"en\" href=\"en.html\">",
        };

    SITEMAP_REDIRECTED "sitemap/redirected" Warning "sitemaps.org"
        "a sitemap lists an address that redirects"
        "By the rules of `--redirects` the server answers with a redirect. A sitemap is a list of the \
         addresses that are to be shown in search results: name the one that it leads to."
        "baseref audit --redirects netlify:_redirects --url-map .=https://a.example/ ." {
            "sitemap.xml": "<urlset><url><loc>https://a.example/old.html</loc></url></urlset>",
            "_redirects": "/old.html /new.html 301\n",
            "new.html": "",
        };

    SITEMAP_UNDECIDED "sitemap/rules-undecided" Note "sitemaps.org"
        "whether addresses that search engines are told redirect is not known"
        "Lines of `--redirects` decide by what is not known here. One finding names the first address \
         of a document, in a sitemap, a canonical link or an alternate, and the number of them."
        "baseref audit --redirects netlify:_redirects --url-map .=https://a.example/ ." {
            "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
            "_redirects": "/page.html /de/page.html 302! Language=de\n",
            "page.html": "",
        };

    SITEMAP_HIDDEN "sitemap/noindex" Error "sitemaps.org; HTML, meta robots"
        "a sitemap lists a page that asks not to be indexed"
        "The sitemap asks search engines to index it, and the page asks them not to; they obey the \
         page. One of the two is a mistake."
        "baseref audit --url-map .=https://a.example/ ." {
            "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
            "page.html": "<meta name=\"robots\" content=\"noindex\">",
        };

    SITEMAP_NON_CANONICAL "sitemap/non-canonical" Warning "sitemaps.org; RFC 6596 §3"
        "a sitemap lists a page whose canonical address is another"
        "A sitemap is a list of the addresses that are to be shown in search results, and the page \
         says that it is not one of them."
        "baseref audit --url-map .=https://a.example/ ." {
            "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
            "page.html": "<link rel=\"canonical\" href=\"other.html\">",
            "other.html": "",
        };

    SITEMAP_BLOCKED "sitemap/blocked" Error "RFC 9309 §2.2"
        "a sitemap lists an address that robots.txt keeps crawlers from"
        "Of the rules for all crawlers (`User-agent: *`) the longest that matches the address forbids \
         it. A crawler that a group of its own names follows that group alone."
        "baseref audit --url-map .=https://a.example/ ." {
            "sitemap.xml": "<urlset><url><loc>https://a.example/private/page.html</loc></url></urlset>",
            "robots.txt": "User-agent: *\nDisallow: /private/\n",
            "private/page.html": "",
        };

    SITEMAP_ELSEWHERE "sitemap/elsewhere" Note "sitemaps.org"
        "addresses in a sitemap are not those of the files"
        "Which files the addresses stand for is not known, so they are not judged. Say with --url-map \
         where the folder is served."
        "baseref audit ." {
            "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
        };

    SITEMAP_UNLISTED "sitemap/unlisted" Off "sitemaps.org"
        "a page of the tree is in none of its sitemaps"
        "Search engines find it only by links. Pages that ask not to be indexed or have another \
         canonical address do not belong in a sitemap, and are not reported."
        "baseref audit --rule sitemap/unlisted=warning --url-map .=https://a.example/ ." {
            "sitemap.xml": "<urlset><url><loc>https://a.example/page.html</loc></url></urlset>",
            "page.html": "",
            "forgotten.html": "",
        };

    RESOURCE_NOT_CAPTURED "target/resource-not-captured" Error "ISO 28500, response"
        "a captured page needs something that was not captured"
        "A style sheet, an image, a script, a font, a frame or a medium, on any host: without it the \
         page is not shown as it was. Give the URL to a patch crawl: --out seeds=FILE."
        "baseref audit crawl.har" {
            "crawl.har": "{\"log\":{\"entries\":[\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<img src=\\\"https://cdn.example/a.png\\\">\"}}}\n\
             ]}}",
        };

    PAGE_NOT_CAPTURED "target/page-not-captured" Warning "ISO 28500, response"
        "a captured page links to a page that was not captured"
        "The page is one that the crawl was to capture: by default, on the host of a captured page. \
         Crawls leave pages out by their depth, their limits and robots.txt. Say with --scope \
         which pages were meant."
        "baseref audit crawl.har" {
            "crawl.har": "{\"log\":{\"entries\":[\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/page/99\\\">\"}}}\n\
             ]}}",
        };

    LISTED_NOT_CAPTURED "target/listed-not-captured" Warning "WACZ 1.1.1 §5.3"
        "a page that a crawler lists was not captured"
        "Crawlers list the pages that they visited (pages.jsonl), and replay begins with that list. A \
         page of it leads to nothing if there is no record of it: it failed, or its WARC is not \
         among the inputs."
        "baseref audit crawl.har pages.jsonl" {
            "crawl.har": "{\"log\":{\"entries\":[\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<p>\"}}}\n\
             ]}}",
            "pages.jsonl": "{\"format\":\"json-pages-1.0\",\"id\":\"pages\"}\n\
             {\"url\":\"https://a.example/\",\"ts\":\"2024-03-01T10:00:00Z\"}\n\
             {\"url\":\"https://a.example/lost\",\"ts\":\"2024-03-01T10:00:05Z\"}\n",
        };

    CAPTURED_ERROR "target/captured-error" Error "ISO 28500, response"
        "the link leads to a capture of an error"
        "The server was asked and answered with an error, which replay shows. Of several captures \
         the nearest to that of the page counts, but a failure of the server only if there is no \
         other."
        "baseref audit crawl.har" {
            "crawl.har": "{\"log\":{\"entries\":[\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/gone\\\">\"}}},\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/gone\"},\"response\":{\"status\":404,\"content\":{\"mimeType\":\"text/html\"}}}\n\
             ]}}",
        };

    CAPTURED_REDIRECT "target/captured-redirect" Note "RFC 9110 §15.4"
        "the link leads to a capture by a redirect"
        "The redirect was captured, and replay follows it."
        "baseref audit crawl.har" {
            "crawl.har": "{\"log\":{\"entries\":[\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/old\\\">\"}}},\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/old\"},\"response\":{\"status\":301,\"redirectURL\":\"/new\",\"content\":{\"mimeType\":\"text/html\"}}},\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/new\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<p>\"}}}\n\
             ]}}",
        };

    REDIRECT_NOT_CAPTURED "target/redirect-not-captured" Error "RFC 9110 §15.4"
        "the link leads to a redirect that does not end in a capture"
        "The redirect was captured, but not what it leads to; or it leads to an error, to itself or \
         nowhere."
        "baseref audit crawl.har" {
            "crawl.har": "{\"log\":{\"entries\":[\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/old\\\">\"}}},\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/old\"},\"response\":{\"status\":301,\"redirectURL\":\"/new\",\"content\":{\"mimeType\":\"text/html\"}}}\n\
             ]}}",
        };

    LOOSE_CAPTURE "target/loose-capture" Note "pywb, rules.yaml; surt"
        "what was captured has a URL that differs a little"
        "It differs in case, in the last slash, in a session or in the order of the query; that of a \
         file in its version. Some replay systems take the two for one, others do not."
        "baseref audit crawl.har" {
            "crawl.har": "{\"log\":{\"entries\":[\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<a href=\\\"/Guide/\\\">\"}}},\n\
             {\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/guide\"},\"response\":{\"status\":200,\"content\":{\"mimeType\":\"text/html\",\"text\":\"<p>\"}}}\n\
             ]}}",
        };

    REVISIT_ELSEWHERE "target/revisit-elsewhere" Note "WARC 1.1 §6.7"
        "the capture says that it is the same as one that is not here"
        "Crawlers store a payload once. The record with it is in an archive that is not among the \
         inputs, so its fragments are not judged."
        "baseref audit crawl.warc" {
            "crawl.warc": "WARC/1.1\r\n\
             WARC-Type: response\r\n\
             WARC-Target-URI: https://a.example/\r\n\
             Content-Type: application/http\r\n\
             Content-Length: 57\r\n\
             \r\n\
             HTTP/1.1 200 OK\r\n\
             Content-Type: text/html\r\n\
             \r\n\
             <a href=\"/b\">\r\n\
             \r\n\
             WARC/1.1\r\n\
             WARC-Type: revisit\r\n\
             WARC-Target-URI: https://a.example/b\r\n\
             WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n\
             WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n\
             Content-Length: 0\r\n\
             \r\n\
             \r\n\
             \r\n\
             ",
        };

    CASE_MISMATCH "target/case-mismatch" Error "RFC 3986 §6.2.2.1"
        "the file exists, but its name differs by case"
        "It works on Windows and macOS and fails on most servers. Where the hosting does not tell \
         case apart, this is a note."
        "baseref audit ." { "page.html": "<a href=\"guide.html\">", "Guide.html": "" };

    UNICODE_MISMATCH "target/unicode-mismatch" Warning "Unicode Standard Annex #15"
        "the file exists, but its name has another Unicode normalization"
        "The two names look the same but differ in bytes: one has an accent as a character of \
         its own. Some file systems do not tell them apart, most servers do."
        "baseref audit ." { "page.html": "<a href=\"%C3%A9.html\">", "e\u{301}.html": "" };

    CHARSET_MISMATCH "target/charset-mismatch" Warning "URL Standard, \"percent-encode\""
        "the escapes in the link are in the page's encoding, the name of the file is in UTF-8"
        "Browsers write paths in UTF-8 whatever the encoding of the page is, but escapes stay as they \
         are: `%E9` is not the `é` of a name in UTF-8."
        "baseref audit ." {
            "page.html": "<meta charset=\"iso-8859-1\"><a href=\"caf%E9.html\">",
            "café.html": "",
        };

    DIR_NO_INDEX "target/dir-no-index" Error "HTTP servers' documentation of index files"
        "the link leads to a folder without an index"
        "The folder is there, but none of the index files of the hosting is in it: a server answers \
         with a list of files or with an error."
        "baseref audit ." { "page.html": "<a href=\"images/\">", "images/a.png": "" };

    DIR_NO_SLASH "target/dir-no-slash" Note "RFC 1808 §4 step 6"
        "the link leads to a folder through a redirect"
        "Without its trailing slash the URL costs one more request, and relative links of the \
         page would be wrong if the server did not redirect."
        "baseref audit ." { "page.html": "<a href=\"guide\">", "guide/index.html": "" };

    REDIRECTED "target/redirected" Note "RFC 9110 §15.4"
        "redirect rules lead the link to another address"
        "The rules of `--redirects` answer with a redirect, which costs one more request. Where the \
         link must last, write the address that it arrives at."
        "baseref audit --redirects netlify:_redirects ." {
            "page.html": "<a href=\"old.html\">",
            "_redirects": "/old.html /new.html 301\n",
            "new.html": "",
        };

    RULES_UNDECIDED "target/rules-undecided" Warning "RFC 9110 §15.4"
        "where a link leads is decided by rules that are not read"
        "No file is there, and a line of `--redirects` answers by what is not known here: a header of \
         the visitor, a program, another server."
        "baseref audit --redirects netlify:_redirects ." {
            "page.html": "<a href=\"api/list\">",
            "_redirects": "/api/* https://api.example/:splat 200\n",
        };

    SLASH_DEPENDENT "target/slash-dependent" Warning "RFC 1808 §4 step 6"
        "the link leads elsewhere when its page is requested without the slash"
        "The hosting serves this page at two URLs, with a slash and without. A relative link \
         in it then has two meanings. A link from the root does not."
        "baseref audit . --dir serve" {
            "guide/index.html": "<a href=\"next.html\">",
            "guide/next.html": "",
        };

    EXT_FALLBACK "target/ext-fallback" Note "documentation of the hosting"
        "the link omits the extension of the file"
        "This hosting adds it. Others do not, nor do browsers that read the files from a disk."
        "baseref audit . --hosting github-pages" {
            "page.html": "<a href=\"guide\">",
            "guide.html": "",
        };

    ESCAPES_TREE "target/escapes-tree" Warning "RFC 1808 §4 step 6"
        "the link leads out of the tree, on the same host"
        "The URL is on the site's own host, but not below that of the tree: nothing is \
         known of what is there. The cause is too many `..`, or a path that assumes the tree to be the root. \
         If nobody says where the tree is served, only a link above its root leads out of it: an error, \
         unless a browser, which drops what is too much, would find a file. Say with --url-map."
        "baseref audit . --url-map .=https://x.example/docs/" {
            "page.html": "<a href=\"/guide.html\">",
        };

    UNMAPPABLE "target/unmappable" Warning "RFC 3986 §2.4"
        "no file can have this URL"
        "A name in the path contains an escaped slash or a NUL, or a symbolic link leads out of the \
         tree. It is not looked up."
        "baseref audit ." { "page.html": "<a href=\"a%2Fb.html\">" };

    BASE_UNDEFINED "base/undefined" Error "RFC 1808 §3.4, §4 step 1"
        "a relative link in a document without a known base"
        "The document has no base element, no header field gives a base, and the URL that it was \
         retrieved from is not known. Give it with --url-map, or audit the directory as a whole."
        "baseref audit page.html" { "page.html": "<a href=\"a.html\">" };

    BASE_UNSUITABLE "base/unsuitable" Error "RFC 1808 §2"
        "nothing can be relative to the base"
        "Its scheme has no path: mailto, news, data, javascript, about and the like."
        "baseref audit ." { "page.html": "<base href=\"mailto:a@b\">" };

    BASE_AFTER_LINK "base/after-link" Warning "HTML, the base element"
        "the base element comes after a link"
        "It also applies to the links before it, but a browser may already have begun to load what they \
         lead to by then, and a person who reads the source will not expect it."
        "baseref audit ." {
            "page.html": "<link href=\"a.css\" rel=\"stylesheet\"><base href=\"/docs/\">",
        };

    BASE_MULTIPLE "base/multiple" Warning "HTML, the base element"
        "a base element after the first one"
        "The first base element with an href wins. This one has no effect."
        "baseref audit ." { "page.html": "<base href=\"/a/\"><base href=\"/b/\">" };

    BASE_RELATIVE "base/relative" Warning "RFC 1808 §10"
        "the base is relative"
        "RFC 1808 requires an absolute URL. Browsers resolve it against the URL of the document, so \
         it means something else in a copy of the page."
        "baseref audit ." { "page.html": "<base href=\"../\">" };

    BASE_OUTSIDE_HEAD "base/outside-head" Note "RFC 1808 §10"
        "the base element is in the body of the page"
        "RFC 1808 provides for it only in the head. Browsers accept it anywhere; a program \
         that reads only the head does not."
        "baseref audit ." { "page.html": "<body><base href=\"/docs/\">" };

    BASE_EMPTY "base/empty" Warning "HTML, the base element"
        "the base element has an empty href"
        "It gives no base, but keeps browsers from using another base element after it."
        "baseref audit ." { "page.html": "<base href=\"\">" };

    BASE_PATHLESS "base/pathless" Note "RFC 1808 §2.4.6, RFC 3986 §5.2.3"
        "the base has a host but no path"
        "A slash is added when a relative link is resolved. Write it out."
        "baseref audit ." { "page.html": "<base href=\"http://www.example.com\">" };

    BASE_FRAGMENT "base/fragment" Note "RFC 1808 §4"
        "the base has a fragment"
        "In RFC 1808 an empty link inherits it; no other rule set uses it."
        "baseref audit ." { "page.html": "<base href=\"http://www.example.com/#top\">" };

    BASE_RETARGETS_FRAGMENT "base/retargets-fragment" Warning "RFC 1808 §4 steps 2a and 5"
        "because of the base, a link to a place in this page leads to another page"
        "A link that is only a fragment, or empty, is relative to the base like any other."
        "baseref audit ." { "guide.html": "<base href=\"/\"><a href=\"#install\">" };

    BASE_FOREIGN "base/foreign" Warning "RFC 1808 §3.1"
        "the base is not on the same site as the page"
        "All relative links of the page lead away from the tree, so none of them can be looked up. If \
         it is the address of the tree, say so: --url-map DIR=URL."
        "baseref audit . --url-map .=https://x.example/" {
            "page.html": "<base href=\"https://other.example/\">",
        };

    BASE_PRIVATE_HOST "base/private-host" Error "RFC 1918, RFC 6761"
        "the base is a URL that only the author can reach"
        "A build for a local preview was published: every relative link leads to a file, to this \
         machine, or to a host of a private network."
        "baseref audit ." { "page.html": "<base href=\"http://localhost:1313/\">" };

    BASE_LAYER_CONFLICT "base/layer-conflict" Off "RFC 1808 §3"
        "the layers of RFC 1808 §3 give different bases, and a link differs under them"
        "The base in the document wins over a header field, and that over the retrieval URL. A \
         program that reads only some of them resolves the link elsewhere."
        "baseref audit . --rule base/layer-conflict=warning" {
            "page.eml": "Content-Base: http://b.example/\n\
             Content-Type: text/html\n\
             \n\
             <base href=\"http://a.example/\"><a href=\"c.html\">",
        };

    BASE_HEADER_ONLY "base/header-only" Off "RFC 1808 §3.2"
        "the base comes only from a header field"
        "It is lost when the page is saved without its message."
        "baseref audit . --rule base/header-only=warning" {
            "page.eml": "Content-Base: http://a.example/\n\
             Content-Type: text/html\n\
             \n\
             <a href=\"b.html\">",
        };

    BASE_IGNORED_BY_BROWSER "base/ignored-by-browser" Warning "HTML, \"set the frozen base URL\""
        "browsers ignore this base"
        "A base with the scheme data or javascript is never used, nor one that a Content Security \
         Policy of the page forbids, nor one in a template, in SVG or in MathML."
        "baseref audit ." { "page.html": "<base href=\"data:text/html,\">" };

    SYNTAX_NON_ASCII "syntax/non-ascii" Warning "RFC 1808 §2.2"
        "the URL contains non-ASCII characters"
        "Browsers encode them in UTF-8, and those of a query in the encoding of the page; other \
         programs may not."
        "baseref audit ." { "page.html": "<a href=\"café.html\">" };

    SYNTAX_WHITESPACE "syntax/whitespace" Warning "RFC 1808 §2.2"
        "the URL contains a space"
        "Write %20."
        "baseref audit ." { "page.html": "<a href=\"my file.html\">" };

    SYNTAX_CONTROL "syntax/control" Warning "RFC 1808 §2.2"
        "the URL contains a tab, a line break or another control character"
        "Browsers remove tabs and line breaks and encode the others."
        "baseref audit ." { "page.html": "<a href=\"a&#10;b.html\">" };

    SYNTAX_BACKSLASH "syntax/backslash" Warning "RFC 1808 §2.2"
        "the URL contains a backslash"
        "In http, https and file URLs browsers treat it as a slash; other programs do not."
        "baseref audit ." { "page.html": "<a href=\"dir\\file.html\">" };

    SYNTAX_BAD_ESCAPE "syntax/bad-escape" Warning "RFC 1808 §2.2"
        "a % without two hexadecimal digits"
        "Write %25 for a percent sign."
        "baseref audit ." { "page.html": "<a href=\"100%.html\">" };

    SYNTAX_EXTRA_HASH "syntax/extra-hash" Warning "RFC 1808 §2.2"
        "a second # in the URL"
        "The fragment begins at the first one."
        "baseref audit ." { "page.html": "<a href=\"a.html#b#c\">" };

    SYNTAX_NATIONAL "syntax/national" Note "RFC 1808 §2.2"
        "a brace, bracket, bar, caret or backtick, which must be escaped in a URL"
        "Browsers encode some of them and leave others."
        "baseref audit ." { "page.html": "<a href=\"a{b}.html\">" };

    SYNTAX_AMBIGUOUS_CHARREF "syntax/ambiguous-charref" Note "HTML, \"character reference state\""
        "a character reference without its semicolon"
        "Text meant as a parameter may be read as a character: write &amp; for &."
        "baseref audit ." { "page.html": "<a href=\"?a=1&copy\">" };

    SYNTAX_BNF "syntax/bnf" Off "RFC 1808 §2.2"
        "the value is not a URL by the grammar of RFC 1808"
        "It contains <, > or a quotation mark, which enclose URLs but never occur in them. What a more \
         specific rule says about a value is not repeated."
        "baseref audit . --rule syntax/bnf=warning" { "page.html": "<a href=\"a<b>.html\">" };

    DISAGREE_HOST "resolve/disagree-host" Error "RFC 1808 §4, RFC 3986 §5.2, URL Standard"
        "RFC 1808, RFC 3986 and browsers lead to different hosts"
        "The three rule sets do not resolve this link to one URL: they differ in scheme or host. The finding names the cause. Write the link so that all programs agree."
        "baseref audit ." { "page.html": "<a href=\"///host/x\">" };

    DISAGREE_PATH "resolve/disagree-path" Warning "RFC 1808 §4, RFC 3986 §5.2, URL Standard"
        "RFC 1808, RFC 3986 and browsers lead to different paths"
        "The three rule sets do not resolve this link to one URL: they differ in path or query. It is \
         an error where they lead to different files."
        "baseref audit ." { "docs/page.html": "<a href=\"..\\x.html\">" };

    DISAGREE_MINOR "resolve/disagree-minor" Off "RFC 1808 §4, RFC 3986 §5.2, URL Standard"
        "RFC 1808, RFC 3986 and browsers give URLs that differ in dot segments or the fragment"
        "Servers usually do not tell them apart."
        "baseref audit . --rule resolve/disagree-minor=note" {
            "docs/page.html": "<a href=\"../../../x.html\">",
        };

    RESOLVE_FAIL "resolve/fail" Warning "RFC 1808 §4, RFC 3986 §5.2, URL Standard"
        "not all programs make a URL of it"
        "Some of RFC 1808, RFC 3986 and browsers refuse the link. It is an error where browsers do."
        "baseref audit ." { "page.html": "<a href=\"http://a b/\">" };

    MIXED_ACTIVE "policy/mixed-active" Error "Mixed Content, \"should fetching request be blocked\""
        "an https page loads over http what browsers block"
        "Browsers block scripts, style sheets, frames, tracks and images of a srcset."
        "baseref audit . --url-map .=https://x.example/" {
            "page.html": "<script src=\"http://a.example/a.js\"></script>",
        };

    MIXED_PASSIVE "policy/mixed-passive" Warning "Mixed Content, \"upgradeable content\""
        "an https page loads an image, an icon, audio or video over http"
        "Browsers request it over https, or warn."
        "baseref audit . --url-map .=https://x.example/" {
            "page.html": "<img src=\"http://a.example/a.png\">",
        };

    EMPTY_HREF "policy/empty-href" Warning "RFC 1808 §5.2"
        "the URL is empty"
        "By RFC 1808 an empty URL is the base, and a link leads to the page itself. Of images, scripts and media browsers load nothing and report an error to the page, which makes it an error; of frames and style sheets they load nothing, either. A form without an action is sent to its page, as meant."
        "baseref audit ." { "page.html": "<img src=\"\">" };

    FILE_URL "policy/file-url" Error "RFC 8089"
        "the link leads to a file on the reader's machine"
        "Nobody but its author has that file, and browsers do not follow such a link from the web."
        "baseref audit ." { "page.html": "<a href=\"file:///C:/Users/me/a.html\">" };

    PRIVATE_HOST "policy/private-host" Warning "RFC 1918, RFC 6761"
        "the link leads to a URL that only the author can reach"
        "This machine, a private network, or a host without a domain."
        "baseref audit ." { "page.html": "<a href=\"http://localhost:8000/\">" };

    EXTERNAL_DEAD "external/dead" Error "RFC 9110 §15.5.5, §15.5.11"
        "what the link leads to is gone"
        "The server answered 404 or 410, if need be at the end of redirects, or the host has no \
         address. This is what the files of --status say; nothing is fetched."
        "baseref audit . --status measured.txt" {
            "page.html": "<a href=\"http://a.example/gone\">",
            "measured.txt": "http://a.example/gone 404 \n",
        };

    EXTERNAL_MOVED "external/moved" Warning "RFC 9110 §15.4.2, §15.4.9"
        "what the link leads to has moved permanently"
        "The redirect works as long as the old server keeps it. The new URL is the end of the \
         redirects, all of which are permanent."
        "baseref audit . --status measured.txt" {
            "page.html": "<a href=\"http://a.example/\">",
            "measured.txt": "http://a.example/ 301 https://a.example/\n",
        };

    EXTERNAL_UNKNOWN "external/unknown" Note "RFC 9110 §15"
        "the measurement does not say whether the link works"
        "Servers answer programs with 403, 429 or 5xx that would answer a reader with a page; a \
         time-out may be over tomorrow."
        "baseref audit . --status measured.txt" {
            "page.html": "<a href=\"http://a.example/\">",
            "measured.txt": "http://a.example/ 503 \n",
        };

    EXTERNAL_UNCHECKED "external/unchecked" Note "documentation of --status"
        "the link was not measured, or too long ago"
        "No file of --status has its URL, or what was measured is older than --max-age."
        "baseref audit . --status measured.txt" {
            "page.html": "<a href=\"http://a.example/new\">",
            "measured.txt": "http://a.example/ 200 \n",
        };

    EXTERNAL_ARCHIVED "external/archived" Note "RFC 7089"
        "a web archive has a copy of what the link leads to"
        "The link is dead, or was not measured. Of several copies the one nearest to the date of the \
         page is named, or the last one where that date is not known; copies of errors and of \
         redirects do not count. `--fix archived` writes its address."
        "baseref audit . --status index.cdxj" {
            "page.html": "<a href=\"http://a.example/gone\">",
            "index.cdxj": "example,a)/gone 20240301100000 {\"url\": \"http://a.example/gone\", \
                           \"mime\": \"text/html\", \"status\": \"200\"}\n",
        };

    EXTERNAL_INSECURE_WORKS "external/insecure-works" Note "RFC 9110 §4.2.2"
        "the same URL answers over https"
        "Both URLs were measured, and the secure one is alive."
        "baseref audit . --status measured.txt" {
            "page.html": "<a href=\"http://a.example/\">",
            "measured.txt": "http://a.example/ 200 \nhttps://a.example/ 200 \n",
        };

    USERINFO "policy/userinfo" Warning "RFC 3986 §7.5"
        "the link contains a user name or password"
        "Everyone who reads the page gets it."
        "baseref audit ." { "page.html": "<a href=\"https://me:secret@a.example/\">" };

    DUPLICATE_ID "doc/duplicate-id" Warning "HTML, the id attribute"
        "two elements have the same name"
        "A link to it leads to the first of them."
        "baseref audit ." { "page.html": "<p id=\"a\"><p id=\"a\">" };

    CHARSET_QUERY "doc/charset-query" Warning "URL Standard, \"query state\""
        "a query with characters that depend on the page's encoding"
        "Browsers encode the query in the encoding of the page. Saved in UTF-8, the same page requests \
         something else."
        "baseref audit ." { "page.html": "<meta charset=\"iso-8859-1\"><a href=\"?q=&eacute;\">" };

    UNREADABLE "doc/unreadable" Error "baseref, exit code 3"
        "a document could not be read, or not to its end"
        "Its links are not checked, and it does not count as clean."
        "baseref audit ." {
            "page.xhtml": "<!DOCTYPE html [<!ENTITY nav SYSTEM \"nav.html\">]>\n\
             <html xmlns=\"http://www.w3.org/1999/xhtml\"><body>&nav;</body></html>",
        };

    CID_UNRESOLVED "mail/cid-unresolved" Error "RFC 2392"
        "a cid: URL matches no part of the message"
        "The image or page that was meant is not in the message."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<img src=\"cid:logo@example\">",
        };

    CID_WRONG_SCOPE "mail/cid-wrong-scope" Note "RFC 2557 §8.2"
        "the part of a cid: URL is outside the multipart/related of the page"
        "Links name parts of the same or an enclosing multipart/related; many programs look at all \
         parts of the message."
        "baseref audit ." {
            "page.eml": "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=\"cid:logo@x\">\n--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\nx\n--b--",
        };

    CID_CASE "mail/cid-case" Note "RFC 2392 §2"
        "a cid: URL and the Content-ID of its part differ in capitals"
        "Content-IDs are compared letter by letter; some programs do not."
        "baseref audit ." {
            "page.eml": "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=\"cid:Logo@x\">\n--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\nx\n--b--",
        };

    CID_DUPLICATE "mail/cid-duplicate" Warning "RFC 2045 §7"
        "several parts have the Content-ID of a cid: URL"
        "Content-IDs are unique; programs show the first part or the last."
        "baseref audit ." {
            "page.eml": "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=\"cid:logo@x\">\n--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\nx\n--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\ny\n--b--",
        };

    CID_BARE "mail/cid-bare" Note "RFC 2392"
        "a URL is the Content-ID of a part, without cid:"
        "Few programs show the part; to others it is a relative URL."
        "baseref audit ." {
            "page.eml": "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src=\"image001.png\">\n--b\nContent-Type: image/png\nContent-ID: <image001.png>\n\nx\n--b--",
        };

    CID_UNUSED "mail/cid-unused" Note "RFC 2387"
        "a part is there to be shown in the page, and nothing shows it"
        "It is in the multipart/related of the page and has a Content-ID that no link names: programs \
         hide it, or list it as an attachment."
        "baseref audit ." {
            "page.eml": "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>\n--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\nx\n--b--",
        };

    TEXT_MISMATCH "mail/text-mismatch" Error "RFC 3986 §7.6, MailScanner, Thunderbird"
        "the text of a link is the address of one site, and the link leads to another"
        "The whole text is a URL or a host, so readers take it for where the link leads. The wrappers of \
         mail security, newsletters and redirectors are opened first. It is a warning if the text may \
         be the name of a file, and a note if the link names that host in its query."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"http://evil.com/\">www.paypal.com</a>",
        };

    TEXT_OTHER_SUFFIX "mail/text-other-suffix" Warning "Public Suffix List"
        "the text of a link and its target are one name under two public suffixes"
        "Companies have the same name under several of them, and so do those who imitate them."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"http://www.roses.com/\">www.roses.co.za</a>",
        };

    TEXT_HOST_DIFFERS "mail/text-host-differs" Note "Public Suffix List"
        "the text of a link names one host of a site, and the link leads to another"
        "Both belong to the same owner."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"http://mail.x.com/\">www.x.com</a>",
        };

    TEXT_MISMATCH_OPAQUE "mail/text-mismatch-opaque" Note "RFC 3986 §7.6"
        "the text of a link is an address, and only a service knows where it leads"
        "The link is wrapped by a service that does not write the target into it, or the target is \
         damaged: nothing can be said about it offline."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"https://bit.ly/x\">www.x.com</a>",
        };

    MAILTO_MISMATCH "mail/mailto-mismatch" Warning "RFC 6068"
        "the text of a link is a mail address, and the link writes to another"
        "It is a note if the link leads to a page of another site."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"mailto:joe@bad.com\">joe@good.com</a>",
        };

    TITLE_MISMATCH "mail/title-mismatch" Warning "HTML, the title attribute"
        "the title of a link is the address of one site, and the link leads to another"
        "Programs show the title over the link. Outlook writes the URL before Safe Links into it. It is a \
         note if the link names that host in its query."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"http://evil.com/\" title=\"https://www.paypal.com/\">here</a>",
        };

    USERINFO_TRICK "mail/userinfo-trick" Error "RFC 3986 §7.6"
        "a link shows a host before an @, and leads to the one behind it"
        "What stands before the @ is a user name, which browsers do not show a host."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"http://paypal.com@evil.com/\">here</a>",
        };

    IP_HOST "mail/ip-host" Warning "URL Standard, \"host parser\""
        "a link leads to an IP address"
        "The address is shown as browsers read it: they take `0x33c3770d` and `012345267142` for one. It is a note for \
         addresses of private networks."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"http://012345267142/\">here</a>",
        };

    IDN_MIXED_SCRIPT "mail/idn-mixed-script" Warning "UTS #39 §5.2"
        "a name in the host mixes scripts that do not occur together"
        "The restriction level \"highly restrictive\" allows Latin with the scripts of Chinese, Japanese or \
         Korean, and nothing else."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html; charset=utf-8\n\n<a href=\"http://p\u{430}ypax.com/\">here</a>",
        };

    IDN_CONFUSABLE "mail/idn-confusable" Error "UTS #39 §4"
        "the host looks like another"
        "Its skeleton is that of the sender's domain, of one in `--protect-domains`, or it is wholly in \
         another script and looks like ASCII."
        "baseref audit ." {
            "page.eml": "From: news@apple.com\nContent-Type: text/html\n\n<a href=\"http://xn--80ak6aa92e.com/\">here</a>",
        };

    DOMAIN_LOOKALIKE "mail/domain-lookalike" Warning "dnstwist, URLs of imitations"
        "the host contains a protected domain, or differs from it in one letter or in accents"
        "A letter or a hyphen more or less, two letters exchanged, the name as a word of another or before \
         another domain. Only the domains in `--protect-domains` are compared: between other names it says \
         nothing."
        "baseref audit . --protect-domains domains.txt" {
            "page.eml": "Content-Type: text/html\n\n<a href=\"http://paypal.com.evil.com/\">here</a>",
            "domains.txt": "paypal.com\n",
        };

    HOST_COMPAT_CHARS "mail/host-compat-chars" Note "UTS #46"
        "the host is written in characters that browsers map to others"
        "Styled letters, full-width forms and names in other scripts: the finding says what browsers read."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html; charset=utf-8\n\n<a href=\"http://\u{1d7dc}.example/\">here</a>",
        };

    WRAPPER_OPAQUE "mail/wrapper-opaque" Note "crates/unwrap"
        "only a service knows where the link leads"
        "The service does not write the target into the link, or encrypts it. Such links are grouped by \
         service."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"https://protect-eu.mimecast.com/s/AbC\">here</a>",
        };

    WRAPPER_UNDECODABLE "mail/wrapper-undecodable" Warning "crates/unwrap"
        "a wrapped link cannot be opened"
        "Its target is missing, damaged or no absolute URL; or it is wrapped more than 8 times."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"https://nam02.safelinks.protection.outlook.com/?url=\">here</a>",
        };

    WRAPPER_BAD_TARGET "mail/wrapper-bad-target" Error "crates/unwrap"
        "what is wrapped is no address of the web"
        "A link in mail leads to a page or an address; `javascript:`, `data:` and `file:` are hidden in \
         it."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"https://nam02.safelinks.protection.outlook.com/?url=javascript%3Aalert(1)\">here</a>",
        };

    WRAPPER_CONFLICT "mail/wrapper-conflict" Warning "Outlook's originalsrc, Gmail's data-saferedirecturl"
        "a program has noted another target in a link than it has"
        "Outlook and Gmail keep the URL that they wrapped in an attribute. Who copies a message into \
         another and changes its links often leaves these. It is a note for another host of the same site."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"https://evil.com/\" originalsrc=\"https://accounts.google.com/\">here</a>",
        };

    WRAPPER_LOOKALIKE "mail/wrapper-lookalike" Error "crates/unwrap"
        "a link imitates one of a mail security service"
        "The host contains the name of the service, or the link has its form, and it belongs to \
         another owner."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"https://urldefense.com.evil.com/v3/\">here</a>",
        };

    QP_RESIDUE "mail/qp-residue" Note "RFC 2045 §6.7"
        "the URL contains quoted-printable that was not decoded"
        "`=3D` stands for `=`. A program has encoded the message once too often; the finding has the \
         repaired form."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href='3D\"https://a.com/\"'>here</a>",
        };

    RECIPIENT_IN_URL "mail/recipient-in-url" Note "RFC 8058 §4"
        "the URL contains the address of the recipient"
        "As it is, in base64, or as an MD5, SHA-1 or SHA-256 hash: whoever serves the URL learns who \
         opened it."
        "baseref audit ." {
            "page.eml": "To: joe@x.com\nContent-Type: text/html\n\n<a href=\"https://a.com/?u=am9lQHguY29t\">here</a>",
        };

    REMOTE_CONTENT "mail/remote-content" Note "RFC 9116, mail programs' privacy settings"
        "opening the message loads something from a host"
        "The host learns when and where the message was read. Such things are grouped by site."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<img src=\"https://a.com/logo.png\">",
        };

    TRACKER_PIXEL "mail/tracker-pixel" Warning "paths of the services for newsletters"
        "an image only tells that the message was opened"
        "It is at most one pixel large, or hidden with an identifier in its address, or its path is that of a \
         tracker of openings, or counts openings and contains an identifier. Spacers, by their names, are none."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<img src=\"https://a.com/wf/open?upn=x\">",
        };

    CLOUD_ATTACHMENT "mail/cloud-attachment" Note "share dialogues of the services"
        "the link leads to a file on a service for storing files"
        "The message does not carry it, so it is not archived with it. The finding says whose it is, as far \
         as the link does."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"https://contoso-my.sharepoint.com/:w:/g/personal/joe/x\">here</a>",
        };

    UNSUB_NO_HTTPS "mail/unsub-no-https" Note "RFC 8058 §3.1"
        "List-Unsubscribe has no https URL"
        "Mail programs can only offer to write a message."
        "baseref audit ." {
            "page.eml": "List-Unsubscribe: <mailto:leave@a.com>\nContent-Type: text/html\n\n<a href=\"https://a.com/\">here</a>",
        };

    UNSUB_ONECLICK_INVALID "mail/unsub-oneclick-invalid" Warning "RFC 8058 §3.1"
        "List-Unsubscribe-Post cannot work"
        "It needs the value `List-Unsubscribe=One-Click` and one https URL in List-Unsubscribe. The \
         signature (DKIM) must cover both fields, which is not checked."
        "baseref audit ." {
            "page.eml": "List-Unsubscribe: <mailto:leave@a.com>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\nContent-Type: text/html\n\n<a href=\"https://a.com/\">here</a>",
        };

    UNSUB_BODY_DIFFERS "mail/unsub-body-differs" Note "RFC 2369 §3.2"
        "the text and the header name other sites for unsubscribing"
        "One of them may belong to a forwarder or to somebody else."
        "baseref audit ." {
            "page.eml": "List-Unsubscribe: <https://a.com/>\nContent-Type: text/html\n\n<a href=\"https://b.com/\">Unsubscribe</a>",
        };

    ALTERNATIVE_MISMATCH "mail/alternative-mismatch" Note "RFC 2046 §5.1.4"
        "the plain text of a message links to a site that its HTML does not"
        "The alternatives of a message should say the same; readers see only one of them."
        "baseref audit ." {
            "page.eml": "Content-Type: multipart/alternative; boundary=b\n\n--b\n\nhttps://a.com/\n--b\nContent-Type: text/html\n\n<a href=\"https://b.com/\">here</a>\n--b--",
        };

    FORM_ACTION "mail/form-action" Warning "HTML, form submission"
        "a form in a message sends what is typed into it"
        "Mail programs do not show who gets it."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<form action=\"https://a.com/login\"></form>",
        };

    DATA_URL_PAGE "mail/data-url-page" Error "RFC 2397"
        "a link contains a whole page"
        "It has no address that anybody could check."
        "baseref audit ." {
            "page.eml": "Content-Type: text/html\n\n<a href=\"data:text/html,<form>\">here</a>",
        };
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_findings::Level;

    #[test]
    fn every_rule_has_an_id_of_its_own_and_teaches() {
        for (number, rule) in ALL.iter().enumerate() {
            let first = ALL.iter().position(|other| other.id == rule.id);
            assert_eq!(first, Some(number), "{}", rule.id);
            assert!(rule.id.split('/').count() == 2);
            for text in [rule.summary, rule.explanation, rule.reference] {
                assert!(!text.is_empty() && !text.contains('\n'), "{}", rule.id);
            }
            assert!(
                !rule.summary.ends_with('.') && rule.explanation.ends_with('.'),
                "{}",
                rule.id
            );
        }
    }

    #[test]
    fn rules_that_nobody_acts_on_are_off_until_they_are_asked_for() {
        let off = ALL.iter().filter(|rule| rule.level == Level::Off);
        let off: Vec<&str> = off.map(|rule| rule.id).collect();
        assert_eq!(
            off,
            [
                "sitemap/unlisted",
                "base/layer-conflict",
                "base/header-only",
                "syntax/bnf",
                "resolve/disagree-minor"
            ]
        );
    }
}
