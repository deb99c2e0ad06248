//! Built-in behaviour of Apache 2.4.71, nginx 1.22.1 and Caddy 2.11.4, as measured on 2026-11-23 with
//! the same files.

use super::*;

#[test]
fn nginx_root_and_alias() {
    let rules = "root /srv/site;\nlocation / { try_files $uri $uri.html $uri/ =404; }\n\
                 location /manual { alias /srv/site/docs; }\n\
                 location /old/ { root /srv/site/docs; }\n\
                 location /other/ { root /srv/elsewhere; }\n\
                 location /maybe/ { try_files $uri /about.html; if ($arg_x) { set $y 1; } }\n\
                 location /passed/ { if (!-f $request_filename) { proxy_pass http://up; } }\n\
                 location /app/ { proxy_pass http://up; }\n";
    check(
        Dialect::Nginx,
        rules,
        "/",
        &[
            ("/about", "200 =/about.html"),
            ("/manual/a.html", "200 =/docs/a.html"),
            ("/manual/", "200 =/docs/index.html"),
            ("/manual", "301 /manual/"),
            ("/old/x", "404"),
            ("/other/x", "unknown, line 5"),
            ("/maybe/q", "200 =/about.html"),
            // Inside an `if`, `try_files` is ignored.
            ("/maybe/q?x=1", "404"),
            ("/passed/x", "unknown, line 7"),
            ("/app", "301 /app/"),
            ("/app/x", "unknown, line 8"),
        ],
    );
}

#[test]
fn nginx_server_by_port_and_longest_wildcard() {
    let rules = "server { listen 443 ssl; server_name h; return 301 /secure; }\n\
                 server { server_name h; return 301 /plain; }\n\
                 server { server_name *.h; return 301 /star; }\n\
                 server { server_name *.a.h; return 301 /star-a; }\n\
                 server { server_name .b.h; return 301 /b; }\n\
                 server { server_name a.*; return 301 /a; }\n\
                 server { server_name a.x.*; return 301 /a-x; }\n";
    let file = RuleFile::read(Dialect::Nginx, rules.as_bytes(), "/");
    for (url, expected) in [
        ("https://h/", "https://h/secure"),
        ("http://h/", "http://h/plain"),
        ("http://x.h/", "http://x.h/star"),
        ("http://x.a.h/", "http://x.a.h/star-a"),
        ("http://b.h/", "http://b.h/b"),
        ("http://x.b.h/", "http://x.b.h/b"),
        ("http://a.x/", "http://a.x/a"),
        ("http://a.x.y/", "http://a.x.y/a-x"),
        ("http://none/", "http://none/plain"),
    ] {
        let answer = file.answer(&Request::from_url(url).unwrap(), &TREE);
        let is_it = matches!(&answer, Answer::Redirect { location, .. } if location == expected);
        assert!(is_it, "{url}: {answer:?}");
    }
}

#[test]
fn entries_of_an_nginx_map_have_the_status_of_its_first_use() {
    let locations = |status: u16| {
        let one = |n: u16| format!("location /{n} {{ return {} $m; }}\n", status + n % 2 * 6);
        (0..40).map(one).collect::<String>()
    };
    for status in [301, 302] {
        let rules = format!(
            "map $uri $m {{ /a /b; ~^/c /d; }}\nserver {{\n{}return 303 $m; }}\n",
            locations(status)
        );
        let file = RuleFile::read(Dialect::Nginx, rules.as_bytes(), "/");
        let statuses: Vec<_> = file.rules()[..2].iter().map(|rule| rule.status).collect();
        assert_eq!(statuses, [status, status]);
    }
}

#[test]
fn contexts_of_very_many_rules_are_cut() {
    let path = "p".repeat(20_000);
    let returns: Vec<String> = (0..1_000).map(|n| format!("return 301 /{n};\n")).collect();
    let returns = returns.concat();
    let rules = format!("location /{path} {{\n{returns}}}\n");
    let file = RuleFile::read(Dialect::Nginx, rules.as_bytes(), "/");
    let lengths = file.rules().iter().map(|rule| rule.from.len());
    assert!(lengths.sum::<usize>() < 20 << 20);
    assert_eq!(file.rules()[0].from, format!("location /{path}"));
    let [problem] = file.problems() else {
        panic!("{:?}", file.problems());
    };
    assert!(problem.message.contains("rule-places"), "{problem:?}");
}

#[test]
fn nginx_answers_errors_with_pages_and_redirects() {
    let rules = "error_page 404 /lost.html;\nerror_page 410 =301 https://o.example/gone;\n\
                 error_page 403 = @closed;\nlocation /gone/ { return 410; }\n\
                 location /text/ { return 410 \"gone\"; }\nlocation = /lost.html { internal; }\n\
                 location /shut/ { deny all; }\nlocation @closed { return 302 /contact.html; }\n\
                 location /soft/ { error_page 404 =200 /about.html; }\n";
    check(
        Dialect::Nginx,
        rules,
        "/",
        &[
            ("/none", "404"),
            ("/gone/x", "301 https://o.example/gone"),
            ("/text/", "410"),
            ("/lost.html", "404"),
            ("/shut/x", "302 /contact.html"),
            ("/soft/x", "200 =/about.html"),
            ("/docs/a.html", "200 =/docs/a.html"),
        ],
    );
}

#[test]
fn nginx_runs_the_code_of_the_server_again_for_an_index() {
    let rules = "rewrite ^(.*)/index\\.html$ $1/ permanent;\n\
                 location ~ ^/cap/(.*)$ { rewrite ^/none$ /x last; return 301 /new/$1; }\n";
    check(
        Dialect::Nginx,
        rules,
        "/",
        &[
            ("/", "301 /"),
            ("/docs/", "301 /docs/"),
            // A pattern that does not match clears the captures.
            ("/cap/a", "301 /new/"),
        ],
    );
}

#[test]
fn nginx_evaluates_a_map_once_per_request() {
    let rules = "map $uri $new { default 0; ~^/(.*)/index\\.html$ /$1; }\n\
                 server { if ($new) { rewrite ^ $new redirect; } }\n";
    check(
        Dialect::Nginx,
        rules,
        "/",
        &[
            ("/docs/", "200 =/docs/index.html"),
            ("/docs/index.html", "302 /docs"),
        ],
    );
}

#[test]
fn apache_redirects_errors_to_urls_and_compares_texts_by_length() {
    let rules = "ErrorDocument 404 https://o.example/lost\nErrorDocument 403 /about.html\n\
                 DirectoryIndex none.html\nDirectoryIndex index.html\nOptions -Indexes\n\
                 RewriteEngine On\nRewriteCond $1 >zz\nRewriteRule ^/len/(.*)$ /longer [R,L]\n\
                 RewriteCond %{QUERY_STRING} -gt9\nRewriteRule ^/num$ /more [R,L]\n\
                 RewriteRule ^/twice/(.*)$ //docs/$1 [L]\nRewriteRule ^/both$ /x [R=301,PT]\n\
                 RewriteCond %{REQUEST_FILENAME} -d\nRewriteRule ^/$ /root [R,L]\n";
    let lost = "302 https://o.example/lost";
    check(
        Dialect::Apache,
        rules,
        "/",
        &[
            ("/none?x", lost),
            ("/a%2Fb", lost),
            ("/d/", "200 =/d/index.html"),
            ("/len/aaa", "302 /longer"),
            ("/len/zz", lost),
            ("/len/zzz", "302 /longer"),
            ("/num?10", "302 /more?10"),
            ("/num?9", lost),
            ("/twice/a.html", "200 =/docs/a.html"),
            ("/both", "400"),
            ("/", "302 /root"),
        ],
    );
    let rules = "ServerName h\nRewriteEngine On\nRewriteRule ^/a$ http://h/about.html [L]\n";
    check(Dialect::Apache, rules, "/", &[("/a", "302 /about.html")]);
    let with_port = rules.replace("ServerName h", "ServerName h:80");
    let answers = [("/a", "200 =/about.html")];
    check(Dialect::Apache, &with_port, "/", &answers);
}

#[test]
fn apache_virtual_host_by_port_and_name() {
    let rules = "ErrorDocument 404 https://o.example/lost\n\
                 <IfModule !mod_ssl.c>\n<VirtualHost *>\nRedirect / https://off.example/\n\
                 </VirtualHost>\n</IfModule>\n\
                 <VirtualHost *:80>\nServerName h\nRedirect permanent / https://h/\n</VirtualHost>\n\
                 <VirtualHost *:443>\nServerName h\nRedirect /a /b\n</VirtualHost>\n\
                 <VirtualHost *:80 [::1]:443>\nServerName other\nRedirect /a /c\n\
                 ErrorDocument 404 default\n</VirtualHost>\n";
    let file = RuleFile::read(Dialect::Apache, rules.as_bytes(), "/");
    for (url, expected) in [
        ("http://h/a", "https://h/a"),
        ("https://h/a", "https://h/b"),
        ("http://other/a", "http://other/c"),
        ("https://other/a", "https://other/c"),
        // The first server on the port, or else the first one with the name.
        ("https://unknown/a", "https://unknown/b"),
        ("http://other:8080/a", "http://other:8080/c"),
        // A virtual host inherits the server's settings.
        ("https://h/none", "https://o.example/lost"),
        ("https://other/none", ""),
    ] {
        let location = match file.answer(&Request::from_url(url).unwrap(), &TREE) {
            Answer::Redirect { location, .. } => location,
            other => {
                assert!(
                    matches!(other, Answer::Refused { status: 404, .. }),
                    "{url}"
                );
                String::new()
            }
        };
        assert_eq!(location, expected, "{url}");
    }
    let asked = |url: &str| {
        let request = Request::from_url(url).unwrap();
        let rules = file.rules().iter().enumerate();
        let asked = rules.filter(|(number, _)| file.reaches_rule(*number, &request));
        asked.map(|(_, rule)| rule.line).collect::<Vec<_>>()
    };
    assert_eq!(asked("http://h/"), [1, 9]);
    assert_eq!(asked("https://h/"), [1, 13]);
}

#[test]
fn apache_nested_sections_use_the_strictest() {
    let rules = "<Proxy /l>\n<IfModule mod_alias.c>\nRedirect 301 /l /t\n</IfModule>\n\
                 <IfModule !mod_alias.c>\nRedirect 301 /l /u\n</IfModule>\n</Proxy>\n\
                 <IfModule mod_alias.c>\nRedirect /a /b\n</IfModule>\n";
    let answers = [("/l/x", "unknown, line 3"), ("/a", "302 /b")];
    check(Dialect::Apache, rules, "/", &answers);
    assert_eq!(
        problems_of(Dialect::Apache, rules),
        [(3, ProblemKind::NotRead)]
    );
}

#[test]
fn apache_skip_beyond_the_last_rule() {
    let rules = format!(
        "RewriteEngine On\nRewriteRule ^/a - [S={}]\nRewriteRule ^/a /b [R]\n",
        usize::MAX
    );
    check(
        Dialect::Apache,
        &rules,
        "/",
        &[("/about.html", "200 =/about.html")],
    );
}

#[test]
fn apache_fallback_for_missing_files() {
    let rules = "FallbackResource /about.html\nDirectorySlash Off\nAcceptPathInfo On\n\
                 DirectoryIndex index.html\n";
    check(
        Dialect::Apache,
        rules,
        "/",
        &[
            ("/none/y", "200 =/about.html"),
            ("/d", "403"),
            ("/d/", "200 =/d/index.html"),
            ("/docs/a.html/x", "200 =/docs/a.html"),
        ],
    );
    // A CGI program may be there.
    let rules = "FallbackResource /app.php\n";
    check(Dialect::Apache, rules, "/", &[("/x", "unknown, line 1")]);
}

#[test]
fn htaccess_decides_inside_its_folder() {
    let rules = "RewriteEngine On\nRewriteRule ^self$ /docs/self [L]\n\
                 RewriteRule ^same$ same [L]\nDirectoryIndex a.html\n\
                 ErrorDocument 404 https://o.example/lost\nRewriteRule ^out$ /nowhere [L]\n";
    check(
        Dialect::Htaccess,
        rules,
        "/docs/",
        &[
            ("/docs/self", "500"),
            ("/docs/same", "302 https://o.example/lost"),
            ("/docs/", "200 =/docs/a.html"),
            ("/blog/", "200 =/blog/index.html"),
            ("/docs/x", "302 https://o.example/lost"),
            ("/x", "404"),
            ("/docs/out", "404"),
        ],
    );
    let broken = "Redirect 301 /docs/x /y\nRewriteRule ^a$ b [L, NC]\n";
    check(
        Dialect::Htaccess,
        broken,
        "/docs/",
        &[
            ("/docs/x", "500"),
            ("/docs", "500"),
            ("/about.html", "200 =/about.html"),
        ],
    );
}

#[test]
fn caddy_orders_rewrites_and_serves_as_its_current_version() {
    let rules = "http://h {\n root * /srv/site\n redir /r* /one 301\n\
        @all not path /x* /y /p/* /f* /u/* /re/* /r* /e/* /d* /docs* /about* /manual/* /q* /w/* /\n\
        redir @all /two{uri}\n redir /rr /never\n @q query a=1 b=2\n redir @q /qq\n\
        redir /x /{path.0}/{file}\n handle_path /p/* {\n redir * /n{path}\n }\n\
        try_files {path} {path}.html\n uri /u/* replace /u/ /docs/\n\
        uri /fe/* path_regexp ^/fe/(.*)$ /docs/$1\n error /e/* 410\n respond /y 404\n\
        handle_errors {\n redir * /lost 302\n }\n root /w/* /srv/other\n file_server\n}\n";
    check(
        Dialect::Caddy,
        rules,
        "/",
        &[
            // Only paths are compared with each other; otherwise the order of the file applies.
            ("/rr", "301 /one"),
            ("/other?x=1", "302 /two/other?x=1"),
            ("/q?a=1", "302 /lost"),
            ("/q?a=1&b=2", "302 /qq"),
            ("/x", "302 /x/x"),
            ("/p//a", "302 /n/a"),
            ("/P/a", "302 /n/a"),
            ("/about", "200 =/about.html"),
            ("/about/", "302 /lost"),
            ("/about.html/", "308 /about.html"),
            ("/u/a.html", "200 =/docs/a.html"),
            ("/fe/a.html", "200 =/docs/a.html"),
            ("/e/x", "302 /lost"),
            ("/y", "404"),
            ("/d", "308 /d/"),
            ("/docs//a.html/", "308 /docs/a.html"),
            ("/w/x", "unknown, line 21"),
        ],
    );
    let rules = "http://h {\n file_server /docs/*\n}\n";
    let answers = [("/x", "200"), ("/docs/a.html/x", "400"), ("/docs/x", "404")];
    check(Dialect::Caddy, rules, "/", &answers);
}

#[test]
fn caddy_site_by_port_and_scheme() {
    let rules = ":443 {\n redir /a /secure\n}\n:80 {\n redir /a /plain\n}\n\
                 h {\n redir /a /h\n}\nhttp://h {\n redir /a /plain-h\n}\n\
                 h:8080 {\n redir /a /h-8080\n}\n";
    let file = RuleFile::read(Dialect::Caddy, rules.as_bytes(), "/");
    for (url, expected) in [
        ("https://other/a", "/secure"),
        ("http://other/a", "/plain"),
        ("http://h/a", "/plain-h"),
        ("https://h/a", "/h"),
        ("https://h:8080/a", "/h-8080"),
        // If no site listens on the port, a proxy in front of the server does.
        ("http://other:81/a", "/plain"),
    ] {
        let answer = file.answer(&Request::from_url(url).unwrap(), &TREE);
        let is_it = matches!(&answer, Answer::Redirect { location, .. } if location == expected);
        assert!(is_it, "{url}: {answer:?}");
    }
}

#[test]
fn caddy_matcher_is_parsed_once_with_its_whole_query() {
    let rules = ":80 {\n @q query a=1 a=2 b=*\n @none query\n @x query a\n @h header X y\n\
                 redir @q /q\n redir @x /x\n redir @x /y\n handle /d* {\n @h path /d\n\
                 redir @h /d\n }\n redir @none /none\n uri strip_prefix /Docs\n\
                 uri strip_suffix .HTM\n file_server\n}\n";
    let told = [(4, ProblemKind::Refused)];
    assert_eq!(problems_of(Dialect::Caddy, rules), told);
    let rules = rules.replace(" redir @x /x\n redir @x /y\n", "");
    check(
        Dialect::Caddy,
        &rules,
        "/",
        &[
            ("/?a=2&b=", "302 /q"),
            ("/?a=3&b=", "200 =/index.html"),
            ("/?b=1", "200 =/index.html"),
            ("/", "302 /none"),
            ("/docs/about.html?x", "200 =/about.html"),
            ("/d?x", "302 /d"),
        ],
    );
    let rules = ":80 {\n route {\n uri strip_prefix docs\n uri strip_suffix {path.0}\n\
                 redir * /x{path}\n }\n}\n";
    check(
        Dialect::Caddy,
        rules,
        "/",
        &[("/docs/a/b/A", "302 /x/a/b/")],
    );
}

#[test]
fn rules_of_another_virtual_server_are_not_reached() {
    let rules = "server { server_name h; rewrite ^/.*$ /t permanent; }\n\
                 server { server_name other; location = /a { return 301 /b; } }\n";
    let nginx = RuleFile::read(Dialect::Nginx, rules.as_bytes(), "/");
    let rules = "http://h {\n redir * /t\n}\nhttp://other {\n redir /a /b\n}\n";
    let caddy = RuleFile::read(Dialect::Caddy, rules.as_bytes(), "/");
    for file in [nginx, caddy] {
        for (url, asked) in [
            ("http://h/a", [true, false]),
            ("http://other/a", [false, true]),
        ] {
            let request = Request::from_url(url).unwrap();
            assert_eq!(
                [0, 1].map(|rule| file.reaches_rule(rule, &request)),
                asked,
                "{url}"
            );
        }
    }
}
