//! Rules and addresses, and the answers of the real servers.

use super::*;

mod hosting;
mod limits;
mod programs;
mod servers;
mod services;

/// A virtual tree; a name that ends in a slash is a directory.
struct Made(&'static [&'static str]);

impl Files for Made {
    fn kind(&self, path: &[u8]) -> Option<Kind> {
        let path = std::str::from_utf8(path).ok()?;
        let bare = path.strip_suffix('/').unwrap_or(path);
        if self.0.contains(&path) && !path.ends_with('/') {
            return Some(Kind::File);
        }
        let is_folder = bare.is_empty()
            || self.0.iter().any(|name| {
                name.strip_prefix(bare)
                    .is_some_and(|rest| rest.starts_with('/'))
            });
        is_folder.then_some(Kind::Directory)
    }
}

const TREE: Made = Made(&[
    "/index.html",
    "/about.html",
    "/exists.html",
    "/contact.html",
    "/d/index.html",
    "/docs/index.html",
    "/docs/a.html",
    "/docs/sub/index.html",
    "/blog/post.html",
    "/blog/index.html",
]);

/// The answer in one line: the status, and where it leads or which file it is.
fn ask(dialect: Dialect, rules: &str, mount: &str, path: &str) -> String {
    let file = RuleFile::read(dialect, rules.as_bytes(), mount);
    let url = format!("http://h{path}");
    let request = Request::from_url(&url).unwrap();
    match file.answer(&request, &TREE) {
        Answer::Redirect {
            status, location, ..
        } => format!(
            "{status} {}",
            location.strip_prefix("http://h").unwrap_or(&location)
        ),
        Answer::File { path, status, .. } => {
            format!("{status} ={}", String::from_utf8_lossy(&path))
        }
        Answer::Refused { status, .. } => status.to_string(),
        Answer::Unknown { line } => format!("unknown, line {line}"),
    }
}

fn check(dialect: Dialect, rules: &str, mount: &str, answers: &[(&str, &str)]) {
    for (path, answer) in answers {
        assert_eq!(
            ask(dialect, rules, mount, path),
            *answer,
            "{path} by\n{rules}"
        );
    }
}

fn troubles(dialect: Dialect, rules: &str) -> Vec<(usize, ProblemKind)> {
    let file = RuleFile::read(dialect, rules.as_bytes(), "/");
    let problems = file.problems().iter();
    problems
        .map(|problem| (problem.line, problem.kind))
        .collect()
}

#[test]
fn cloudflare_matches_the_path_as_sent_and_lets_no_file_win() {
    let rules = "/a /t 301\n/c8#sec /t8\n/c8#two /t9\n/c1 /t1\n/c9 /t9#frag\n/about /t 308\n\
                 /blog/ /docs/ 301\n/p3/:a-:b /q/:b/:a\n/p4/:a.html /q4/:a\n/s1/* /u1/:splat\n\
                 /s7* /u7/:splat/end\n/two/:x/:x /t\n/ab/:a /r/:ab-:zz\n/m/:m /mm/:m\n\
                 /host/* https://o.example/e/:splat?k\n/rw /docs/a.html 200\n/late /tt?w=1\n";
    check(
        Dialect::Cloudflare,
        rules,
        "/",
        &[
            ("/a?x=1", "301 /t?x=1"),
            ("/c8", "302 /t8"),
            ("/c9?q=1", "302 /t9?q=1#frag"),
            ("/%631", "200 =/index.html"),
            ("/about", "308 /t"),
            ("/blog", "308 /blog/"),
            ("/blog/", "301 /docs/"),
            ("/about.html", "308 /about"),
            ("/index.html", "308 /"),
            ("/p3/x-y", "302 /q/y/x"),
            ("/p4/x.html", "302 /q4/x"),
            ("/s1/a/b?q=1", "302 /u1/a/b?q=1"),
            ("/s1", "200 =/index.html"),
            ("/s7abc", "302 /u7/abc/end"),
            ("/two/1/1", "200 =/index.html"),
            ("/ab/v", "302 /r/vb-:zz"),
            ("/m/$&x", "302 /mm/:mx"),
            ("/host/a?z", "302 https://o.example/e/a?k"),
            ("/rw", "308 /docs/a"),
            ("/late?q", "302 /tt?w=1"),
            // Repeated slashes do not matter to files; rules compare the path as sent.
            ("//about.html", "308 /about"),
            ("/docs//", "200 =/docs/index.html"),
            ("//docs", "308 /docs/"),
            ("//a", "200 =/index.html"),
            ("/s1//x", "302 /u1//x"),
        ],
    );
}

#[test]
fn cloudflare_reports_dropped_lines() {
    let rules = "/a /t 404\n/b http://h/\n/c /t 301 x\n/* /index.html\n/d /t\n/d /u\n\
                 /e https://h/ 200\n/f/*/* /t\n/g#x /t\n/h t\n";
    let dropped = [1, 2, 3, 4, 6, 7, 8, 10].map(|line| (line, ProblemKind::Dropped));
    let mut wanted = dropped.to_vec();
    wanted.push((9, ProblemKind::FragmentSource));
    wanted.sort_unstable();
    assert_eq!(troubles(Dialect::Cloudflare, rules), wanted);
}

#[test]
fn cloudflare_counts_every_rule_after_the_first_pattern_as_dynamic() {
    let lines = (0..120).map(|number| format!("/r{number} /t\n"));
    let rules: String = std::iter::once("/p/* /t\n".to_owned())
        .chain(lines)
        .collect();
    assert_eq!(
        troubles(Dialect::Cloudflare, &rules),
        [(101, ProblemKind::OverLimit)]
    );
    check(
        Dialect::Cloudflare,
        &rules,
        "/",
        &[("/r98", "302 /t"), ("/r99", "200 =/index.html")],
    );
    let lines: Vec<String> = (0..2_001).map(|n| format!("/r{n} /t\n")).collect();
    let rules = lines.concat();
    assert_eq!(
        troubles(Dialect::Cloudflare, &rules),
        [(2_001, ProblemKind::OverLimit)]
    );
    let long = format!("/{} /t", "a".repeat(2_100));
    assert_eq!(
        troubles(Dialect::Cloudflare, &long),
        [(1, ProblemKind::OverLimit)]
    );
}

#[test]
fn netlify_matches_the_decoded_path_and_lets_files_win() {
    let rules = "/a /t\n/s1/* /u1/:splat\n/s2/*/end /u2/:splat 302\n/s7* /u7/:splat\n\
                 /q1 a=1 /t1\n/q2 a=:a /t2/:a\n/caf%C3%A9 /no\n/caf\u{e9} /cafe\n/d/* /never\n\
                 /docs/* /forced/:splat 301!\n/p/:x/:y /pp/:y/:x\n/g404 /about.html 404\n\
                 /rw/* /index.html 200\n/fr /t#frag\n/lang /t 301 Language=fr\n/x1/*.html /n\n\
                 http://other/o /y\n/g410 /gone 410\n/ext2 https://o.example/?k=v\n";
    check(
        Dialect::Netlify,
        rules,
        "/",
        &[
            ("/a/", "301 /t"),
            ("/A", "404"),
            ("/a?b=%20c&d", "301 /t?b=+c&d="),
            ("/s1", "301 /u1/"),
            ("/s1//a", "301 /u1//a"),
            ("/s1/a%3Fb", "301 /u1/a?b"),
            ("/s1/a%23b", "301 /u1/a#b"),
            ("/s2/x/y/end", "302 /u2/x/y"),
            ("/s2/end", "302 /u2/"),
            ("/s7abc", "301 /u7/abc"),
            ("/q1?a=1&b=2", "301 /t1?a=1&b=2"),
            ("/q1?b=2", "404"),
            ("/q2?a=x%20y", "301 /t2/x+y?a=x+y"),
            ("/caf%C3%A9", "301 /cafe"),
            ("/d/", "200 =/d/index.html"),
            ("/d", "200 =/d/index.html"),
            ("/d/x", "301 /never"),
            ("/docs/a.html", "301 /forced/a.html"),
            ("/p/1/2", "301 /pp/2/1"),
            // Empty segments before a name are skipped.
            ("/p//1//2", "301 /pp/2/1"),
            ("/g404", "404 =/about.html"),
            ("/g410", "404"),
            ("/rw/x", "200 =/index.html"),
            ("/fr?q=1", "301 /t?q=1#frag"),
            ("/lang", "unknown, line 15"),
            ("/x1/a.html", "404"),
            ("/o", "404"),
            ("/about", "200 =/about.html"),
            ("/ext2?z", "301 https://o.example/?k=v"),
            // Repeated slashes do not matter to files; rules compare the path as sent.
            ("//about.html", "200 =/about.html"),
            ("//d//", "200 =/d/index.html"),
            ("//a", "404"),
            ("/a//", "404"),
        ],
    );
}

/// As answered by netlify-cli 26.2.0, measured on 2026-11-22.
#[test]
fn netlify_drops_an_empty_query_or_fragment_of_a_path_and_reads_any_javascript_number() {
    let rules = "/tq0 /t? 301\n/tf0 /t# 301\n/abs https://o.example/?# 301\n/hex /t 0x12d\n\
                 /three /t 3e2\n/minus /t -301\n/s1/* /u1/:splat\n/about.html /t\n/%zz /t\n";
    check(
        Dialect::Netlify,
        rules,
        "/",
        &[
            ("/tq0", "301 /t"),
            ("/tq0?x=1", "301 /t?x=1"),
            ("/tf0", "301 /t"),
            ("/tf0?x=1", "301 /t?x=1"),
            ("/abs", "301 https://o.example/?#"),
            ("/hex", "301 /t"),
            ("/three", "unknown, line 5"),
            ("/minus", "unknown, line 6"),
            ("/s1/a%5Cb", "unknown, line 7"),
            ("/about.html/", "200 =/about.html"),
            ("/exists.html/", "404"),
            ("/%zz", "500"),
            ("/s1/%E4", "500"),
        ],
    );
    let not_read = [(5, ProblemKind::NotRead), (6, ProblemKind::NotRead)];
    assert_eq!(troubles(Dialect::Netlify, rules), not_read);
}

/// As answered by wrangler 4.86.0, measured on 2026-11-22.
#[test]
fn cloudflare_reads_any_javascript_number_as_a_status() {
    let rules = "/hex /t 0x12d\n/oct /t 0o455\n/bin /t 0b100101101\n/real /t 301.0\n\
                 /power /t 3.01e2\n/sign /t +301\n/two /t 0x+12d\n/no /t 3e2\n";
    let is_read = |path: &str| ask(Dialect::Cloudflare, rules, "/", path) == "301 /t";
    for path in ["/hex", "/oct", "/bin", "/real", "/power", "/sign"] {
        assert!(is_read(path), "{path}");
    }
    let dropped = [(7, ProblemKind::Dropped), (8, ProblemKind::Dropped)];
    assert_eq!(troubles(Dialect::Cloudflare, rules), dropped);
}

#[test]
fn apache_redirects_append_the_rest_and_then_the_query() {
    let rules = "Redirect /a /t\nredirect 301 /sl/ /t/\nRedirect gone /gone\n\
                 Redirect permanent /q /t?x=1\nRedirect /f1 /t#frag\n\
                 Redirect /about.html /new/\nRedirect /caf%C3%A9 /no\n\
                 RedirectMatch ^/x/(.*)$ /y/$1\nRedirectMatch 410 ^/lost\n";
    check(
        Dialect::Apache,
        rules,
        "/",
        &[
            ("/a?x=1", "302 /t?x=1"),
            ("/a//b", "302 /t/b"),
            ("/ab", "404"),
            ("/a;b", "404"),
            ("/sl", "404"),
            ("/sl/a", "301 /t/a"),
            ("/gone/x", "410"),
            ("/q/r", "301 /t?x=1/r"),
            ("/q?y=2", "301 /t?x=1"),
            ("/f1?q=1", "302 /t#frag?q=1"),
            ("/about.html/extra", "302 /new//extra"),
            ("/caf%C3%A9", "404"),
            ("/x/a%3Fb", "302 /y/a?b"),
            ("/lost.html", "410"),
            ("/a%2Fb", "404"),
            ("/a%zz", "400"),
            ("/d?x=1", "301 /d/?x=1"),
            ("/d/", "200 =/d/index.html"),
        ],
    );
}

#[test]
fn apache_requests_its_index_and_a_redirect_of_it_loops() {
    let index = [("/", "302 /"), ("/index.html", "302 /")];
    check(Dialect::Apache, "Redirect /index.html /", "/", &index);
    check(Dialect::Htaccess, "Redirect /index.html /", "/", &index);
    let rules = "RewriteEngine on\nRewriteRule ^/index\\.html$ / [R=301,L]";
    check(
        Dialect::Apache,
        rules,
        "/",
        &[("/", "200 =/index.html"), ("/index.html", "301 /")],
    );
}

#[test]
fn apache_rewrites_before_it_redirects() {
    let rules = "RewriteEngine On\nRedirect /r8 /contact.html\nRewriteRule ^/r8$ /exists.html [L]\n\
                 RewriteRule ^/a$ /b1 [R=301]\nRewriteRule /b1$ /b2 [R=302,L]\n\
                 RewriteRule ^/q$ /t? [R,L]\nRewriteCond %{QUERY_STRING} ^x=(\\d)$\n\
                 RewriteRule ^/n$ /n%1 [R,L]\nRewriteCond %{HTTP_HOST} ^other [OR]\n\
                 RewriteCond %{QUERY_STRING} y [NC]\nRewriteRule ^/w(.*) /v$1 [R=301,L]\n\
                 RewriteRule ^/X/(.*)$ /nc/$1 [NC,R,L,NE]\nRewriteRule ^/f - [F]\n\
                 RewriteRule ^/sp /t\\%20u [R,L,NE]\nRewriteRule ^/qsa /t?k [R,QSA,L]\n\
                 RewriteRule ^/away$ http://o.example/\nRewriteRule ^/h$ /t#f [R,L]\n";
    check(
        Dialect::Apache,
        rules,
        "/",
        &[
            ("/r8", "200 =/exists.html"),
            ("/a?z", "302 /b2?z"),
            ("/q?z", "302 /t"),
            ("/n?x=3", "302 /n3?x=3"),
            ("/n?x=z", "404"),
            ("/w/1?Y", "301 /v/1?Y"),
            ("/w/1", "404"),
            ("/x/1", "302 /nc/1"),
            ("/x/a%3Fb", "403"),
            ("/f", "403"),
            ("/sp", "302 /t%20u"),
            ("/qsa?z=%20", "302 /t?k&z=%2520"),
            ("/away?z=%20", "302 http://o.example/?z=%20"),
            ("/h", "302 /t%23f"),
        ],
    );
}

#[test]
fn htaccess_sees_the_path_below_its_folder() {
    let rules = "RewriteEngine On\nRewriteRule ^/x$ /never [R]\nRewriteRule ^x$ a.html [L]\n\
                 RewriteRule ^r8$ /exists.html [L]\nRedirect /docs/r8 /contact.html\n\
                 RewriteRule ^out$ /t [R=301,L]\nRewriteRule ^bad$ t [R]\n\
                 RewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^(old/.*) /new/$1 [R=301,L]\n";
    check(
        Dialect::Htaccess,
        rules,
        "/docs/",
        &[
            ("/docs/x", "200 =/docs/a.html"),
            ("/docs/r8", "302 /contact.html"),
            ("/docs/out", "301 /t"),
            ("/docs/bad", "unknown, line 7"),
            ("/docs/old/1", "301 /new/old/1"),
            ("/x", "404"),
            ("/docs/sub", "301 /docs/sub/"),
        ],
    );
    let loops = "RewriteEngine On\nRewriteRule ^(.*)$ foo/$1 [L]";
    check(
        Dialect::Htaccess,
        loops,
        "/",
        &[("/q", "500"), ("/d", "301 /d/")],
    );
}

/// As answered by Apache 2.4.71, measured on 2026-11-22.
#[test]
fn htaccess_has_no_answer_outside_its_folder() {
    check(
        Dialect::Htaccess,
        "Include other.conf\n",
        "/docs",
        &[
            ("/about.html", "200 =/about.html"),
            ("/docs2/", "404"),
            ("/docs/a.html", "unknown, line 1"),
        ],
    );
}

#[test]
fn htaccess_rules_append_path_info_again() {
    let rules = "RewriteEngine On\nRewriteRule ^v/(.*)$ copied/$1\nRewriteRule ^w/ once [DPI]\n\
                 RewriteCond %{REQUEST_FILENAME} /c/x$\nRewriteRule ^c/x /file [R,L]\n\
                 RewriteRule ^(copied|once)(.*)$ http://o.example/$2 [R=301]\n";
    check(
        Dialect::Htaccess,
        rules,
        "/docs/",
        &[
            ("/docs/v", "404"),
            ("/docs/v/x", "301 http://o.example//x/x"),
            ("/docs/v/x/y", "301 http://o.example//x/y/x/y"),
            ("/docs/w/x/y", "301 http://o.example/"),
            ("/docs/c/x", "404"),
            ("/docs/c/x/y", "404"),
        ],
    );
}

/// As answered by Apache 2.4.71, measured on 2026-11-22.
#[test]
fn htaccess_redirects_its_folder_without_a_slash_but_does_not_rewrite_it() {
    let rules = "RewriteEngine On\nRewriteRule .* /t [R,L]\nRedirectMatch ^/docs/?$ /u\n";
    check(
        Dialect::Htaccess,
        rules,
        "/docs/",
        &[("/docs", "302 /u"), ("/docs/", "302 /t"), ("/doc", "404")],
    );
    let rules = "RewriteEngine On\nRewriteRule .* /t [R,L]\n";
    let answers = [("/docs", "301 /docs/"), ("/docs/", "302 /t")];
    check(Dialect::Htaccess, rules, "/docs/", &answers);
    let rules = "RewriteEngine On\nRewriteBase /a b\nRewriteRule ^x$ /t [R]\n";
    assert_eq!(
        troubles(Dialect::Htaccess, rules),
        [(2, ProblemKind::Refused)]
    );
}

/// As answered by Apache 2.4.71, measured on 2026-11-22.
#[test]
fn apache_ignores_words_after_flags_and_escapes_query_spaces() {
    let rules = "RewriteEngine On\nRewriteRule ^/note$ /t [R=301,L] # see /u\n\
                 RewriteRule ^/more$ /t [R=301,L] [NE]\n\
                 RewriteRule ^/q/(.*)$ http://o.example/?q=$1 [R=301,L]\n\
                 RewriteRule ^/ne/(.*)$ http://o.example/?q=$1 [R=301,L,NE]\n\
                 RewriteRule ^/in/(.*)$ /exists.html?q=$1 [L]\n";
    check(
        Dialect::Apache,
        rules,
        "/",
        &[
            ("/note", "301 /t"),
            ("/more", "301 /t"),
            ("/q/a%20b", "301 http://o.example/?q=a%20b"),
            ("/ne/a%20b", "403"),
            ("/in/a%20b", "403"),
        ],
    );
    assert_eq!(
        troubles(Dialect::Apache, rules),
        [(3, ProblemKind::Dropped)]
    );
}

#[test]
fn apache_reports_fatal_and_unsupported_lines() {
    use ProblemKind::{Irrelevant, NotRead, Refused};

    let rules = "Redirect /a t\nRedirect temporary /a /t\nRedirect 410 /a /t\nRedirect /a /t # c\n\
                 RewriteEngine On\nRewriteCond %{HTTP_ACCEPT} html\nRewriteRule ^/b$ /t [R]\n\
                 Alias /i /j\nAddType text/html .h\n<Directory /x>\nRedirect /c /d\n</Directory>\n";
    assert_eq!(
        troubles(Dialect::Apache, rules),
        [
            (1, Refused),
            (2, Refused),
            (3, Refused),
            (4, Refused),
            (7, NotRead),
            (8, NotRead),
            (9, Irrelevant),
            (11, NotRead),
        ]
    );
    check(
        Dialect::Apache,
        rules,
        "/",
        &[
            ("/b", "unknown, line 7"),
            ("/c/x", "unknown, line 11"),
            ("/i", "unknown, line 8"),
            ("/z", "404"),
        ],
    );
    let rules = "<Location /feed>\nRedirect 301 /t\n</Location>\nDirectorySlash Off\n\
                 <LocationMatch ^/l>\nRedirect 301 /t\n</LocationMatch>\nFallbackResource /i\n";
    check(
        Dialect::Apache,
        rules,
        "/",
        &[
            ("/feed/x", "unknown, line 2"),
            ("/feeds", "unknown, line 8"),
            ("/l", "unknown, line 6"),
            ("/docs", "403"),
            ("/docs/", "200 =/docs/index.html"),
        ],
    );
}

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
        troubles(Dialect::Nginx, "map $uri $n { /a /b; /A /c; }\n"),
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
    assert_eq!(troubles(Dialect::Nginx, rules), [(2, ProblemKind::Refused)]);
    check(Dialect::Nginx, rules, "/", &[("/a", "301 /t")]);
    let rules = "location /x { proxy_pass http://b; }\naccess_by_lua_file x.lua;";
    assert_eq!(
        troubles(Dialect::Nginx, rules),
        [(1, ProblemKind::NotRead), (2, ProblemKind::NotRead)]
    );
    check(Dialect::Nginx, rules, "/", &[("/x", "unknown, line 1")]);
}

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
            troubles(Dialect::Json, broken),
            [(2, ProblemKind::Refused)],
            "{broken}"
        );
        assert_eq!(
            RuleFile::read(Dialect::Json, broken.as_bytes(), "/").rules(),
            []
        );
    }
    assert_eq!(
        troubles(Dialect::Csv, "x,y\n/a,/b\n"),
        [(1, ProblemKind::Refused)]
    );
}

#[test]
fn unknown_columns_are_reported_once() {
    let csv = "source,target,regex,Notes\n/a,/b,1,x\n/c,/d,1,y\n";
    assert_eq!(troubles(Dialect::Csv, csv), [(1, ProblemKind::NotRead)]);
    let map = "old_url,new_url,status,hops,verdict\n/a,/b,301,1,page-ok\n";
    assert_eq!(troubles(Dialect::Csv, map), []);
    let json = r#"[{"from": "/a", "to": "/b", "has": []}, {"from": "/c", "to": "/d", "has": []}]"#;
    assert_eq!(troubles(Dialect::Json, json), [(1, ProblemKind::NotRead)]);
}

#[test]
fn maps_in_conditions_and_negotiation_make_answers_unknown() {
    let rules = "RewriteEngine On\nRewriteCond ${m:x} y\nRewriteRule ^/a$ /t [R]\n";
    assert_eq!(
        troubles(Dialect::Apache, rules),
        [(3, ProblemKind::NotRead)]
    );
    check(Dialect::Apache, rules, "/", &[("/a", "unknown, line 3")]);
    let rules = "Options +Indexes +MultiViews\n";
    assert_eq!(
        troubles(Dialect::Apache, rules),
        [(1, ProblemKind::NotRead)]
    );
    let answers = [
        ("/about", "unknown, line 1"),
        ("/about.html", "200 =/about.html"),
    ];
    check(Dialect::Apache, rules, "/", &answers);
    let rules = "Options -MultiViews\n";
    assert_eq!(troubles(Dialect::Apache, rules), []);
    check(Dialect::Apache, rules, "/", &[("/about", "404")]);
}

/// The answer to a path, and the limits that were reached.
fn met(dialect: Dialect, rules: &str, path: &str) -> (Answer, Vec<String>) {
    let file = RuleFile::read(dialect, rules.as_bytes(), "/");
    let url = format!("http://h{path}");
    let answer = file.answer(&Request::from_url(&url).unwrap(), &TREE);
    let met = file.met().into_iter();
    (answer, met.map(|problem| problem.message).collect())
}

/// Checks that an address has no answer, and that the message names the limit.
fn is_unknown(dialect: Dialect, rules: &str, path: &str, limit: &str) {
    let (answer, met) = met(dialect, rules, path);
    let rules: String = rules.chars().take(60).collect();
    let is_unknown = matches!(answer, Answer::Unknown { .. });
    assert!(is_unknown, "{dialect}: {rules}: {limit}");
    let is_said = met.iter().any(|message| message.contains(limit));
    assert!(is_said, "{dialect}: {rules}: {met:?}");
}

#[test]
fn endless_rules_report_their_limit() {
    let doubles = format!(
        "set $a aaaaaaaaaaaaaaaa;\n{}rewrite ^ /$a permanent;\n",
        "set $a $a$a;\n".repeat(40)
    );
    let maps = |depth: usize| {
        let maps =
            (0..depth).map(|n| format!("map $m{0} $m{n} {{ default $m{0}$m{0}$m{0}; }}\n", n + 1));
        let maps = maps.collect::<Vec<_>>().concat();
        format!(
            "{maps}map $uri $m{depth} {{ default x; }}\nserver {{ rewrite ^ /$m0 permanent; }}\n"
        )
    };
    let captures = format!(
        "{}rewrite ^ /x permanent;\n",
        "if ($uri ~ (.*)) { set $a $1$1; }\nrewrite ^(.*)$ $1$1$1$1;\n".repeat(20)
    );
    let places = format!("/a/:x {}\n", "/:x".repeat(600));
    let replaces = format!(":80 {{\n{}}}\n", "uri replace a aa\n".repeat(20));
    let stores = format!("{}return 301 /$b;\n", "set $a b;\n".repeat(40_000));
    let long = "z".repeat(70_000);
    let table = format!("/a,/{long}\n");
    let bucket = format!(
        r#"[{{"Condition":{{"KeyPrefixEquals":"a"}},"Redirect":{{"ReplaceKeyWith":"{long}"}}}}]"#
    );
    for (dialect, rules, path, limit) in [
        (Dialect::Nginx, doubles.as_str(), "/a", "rule-text"),
        (Dialect::Nginx, &maps(14), "/a", "rule-"),
        (Dialect::Nginx, &maps(20), "/a", "rule-depth"),
        (Dialect::Nginx, &captures, "/abcdefgh", "rule-text"),
        (
            Dialect::Htaccess,
            "RewriteEngine On\nRewriteRule ^(.*)$ /$1a [N]\n",
            "/a",
            "rule-steps",
        ),
        (
            Dialect::Apache,
            r"RedirectMatch ^/(a|aa)+(?=b)\1$ /t",
            &format!("/{}", "a".repeat(60)),
            "rule-backtracking",
        ),
        (
            Dialect::Netlify,
            &places,
            &format!("/a/{}", "x".repeat(400)),
            "rule-text",
        ),
        (
            Dialect::Cloudflare,
            &places,
            &format!("/a/{}", "$'".repeat(400)),
            "rule-text",
        ),
        (Dialect::Caddy, &replaces, "/a", "rule-text"),
        (Dialect::Nginx, &stores, "/a", "rule-steps"),
        (Dialect::Csv, &table, "/a", "rule-text"),
        (Dialect::S3, &bucket, "/a", "rule-text"),
    ] {
        is_unknown(dialect, rules, path, limit);
    }
}

#[test]
fn overlong_pattern_is_refused() {
    let rules = format!("RedirectMatch ^/{}$ /b\n", "a".repeat(70_000));
    let file = RuleFile::read(Dialect::Apache, rules.as_bytes(), "/");
    assert!(file.rules().is_empty());
    let [problem] = file.problems() else {
        panic!("{:?}", file.problems());
    };
    // PCRE refuses it, too: its compiled patterns have at most 64 Ki units.
    assert_eq!(problem.kind, ProblemKind::Refused);
    assert!(problem.message.contains("rule-pattern"), "{problem:?}");
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

#[test]
fn netlify_rules_with_parameters_keep_their_place_among_the_others() {
    let rules =
        "/a id=1 /one\n/:x id=:n /any/:n\n/b id=2 q=:q /two/:q\n/a /none\n/* id=9 /nine 302\n";
    check(
        Dialect::Netlify,
        rules,
        "/",
        &[
            ("/a?id=1", "301 /one?id=1"),
            ("/a?id=2", "301 /any/2?id=2"),
            ("/b?q=z&id=2", "301 /any/2?q=z&id=2"),
            ("/a", "301 /none"),
            ("/a/b?id=9", "302 /nine?id=9"),
            ("/c", "404"),
        ],
    );
}

#[test]
fn problems_beyond_the_limit_are_counted() {
    let file = RuleFile::read(Dialect::Netlify, "x\n".repeat(10_005).as_bytes(), "/");
    assert_eq!(file.problems().len(), 10_001);
    let last = file
        .problems()
        .last()
        .map(|problem| problem.message.as_str());
    assert_eq!(
        last,
        Some("5 more problems like those listed (rule-problems)")
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
        assert_eq!(troubles(Dialect::Csv, rules), [], "{rules}");
    }
}
