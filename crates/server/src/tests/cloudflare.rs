//! Cloudflare Pages.

use super::*;

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
    assert_eq!(problems_of(Dialect::Cloudflare, rules), wanted);
}

#[test]
fn cloudflare_counts_every_rule_after_the_first_pattern_as_dynamic() {
    let lines = (0..120).map(|number| format!("/r{number} /t\n"));
    let rules: String = std::iter::once("/p/* /t\n".to_owned())
        .chain(lines)
        .collect();
    assert_eq!(
        problems_of(Dialect::Cloudflare, &rules),
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
        problems_of(Dialect::Cloudflare, &rules),
        [(2_001, ProblemKind::OverLimit)]
    );
    let long = format!("/{} /t", "a".repeat(2_100));
    assert_eq!(
        problems_of(Dialect::Cloudflare, &long),
        [(1, ProblemKind::OverLimit)]
    );
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
    assert_eq!(problems_of(Dialect::Cloudflare, rules), dropped);
}
