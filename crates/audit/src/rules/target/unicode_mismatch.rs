//! The rule `target/unicode-mismatch`.

baseref_findings::rule! {
    "target/unicode-mismatch" Warning "Unicode Standard Annex #15"
    "file name has another Unicode normalization"
    "The two names look the same but differ in bytes: in one of them an accent is a character of \
     its own. Some file systems ignore the difference, most servers do not."
    "baseref audit ." { "page.html": "<a href=\"%C3%A9.html\">", "e\u{301}.html": "" }

    struct UnicodeMismatch<'m> { file: &'m str } => "the file is {file}, in another Unicode normalization"
}
