//! The rule `target/rules-undecided`.

baseref_findings::rule! {
    "target/rules-undecided" Warning "RFC 9110 §15.4"
    "link that redirect rules may or may not answer"
    "There is no such file, and a line of `--redirects` depends on request data that baseref \
     cannot see: a header, a program, another server."
    "baseref audit --redirects netlify:_redirects ." {
        "page.html": "<a href=\"api/list\">",
        "_redirects": "/api/* https://api.example/:splat 200\n",
    }

    enum RulesUndecided<'m> {
        Redirect { by: &'m str, to: &'m str, status: u16 } => "{by} redirects it to {to} ({status})",
        NoSuchFile { by: &'m str } => "no such file; {by} depends on request data that baseref cannot see",
    }
}
