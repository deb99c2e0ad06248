//! Rules of hosting services, and the answers that their own tools gave.

use super::*;

/// As answered by superstatic 11.0.0.
#[test]
fn firebase_reads_a_source_by_its_target_and_lets_no_file_win() {
    let rules = r#"{ // comments are allowed
"hosting": {"redirects": [
{"source": "/about.html", "destination": "/t"},
{"source": "/r3/:id", "destination": "/docs/:id", "type": 302},
{"source": "/r5/:a*", "destination": "/d/:a*"},
{"source": "/g1/*", "destination": "/one"},
{"source": "/g2/**", "destination": "/two?x=1"},
{"source": "/g3{,/**}", "destination": "/three#f"},
{"source": "noslash", "destination": "/t"},
{"regex": "^/x/(?P<n>[a-z]+)$", "destination": "https://new.example/:n"},
{"regex": "/no/(?!x)", "destination": "/t"},
{"source": "/caféx", "destination": "/t"},
{"source": "/sp%20x", "destination": "/t"},
{"source": "/opt/:a?", "destination": "/o/:a"},
], "rewrites": [{"source": "/w/**", "destination": "/contact.html"},
 {"source": "/none", "destination": "/r1"},
 {"source": "/f", "function": "f"}]}}"#;
    check(
        Dialect::Firebase,
        rules,
        "/",
        &[
            ("/about.html", "301 /t"),
            ("/about.html?y=1", "301 /t?y=1"),
            ("/r3/a", "302 /docs/a"),
            ("/R3/a/", "302 /docs/a"),
            ("/r3/a%2Fb", "302 /docs/a%252Fb"),
            ("/r5/a/b", "301 /d/a/b"),
            ("/r5", "301 /d"),
            ("/g1/a", "301 /one"),
            ("/g1/", "404"),
            ("/G1/a", "404"),
            ("/g1/.a", "404"),
            ("/g2", "404"),
            ("/g2/", "301 /two?x=1&"),
            ("/g2/a/b?y=2", "301 /two?x=1&y=2"),
            ("/g3", "301 /three#f"),
            ("/g3/a?y=1", "301 /three#f?y=1"),
            ("/noslash", "301 /t"),
            ("/x/abc", "301 https://new.example/abc"),
            ("/caf%C3%A9x", "301 /t"),
            ("/sp%20x", "404"),
            ("/opt", "404"),
            ("/d", "301 /d/"),
            ("/docs/a.html", "200 =/docs/a.html"),
            ("//docs//a.html", "200 =/docs/a.html"),
            ("/w/x", "200 =/contact.html"),
            ("/none", "404"),
            ("/f", "unknown, line 17"),
        ],
    );
    let told = [(11, ProblemKind::Refused), (17, ProblemKind::NotRead)];
    assert_eq!(problems_of(Dialect::Firebase, rules), told);
}

#[test]
fn conditional_row_of_a_list_is_unknown() {
    let rules = r#"[{"from": "/a", "to": "/t"},
{"from": "/b", "to": "/t", "has": [{"type": "header", "key": "x"}]}]"#;
    let answers = [("/a", "301 /t"), ("/b", "unknown, line 2")];
    check(Dialect::Json, rules, "/", &answers);
}

/// As answered by superstatic 11.0.0.
#[test]
fn firebase_cleans_urls_of_what_exists() {
    let clean = r#"{"hosting": {"cleanUrls": true}}"#;
    let answers = [
        ("/docs/a.html?x=1", "301 /docs/a?x=1"),
        ("/docs/a", "200 =/docs/a.html"),
        ("/docs/a/", "404"),
        ("/docs", "200 =/docs/index.html"),
        ("/docs/", "200 =/docs/index.html"),
        ("/docs/index.html", "301 /docs"),
        ("/lost.html", "404"),
        ("/index.html", "301 /"),
    ];
    check(Dialect::Firebase, clean, "/", &answers);
    let without = r#"{"hosting": {"cleanUrls": true, "trailingSlash": false}}"#;
    let answers = [
        ("/docs/", "301 /docs"),
        ("/docs/a/", "301 /docs/a"),
        ("/docs/a", "200 =/docs/a.html"),
    ];
    check(Dialect::Firebase, without, "/", &answers);
    let with = r#"{"hosting": {"cleanUrls": true, "trailingSlash": true}}"#;
    let answers = [
        ("/docs/a", "301 /docs/a/"),
        ("/docs/a/", "200 =/docs/a.html"),
        ("/docs", "301 /docs/"),
        ("/docs/a.html", "301 /docs/a/"),
    ];
    check(Dialect::Firebase, with, "/", &answers);
}

/// As answered by `vercel dev` 64.0.2, except for the query, which the service passes on.
#[test]
fn vercel_redirects_before_the_files_and_rewrites_after_them() {
    let rules = r#"{"redirects": [
{"source": "/about.html", "destination": "/t"},
{"source": "/r3/:id", "destination": "/docs/:id", "permanent": false},
{"source": "/r5/:path*", "destination": "/d/:path*", "statusCode": 301},
{"source": "/n/(\\d+)", "destination": "/num/$1"},
{"source": "/q/:a", "destination": "https://o.example/?k=:a"},
{"source": "/s/:a-:b", "destination": "/:b/:a"},
{"source": "/h", "destination": "/t", "has": [{"type": "cookie", "key": "c"}]},
{"source": "/hq", "destination": "/t", "has": [{"type": "query", "key": "p", "value": "1"}]},
{"source": "/k/:p((?!keep).*)", "destination": "/kk/:p"}],
"rewrites": [{"source": "/w/:p", "destination": "/docs/:p.html"},
{"source": "/out", "destination": "https://o.example/"},
{"source": "/:path*", "destination": "/:path*.html"}]}"#;
    check(
        Dialect::Vercel,
        rules,
        "/",
        &[
            ("/about.html", "308 /t"),
            ("/r3/a%2Fb", "307 /docs/a%2Fb"),
            ("/r3/a/", "404"),
            ("/R3/a", "404"),
            ("/r5", "301 /d/"),
            ("/r5/a/b?x=1", "301 /d/a/b?x=1"),
            ("/n/12", "308 /num/12"),
            ("/n/x", "404"),
            ("/q/a%26b", "308 https://o.example/?k=a%26b"),
            ("/s/x-y-z", "308 /y-z/x"),
            ("/h", "unknown, line 8"),
            ("/hq?p=1", "308 /t?p=1"),
            ("/hq?p=2", "404"),
            ("/k/a", "308 /kk/a"),
            ("/k/keep", "404"),
            ("/docs", "200 =/docs/index.html"),
            ("/w/a", "200 =/docs/a.html"),
            ("/contact", "200 =/contact.html"),
            ("/out", "unknown, line 12"),
            ("//docs//a", "301 /docs/a"),
        ],
    );
    assert_eq!(
        problems_of(Dialect::Vercel, rules),
        [(8, ProblemKind::NotRead)]
    );
    for (source, to) in [("/a+b", "/t"), ("/a/*", "/t"), ("/a", "/:x")] {
        let rules =
            format!(r#"{{"redirects": [{{"source": "{source}", "destination": "{to}"}}]}}"#);
        let refused = [(1, ProblemKind::Refused)];
        assert_eq!(
            problems_of(Dialect::Vercel, &rules),
            refused,
            "{source} {to}"
        );
    }
}

/// As answered by `vercel dev` 64.0.2.
#[test]
fn vercel_cleans_urls_with_and_without_a_file() {
    let rules = r#"{"cleanUrls": true, "redirects": [
{"source": "/r31.html", "destination": "/t"}, {"source": "/r", "destination": "/t"}]}"#;
    check(
        Dialect::Vercel,
        rules,
        "/",
        &[
            ("/x.html", "308 /x"),
            ("/x.html/", "308 /x"),
            ("/r31.html", "308 /r31"),
            ("/docs/index.html", "308 /docs"),
            ("/about", "200 =/about.html"),
            ("/docs", "200 =/docs/index.html"),
        ],
    );
    let rules = r#"{"trailingSlash": true, "redirects": [{"source": "/r1", "destination": "/t"},
{"source": "/r2/", "destination": "/t"}]}"#;
    check(
        Dialect::Vercel,
        rules,
        "/",
        &[
            ("/r1", "308 /r1/"),
            ("/r1/", "404"),
            ("/r2/", "308 /t"),
            ("/x.txt/", "308 /x.txt"),
            ("/.well-known/x", "404"),
        ],
    );
    let rules =
        r#"{"trailingSlash": false, "redirects": [{"source": "/r2/", "destination": "/t"}]}"#;
    check(Dialect::Vercel, rules, "/", &[("/r2/", "308 /r2")]);
}

#[test]
fn vercel_tries_older_routes_around_the_files() {
    let rules = r#"{"routes": [
{"src": "/old/(.*)", "status": 301, "headers": {"Location": "/docs/$1"}},
{"src": "/(?<name>c)", "dest": "/about.html?n=$name"},
{"src": "/gone", "status": 410},
{"src": "/.*", "headers": {"x": "y"}, "continue": true},
{"handle": "filesystem"},
{"src": "/about.html", "status": 302, "headers": {"Location": "/never"}},
{"src": "/.*", "dest": "/contact.html"}]}"#;
    check(
        Dialect::Vercel,
        rules,
        "/",
        &[
            ("/old/a/b", "301 /docs/a/b"),
            ("/c", "200 =/about.html"),
            ("/gone", "410"),
            ("/about.html", "200 =/about.html"),
            ("/lost", "200 =/contact.html"),
        ],
    );
}

/// As answered by `next start` 16.4.6 with the manifest of its build.
#[test]
fn next_ignores_case_in_the_manifest() {
    let rules = r#"{"version": 3, "basePath": "", "redirects": [
{"source": "/:path+/", "destination": "/:path+", "internal": true, "statusCode": 308,
 "regex": "^(?:/((?:[^/]+?)(?:/(?:[^/]+?))*))/$"},
{"source": "/r5/:path*", "destination": "/docs/:path*", "statusCode": 308,
 "regex": "^(?!/_next)/r5(?:/((?:[^/]+?)(?:/(?:[^/]+?))*))?(?:/)?$"},
{"source": "/r16", "destination": "/about?x=1#s", "statusCode": 307,
 "regex": "^(?!/_next)/r16(?:/)?$"},
{"source": "/has", "destination": "/p/:page", "statusCode": 307,
 "has": [{"type": "query", "key": "page"}], "regex": "^(?!/_next)/has(?:/)?$"},
{"source": "/hh", "destination": "/p", "statusCode": 307,
 "has": [{"type": "header", "key": "x"}], "regex": "^(?!/_next)/hh(?:/)?$"},
{"source": "/one/(.*)", "destination": "/docs/$1", "statusCode": 308,
 "regex": "^(?!/_next)/one(?:/(.*))(?:/)?$"}],
"rewrites": {"beforeFiles": [], "afterFiles": [
{"source": "/w/:p", "destination": "/docs/:p", "regex": "^/w(?:/([^/]+?))(?:/)?$"},
{"source": "/away", "destination": "https://o.example/", "regex": "^/away(?:/)?$"}],
"fallback": []},
"dynamicRoutes": [{"page": "/blog/[slug]", "regex": "^/blog/([^/]+?)(?:/)?$"}]}"#;
    check(
        Dialect::Next,
        rules,
        "/",
        &[
            ("/r5/", "308 /r5"),
            ("/r5", "308 /docs"),
            ("/R5/a/b", "308 /docs/a/b"),
            ("/r16?y=1", "307 /about?y=1&x=1#s"),
            ("/r16?x=2", "307 /about?x=1#s"),
            ("/has?page=2", "307 /p/2?page=2"),
            ("/has?page=", "404"),
            ("/hh", "unknown, line 10"),
            ("/one/x", "308 /docs/$1"),
            ("/about", "200 =/about.html"),
            ("/ABOUT", "404"),
            ("/w/a", "200 =/docs/a.html"),
            ("/away", "unknown, line 16"),
            ("/blog/post", "200 =/blog/post.html"),
            ("/blog/none", "unknown, line 18"),
            ("//a//b", "308 /a/b"),
        ],
    );
}

/// As answered by @azure/static-web-apps-cli 2.0.10.
#[test]
fn azure_first_route_wins_and_drops_the_query() {
    let rules = r#"{"routes": [
{"route": "/about.html", "redirect": "/t"},
{"route": "/r3/*", "redirect": "/three", "statusCode": 301},
{"route": "/r4*", "redirect": "/four"},
{"route": "/r14/*/end", "redirect": "/never"},
{"route": "/img/*.{png,jpg}", "redirect": "/i"},
{"route": "/w", "rewrite": "/contact.html"},
{"route": "/gone", "statusCode": 410},
{"route": "/admin/*", "allowedRoles": ["admin"]},
{"route": "/sp%20x", "redirect": "/t"},
{"route": "/h/*.{html,php}", "redirect": "/h"}],
"responseOverrides": {"404": {"redirect": "/lost.html"}}}"#;
    check(
        Dialect::Swa,
        rules,
        "/",
        &[
            ("/about.html?x=1", "302 /t"),
            ("/r3", "301 /three"),
            ("/r3/", "301 /three"),
            ("/r3/a/b", "301 /three"),
            ("/R3/a", "302 /lost.html"),
            ("/r4", "302 /four"),
            ("/r4x", "302 /lost.html"),
            ("/img/a.png", "302 /i"),
            ("/img/a.gif", "302 /lost.html"),
            ("/w", "200 =/contact.html"),
            ("/gone", "410"),
            ("/admin/x", "unknown, line 9"),
            ("/sp%20x", "302 /t"),
            ("/h/x.php", "302 /h"),
            ("/h/x", "302 /h"),
            ("/h/x.y", "302 /lost.html"),
            ("/h/x.php/", "302 /lost.html"),
            ("/docs", "301 /docs/"),
            ("/docs?x=1", "301 /docs/"),
            ("/docs/", "200 =/docs/index.html"),
        ],
    );
    let told = [(5, ProblemKind::Dropped), (9, ProblemKind::NotRead)];
    assert_eq!(problems_of(Dialect::Swa, rules), told);
    let rules = r#"{"navigationFallback": {"rewrite": "/index.html", "exclude": ["/img/*"]}}"#;
    let answers = [("/lost", "200 =/index.html"), ("/img/x", "404")];
    check(Dialect::Swa, rules, "/", &answers);
}

/// As the guide of AWS describes it.
#[test]
fn s3_compares_prefixes_before_the_object_and_codes_after_it() {
    let json = r#"[{"Condition": {"KeyPrefixEquals": "r2"}, "Redirect": {"ReplaceKeyPrefixWith": "docs/"}},
{"Condition": {"KeyPrefixEquals": "about.html"}, "Redirect": {"ReplaceKeyWith": "t", "HttpRedirectCode": "302"}},
{"Condition": {"HttpErrorCodeReturnedEquals": "404", "KeyPrefixEquals": "d/"},
 "Redirect": {"HostName": "o.example", "Protocol": "https"}}]"#;
    let xml = "<RoutingRules>\n<RoutingRule><Condition><KeyPrefixEquals>r2</KeyPrefixEquals></Condition>\
        <Redirect><ReplaceKeyPrefixWith>docs/</ReplaceKeyPrefixWith></Redirect></RoutingRule>\n\
        <RoutingRule><Condition><KeyPrefixEquals>about.html</KeyPrefixEquals></Condition>\
        <Redirect><ReplaceKeyWith>t</ReplaceKeyWith><HttpRedirectCode>302</HttpRedirectCode></Redirect>\
        </RoutingRule>\n<RoutingRule><Condition><HttpErrorCodeReturnedEquals>404</HttpErrorCodeReturnedEquals>\
        <KeyPrefixEquals>d/</KeyPrefixEquals></Condition><Redirect><HostName>o.example</HostName>\
        <Protocol>https</Protocol></Redirect></RoutingRule></RoutingRules>";
    for rules in [json, xml] {
        check(
            Dialect::S3,
            rules,
            "/",
            &[
                ("/r2/a?x=1", "301 /docs//a"),
                ("/r20", "301 /docs/0"),
                ("/about.html", "302 /t"),
                ("/d/", "200 =/d/index.html"),
                ("/d/none", "301 https://o.example/d/none"),
                ("/docs", "302 /docs/"),
                ("/lost", "404"),
            ],
        );
    }
    let all = r#"{"RedirectAllRequestsTo": {"HostName": "n.example", "Protocol": "https"}}"#;
    check(
        Dialect::S3,
        all,
        "/",
        &[("/a?x", "301 https://n.example/a?x")],
    );
}

/// As the configuration reference of Microsoft describes it; no server was measured.
#[test]
fn iis_runs_rules_in_order_on_the_path_without_its_slash() {
    let rules = r#"<?xml version="1.0"?>
<configuration><system.webServer><rewrite><rewriteMaps>
<rewriteMap name="Old"><add key="/m1" value="/docs/a.html"/></rewriteMap></rewriteMaps><rules>
<rule name="1"><match url="^about\.html$"/><action type="Redirect" url="/t"/></rule>
<rule name="2"><match url="^r3/(.*)$"/><action type="Redirect" url="docs/{R:1}" redirectType="Found"/></rule>
<rule name="3"><match url="^r4$"/><action type="Redirect" url="/t?x=1" appendQueryString="false"/></rule>
<rule name="4"><match url=".*"/><conditions><add input="{Old:{REQUEST_URI}}" pattern="(.+)"/></conditions>
<action type="Redirect" url="{C:1}"/></rule>
<rule name="5"><match url="^h$"/><conditions><add input="{HTTP_ACCEPT}" pattern="html"/></conditions>
<action type="Redirect" url="/t"/></rule>
<rule name="6" stopProcessing="true"><match url="^gone"/><action type="CustomResponse" statusCode="410"/></rule>
<rule name="7" patternSyntax="Wildcard"><match url="w/*"/><action type="Redirect" url="/ww/{R:1}"/></rule>
<rule name="8"><match url="(.*)"/><conditions><add input="{REQUEST_FILENAME}" matchType="IsFile" negate="true"/>
<add input="{REQUEST_FILENAME}" matchType="IsDirectory" negate="true"/></conditions>
<action type="Rewrite" url="{R:1}.html"/></rule>
</rules></rewrite></system.webServer></configuration>"#;
    check(
        Dialect::Iis,
        rules,
        "/",
        &[
            ("/about.html?y=1", "301 /t?y=1"),
            ("/ABOUT.html", "301 /t"),
            ("/r3/a%20b", "302 /docs/a%20b"),
            ("/r4?y=1", "301 /t?x=1"),
            ("/m1", "301 /docs/a.html"),
            ("/h", "unknown, line 9"),
            ("/gone/x", "410"),
            ("/w/a/b", "301 /ww/a/b"),
            ("/contact", "200 =/contact.html"),
            ("/docs", "301 /docs/"),
            ("/docs/", "200 =/docs/index.html"),
            ("/lost", "404"),
        ],
    );
    let all = "<configuration><system.webServer><httpRedirect enabled=\"true\" \
               destination=\"https://n.example/\" httpResponseStatus=\"Permanent\"/>\
               </system.webServer></configuration>";
    check(
        Dialect::Iis,
        all,
        "/",
        &[("/a?x", "301 https://n.example/a?x")],
    );
}

/// As answered by Caddy 2.6.2.
#[test]
fn caddy_runs_directives_in_its_own_order_and_the_longer_path_first() {
    let rules = "{\n\tadmin off\n}\n(old) {\n\tredir /old/{args.0} /new/{args.0} permanent\n}\n\
        http://h, http://www.h {\n\tfile_server\n\timport old a\n\tredir /r1* /one 301\n\
        \tredir /r1/x /exact 301 # a comment\n\t@re path_regexp num ^/n/([0-9]+)$\n\
        \tredir @re /num/{re.num.1} 308\n\tredir /u /t{uri}\n\t@q {\n\t\tpath /q\n\t\tquery a=1\n\t}\n\
        \tredir @q /qq\n\trewrite /w1 /contact.html\n\thandle_path /p/* {\n\t\trewrite * /docs{uri}\n\
        \t\tfile_server\n\t}\n\terror /gone 410\n\treverse_proxy /api/* localhost:80\n}\n\
        http://other {\n\tredir https://n.example{uri}\n}\n";
    check(
        Dialect::Caddy,
        rules,
        "/",
        &[
            ("/old/a?x=1", "301 /new/a"),
            ("/r1", "301 /one"),
            ("/R1abc", "301 /one"),
            ("/r1/x", "301 /exact"),
            ("/n/12", "308 /num/12"),
            ("/n/x", "404"),
            ("/u?a=b", "302 /t/u?a=b"),
            ("/u?", "302 /t/u?"),
            ("/q?a=1", "302 /qq"),
            ("/q?a=2", "404"),
            ("/w1", "200 =/contact.html"),
            ("/p/a.html", "200 =/docs/a.html"),
            ("/gone", "410"),
            ("/api/x", "unknown, line 26"),
            ("/docs", "308 /docs/"),
            ("/docs/", "200 =/docs/index.html"),
            ("/about.html/", "308 /about.html"),
        ],
    );
    assert_eq!(
        problems_of(Dialect::Caddy, rules),
        [(26, ProblemKind::NotRead)]
    );
}
