//! The rule `target/ext-fallback`.

baseref_findings::rule! {
    "target/ext-fallback" Note "documentation of the hosting"
    "the link omits the extension of the file"
    "This hosting adds it. Others do not, nor do browsers that read the files from a disk."
    "baseref audit . --hosting github-pages" {
        "page.html": "<a href=\"guide\">",
        "guide.html": "",
    }

    struct ExtFallback<'m> { file: &'m str } => "the file is {file}"
}
