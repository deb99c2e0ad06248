//! Apache httpd.

use super::*;

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
            ("/docs/a.html", "500"),
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
        problems_of(Dialect::Htaccess, rules),
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
        problems_of(Dialect::Apache, rules),
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
        problems_of(Dialect::Apache, rules),
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
            ("/feed/x", "301 /t"),
            ("/feeds", "unknown, line 8"),
            ("/l", "301 /t"),
            ("/docs", "403"),
            ("/docs/", "200 =/docs/index.html"),
        ],
    );
}

#[test]
fn maps_in_conditions_and_choices_among_files_make_answers_unknown() {
    let rules = "RewriteEngine On\nRewriteMap m txt:/m\nRewriteCond ${m:x} y\n\
                 RewriteRule ^/a$ /t [R]\n";
    assert_eq!(
        problems_of(Dialect::Apache, rules),
        [(4, ProblemKind::NotRead)]
    );
    check(Dialect::Apache, rules, "/", &[("/a", "unknown, line 4")]);
    let rules = "Options +Indexes +MultiViews\n";
    assert_eq!(problems_of(Dialect::Apache, rules), []);
    let tree = VirtualFiles(&["/a.html", "/a.txt", "/about.html"]);
    let answers = [
        ("/a", "unknown, line 1"),
        ("/a.html", "200 =/a.html"),
        ("/about", "200 =/about.html"),
        ("/b", "404"),
    ];
    check_in(&tree, Dialect::Apache, rules, "/", &answers);
    let rewriting = format!("{rules}RewriteEngine On\nRewriteRule ^/x /y [R]\n");
    let answers = [("/about", "unknown, line 1"), ("/b", "404")];
    check_in(&tree, Dialect::Apache, &rewriting, "/", &answers);
    let rules = "Options -MultiViews\n";
    assert_eq!(problems_of(Dialect::Apache, rules), []);
    check(Dialect::Apache, rules, "/", &[("/about", "404")]);
}

#[test]
fn apache_names_that_nothing_has_are_refused() {
    let rules = "<Locaton /a>\nRedirect /a /b\n</Locaton>\nRedirct /c /d\n<Proxy *>\n</Proxy>\n\
                 RewriteLog /x\n<Location /l>\nRewriteMap t int:tolower\n</Location>\n\
                 ExpiresDefault A0\nInclde extra/*.conf\nUse m\n";
    let told = problems_of(Dialect::Apache, rules);
    let refused = told
        .iter()
        .filter(|(_, kind)| *kind == ProblemKind::Refused);
    let lines: Vec<usize> = refused.map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 4, 7, 9, 12]);
}

#[test]
fn apache_include_of_what_is_elsewhere_is_unknown_where_it_applies() {
    let host = "<VirtualHost *:80>\nServerName h\n<Location /l>\nInclude /elsewhere.conf\n\
                </Location>\n</VirtualHost>\n<VirtualHost *:80>\nServerName other\n\
                Include /elsewhere.conf\n</VirtualHost>\n";
    let answers = [
        ("/l/x", "unknown, line 4"),
        ("/about.html", "200 =/about.html"),
        ("/none", "404"),
    ];
    check(Dialect::Apache, host, "/", &answers);
    let unnamed = "<VirtualHost *:80>\nServerName first\n</VirtualHost>\n<VirtualHost *:80>\n\
                   ServerName other\nInclude /elsewhere.conf\n</VirtualHost>\n";
    check(
        Dialect::Apache,
        unnamed,
        "/",
        &[("/none", "unknown, line 6")],
    );
    let server = "Include ports.conf\nIncludeOptional /etc/x/*.conf\nRedirect /a /b\n";
    check(Dialect::Apache, server, "/", &[("/a", "unknown, line 2")]);
}

#[test]
fn apache_included_files_that_include_themselves() {
    let folder = VirtualFolder::new(&[
        ("", "Redirect /a /b\nInclude loop.conf\n"),
        (
            "loop.conf",
            "Redirect /c /d\nInclude loop.conf\nInclude loop.conf\n",
        ),
    ]);
    let file = folder.read(Dialect::Apache);
    let place = file
        .problems()
        .last()
        .map(|problem| file.place(problem.line));
    assert_eq!(
        place.map(|place| place.to_string()).as_deref(),
        Some("line 3 of loop.conf")
    );
    assert_eq!(answer(&file, &TREE, "/none"), "unknown, line 5");
}

#[test]
fn apache_folder_of_names_is_the_one_of_the_configuration_or_above() {
    let rules = "ServerRoot \"/etc/httpd\"\nInclude conf.d/*.conf\n\
                 Include /etc/httpd/more.conf\nIncludeOptional here/*.conf\n";
    let folder = VirtualFolder::new(&[
        ("", rules),
        ("../conf.d/a.conf", "Redirect /a /b\n"),
        ("more.conf", "Redirect /c /d\n"),
    ]);
    let file = folder.read(Dialect::Apache);
    assert_eq!(file.rules().len(), 2);
    // With a ServerRoot, a folder that is not there may be elsewhere.
    assert_eq!(answer(&file, &TREE, "/a"), "unknown, line 4");
    let rules = "IncludeOptional here/*.conf\nIncludeOptional none.conf\nRedirect /a /b\n";
    let file = VirtualFolder::new(&[("", rules)]).read(Dialect::Apache);
    assert_eq!(answer(&file, &TREE, "/a"), "302 /b");
    assert_eq!(answer(&file, &TREE, "/none"), "404");
}

#[test]
fn apache_files_of_a_host_that_is_not_named_may_be_elsewhere() {
    let rules = "<VirtualHost *:80>\nServerName one\nDocumentRoot /srv/one\nRedirect /a /b\n\
                 </VirtualHost>\n<VirtualHost *:80>\nServerName two\nDocumentRoot /srv/two\n\
                 </VirtualHost>\n";
    let answers = [
        ("/a", "302 /b"),
        ("/about.html", "200 =/about.html"),
        ("/none", "unknown, line 8"),
    ];
    check(Dialect::Apache, rules, "/", &answers);
    let named = rules.replace("ServerName one", "ServerName h");
    check(Dialect::Apache, &named, "/", &[("/none", "404")]);
}

/// A folder with links to itself.
struct Linked;

impl Beside for Linked {
    fn list(&self, _: &str) -> Option<Vec<(String, bool)>> {
        Some(["a", "b"].map(|name| (name.to_owned(), true)).to_vec())
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

#[test]
fn apache_include_of_folders_that_lead_back_ends() {
    let rules = b"IncludeOptional a\nRedirect /a /b\n";
    let file = RuleFile::read_beside(Dialect::Apache, rules, "/", &Linked);
    assert_eq!(answer(&file, &TREE, "/a"), "unknown, line 1");
}
