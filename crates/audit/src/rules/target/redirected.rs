//! The rule `target/redirected`.

baseref_findings::rule! {
    "target/redirected" Note "RFC 9110 §15.4"
    "link to a redirect"
    "The rules of `--redirects` answer with a redirect, which costs one more request. Where the \
     link must last, write the final address."
    "baseref audit --redirects netlify:_redirects ." {
        "page.html": "<a href=\"old.html\">",
        "_redirects": "/old.html /new.html 301\n",
        "new.html": "",
    }

    struct Redirected<'m> { by: &'m str, to: &'m str, status: u16 } =>
        "{by} redirects it to {to} ({status})"
}
