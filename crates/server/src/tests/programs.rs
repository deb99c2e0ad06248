//! Rules of real sites whose answer depends on programs, other files or the visitor.

use super::*;

#[test]
fn functions_have_unknown_answers() {
    let netlify = "/api/* /.netlify/functions/:splat 200\n/old /.netlify/x 301\n";
    let answers = [("/api/x", "unknown, line 1"), ("/old", "301 /.netlify/x")];
    check(Dialect::Netlify, netlify, "/", &answers);

    let vercel = r#"{"builds": [{"src": "server/*.py", "use": "@vercel/python"},
{"src": "main.js", "use": "@vercel/node"}, {"src": "w/**", "use": "@vercel/static"}],
"rewrites": [
{"source": "/v1/:path*", "destination": "/api/v1/:path*"},
{"source": "/main", "destination": "/main"},
{"source": "/py", "destination": "/server/app"},
{"source": "/w", "destination": "/w/none"},
{"source": "/page", "destination": "/contact.html"},
{"source": "/(.*)", "destination": "/none.html"}]}"#;
    let answers = [
        ("/v1/a", "unknown, line 4"),
        ("/main", "unknown, line 5"),
        ("/py", "unknown, line 6"),
        ("/w", "404"),
        ("/page", "200 =/contact.html"),
    ];
    check(Dialect::Vercel, vercel, "/", &answers);

    let azure = r#"{"routes": [
{"route": "/old", "serve": "/new", "statusCode": 301},
{"route": "/f", "rewrite": "/api/f"}],
"navigationFallback": {"rewrite": "/api/fallback"}}"#;
    let answers = [
        ("/old", "unknown, line 2"),
        ("/f", "unknown, line 3"),
        ("/lost", "unknown, line 4"),
        ("/about.html", "200 =/about.html"),
    ];
    check(Dialect::Swa, azure, "/", &answers);
    let told = [(2, ProblemKind::NotRead), (3, ProblemKind::NotRead)];
    assert_eq!(troubles(Dialect::Swa, azure), told);
}

#[test]
fn caddy_matchers_of_enclosing_blocks() {
    let rules = "{$SITE} {\n\t@a path /a\n\thandle /d* {\n\t\t@id query id=*\n\
        \t\thandle @id {\n\t\t\tredir * /with\n\t\t}\n\t\tredir @a /never\n\
        \t\thandle {\n\t\t\terror 410\n\t\t}\n\t}\n\tredir @a /outer\n\tfile_server\n}\n";
    let answers = [
        ("/d?id=1", "302 /with"),
        ("/d", "410"),
        ("/a", "302 /outer"),
        ("/about.html", "200 =/about.html"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
    assert_eq!(troubles(Dialect::Caddy, rules), []);
}

#[test]
fn caddy_matcher_lines_of_one_kind_are_alternatives() {
    let rules = "h {\n\t@m {\n\t\tpath /a/*\n\t\tpath /b/*\n\t\tnot path *.md\n\t\tnot path *.txt\n\
        \t}\n\tredir @m /new\n\tfile_server\n}\n";
    let answers = [
        ("/a/x", "302 /new"),
        ("/b/x", "302 /new"),
        ("/c/x", "404"),
        ("/a/x.md", "404"),
        ("/b/x.txt", "404"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
}

#[test]
fn caddy_imports_and_plugins_may_answer() {
    let rules = "h {\n\tredir /a /new\n\thandle {\n\t\timport more/*\n\t\tfile_server\n\t}\n}\n";
    let answers = [
        ("/a", "302 /new"),
        ("/about.html", "200 =/about.html"),
        ("/lost", "unknown, line 4"),
    ];
    check(Dialect::Caddy, rules, "/", &answers);
    assert_eq!(troubles(Dialect::Caddy, rules), [(4, ProblemKind::NotRead)]);
    let rules = "h {\n\tcache_answers\n\tfile_server\n}\n";
    check(Dialect::Caddy, rules, "/", &[("/lost", "unknown, line 2")]);
}

#[test]
fn caddy_host_without_a_site_is_unknown() {
    let rules = "\nother.example {\n\tredir /a /b\n}\n";
    check(Dialect::Caddy, rules, "/", &[("/a", "unknown, line 2")]);
}

#[test]
fn iis_unsupported_rules_make_addresses_unknown() {
    let rules = r#"<configuration>
<location path="images"><system.webServer><staticContent /></system.webServer></location>
<location path="Old"><system.webServer>
<httpRedirect enabled="true" destination="/new" /></system.webServer></location>
<system.webServer><rewrite><rules>
<rule name="both"><match url="^both/" /><conditions trackAllCaptures="true">
<add input="{HTTP_HOST}" pattern="(.*)" /></conditions>
<action type="Redirect" url="/{C:1}" /></rule>
<rule name="plain"><match url="^(both|plain)/" /><action type="Redirect" url="/x" /></rule>
</rules></rewrite></system.webServer></configuration>"#;
    let answers = [
        ("/both/a", "unknown, line 6"),
        ("/plain/a", "301 /x"),
        ("/old/a", "unknown, line 3"),
        ("/OLDER", "404"),
        ("/images/a", "404"),
    ];
    check(Dialect::Iis, rules, "/", &answers);
    let told = [(3, ProblemKind::NotRead), (6, ProblemKind::NotRead)];
    assert_eq!(troubles(Dialect::Iis, rules), told);
    let rules = "<configuration><system.webServer><rewrite>\n<rules configSource=\"r.xml\" />\
        </rewrite></system.webServer></configuration>";
    check(Dialect::Iis, rules, "/", &[("/a", "unknown, line 2")]);
}

#[test]
fn iis_unknown_action_is_reported() {
    let rule = |kind: &str| {
        format!(
            "<configuration><system.webServer><rewrite><rules>\n<rule><match url=\"x\"/>\n\
             <action type=\"{kind}\" url=\"/y\"/></rule></rules></rewrite></system.webServer>\
             </configuration>"
        )
    };
    assert_eq!(
        troubles(Dialect::Iis, &rule("Redirct")),
        [(3, ProblemKind::Refused)]
    );
    for kind in ["None", "Redirect", ""] {
        assert_eq!(troubles(Dialect::Iis, &rule(kind)), []);
    }
}

#[test]
fn apache_line_without_a_directive_breaks_the_file() {
    let rules = "RewriteEngine on\n^(T?.*)$ https://n.example/$1 [R=302]\nmod_x_Option on\n";
    let told = [(2, ProblemKind::Refused), (3, ProblemKind::Irrelevant)];
    assert_eq!(troubles(Dialect::Htaccess, rules), told);
}
