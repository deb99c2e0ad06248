//! The rule `target/unicode-mismatch`.

baseref_findings::rule! {
    "target/unicode-mismatch" Error "Unicode Standard Annex #15"
    "file name has another Unicode normalization"
    "The two names look the same but differ in bytes: in one of them an accent is a character of \
     its own. Servers open the file whose name has the bytes of the URL, so they find nothing. It is \
     a note if the hosting ignores case, because file systems that do may ignore this, too; NTFS, \
     under IIS, does not, and it is a warning."
    "baseref audit ." { "page.html": "<a href=\"%C3%A9.html\">", "e\u{301}.html": "" }

    struct UnicodeMismatch<'m> { file: &'m str, ours: &'m str, theirs: &'m str } =>
        "the file is {file}, which has {theirs} where the link has {ours}"
}
