//! Plans of redirects.

use super::*;

#[test]
fn lists_match_under_the_normal_form_and_keep_their_order() {
    let csv =
        "old_url,new_url,status\n/a%7eb,/t,\nhttp://h/b,/u,302\n/c,,410\n/d?x=1,/dx,\n/d,/dy,\n";
    let answers = [
        ("/a~b?q", "301 /t?q"),
        ("/b", "302 /u"),
        ("/c", "410"),
        ("/d?x=1", "301 /dx"),
        ("/d?x=2", "301 /dy?x=2"),
        ("/docs", "301 /docs/"),
    ];
    check(Dialect::Csv, csv, "/", &answers);
    check(Dialect::Tsv, &csv.replace(',', "\t"), "/", &answers);
    let json = "{\n \"/z\": \"/1\",\n \"/a\": \"/2\"\n}";
    check(
        Dialect::Json,
        json,
        "/",
        &[("/z", "301 /1"), ("/a", "301 /2")],
    );
    let file = RuleFile::read(Dialect::Json, json.as_bytes(), "/");
    let lines: Vec<usize> = file.rules().iter().map(|rule| rule.line).collect();
    assert_eq!(lines, [2, 3]);
    // Invalid JSON is refused as a whole.
    for broken in [
        "{\n,}",
        "{\"/a\": \"/b\", \"c\": 1\n,}",
        "[{\"from\": \"/a\"},\n]",
        "{}\n{}",
    ] {
        assert_eq!(
            problems_of(Dialect::Json, broken),
            [(2, ProblemKind::Refused)],
            "{broken}"
        );
        assert_eq!(
            RuleFile::read(Dialect::Json, broken.as_bytes(), "/").rules(),
            []
        );
    }
    assert_eq!(
        problems_of(Dialect::Csv, "x,y\n/a,/b\n"),
        [(1, ProblemKind::Refused)]
    );
}

#[test]
fn unknown_columns_are_reported_once() {
    let csv = "source,target,regex,Notes\n/a,/b,1,x\n/c,/d,1,y\n";
    assert_eq!(problems_of(Dialect::Csv, csv), [(1, ProblemKind::NotRead)]);
    let map = "old_url,new_url,status,hops,verdict\n/a,/b,301,1,page-ok\n";
    assert_eq!(problems_of(Dialect::Csv, map), []);
    let json = r#"[{"from": "/a", "to": "/b", "has": []}, {"from": "/c", "to": "/d", "has": []}]"#;
    assert_eq!(
        problems_of(Dialect::Json, json),
        [(1, ProblemKind::NotRead)]
    );
}

#[test]
fn table_columns_by_name() {
    for rules in [
        "Address,Redirect URL\nhttp://h/a,http://n/b\nhttp://h/c,\n",
        "Address,Status Code,Status,Redirect URL\nhttp://h/a,301,301,http://n/b\n",
        "Old URL,New URL\n/a,http://n/b\n",
        "New URL;Old URL;Clicks\nhttp://n/b;/a;1\n",
        "old-url\tnew-url\n/a\thttp://n/b\n",
        "/a;http://n/b\n",
        "\u{feff}Old URL,New URL\n/a,http://n/b\n",
    ] {
        check(
            Dialect::Csv,
            rules,
            "/",
            &[("/a", "301 http://n/b"), ("/c", "404")],
        );
        assert_eq!(problems_of(Dialect::Csv, rules), [], "{rules}");
    }
}

#[test]
fn repeated_rule_is_counted_where_the_first_one_wins() {
    let nginx = |rules: &str| format!("server {{\n{rules}}}\n");
    let rewrite = "RewriteEngine On\n";
    let iis = |rules: &[(&str, &str, &str, &str)]| {
        let rules = rules.iter().map(|(name, url, action, to)| {
            format!(
                "<rule name='{name}'><match url='{url}'/><action type='{action}' url='{to}'/></rule>\n"
            )
        });
        let rules: String = rules.collect();
        format!(
            "<configuration><system.webServer><rewrite><rules>{rules}</rules></rewrite>\
             </system.webServer></configuration>"
        )
    };
    for (dialect, rules, path, expected, problems) in [
        (Dialect::Csv, "from,to\n/a,/b\n/c,/d\n/a,/b\n/a,/b\n".to_owned(), "/a", "301 /b", &[4][..]),
        (Dialect::Csv, "from,to\n/a,/b\n/a,/c\n".to_owned(), "/a", "301 /b", &[]),
        (Dialect::Apache, "Redirect /a /b\nRedirect /a /b\n".to_owned(), "/a", "302 /b", &[2]),
        (Dialect::Apache, "Redirect /a /b\nRedirectMatch /a /b\n".to_owned(), "/x/a", "302 /b", &[]),
        (
            Dialect::Apache,
            "<VirtualHost *:80>\nServerName x\nRedirect /a /b\n</VirtualHost>\n\
             <VirtualHost *:80>\nServerName h\nRedirect /a /b\n</VirtualHost>\n"
                .to_owned(),
            "/a",
            "302 /b",
            &[],
        ),
        // A rule that does not end the rewriting applies each time.
        (
            Dialect::Apache,
            format!("{rewrite}RewriteRule ^/?(.*)a$ /$1\nRewriteRule ^/?(.*)a$ /$1\nRewriteRule ^(.*) $1 [R,L]\n"),
            "/xaa",
            "302 /x",
            &[],
        ),
        (
            Dialect::Apache,
            format!("{rewrite}RewriteRule ^/a$ /b [R,L]\nRewriteRule ^/a$ /b [R,L]\n"),
            "/a",
            "302 /b",
            &[3],
        ),
        // A skip counts rules.
        (
            Dialect::Apache,
            format!(
                "{rewrite}RewriteRule ^/a$ - [S=2]\nRewriteRule ^/a$ /b [R,L]\n\
                 RewriteRule ^/a$ /b [R,L]\nRewriteRule ^/a$ /c [R,L]\nRewriteRule ^/a$ /d [R,L]\n"
            ),
            "/a",
            "302 /c",
            &[],
        ),
        (Dialect::Nginx, nginx("rewrite ^/(.*)a$ /$1;\nrewrite ^/(.*)a$ /$1;\nreturn 301 $uri;\n"), "/xaa", "301 /x", &[]),
        (Dialect::Nginx, nginx("rewrite ^/a$ /b redirect;\nrewrite ^/a$ /b redirect;\n"), "/a", "302 /b", &[3]),
        (Dialect::Nginx, nginx("if ($uri = /a) { return 301 /b; }\nif ($uri = /a) { return 301 /b; }\n"), "/a", "301 /b", &[3]),
        (Dialect::Nginx, nginx("location ~ a { return 301 /b; }\nlocation ~ a { return 301 /b; }\n"), "/a", "301 /b", &[3]),
        (
            Dialect::Vercel,
            "{\"redirects\":[\n{\"source\":\"/a\",\"destination\":\"/b\"},\n{\"source\":\"/a\",\"destination\":\"/b\"}]}".to_owned(),
            "/a",
            "308 /b",
            &[3],
        ),
        (
            Dialect::Swa,
            "{\"routes\":[\n{\"route\":\"/a\",\"redirect\":\"/b\"},\n{\"route\":\"/a\",\"redirect\":\"/b\"}]}".to_owned(),
            "/a",
            "302 /b",
            &[3],
        ),
        (
            Dialect::S3,
            "[{\"Redirect\":{\"ReplaceKeyWith\":\"b\"}},\n{\"Redirect\":{\"ReplaceKeyWith\":\"b\"}}]".to_owned(),
            "/a",
            "301 /b",
            &[2],
        ),
        (
            Dialect::S3,
            "[{\"Redirect\":{\"ReplaceKeyWith\":\"b\"}},\n{\"Redirect\":{\"ReplaceKeyPrefixWith\":\"b\"}}]".to_owned(),
            "/a",
            "301 /b",
            &[],
        ),
        (Dialect::Iis, iis(&[("1", "^a$", "Redirect", "b"), ("2", "^a$", "Redirect", "b")]), "/a", "301 /b", &[2]),
        (Dialect::Iis, iis(&[("1", "^(.*)x$", "Rewrite", "{R:1}"), ("2", "^(.*)x$", "Rewrite", "{R:1}")]), "/about.htmlxx", "200 =/about.html", &[]),
        (Dialect::Caddy, ":80 {\nredir /a /b\nredir /a /b\nredir /a /b 301\n}\n".to_owned(), "/a", "302 /b", &[3]),
        (Dialect::Caddy, ":80 {\nroute {\nuri replace a b 1\nuri replace a b 1\nredir {uri}\n}\n}\n".to_owned(), "/aa", "302 /bb", &[]),
    ] {
        check(dialect, &rules, "/", &[(path, expected)]);
        let found: Vec<usize> = problems_of(dialect, &rules).iter().map(|(line, _)| *line).collect();
        assert_eq!(found, problems, "{rules}");
    }
    let duplicate = nginx("location = /a { return 301 /b; }\nlocation = /a { return 301 /b; }\n");
    assert_eq!(
        problems_of(Dialect::Nginx, &duplicate),
        [(3, ProblemKind::Refused)]
    );
}
