//! Netlify.

use super::*;

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
    assert_eq!(problems_of(Dialect::Netlify, rules), not_read);
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
