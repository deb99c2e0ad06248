//! The rule `target/charset-mismatch`.

baseref_findings::rule! {
    "target/charset-mismatch" Error "URL Standard, \"percent-encode\""
    "link and file name use different encodings"
    "Browsers write paths in UTF-8 whatever the encoding of the page, but leave escapes alone: \
     `%E9` is not the `é` of a UTF-8 name. Servers open the file whose name has the bytes of the URL, \
     so they find nothing. It is a note if the hosting ignores case: IIS reads a path that is not \
     UTF-8 in the code page of the machine."
    "baseref audit ." {
        "page.html": "<meta charset=\"iso-8859-1\"><a href=\"caf%E9.html\">",
        "café.html": "",
    }

    struct CharsetMismatch<'m> { file: &'m str } => "the file is {file}, whose name is in UTF-8"
}
