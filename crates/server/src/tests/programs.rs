//! Rules of real sites whose answer depends on programs, other files or the visitor.

use super::*;

#[test]
fn functions_have_unknown_answers() {
    let netlify = "/api/* /.netlify/functions/:splat 200\n/old /.netlify/x 301\n";
    let answers = [("/api/x", "unknown, line 1"), ("/old", "301 /.netlify/x")];
    check(Dialect::Netlify, netlify, "/", &answers);

    let vercel = r#"{"builds": [{"src": "server/*.py", "use": "@vercel/python"},
{"src": "main.js", "use": "@vercel/node"}, {"src": "w/**", "use": "@vercel/static"}],
"rewrites": [
{"source": "/v1/:path*", "destination": "/api/v1/:path*"},
{"source": "/main", "destination": "/main"},
{"source": "/py", "destination": "/server/app"},
{"source": "/w", "destination": "/w/none"},
{"source": "/page", "destination": "/contact.html"},
{"source": "/(.*)", "destination": "/none.html"}]}"#;
    let answers = [
        ("/v1/a", "unknown, line 4"),
        ("/main", "unknown, line 5"),
        ("/py", "unknown, line 6"),
        ("/w", "404"),
        ("/page", "200 =/contact.html"),
    ];
    check(Dialect::Vercel, vercel, "/", &answers);

    let azure = r#"{"routes": [
{"route": "/old", "serve": "/new", "statusCode": 301},
{"route": "/f", "rewrite": "/api/f"}],
"navigationFallback": {"rewrite": "/api/fallback"}}"#;
    let answers = [
        ("/old", "unknown, line 2"),
        ("/f", "unknown, line 3"),
        ("/lost", "unknown, line 4"),
        ("/about.html", "200 =/about.html"),
    ];
    check(Dialect::Swa, azure, "/", &answers);
    let told = [(2, ProblemKind::NotRead), (3, ProblemKind::NotRead)];
    assert_eq!(problems_of(Dialect::Swa, azure), told);
}

#[test]
fn caddy_matchers_of_enclosing_blocks() {
    let rules = "{$SITE} {\n\t@a path /a\n\thandle /d* {\n\t\t@id query id=*\n\
        \t\thandle @id {\n\t\t\tredir * /with\n\t\t}\n\t\tredir @a /never\n\
        \t\thandle {\n\t\t\terror 410\n\t\t}\n\t}\n\tredir @a /outer\n\tfile_server\n}\n";
    let answers = [
        ("/d?id=1", "302 /with"),
        ("/d", "410"),
        ("/a", "302 /outer"),
        ("/about.html", "200 =/about.html"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
    assert_eq!(problems_of(Dialect::Caddy, rules), []);
}

#[test]
fn caddy_matcher_lines_of_one_kind_are_alternatives() {
    let rules = "h {\n\t@m {\n\t\tpath /a/*\n\t\tpath /b/*\n\t\tnot path *.md\n\t\tnot path *.txt\n\
        \t}\n\tredir @m /new\n\tfile_server\n}\n";
    let answers = [
        ("/a/x", "302 /new"),
        ("/b/x", "302 /new"),
        ("/c/x", "404"),
        ("/a/x.md", "404"),
        ("/b/x.txt", "404"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
}

#[test]
fn caddy_imports_and_plugins_may_answer() {
    let rules = "h {\n\tredir /a /new\n\thandle {\n\t\timport more/*\n\t\tfile_server\n\t}\n}\n";
    let answers = [
        ("/a", "302 /new"),
        ("/about.html", "200 =/about.html"),
        ("/lost", "unknown, line 4"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
    assert_eq!(
        problems_of(Dialect::Caddy, rules),
        [(4, ProblemKind::NotRead)]
    );
    let rules = "h {\n\tcache_answers\n\tfile_server\n}\n";
    check(Dialect::Caddy, rules, "/", &[("/lost", "unknown, line 2")]);
}

#[test]
fn caddy_static_files_beside_php() {
    let rules = "h {\n\troot * /srv\n\tphp_fastcgi fpm:9000\n\tfile_server\n}\n";
    let answers = [
        ("/about.html", "200 =/about.html"),
        ("/docs", "308 /docs/"),
        ("/lost", "404"),
        ("/x.php", "unknown, line 3"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
    let tree = VirtualFiles(&["/index.php", "/a.html", "/sub/index.php"]);
    let answers = [
        ("/a.html", "200 =/a.html"),
        ("/lost", "unknown, line 3"),
        ("/sub?q=1", "308 /sub/?q=1"),
        ("/sub/", "unknown, line 3"),
    ];
    check_in(&tree, Dialect::Caddy, rules, "/", &answers);
}

#[test]
fn caddy_host_without_a_site_is_unknown() {
    let rules = "\nother.example {\n\tredir /a /b\n}\n";
    check(Dialect::Caddy, rules, "/", &[("/a", "unknown, line 2")]);
}

#[test]
fn iis_unsupported_rules_make_addresses_unknown() {
    let rules = r#"<configuration>
<location path="images"><system.webServer><staticContent /></system.webServer></location>
<location path="Old"><system.webServer>
<rewrite><rules /></rewrite></system.webServer></location>
<system.webServer><rewrite><rules>
<rule name="both"><match url="^both/" /><conditions>
<add input="{HTTP_ACCEPT}" pattern="(.*)" /></conditions>
<action type="Redirect" url="/{C:1}" /></rule>
<rule name="plain"><match url="^(both|plain)/" /><action type="Redirect" url="/x" /></rule>
</rules></rewrite></system.webServer></configuration>"#;
    let answers = [
        ("/both/a", "unknown, line 6"),
        ("/plain/a", "301 /x"),
        ("/old/a", "unknown, line 3"),
        ("/OLDER", "404"),
        ("/images/a", "404"),
    ];
    check(Dialect::Iis, rules, "/", &answers);
    assert_eq!(
        problems_of(Dialect::Iis, rules),
        [(3, ProblemKind::NotRead)]
    );
    let rules = "<configuration><system.webServer><rewrite>\n<rules configSource=\"r.xml\" />\
        </rewrite></system.webServer></configuration>";
    check(Dialect::Iis, rules, "/", &[("/a", "unknown, line 2")]);
}

#[test]
fn iis_unknown_action_is_reported() {
    let rule = |kind: &str| {
        format!(
            "<configuration><system.webServer><rewrite><rules>\n<rule><match url=\"x\"/>\n\
             <action type=\"{kind}\" url=\"/y\"/></rule></rules></rewrite></system.webServer>\
             </configuration>"
        )
    };
    assert_eq!(
        problems_of(Dialect::Iis, &rule("Redirct")),
        [(3, ProblemKind::Refused)]
    );
    for kind in ["None", "Redirect", ""] {
        assert_eq!(problems_of(Dialect::Iis, &rule(kind)), []);
    }
}

#[test]
fn apache_line_without_a_directive_breaks_the_file() {
    let rules = "RewriteEngine on\n^(T?.*)$ https://n.example/$1 [R=302]\nmod_x_Option on\n";
    let told = [(2, ProblemKind::Refused), (3, ProblemKind::Irrelevant)];
    assert_eq!(problems_of(Dialect::Htaccess, rules), told);
}

#[test]
fn caddy_patterns_with_escapes_and_slashes() {
    let rules = "h {\n\tredir /na%C3%AFve /one\n\tredir /two%20words/* /two\n\tredir /a%2Fb /three\n\
        \t@d path /x//y /x//z/*\n\tredir @d /four\n\tredir /q/%* /five\n\tfile_server\n}\n";
    let answers = [
        ("/na%c3%afve", "302 /one"),
        ("/nai%CC%88ve", "404"),
        ("/Two%20Words/", "302 /two"),
        ("/two-words/", "404"),
        ("/a%2fb", "302 /three"),
        ("/a/b", "404"),
        ("/x//y", "302 /four"),
        ("/x/y", "404"),
        ("/x//z/a", "302 /four"),
        ("/x//Y/", "404"),
        ("/q//b", "302 /five"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
}

#[test]
fn caddy_sorts_paths_by_length_without_the_star() {
    let rules = "h {\n\tredir /a* /short\n\tredir /a/b* /long\n\tredir /a/b /exact\n\
        \tredir /*/d /first\n\tredir /b/d /second\n\tredir /q?x /mark\n\tredir /q/x /slash\n\
        \tfile_server\n}\n";
    let answers = [
        ("/a/b", "302 /exact"),
        ("/a/bc", "302 /long"),
        ("/a/c", "302 /short"),
        ("/b/d", "302 /first"),
        ("/q/x", "302 /slash"),
        ("/qqx", "302 /mark"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
}

#[test]
fn caddy_expressions() {
    let rules = "h {\n\troot * /srv\n\
        \t@p expression path('/p/*', '*.old') && !({path} == \"/p/keep\")\n\tredir @p /p\n\
        \t@q `{query.v} in ['1', '2'] || {query.w}.size() > 3`\n\tredir @q /q\n\
        \t@r {\n\t\texpression path_regexp(\"num\", '^/n/([0-9]+)$')\n\t}\n\
        \tredir @r /r/{re.num.1}\n\
        \t@h expression `path('/h*') && header({'X-A': 'b(c'})`\n\tredir @h /h\n\
        \t@m `method('POST') || {path}.startsWith(\"/m\") && {path}.matches('[0-9]$')`\n\
        \tredir @m /m\n\
        \t@c `({host} != 'h' ? true : {scheme} + {path} == 'http/c') && query({'k': ['*']})`\n\
        \tredir @c /c\n\t@bad expression path('/bad' ||\n\tredir /bad* /bad\n\tfile_server\n}\n";
    let answers = [
        ("/p/a", "302 /p"),
        ("/p/keep", "404"),
        ("/x/y.OLD", "302 /p"),
        ("/x?v=2", "302 /q"),
        ("/x?v=3", "404"),
        ("/x?w=long", "302 /q"),
        ("/n/12", "302 /r/12"),
        ("/n/x", "404"),
        ("/h1", "unknown, line 12"),
        ("/about.html", "200 =/about.html"),
        ("/m7", "302 /m"),
        ("/m", "404"),
        ("/c?k=", "302 /c"),
        ("/c", "404"),
        ("/bad", "302 /bad"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
    let told = [(11, ProblemKind::NotRead)];
    assert_eq!(problems_of(Dialect::Caddy, rules), told);
    let deep = format!(
        "h {{\n@a `{}true{}`\nredir @a /a\n}}\n",
        "(".repeat(99),
        ")".repeat(99)
    );
    check(Dialect::Caddy, &deep, "/", &[("/x", "unknown, line 3")]);
}

#[test]
fn caddy_repeated_not() {
    for (count, expected) in [
        (3, "404"),
        (4, "302 /new"),
        (9_999, "404"),
        (10_000, "302 /new"),
    ] {
        let not = "not ".repeat(count);
        let rules = format!("h {{\n@a {not}path /a\nredir @a /new\nfile_server\n}}\n");
        assert_eq!(ask(Dialect::Caddy, &rules, "/", "/a"), expected, "{count}");
    }
    let rules = "h {\n@a not {\npath /a\nquery x=1\n}\nredir @a /new\nfile_server\n}\n";
    let answers = [
        ("/a?x=1", "404"),
        ("/a", "302 /new"),
        ("/b?x=1", "302 /new"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
}

#[test]
fn caddy_error_pages_have_the_status_of_the_error() {
    let page = "h {\n\tfile_server\n\terror /gone 410\n\thandle_errors {\n\
        \t\trewrite * /{err.status_code}.html\n\t\tfile_server\n\t}\n}\n";
    check(
        Dialect::Caddy,
        page,
        "/",
        &[("/no", "404"), ("/gone", "410")],
    );
    let rules = "h {\n\tfile_server\n\terror /gone 410\n\terror /broken 500\n\
        \thandle_errors 404 {\n\t\trewrite * /about.html\n\t\tfile_server\n\t}\n\
        \thandle_errors 5xx {\n\t\trespond later 200\n\t}\n\
        \thandle_errors {\n\t\t@gone expression {err.status_code} == 410\n\
        \t\tredir @gone /new\n\t\trespond no\n\t}\n\terror /teapot 418\n}\n";
    let answers = [
        ("/no", "404"),
        ("/gone", "302 /new"),
        ("/broken", "200 =/broken"),
        ("/teapot", "418"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
}

#[test]
fn caddy_hidden_files() {
    let rules = "h {\n\troot * /srv/site\n\tfile_server {\n\t\thide sub /srv/site/blog\n\
        \t\thide con*.html /srv/site/docs/?.html\n\t\tindex index.html\n\t}\n}\n";
    let answers = [
        ("/docs/sub/", "404"),
        ("/blog/post.html", "404"),
        ("/contact.html", "404"),
        ("/docs/a.html", "404"),
        ("/docs/", "200 =/docs/index.html"),
        ("/about.html", "200 =/about.html"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
    // Whether the server was started in /srv is not known.
    let rules = "h {\n\troot * /srv\n\tfile_server {\n\t\thide ./docs/sub about.html\n\t}\n}\n";
    let answers = [
        ("/about.html", "404"),
        ("/exists.html", "200 =/exists.html"),
        ("/docs/sub/", "unknown, line 3"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
}

#[test]
fn apache_sections_without_an_argument() {
    let rules = "<RequireAll>\nRequire all granted\n<RequireNone>\nRequire ip 10.1\n</RequireNone>\n\
                 </RequireAll>\n<If \"%{HTTPS} == 'on'\">\nHeader set A b\n</If>\n<Else>\n\
                 Header set A c\n</Else>\nRedirect /old /new\n";
    let answers = [
        ("/old", "302 /new"),
        ("/about.html", "200 =/about.html"),
        ("/no", "404"),
    ];
    check(Dialect::Htaccess, rules, "/", &answers);
    for rules in [
        "<Files>\n</Files>\n",
        "<RequireAny>\n",
        "<Location /a>\n</Location>\n",
    ] {
        check(Dialect::Htaccess, rules, "/", &[("/about.html", "500")]);
    }
}

#[test]
fn apache_source_without_a_slash_matches_nothing() {
    for line in [
        "Redirect 301 old.html /new",
        "RedirectPermanent old.html /new",
        "Redirect gone old.html",
        "RedirectTemp http://h/old.html /new",
    ] {
        check(
            Dialect::Htaccess,
            line,
            "/",
            &[("/old.html", "404"), ("/about.html", "200 =/about.html")],
        );
        assert_eq!(
            problems_of(Dialect::Htaccess, line),
            [(1, ProblemKind::Dropped)]
        );
    }
}

#[test]
fn apache_refuses_access() {
    let all = [("/about.html", "403"), ("/no", "403"), ("/docs", "403")];
    for rules in [
        "Require all denied\nRedirect /about.html /new\n",
        "Order allow,deny\nDeny from all\n",
        "Order deny,allow\nDeny from all\n",
        "Order allow,deny\n",
        "<RequireAll>\nRequire all granted\nRequire not all granted\n</RequireAll>\n",
        "<RequireAny>\nRequire all denied\nRequire method POST\n</RequireAny>\n",
        "<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n",
        "<Limit GET POST>\nRequire all denied\n</Limit>\n",
    ] {
        check(Dialect::Htaccess, rules, "/", &all);
    }
    for rules in [
        "Require all denied\nRequire all granted\n",
        "Order deny,allow\nDeny from all\nAllow from all\n",
        "Require ip 10.1\n",
        "<IfModule !mod_authz_core.c>\nDeny from all\n</IfModule>\n",
        "<Limit POST>\nDeny from all\n</Limit>\n",
        "<LimitExcept GET POST>\nDeny from all\n</LimitExcept>\n",
    ] {
        check(
            Dialect::Htaccess,
            rules,
            "/",
            &[("/about.html", "200 =/about.html")],
        );
    }
    let files = "<Files \"*.html\">\nRequire all denied\n</Files>\n\
                 <FilesMatch \"^(about|index)\\.\">\nRequire all granted\n</FilesMatch>\n";
    let answers = [
        ("/about.html", "200 =/about.html"),
        ("/contact.html", "403"),
        ("/blog/", "200 =/blog/index.html"),
        ("/no", "404"),
    ];
    check(Dialect::Htaccess, files, "/", &answers);
    let server = "<VirtualHost *:80>\nServerName h\n<Location /docs>\nRequire all denied\n</Location>\n\
                  <LocationMatch \"\\.old$\">\nDeny from all\n</LocationMatch>\n\
                  Redirect /docs/new /new\n</VirtualHost>\n<Directory />\nRequire all denied\n\
                  </Directory>\n";
    let answers = [
        ("/docs/a.html", "403"),
        ("/docs/new", "302 /new"),
        ("/a.old", "403"),
        ("/about.html", "200 =/about.html"),
    ];
    check(Dialect::Apache, server, "/", &answers);
    let condition = "<If \"%{HTTP_COOKIE} == 'x'\">\nRequire all denied\n</If>\n";
    check(
        Dialect::Htaccess,
        condition,
        "/",
        &[("/about.html", "unknown, line 2")],
    );
}

#[test]
fn apache_patterns_that_do_not_compile() {
    for rules in [
        "RewriteEngine On\nRewriteRule ^(a /b\n",
        "RewriteEngine On\nRewriteCond %{HTTP_HOST} [a-\nRewriteRule ^a /b\n",
        "RedirectMatch ^/a)$ /b\n",
        "<FilesMatch \"*.html\">\n</FilesMatch>\n",
    ] {
        check(
            Dialect::Htaccess,
            rules,
            "/",
            &[("/about.html", "500"), ("/no", "500")],
        );
    }
}

#[test]
fn apache_modules() {
    let rules = "<IfModule !mod_none.c>\nRedirect /a /new\n</IfModule>\n\
                 <IfModule mod_none.c>\nRedirect /b /new\n</IfModule>\n\
                 <IfModule rewrite_module>\nRedirect /c /new\n</IfModule>\n\
                 <IfModule !mod_alias.c>\nRedirect /e /new\n</IfModule>\n";
    let answers = [
        ("/a", "302 /new"),
        ("/b", "404"),
        ("/c", "302 /new"),
        ("/e", "404"),
    ];
    check(Dialect::Htaccess, rules, "/", &answers);
}

#[test]
fn caddy_requests_with_another_method_are_unknown() {
    let rules = ":80 {\nmethod /m/* POST\nmethod /g/* GET\nredir /m/r /x\nfile_server\n}\n";
    let answers = [
        ("/m/r", "302 /x"),
        ("/m/a", "unknown, line 2"),
        ("/g/a", "404"),
        ("/about.html", "200 =/about.html"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
}

#[test]
fn nginx_included_files() {
    let rules = "http { include mime.types;\nserver { server_name h; root /s;\n\
                 location = /exact { return 301 /new; }\nlocation /docs/ { include more.conf; }\n\
                 location /d/ { } }\nserver { server_name other; include all.conf; } }\n";
    let answers = [
        ("/exact", "301 /new"),
        ("/docs/a.html", "unknown, line 4"),
        ("/d/", "200 =/d/index.html"),
        ("/no", "404"),
    ];
    check(Dialect::Nginx, rules, "/", &answers);
    let rules = "server { server_name h; root /s; rewrite ^/a$ /b permanent;\ninclude x.conf; }\n";
    check(
        Dialect::Nginx,
        rules,
        "/",
        &[("/a", "301 /b"), ("/no", "unknown, line 2")],
    );
    let rules = "http { include sites/*;\nserver { server_name other; } }\n";
    check(Dialect::Nginx, rules, "/", &[("/", "unknown, line 1")]);
    let rules =
        "map $uri $new { /a /b;\ninclude map.conf; }\nserver { if ($new) { return 301 $new; } }\n";
    check(
        Dialect::Nginx,
        rules,
        "/",
        &[("/a", "301 /b"), ("/no", "unknown, line 2")],
    );

    let folder = VirtualFolder::new(&[
        (
            "",
            "server { server_name h; root /s;\ninclude one.conf; include more/*.conf; include no*; }\n",
        ),
        (
            "one.conf",
            "include two.conf;\nlocation = /a { return 301 /b; }\n",
        ),
        ("two.conf", "location = /c { return 302 /d; }\n"),
        ("more/x.conf", "\nlocation = /e { return 308 /f; }\n"),
        ("more/.hidden.conf", "return 410;\n"),
    ]);
    let file = folder.read(Dialect::Nginx);
    let places = file
        .rules()
        .iter()
        .map(|rule| file.place(rule.line).to_string());
    let places: Vec<String> = places.collect();
    let expected = [
        "line 1 of two.conf",
        "line 2 of one.conf",
        "line 2 of more/x.conf",
    ];
    assert_eq!(places, expected);
    for (path, expected) in [
        ("/a", "301 /b"),
        ("/c", "302 /d"),
        ("/e", "308 /f"),
        ("/no", "404"),
    ] {
        assert_eq!(answer(&file, &TREE, path), expected, "{path}");
    }
}

#[test]
fn nginx_map_without_a_variable() {
    let rules = "map uri $new { /a /b; }\nmap $uri other { /a /b; }\n";
    let told = [(1, ProblemKind::Dropped), (2, ProblemKind::Refused)];
    assert_eq!(problems_of(Dialect::Nginx, rules), told);
}

#[test]
fn next_pages_answer_at_their_routes() {
    let rules = r#"{"redirects": [{"source": "/:file((?!\\.well-known(?:/.*)?)(?:[^/]+/)*[^/]+\\.\\w+)/",
"destination": "/:file", "internal": true, "missing": [{"type": "header", "key": "x-nextjs-data"}],
"statusCode": 308, "regex": "^(?:/((?!\\.well-known(?:/.*)?)(?:[^/]+/)*[^/]+\\.\\w+))/$"},
{"source": "/:notfile((?!\\.well-known(?:/.*)?)(?:[^/]+/)*[^/\\.]+)", "destination": "/:notfile/",
"internal": true, "statusCode": 308,
"regex": "^(?:/((?!\\.well-known(?:/.*)?)(?:[^/]+/)*[^/\\.]+))$"}],
"staticRoutes": [{"page": "/about"}, {"page": "/docs"}, {"page": "/"}]}"#;
    let answers = [
        ("/about", "308 /about/"),
        ("/about/", "200 =/about.html"),
        ("/about.html", "404"),
        ("/about.html/", "308 /about.html"),
        ("/docs/", "200 =/docs/index.html"),
        ("/docs/index.html", "404"),
        ("/docs/index/", "404"),
        ("/", "200 =/index.html"),
        // A file of `public`.
        ("/contact.html", "200 =/contact.html"),
        ("/%61bout/", "404"),
    ];
    check(Dialect::Next, rules, "/", &answers);
}

#[test]
fn iis_conditions_on_other_files() {
    let rules = r#"<configuration><system.webServer><rewrite><rules>
<rule name="html"><match url="^(.*[^/])/?$" /><conditions>
<add input="{REQUEST_FILENAME}" matchType="IsFile" negate="true" />
<add input="{APPL_PHYSICAL_PATH}{R:1}.html" matchType="IsFile" /></conditions>
<action type="Rewrite" url="{R:1}.html" /></rule>
<rule name="folder"><match url="^old/(.*)$" /><conditions>
<add input="{request_filename}\..\index.html" matchType="IsFile" negate="true" />
<add input="{DOCUMENT_ROOT}\{R:1}" matchType="IsDirectory" /></conditions>
<action type="Redirect" url="/{R:1}/" redirectType="Found" /></rule>
<rule name="other"><match url="^else$" /><conditions>
<add input="C:\x" matchType="IsFile" /></conditions><action type="Redirect" url="/x" /></rule>
</rules></rewrite></system.webServer></configuration>"#;
    let answers = [
        ("/", "200 =/index.html"),
        ("/about", "200 =/about.html"),
        ("/docs/a/", "200 =/docs/a.html"),
        ("/about.html", "200 =/about.html"),
        ("/old/docs", "302 /docs/"),
        ("/old/none", "404"),
        ("/else", "unknown, line 10"),
    ];
    check(Dialect::Iis, rules, "/", &answers);
}

#[test]
fn source_with_a_fragment_in_every_dialect() {
    for (dialect, rules) in [
        (Dialect::Apache, "Redirect 301 /a.html#b /c"),
        (
            Dialect::Htaccess,
            "RewriteEngine On\nRewriteRule ^a#b$ /c [R]",
        ),
        (Dialect::Nginx, "location = /a#b { return 301 /c; }"),
        (Dialect::Caddy, "h {\nredir /a#b /c\n}"),
        (
            Dialect::Vercel,
            r#"{"redirects": [{"source": "/a#b", "destination": "/c"}]}"#,
        ),
        (
            Dialect::Next,
            r#"{"redirects": [{"source": "/a#b", "destination": "/c"}]}"#,
        ),
        (
            Dialect::Firebase,
            r#"{"hosting": {"redirects": [{"source": "/a#b", "destination": "/c"}]}}"#,
        ),
        (
            Dialect::Swa,
            r#"{"routes": [{"route": "/a#b", "redirect": "/c"}]}"#,
        ),
        (Dialect::Netlify, "/a#b /c"),
        (Dialect::Cloudflare, "/a#b /c"),
    ] {
        let told = problems_of(dialect, rules).into_iter();
        let told = told.filter(|(_, kind)| *kind == ProblemKind::FragmentSource);
        assert_eq!(told.count(), 1, "{dialect}");
        let target = rules
            .replace("a#b", "a")
            .replace("a.html#b", "a")
            .replace("/c", "/c#d");
        let told = problems_of(dialect, &target);
        let is_fragment = |(_, kind): &(usize, ProblemKind)| *kind == ProblemKind::FragmentSource;
        assert!(!told.iter().any(is_fragment), "{dialect}");
    }
}
