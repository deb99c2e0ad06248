//! Tables of rules and requests, with the answers of real servers. Each case has a title after `=`,
//! rules after `>`, and lines with a request and its answer. The rules after an `@` are those of the
//! file beside with the name there.

use super::*;

/// The files that the requests are for.
const SITE: VirtualFiles = VirtualFiles(&[
    "/.git/config",
    "/.hidden",
    "/100%.html",
    "/404.html",
    "/500.html",
    "/UPPER.html",
    "/a+b.html",
    "/about.html",
    "/app/index.html",
    "/app/main.js",
    "/blog/old-post.html",
    "/blog/post.html",
    "/café.html",
    "/contact.html",
    "/d.html",
    "/d/index.html",
    "/data.json",
    "/docs/a.html",
    "/docs/guide.html",
    "/docs/guide.txt",
    "/docs/index.html",
    "/docs/sub/index.html",
    "/empty/",
    "/en/about.html",
    "/en/index.html",
    "/error.html",
    "/exists.html",
    "/files/readme.txt",
    "/folder/index.txt",
    "/fr/index.html",
    "/img/logo.png",
    "/index.html",
    "/maintenance.html",
    "/new/index.html",
    "/new/page.html",
    "/sp ace.html",
]);

/// The pages of a build of Next.js, and its other files.
const BUILD: VirtualFiles = VirtualFiles(&[
    "/404.html",
    "/500.html",
    "/Upper.html",
    "/a b.txt",
    "/about.html",
    "/blog/a b.html",
    "/blog/old-post.html",
    "/blog/post.html",
    "/blog/é.html",
    "/café.html",
    "/contact.html",
    "/data.json",
    "/docs.html",
    "/docs/a.html",
    "/docs/guide.html",
    "/en.html",
    "/en/Upper.html",
    "/en/about.html",
    "/en/blog/old-post.html",
    "/en/blog/post.html",
    "/en/café.html",
    "/en/contact.html",
    "/en/docs.html",
    "/en/docs/a.html",
    "/en/docs/guide.html",
    "/en/sp ace.html",
    "/files/readme.txt",
    "/fr.html",
    "/fr/about.html",
    "/fr/contact.html",
    "/fr/docs.html",
    "/fr/docs/guide.html",
    "/index.html",
    "/legacy/index.html",
    "/né.txt",
    "/shop/one.html",
    "/sp ace.html",
    "/static.html",
    "/wiki/a.html",
    "/wiki/a/b.html",
    "/é.txt",
]);

/// Checks every case of a table, and that it has this many requests.
fn check_table(dialect: Dialect, tree: &VirtualFiles, table: &str, count: usize) {
    let (mut title, mut name, mut requests) = ("", "", 0);
    let mut folder = VirtualFolder::default();
    let mut file = None;
    let mut wrong = Vec::new();
    for line in table.lines() {
        if let Some(next) = line.strip_prefix("= ") {
            (title, name, file) = (next, "", None);
            folder = VirtualFolder::default();
        } else if let Some(next) = line.strip_prefix("@ ") {
            name = next;
            folder.add(name, "");
        } else if let Some(rule) = line.strip_prefix('>') {
            folder.add(name, rule.strip_prefix(' ').unwrap_or(rule));
            folder.add(name, "\n");
        } else if let Some((path, expected)) = line.split_once("  ") {
            let file = file.get_or_insert_with(|| folder.read(dialect));
            let found = answer(file, tree, path);
            if found != expected.trim_start() {
                wrong.push(format!("{title}: {path} is {found}, not {expected}"));
            }
            requests += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(requests, count);
}

/// Of Caddy 2.11.7.
#[test]
fn answers_of_caddy() {
    check_table(
        Dialect::Caddy,
        &SITE,
        include_str!("answers/caddy.txt"),
        602,
    );
}

/// Of `next start` 16.4.6, with shorter manifests of its builds.
#[test]
fn answers_of_next() {
    check_table(Dialect::Next, &BUILD, include_str!("answers/next.txt"), 655);
}

/// Of superstatic 11.0.0.
#[test]
fn answers_of_firebase() {
    check_table(
        Dialect::Firebase,
        &SITE,
        include_str!("answers/firebase.txt"),
        483,
    );
}

/// Of Apache 2.4.71, in an `.htaccess` at the root.
#[test]
fn answers_of_htaccess() {
    check_table(
        Dialect::Htaccess,
        &SITE,
        include_str!("answers/htaccess.txt"),
        489,
    );
}

/// Of Apache 2.4.71, in the configuration of the server, whose files were in `/srv/www`.
#[test]
fn answers_of_apache() {
    check_table(
        Dialect::Apache,
        &SITE,
        include_str!("answers/apache.txt"),
        1144,
    );
}

/// Of nginx 1.22.1.
#[test]
fn answers_of_nginx() {
    check_table(
        Dialect::Nginx,
        &SITE,
        include_str!("answers/nginx.txt"),
        194,
    );
}

/// As the configuration reference of the URL Rewrite Module describes it; no server was asked.
#[test]
fn answers_of_iis() {
    check_table(Dialect::Iis, &SITE, include_str!("answers/iis.txt"), 133);
}
