//! The same faults in the rules of every dialect: each is counted once, whichever name of the host an
//! address has, and cites the line of its rule.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use super::move_agreement::contradictions;
use super::moving::tree;
use crate::rows;

/// Rules that redirect `/one` to `/two`, `/two` to a page, `/dead` to nothing, and `/l1` and `/l2` to each
/// other.
const RULES: [(&str, &str); 13] = [
    (
        "csv",
        "from,to,status\n/one,/two,301\n/two,/p/b.html,301\n/dead,/nowhere,301\n/l1,/l2,301\n\
         /l2,/l1,301\n",
    ),
    (
        "netlify",
        "# comment\n\n/one /two 301\n/two /p/b.html 301\n/dead /nowhere 301\n/l1 /l2 301\n/l2 /l1 301\n",
    ),
    (
        "cloudflare",
        "/one /two 301\n/two /p/b.html 301\n\n/dead /nowhere 301\n/l1 /l2 301\n/l2 /l1 301\n",
    ),
    (
        "apache",
        "Redirect 301 /one /two\nRedirect 301 /two /p/b.html\n# comment\nRedirect 301 /dead /nowhere\n\
         Redirect 301 /l1 /l2\nRedirect 301 /l2 /l1\n",
    ),
    (
        "htaccess",
        "RewriteEngine On\nRewriteRule ^one$ /two [R=301,L]\nRewriteRule ^two$ /p/b.html [R=301,L]\n\
         RewriteRule ^dead$ /nowhere [R=301,L]\nRewriteRule ^l1$ /l2 [R=301,L]\n\
         RewriteRule ^l2$ /l1 [R=301,L]\n",
    ),
    (
        "nginx",
        "server {\n  server_name old.example www.old.example;\n  location = /one { return 301 /two; }\n\
         \x20 location = /two { return 301 /p/b.html; }\n  location = /dead { return 301 /nowhere; }\n\
         \x20 location = /l1 { return 301 /l2; }\n  location = /l2 { return 301 /l1; }\n}\n",
    ),
    (
        "caddy",
        "http://old.example, http://www.old.example, https://old.example {\n\troot * /srv\n\
         \tredir /one /two permanent\n\tredir /two /p/b.html permanent\n\tredir /dead /nowhere permanent\n\
         \tredir /l1 /l2 permanent\n\tredir /l2 /l1 permanent\n\tfile_server\n}\n",
    ),
    (
        "firebase",
        "{\"hosting\": {\"redirects\": [\n\
         {\"source\": \"/one\", \"destination\": \"/two\", \"type\": 301},\n\
         {\"source\": \"/two\", \"destination\": \"/p/b.html\", \"type\": 301},\n\
         {\"source\": \"/dead\", \"destination\": \"/nowhere\", \"type\": 301},\n\
         {\"source\": \"/l1\", \"destination\": \"/l2\", \"type\": 301},\n\
         {\"source\": \"/l2\", \"destination\": \"/l1\", \"type\": 301}\n]}}\n",
    ),
    (
        "vercel",
        "{\"redirects\": [\n\
         {\"source\": \"/one\", \"destination\": \"/two\", \"permanent\": true},\n\
         {\"source\": \"/two\", \"destination\": \"/p/b.html\", \"permanent\": true},\n\
         {\"source\": \"/dead\", \"destination\": \"/nowhere\", \"permanent\": true},\n\
         {\"source\": \"/l1\", \"destination\": \"/l2\", \"permanent\": true},\n\
         {\"source\": \"/l2\", \"destination\": \"/l1\", \"permanent\": true}\n]}\n",
    ),
    (
        "swa",
        "{\"routes\": [\n\
         {\"route\": \"/one\", \"redirect\": \"/two\", \"statusCode\": 301},\n\
         {\"route\": \"/two\", \"redirect\": \"/p/b.html\", \"statusCode\": 301},\n\
         {\"route\": \"/dead\", \"redirect\": \"/nowhere\", \"statusCode\": 301},\n\
         {\"route\": \"/l1\", \"redirect\": \"/l2\", \"statusCode\": 301},\n\
         {\"route\": \"/l2\", \"redirect\": \"/l1\", \"statusCode\": 301}\n]}\n",
    ),
    (
        "s3",
        "[\n\
         {\"Condition\": {\"KeyPrefixEquals\": \"one\"}, \"Redirect\": {\"ReplaceKeyWith\": \"two\"}},\n\
         {\"Condition\": {\"KeyPrefixEquals\": \"two\"}, \"Redirect\": {\"ReplaceKeyWith\": \"p/b.html\"}},\n\
         {\"Condition\": {\"KeyPrefixEquals\": \"dead\"}, \"Redirect\": {\"ReplaceKeyWith\": \"nowhere\"}},\n\
         {\"Condition\": {\"KeyPrefixEquals\": \"l1\"}, \"Redirect\": {\"ReplaceKeyWith\": \"l2\"}},\n\
         {\"Condition\": {\"KeyPrefixEquals\": \"l2\"}, \"Redirect\": {\"ReplaceKeyWith\": \"l1\"}}\n]\n",
    ),
    (
        "iis",
        "<configuration><system.webServer><rewrite><rules>\n\
         <rule name=\"1\"><match url=\"^one$\"/><action type=\"Redirect\" url=\"/two\"/></rule>\n\
         <rule name=\"2\"><match url=\"^two$\"/><action type=\"Redirect\" url=\"/p/b.html\"/></rule>\n\
         <rule name=\"3\"><match url=\"^dead$\"/><action type=\"Redirect\" url=\"/nowhere\"/></rule>\n\
         <rule name=\"4\"><match url=\"^l1$\"/><action type=\"Redirect\" url=\"/l2\"/></rule>\n\
         <rule name=\"5\"><match url=\"^l2$\"/><action type=\"Redirect\" url=\"/l1\"/></rule>\n\
         </rules></rewrite></system.webServer></configuration>\n",
    ),
    (
        "next",
        "{\"version\": 3, \"basePath\": \"\", \"headers\": [], \"rewrites\": [], \"dynamicRoutes\": [],\n\
         \"staticRoutes\": [], \"redirects\": [\n\
         {\"source\": \"/one\", \"destination\": \"/two\", \"statusCode\": 301, \"regex\": \"^/one(?:/)?$\"},\n\
         {\"source\": \"/two\", \"destination\": \"/p/b\", \"statusCode\": 301, \"regex\": \"^/two(?:/)?$\"},\n\
         {\"source\": \"/dead\", \"destination\": \"/nowhere\", \"statusCode\": 301, \"regex\": \"^/dead(?:/)?$\"},\n\
         {\"source\": \"/l1\", \"destination\": \"/l2\", \"statusCode\": 301, \"regex\": \"^/l1(?:/)?$\"},\n\
         {\"source\": \"/l2\", \"destination\": \"/l1\", \"statusCode\": 301, \"regex\": \"^/l2(?:/)?$\"}\n]}\n",
    ),
];

const FILES: [(&str, &str); 3] = [
    ("site/index.html", "<title>I</title><a href=a.html>a</a>"),
    ("site/a.html", "<title>A</title>"),
    ("site/p/b.html", "<title>B</title>"),
];

const HERE: [&str; 4] = [
    "--from",
    "http://old.example/",
    "--to",
    "http://old.example/",
];

/// The number of findings of each rule about redirects, and of the rows of the map. Checks that each
/// finding cites a line of the rules that has its source.
fn counts(dialect: &str, rules: &str, arguments: &[&str]) -> (BTreeMap<String, usize>, usize) {
    let mut files = FILES.to_vec();
    files.push(("rules", rules));
    let dir = tree(&files);
    let output = Command::new(env!("CARGO_BIN_EXE_baseref"))
        .args([
            "verify-move",
            "-fjsonl",
            "--level=note",
            "--out=urlmap=map.csv",
        ])
        .arg(format!("--redirects={dialect}:rules"))
        .args(arguments)
        .arg("site")
        .current_dir(dir.path())
        .output()
        .expect("the program starts");
    let mut counts = BTreeMap::new();
    for finding in rows(&output) {
        let rule = finding["rule"].as_str().unwrap_or_default().to_owned();
        if finding["doc"] != "rules" || !rule.starts_with("redirect/") {
            continue;
        }
        let line = finding["line"].as_u64().unwrap_or_default();
        let text = usize::try_from(line)
            .ok()
            .and_then(|line| rules.lines().nth(line.checked_sub(1)?));
        let source = finding["raw"].as_str().unwrap_or_default();
        let is_cited = text.is_some_and(|text| text.contains(source) && !source.is_empty());
        assert!(
            is_cited,
            "{dialect}: {rule} cites line {line} ({text:?}) for {source:?}"
        );
        *counts.entry(rule).or_default() += 1;
    }
    let map = fs::read_to_string(dir.path().join("map.csv")).expect("the map is written");
    (counts, map.lines().count())
}

#[test]
fn rule_is_counted_once_for_all_names_of_its_host() {
    let names = [
        "https://old.example/",
        "http://www.old.example/",
        "https://www.old.example/",
    ];
    let also: Vec<&str> = names.iter().flat_map(|name| ["--also-old", name]).collect();
    for (dialect, rules) in RULES {
        for to in ["http://old.example/", "https://new.example/"] {
            let here = ["--from", "http://old.example/", "--to", to];
            let one = counts(dialect, rules, &here);
            let all = counts(dialect, rules, &[&here[..], &also].concat());
            assert_eq!(one, all, "{dialect} to {to}");
        }
    }
}

#[test]
fn faults_of_rules_in_every_dialect() {
    for (dialect, rules) in RULES {
        let (counts, _) = counts(dialect, rules, &HERE);
        let count = |rule: &str| counts.get(rule).copied().unwrap_or_default();
        let told = ["redirect/loop", "redirect/chain"].map(count);
        assert_eq!(told, [2, 1], "{dialect}: {counts:?}");
        assert!(count("redirect/dead-target") > 0, "{dialect}: {counts:?}");
    }
}

#[test]
fn outputs_agree_in_every_dialect() {
    let mut wrong = Vec::new();
    for (dialect, rules) in RULES {
        let mut files = FILES.to_vec();
        files.push(("rules", rules));
        let dir = tree(&files);
        for to in ["http://old.example/", "https://new.example/"] {
            let mut arguments = ["--from", "http://old.example/", "--to", to]
                .map(str::to_owned)
                .to_vec();
            arguments.push(format!("--redirects={dialect}:rules"));
            arguments.push("site".to_owned());
            let found = contradictions(dir.path(), &arguments);
            wrong.extend(found.iter().map(|one| format!("{dialect} to {to}: {one}")));
        }
    }
    assert_eq!(wrong, [""; 0], "{}", wrong.join("\n"));
}

/// Lost pages are found again by the rules that are written for them, in each dialect.
#[test]
fn written_rules_of_every_dialect_lead_to_their_pages() {
    let text =
        "a page about one subject that is nowhere else in the site, with enough words to be known";
    let page = format!("<title>Subject</title><h1>Subject</h1><p>{text}</p>");
    let files = [
        ("site/index.html", "<title>I</title>"),
        ("site/old/page.html", page.as_str()),
        ("new/index.html", "<title>I</title>"),
        ("new/subject/index.html", &page),
    ];
    for (dialect, _) in RULES {
        let dir = tree(&files);
        let run = |arguments: &[&str]| {
            Command::new(env!("CARGO_BIN_EXE_baseref"))
                .args(["verify-move", "-q", "--new-tree", "new"])
                .args(HERE)
                .args(arguments)
                .arg("site")
                .current_dir(dir.path())
                .output()
                .expect("the program starts")
        };
        let out = format!("redirects.{dialect}=written");
        assert_eq!(run(&["--out", &out]).status.code(), Some(1), "{dialect}");
        let rules = fs::read_to_string(dir.path().join("written")).expect("it is written");
        assert!(rules.contains("subject"), "{dialect}: {rules}");
        let with = format!("{dialect}:written");
        let again = run(&["--redirects", &with, "--out", "urlmap=map.csv"]);
        let map = fs::read_to_string(dir.path().join("map.csv")).expect("the map is written");
        assert_eq!(again.status.code(), Some(0), "{dialect}: {rules}{map}");
        assert!(map.contains("page-redirected"), "{dialect}: {map}");
    }
}

#[test]
fn target_that_neither_site_has_is_a_warning() {
    let level = |source: &str| {
        let rules = format!("RedirectMatch 301 ^/{source}$ /from-elsewhere/\n");
        let files = [
            ("site/index.html", "<title>I</title>"),
            ("site/page", "<title>P</title>"),
            ("new/index.html", "<title>I</title>"),
            ("rules", &rules),
        ];
        let dir = tree(&files);
        let output = Command::new(env!("CARGO_BIN_EXE_baseref"))
            .args(["verify-move", "-fjsonl", "--level=note", "--new-tree=new"])
            .args(HERE)
            .args(["--redirects=htaccess:rules", "site"])
            .current_dir(dir.path())
            .output()
            .expect("the program starts");
        let found = rows(&output).into_iter();
        let mut dead = found.filter(|row| row["rule"] == "redirect/dead-target");
        dead.next().map(|row| row["level"].clone())
    };
    assert_eq!(level("api"), Some("warning".into()));
    assert_eq!(level("page"), Some("error".into()));
}

#[test]
fn rules_of_the_new_site_that_are_not_applied_are_named() {
    let summary = |name: &str, rules: &str, arguments: &[&str]| {
        let path = format!("new/{name}");
        let files = [
            ("site/index.html", "<title>I</title>"),
            ("new/index.html", "<title>I</title>"),
            (&*path, rules),
        ];
        let dir = tree(&files);
        let output = Command::new(env!("CARGO_BIN_EXE_baseref"))
            .args(["verify-move", "--new-tree=new"])
            .args(HERE)
            .args(arguments)
            .arg("site")
            .current_dir(dir.path())
            .output()
            .expect("the program starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find(|line| line.contains("not applied here"));
        line.map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(
        summary(".htaccess", "Redirect /a /\n", &[]),
        "new/.htaccess has 1 redirect rule not applied here; --redirects new/.htaccess applies them"
    );
    assert_eq!(
        summary("_redirects", "/a /\n/b /\n", &[]),
        "new/_redirects has 2 redirect rules not applied here; --redirects netlify:new/_redirects or \
         --redirects cloudflare:new/_redirects apply them"
    );
    let applied = summary(
        "_redirects",
        "/a /\n",
        &["--redirects", "netlify:new/_redirects"],
    );
    assert_eq!(applied, "");
    assert_eq!(summary("vercel.json", "{}", &[]), "");
}
