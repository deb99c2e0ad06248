//! The rule `target/ext-fallback`.

baseref_findings::rule! {
    "target/ext-fallback" Note "documentation of the hosting"
    "link without the file extension"
    "This hosting adds the extension. Others do not, nor do browsers that open the files from \
     disk."
    "baseref audit . --hosting github-pages" {
        "page.html": "<a href=\"guide\">",
        "guide.html": "",
    }

    struct ExtFallback<'m> { file: &'m str } => "the file is {file}"
}
