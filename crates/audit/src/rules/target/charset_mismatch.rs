//! The rule `target/charset-mismatch`.

baseref_findings::rule! {
    "target/charset-mismatch" Warning "URL Standard, \"percent-encode\""
    "the escapes in the link are in the page's encoding, the name of the file is in UTF-8"
    "Browsers write paths in UTF-8 whatever the encoding of the page is, but escapes stay as they \
     are: `%E9` is not the `é` of a name in UTF-8."
    "baseref audit ." {
        "page.html": "<meta charset=\"iso-8859-1\"><a href=\"caf%E9.html\">",
        "café.html": "",
    }

    struct CharsetMismatch<'m> { file: &'m str } => "the file is {file}, whose name is in UTF-8"
}
