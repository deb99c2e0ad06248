//! The rule `target/unicode-mismatch`.

baseref_findings::rule! {
    "target/unicode-mismatch" Warning "Unicode Standard Annex #15"
    "the file exists, but its name has another Unicode normalization"
    "The two names look the same but differ in bytes: one has an accent as a character of \
     its own. Some file systems do not tell them apart, most servers do."
    "baseref audit ." { "page.html": "<a href=\"%C3%A9.html\">", "e\u{301}.html": "" }

    struct UnicodeMismatch<'m> { file: &'m str } => "the file is {file}, in another normalization"
}
