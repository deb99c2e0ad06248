//! A rule that a file repeats takes the memory of one.

use allocation_counter::measure;
use baseref_server::{Dialect, RuleFile};

/// A file that repeats a rule: what precedes it, the rule, and what follows.
#[rustfmt::skip]
const FILES: &[(Dialect, [&str; 3])] = &[
    (Dialect::Csv, ["from,to\n", "/old,/new\n", ""]),
    (Dialect::Csv, ["from,to\n/old,/other\n", "/old,/new\n", ""]),
    (Dialect::Json, ["[", "{\"from\":\"/old\",\"to\":\"/new\"},\n", "{\"from\":\"/a\",\"to\":\"/b\"}]"]),
    (Dialect::Netlify, ["", "/old /new 301\n", ""]),
    (Dialect::Netlify, ["", "/old/* /new/:splat 301!\n", ""]),
    (Dialect::Cloudflare, ["", "/old /new 301\n", ""]),
    (Dialect::Apache, ["", "Redirect 301 /old /new\n", ""]),
    (Dialect::Apache, ["", "RedirectMatch 301 ^/old$ /new\n", ""]),
    (Dialect::Apache, ["", "RedirectMatch 301 ^/old$ /new\nRedirect /a /b\n", ""]),
    (Dialect::Htaccess, ["RewriteEngine On\n", "RewriteRule ^old$ /new [R=301,L]\n", ""]),
    (Dialect::Nginx, ["server {\n", "rewrite ^/old$ /new permanent;\n", "}\n"]),
    (Dialect::Nginx, ["server {\n", "location = /old { return 301 /new; }\n", "}\n"]),
    (Dialect::Nginx, ["server {\n", "location ~ ^/old$ { return 301 /new; }\n", "}\n"]),
    (Dialect::Nginx, ["server {\n", "if ($uri = /old) {\nreturn 301 /new;\n}\n", "}\n"]),
    (Dialect::Caddy, [":80 {\n", "redir /old /new 301\n", "}\n"]),
    (Dialect::Caddy, [":80 {\nhandle {\n", "respond /old 404\n", "}\n}\n"]),
];

fn most_bytes(dialect: Dialect, [before, rule, after]: [&str; 3], count: usize) -> u64 {
    let rules = [before, &rule.repeat(count), after].concat();
    let counted = measure(|| drop(RuleFile::read(dialect, rules.as_bytes(), "/")));
    counted.bytes_max
}

#[test]
fn repeated_rules_take_the_memory_of_one() {
    for (dialect, file) in FILES {
        // Problems are listed up to a number, which repetitions that the server drops reach.
        let [few, many] = [20_001, 50_001].map(|count| most_bytes(*dialect, *file, count));
        let text = file[1].len() as u64 * 30_000;
        assert!(
            many < few + text / 16 + (16 << 10),
            "{dialect}: {few} and {many} bytes: {file:?}"
        );
    }
}
