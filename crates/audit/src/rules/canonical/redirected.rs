//! The rule `canonical/redirected`.

baseref_findings::rule! {
    "canonical/redirected" Warning "RFC 6596 §3"
    "the canonical address of a page redirects"
    "By the rules of the hosting, or those of `--redirects`, the server answers with a redirect. \
     Name the address that it leads to: search engines that see two different ones choose by \
     themselves."
    "baseref audit ." {
        "page.html": "<link rel=\"canonical\" href=\"guide\">",
        "guide/index.html": "",
    }

    enum CanonicalRedirected<'m> {
        Rule { by: &'m str, to: &'m str } => "{by} redirects it to {to}",
        Folder => "a folder: the server redirects to the address with a slash",
    }
}
