//! Lists and texts that every address is compared with take steps.

use super::*;

#[test]
fn tried_names_take_steps() {
    let names = |count: usize| "n ".repeat(count);
    let apache = format!("DirectoryIndex {}\n", names(20_000));
    let nginx = format!("server {{ index {}; }}\n", names(40_000));
    let tries = format!(":80 {{\ntry_files {}\n}}\n", names(40_000));
    let indexes = format!(":80 {{\nfile_server {{\nindex {}\n}}\n}}\n", names(140_000));
    for (dialect, rules, path) in [
        (Dialect::Apache, apache, "/d/"),
        (Dialect::Nginx, nginx, "/d/"),
        (Dialect::Caddy, tries, "/a"),
        (Dialect::Caddy, indexes, "/d/"),
    ] {
        is_unknown(dialect, &rules, path, "rule-steps");
    }
}

#[test]
fn matcher_comparisons_take_steps() {
    let paths = format!(
        ":80 {{\n@p path {0}\n@q path {0}\n{1}}}\n",
        "/x ".repeat(10_000),
        "redir @p /y\nredir @q /y\n".repeat(250)
    );
    let queries = format!(
        ":80 {{\n@q query {}a=2\nredir @q /y\n}}\n",
        "a=1 ".repeat(80_000)
    );
    let conditions = format!(
        r#"{{"redirects":[{{"source":"/a","destination":"/b","has":[{}]}}]}}"#,
        vec![r#"{"type":"query","key":"q"}"#; 4_000].join(",")
    );
    let excluded = format!(
        r#"{{"navigationFallback":{{"rewrite":"/","exclude":[{}"/x"]}}}}"#,
        r#""/x","#.repeat(140_000)
    );
    let query = format!("/a?{}q={}", "a=3&".repeat(40), "z".repeat(4_000));
    for (dialect, rules, path) in [
        (Dialect::Caddy, paths, "/a"),
        (Dialect::Caddy, queries, &query),
        (Dialect::Vercel, conditions, &query),
        (Dialect::Swa, excluded, "/a"),
    ] {
        is_unknown(dialect, &rules, path, "rule-steps");
    }
}

#[test]
fn filled_in_targets_have_a_maximum_length() {
    let uris = format!(":80 {{\nredir {}\n}}\n", "{uri}".repeat(40_000));
    let to = ":a/".repeat(20_000);
    let next = format!(r#"{{"redirects":[{{"source":"/:a","destination":"/{to}"}}]}}"#);
    let firebase =
        format!(r#"{{"hosting":{{"redirects":[{{"source":"/:a","destination":"/{to}"}}]}}}}"#);
    let groups: Vec<String> = (0..800).map(|n| format!("(?<n{n}>x)?")).collect();
    let vercel = format!(
        r#"{{"routes":[{{"src":"/{}","dest":"/{}"}}]}}"#,
        groups.concat(),
        "$none/".repeat(4_000)
    );
    let path = format!("/{}", "z".repeat(20));
    for (dialect, rules, path, limit) in [
        (Dialect::Caddy, uris, &*path, "rule-steps"),
        (Dialect::Next, next, &path, "rule-text"),
        (Dialect::Firebase, firebase, &path, "rule-text"),
        (Dialect::Vercel, vercel, "/", "rule-steps"),
    ] {
        is_unknown(dialect, &rules, path, limit);
    }
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

/// The number of rules that are read, if a problem names the limit.
fn rules_within(dialect: Dialect, rules: &str, limit: &str) -> usize {
    let file = RuleFile::read(dialect, rules.as_bytes(), "/");
    let is_said = |problem: &Problem| problem.message.contains(limit);
    assert!(file.problems().iter().any(is_said), "{dialect}: {limit}");
    file.rules().len()
}

#[test]
fn patterns_of_a_file_have_a_total() {
    let many = |rule: &dyn Fn(usize) -> String| (0..400).map(rule).collect::<String>();
    let limit = "rule-patterns-of-file";
    let redirects = many(&|n| format!("RedirectMatch ^/\\pL{{10}}{n}$ /z\n"));
    let rewrites = many(&|n| format!("rewrite \"^/\\pL{{10}}{n}$\" /z permanent;\n"));
    for (dialect, rules) in [
        (Dialect::Htaccess, redirects),
        (Dialect::Nginx, format!("server {{\n{rewrites}}}\n")),
    ] {
        let read = rules_within(dialect, &rules, limit);
        assert!((1..390).contains(&read), "{dialect}: {read}");
    }
    let ordinary = many(&|n| format!("RedirectMatch ^/(?!x)(\\w+)-{n}/(.*)$ /z/$1\n"));
    let file = RuleFile::read(Dialect::Htaccess, ordinary.as_bytes(), "/");
    assert_eq!((file.rules().len(), file.problems()), (400, &[][..]));
}

#[test]
fn braces_of_a_file_have_a_total() {
    let source = |glob: &str, count: usize| {
        let rule = |n| format!(r#"{{"source":"/{glob}/{n}","destination":"/z","type":301}}"#);
        let rules: Vec<String> = (0..count).map(rule).collect();
        format!(r#"{{"hosting":{{"redirects":[{}]}}}}"#, rules.join(","))
    };
    let limit = "rule-braces-of-file";
    let rules = source(&"{a,b}".repeat(8), 100);
    let read = rules_within(Dialect::Firebase, &rules, limit);
    assert!((1..50).contains(&read), "{read}");
    let rules = source("{a,b,c}", 1_000);
    let file = RuleFile::read(Dialect::Firebase, rules.as_bytes(), "/");
    assert_eq!((file.rules().len(), file.problems()), (1_000, &[][..]));
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
