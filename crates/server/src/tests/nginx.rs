//! nginx.

use super::*;

#[test]
fn nginx_maps_by_key_then_pattern_and_drops_the_query() {
    let rules = "map $uri $new { /m1 /n1; /a /b?x=1; ~^/m4/(.*)$ /n4/$1; }\n\
                 server { if ($new) { return 301 $new; } }";
    check(
        Dialect::Nginx,
        rules,
        "/",
        &[
            ("/M1?q=1", "301 /n1"),
            ("/m1/", "404"),
            ("/m4/a%20b", "301 /n4/a b"),
            ("/m4/a%3Fb", "301 /n4/a?b"),
        ],
    );
    let rules = "map $request_uri $new { /m1 /n1; } server { if ($new) { return 302 $new; } }";
    check(
        Dialect::Nginx,
        rules,
        "/",
        &[("/m1", "302 /n1"), ("/m1?q=1", "404")],
    );
    assert_eq!(
        problems_of(Dialect::Nginx, "map $uri $n { /a /b; /A /c; }\n"),
        [(1, ProblemKind::Refused)]
    );
}

#[test]
fn nginx_chooses_a_location_and_asks_again_for_the_index() {
    let rules = "location = /a { return 301 /t; }\nlocation /p2 { return 302 $request_uri/z; }\n\
                 location ~ ^/m4/(.*)$ { return 301 /n4/$1; }\nlocation ^~ /r/1 { return 301 /R; }\n\
                 location ~ /r/ { return 301 /no; }\nlocation = /index.html { return 301 /; }\n\
                 location ~* ^/ABOUT { return 410; }\nlocation /docs/ { return 308 /D$is_args$args; }\n\
                 location /b { try_files $uri $uri/ /exists.html; }";
    check(
        Dialect::Nginx,
        rules,
        "/",
        &[
            ("/a?x", "301 /t"),
            ("/p2x?y", "302 /p2x?y/z"),
            ("/m4/x", "301 /n4/x"),
            ("/r/1/2", "301 /R"),
            ("/r/2", "301 /no"),
            ("/", "301 /"),
            ("/about.html", "410"),
            ("/docs/?q", "308 /D?q"),
            ("/d", "301 /d/"),
            ("/d/", "200 =/d/index.html"),
            ("/blog", "301 /blog/"),
            ("/bx", "200 =/exists.html"),
        ],
    );
}

#[test]
fn nginx_rewrites_escape_captures_and_append_the_query() {
    let rules = "rewrite ^/b3/(.*)$ /t/$1 permanent;\nrewrite ^/b3$ /t?x=1 redirect;\n\
                 rewrite ^/b11 /t#frag redirect;\nrewrite ^/a/?$ /t? permanent;\n\
                 rewrite ^/in /docs/a.html last;\nrewrite ^/sp(.*)$ https://o.example$1;\n\
                 location /loop { rewrite ^ /loop; }";
    check(
        Dialect::Nginx,
        rules,
        "/",
        &[
            ("/b3/a%20b?q=1", "301 /t/a%20b?q=1"),
            ("/b3/a%3Fb", "301 /t/a?b"),
            ("/b3?q=1", "302 /t?x=1&q=1"),
            ("/b11?q=1", "302 /t#frag?q=1"),
            ("/a?q=1", "301 /t"),
            ("/in", "200 =/docs/a.html"),
            ("/spa", "302 https://o.examplea"),
            ("/loop", "500"),
        ],
    );
}

#[test]
fn nginx_keeps_directives_before_an_error_and_reports_its_line() {
    let rules = "location = /a { return 301 /t; }\nlocation = /b { return 301 /t }\n";
    assert_eq!(
        problems_of(Dialect::Nginx, rules),
        [(2, ProblemKind::Refused)]
    );
    check(Dialect::Nginx, rules, "/", &[("/a", "301 /t")]);
    let rules = "location /x { proxy_pass http://b; }\naccess_by_lua_file x.lua;";
    assert_eq!(
        problems_of(Dialect::Nginx, rules),
        [(1, ProblemKind::NotRead), (2, ProblemKind::NotRead)]
    );
    check(Dialect::Nginx, rules, "/", &[("/x", "unknown, line 1")]);
}

#[test]
fn nginx_rewrites_apply_in_order() {
    let rewrites = (0..200).map(|n| {
        format!("rewrite ^/o{n}/(.*)$ /p{n}/$1;\nrewrite ^/p{n}/(.*)$ /q/$1 permanent;\n")
    });
    let conditions = (0..200).map(|n| {
        format!(
            "if ($request_uri ~ \"^/i{n}(/|$)\") {{ return 301 /j{n}; }}\n\
             if ($uri = /e{n}) {{ return 302 /f{n}; }}\n"
        )
    });
    let mut rules = rewrites.chain(conditions).collect::<Vec<_>>().concat();
    rules.push_str("rewrite ^/i /late redirect;\n");
    check(
        Dialect::Nginx,
        &rules,
        "/",
        &[
            ("/o7/x", "301 /q/x"),
            ("/o17/x", "301 /q/x"),
            ("/p199/y", "301 /q/y"),
            ("/i5/z", "301 /j5"),
            ("/i50", "301 /j50"),
            ("/i501", "302 /late"),
            ("/e42", "302 /f42"),
            ("/e420", "404"),
        ],
    );
}
