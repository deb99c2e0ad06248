//! The rule `target/rules-undecided`.

baseref_findings::rule! {
    "target/rules-undecided" Warning "RFC 9110 §15.4"
    "where a link leads is decided by rules that are not read"
    "No file is there, and a line of `--redirects` answers by what is not known here: a header of \
     the visitor, a program, another server."
    "baseref audit --redirects netlify:_redirects ." {
        "page.html": "<a href=\"api/list\">",
        "_redirects": "/api/* https://api.example/:splat 200\n",
    }

    enum RulesUndecided<'m> {
        Redirect { by: &'m str, to: &'m str, status: u16 } => "{by} redirects it to {to} ({status})",
        NoSuchFile { by: &'m str } => "no such file; {by} decides, by what is not known here",
    }
}
