//! Reading rules and answering a request takes memory in proportion to the file, however deeply it nests.
//!
//! What is compared is the number of bytes allocated, which is the same on every machine: rules that copy
//! the rest of a line at each level show as soon as the file doubles.

use allocation_counter::measure;
use baseref_server::{Dialect, FileKind, Files, Request, RuleFile};

struct NoFiles;

impl Files for NoFiles {
    fn kind(&self, _path: &[u8]) -> Option<FileKind> {
        None
    }
}

/// A construct that contains itself, in a rule.
struct Nesting {
    dialect: Dialect,
    before: &'static str,
    /// Repeated before and after what is inside.
    open: &'static str,
    inside: &'static str,
    close: &'static str,
    after: &'static str,
}

impl Nesting {
    const fn new(
        dialect: Dialect,
        [before, open, inside, close, after]: [&'static str; 5],
    ) -> Self {
        Self {
            dialect,
            before,
            open,
            inside,
            close,
            after,
        }
    }

    /// A rule file in which it is nested this deeply.
    fn rules(&self, depth: usize) -> String {
        [
            self.before,
            &self.open.repeat(depth),
            self.inside,
            &self.close.repeat(depth),
            self.after,
        ]
        .concat()
    }

    /// The bytes that are allocated to read the rules and to answer a request.
    fn allocated(&self, depth: usize) -> u64 {
        let rules = self.rules(depth);
        let url = "http://h.example/a/b/c?q=1";
        let request = Request::from_url(url).expect("the URL is absolute");
        let counted = measure(|| {
            let file = RuleFile::read(self.dialect, rules.as_bytes(), "/");
            drop(file.answer(&request, &NoFiles));
        });
        counted.bytes_total
    }
}

const JSON: [&str; 3] = ["[", "{\"a\":", "{\"redirects\":["];

#[rustfmt::skip]
const NESTINGS: &[Nesting] = &[
    Nesting::new(Dialect::Apache, ["", "<IfModule x>\n", "Redirect /a /b\n", "</IfModule>\n", ""]),
    Nesting::new(Dialect::Apache, ["", "<Location /a>\n", "Redirect /a /b\n", "</Location>\n", ""]),
    Nesting::new(Dialect::Apache, ["<If \"", "(", "%{REQUEST_URI} == '/a'", ")", "\">\nRedirect /a /b\n</If>\n"]),
    Nesting::new(Dialect::Apache, ["<If \"", "!", "%{REQUEST_URI} == '/a'", "", "\">\nRedirect /a /b\n</If>\n"]),
    Nesting::new(Dialect::Apache, ["", "<RequireAll>\n", "Require all denied\n", "</RequireAll>\n", ""]),
    Nesting::new(Dialect::Apache, ["<Location />\n", "<RequireAny>\n", "Require expr true\n", "</RequireAny>\n", "</Location>\n"]),
    Nesting::new(Dialect::Apache, ["<Macro M>\nRedirect /a /b\n</Macro>\n", "<IfDefine !X>\n", "Use M\n", "</IfDefine>\n", ""]),
    Nesting::new(Dialect::Apache, ["RewriteEngine On\nRewriteMap m int:tolower\nRewriteRule ^ /", "${m:", "a", "}", " [R]\n"]),
    Nesting::new(Dialect::Apache, ["RedirectMatch ^/", "(", "a", ")", " /b\n"]),
    Nesting::new(Dialect::Apache, ["RedirectMatch ^/", "(?:a|", "b", ")", " /b\n"]),
    Nesting::new(Dialect::Apache, ["RedirectMatch ^/", "(?=", "a", ")", " /b\n"]),
    Nesting::new(Dialect::Htaccess, ["RewriteEngine On\nRewriteRule ^ ", "%{REQUEST_URI:", "a", "}", " [R]\n"]),
    Nesting::new(Dialect::Htaccess, ["RewriteEngine On\n", "RewriteCond %{REQUEST_URI} ^/x [OR]\n", "", "", "RewriteRule ^ /b [R]\n"]),
    Nesting::new(Dialect::Nginx, ["server {\n", "location /a {\n", "return 301 /b;\n", "}\n", "}\n"]),
    Nesting::new(Dialect::Nginx, ["server {\n", "if ($uri) {\n", "return 301 /b;\n", "}\n", "}\n"]),
    Nesting::new(Dialect::Nginx, ["server { rewrite ^ /", "${", "uri", "}", " permanent; }\n"]),
    Nesting::new(Dialect::Nginx, ["server { location ~ ", "(", "a", ")", " { return 301 /b; } }\n"]),
    Nesting::new(Dialect::Caddy, [":80 {\n@m ", "not ", "path /a", "", "\nredir @m /b\n}\n"]),
    Nesting::new(Dialect::Caddy, [":80 {\n@m ", "not {\n", "path /a\n", "}\n", "\nredir @m /b\n}\n"]),
    Nesting::new(Dialect::Caddy, [":80 {\n", "route {\n", "redir /a /b\n", "}\n", "}\n"]),
    Nesting::new(Dialect::Caddy, [":80 {\n", "handle /a* {\n", "redir /a /b\n", "}\n", "}\n"]),
    Nesting::new(Dialect::Caddy, [":80 {\n@m expression `", "(", "{path} == '/a'", ")", "`\nredir @m /b\n}\n"]),
    Nesting::new(Dialect::Caddy, [":80 {\n@m expression `", "!", "({path} == '/a')", "", "`\nredir @m /b\n}\n"]),
    Nesting::new(Dialect::Caddy, [":80 {\n@m expression `", "{path} == '/x' ? ", "true", " : false", "`\nredir @m /b\n}\n"]),
    Nesting::new(Dialect::Caddy, [":80 {\n@m expression `{path} in ", "[", "'/a'", "]", "`\nredir @m /b\n}\n"]),
    Nesting::new(Dialect::Caddy, [":80 {\n@m expression `", "size(", "{path}", ")", " == 1`\nredir @m /b\n}\n"]),
    Nesting::new(Dialect::Caddy, [":80 {\n@m expression `", "{path} == '/x' || ", "true", "", "`\nredir @m /b\n}\n"]),
    Nesting::new(Dialect::Caddy, [":80 {\nredir /a /", "{http.", "uri", "}", "\n}\n"]),
    Nesting::new(Dialect::Netlify, ["/a/", ":a/", "b", "", " /c 301\n"]),
    Nesting::new(Dialect::Cloudflare, ["/a/", "*/", "b", "", " /c 301\n"]),
    Nesting::new(Dialect::Firebase, [r#"{"hosting":{"redirects":[{"source":"/"#, "{a,", "b", "}", r#"","destination":"/b"}]}}"#]),
    Nesting::new(Dialect::Firebase, [r#"{"hosting":{"redirects":[{"source":"/"#, "@(", "b", ")", r#"","destination":"/b"}]}}"#]),
    Nesting::new(Dialect::Firebase, [r#"{"hosting":{"redirects":[{"source":"/"#, "!(", "b", ")", r#"","destination":"/b"}]}}"#]),
    Nesting::new(Dialect::Firebase, [r#"{"hosting":{"redirects":[{"source":"/"#, "[", "b", "]", r#"","destination":"/b"}]}}"#]),
    Nesting::new(Dialect::Firebase, [r#"{"hosting":"#, JSON[0], "", "]", "}"]),
    Nesting::new(Dialect::Vercel, [r#"{"redirects":[{"source":"/"#, "(", "b", ")", r#"","destination":"/b"}]}"#]),
    Nesting::new(Dialect::Vercel, [r#"{"redirects":[{"source":"/"#, "{a", "b", "}", r#"","destination":"/b"}]}"#]),
    Nesting::new(Dialect::Vercel, ["", JSON[2], "", "]}", ""]),
    Nesting::new(Dialect::Next, [r#"{"redirects":[{"source":"/"#, ":a(", "b", ")", r#"","destination":"/b"}]}"#]),
    Nesting::new(Dialect::Next, ["", JSON[1], "1", "}", ""]),
    Nesting::new(Dialect::Swa, [r#"{"navigationFallback":{"rewrite":"/","exclude":["/"#, "{a,", "b", "}", r#""]}}"#]),
    Nesting::new(Dialect::Swa, ["", JSON[1], "1", "}", ""]),
    Nesting::new(Dialect::S3, ["", JSON[0], "", "]", ""]),
    Nesting::new(Dialect::S3, ["<WebsiteConfiguration>", "<RoutingRules>", "", "</RoutingRules>", "</WebsiteConfiguration>"]),
    Nesting::new(Dialect::Iis, ["<configuration>", "<system.webServer>", "", "</system.webServer>", "</configuration>"]),
    Nesting::new(Dialect::Iis, ["<configuration>", "<location path='a'>", "", "</location>", "</configuration>"]),
    Nesting::new(Dialect::Iis, ["<configuration><system.webServer><rewrite><rules><rule><match url='^a'/><action type='Redirect' url='/", "{R:", "0", "}", "'/></rule></rules></rewrite></system.webServer></configuration>"]),
    Nesting::new(Dialect::Json, ["", JSON[0], "", "]", ""]),
    Nesting::new(Dialect::Json, ["", JSON[1], "1", "}", ""]),
    Nesting::new(Dialect::Csv, ["from,to\n", "\"", "/a", "\"", ",/b\n"]),
];

#[test]
fn memory_is_linear_in_the_depth() {
    for nesting in NESTINGS {
        for depth in [500, 4_000] {
            let [once, twice, four_times] = [1, 2, 4].map(|times| nesting.allocated(times * depth));
            let allowed = |times: u64| times * once * 13 / 10 + (16 << 10);
            let rules = nesting.rules(2);
            assert!(
                twice <= allowed(2) && four_times <= allowed(4),
                "{}: {once}, {twice} and {four_times} bytes for a depth of {depth}, twice and four times \
                 that: {rules}",
                nesting.dialect
            );
        }
    }
}

/// Imports of Caddy repeat what they name: each level doubles the one before.
#[test]
fn repeated_imports_meet_a_limit() {
    let rules = |levels: usize| {
        let snippet = |n: usize| format!("(s{n}) {{\nimport s{0}\nimport s{0}\n}}\n", n + 1);
        let snippets: String = (0..levels).map(snippet).collect();
        format!("{snippets}(s{levels}) {{\nredir /a /b\n}}\n:80 {{\nimport s0\n}}\n")
    };
    let counted = measure(|| drop(RuleFile::read(Dialect::Caddy, rules(40).as_bytes(), "/")));
    assert!(counted.bytes_max < 64 << 20, "{counted:?}");
}
