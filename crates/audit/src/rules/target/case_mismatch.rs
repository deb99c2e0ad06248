//! The rule `target/case-mismatch`.

baseref_findings::rule! {
    "target/case-mismatch" Error "RFC 3986 §6.2.2.1"
    "the file exists, but its name differs by case"
    "It works on Windows and macOS and fails on most servers. Where the hosting does not tell \
     case apart, this is a note."
    "baseref audit ." { "page.html": "<a href=\"guide.html\">", "Guide.html": "" }

    struct CaseMismatch<'m> { file: &'m str } => "the file is {file}"
}
