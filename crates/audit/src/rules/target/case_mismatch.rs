//! The rule `target/case-mismatch`.

baseref_findings::rule! {
    "target/case-mismatch" Error "RFC 3986 §6.2.2.1"
    "file name differs by case"
    "The link works on Windows and macOS and fails on most servers. It is a note if the hosting \
     ignores case."
    "baseref audit ." { "page.html": "<a href=\"guide.html\">", "Guide.html": "" }

    struct CaseMismatch<'m> { file: &'m str } => "the file is {file}"
}
