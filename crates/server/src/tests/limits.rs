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
        ":80 {{\n@p path {}\n{}}}\n",
        "/x ".repeat(10_000),
        "redir @p /y\n".repeat(500)
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
