//! The rule `canonical/redirected`.

baseref_findings::rule! {
    "canonical/redirected" Warning "RFC 6596 §3"
    "canonical link to a redirect"
    "The server answers with a redirect, by the hosting rules or those of `--redirects`. Name \
     the final address: search engines that see two different ones choose for themselves."
    "baseref audit ." {
        "page.html": "<link rel=\"canonical\" href=\"guide\">",
        "guide/index.html": "",
    }

    enum CanonicalRedirected<'m> {
        Rule { by: &'m str, to: &'m str } => "{by} redirects it to {to}",
        Folder => "a folder: the server redirects to the address with a trailing slash",
    }
}
