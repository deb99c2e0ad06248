//! The encodings of html5lib-tests' documents: the folder `html5lib/encoding` of the corpus. All
//! cases pass; an exception would need a list with its reason here.

use std::fs;
use std::path::PathBuf;

use baseref_document::Origin;
use baseref_document::ReadOptions;
use baseref_html::{Markup, MarkupSource, read};
use encoding_rs::Encoding;
use memchr::memmem;

/// The files and their numbers of cases.
const FILES: [(&str, usize); 3] = [
    ("tests1.dat", 59),
    ("tests2.dat", 22),
    ("test-yahoo-jp.dat", 1),
];

/// A document and the label of its encoding.
struct Case {
    document: Vec<u8>,
    label: String,
}

fn cases(file: &str) -> Vec<Case> {
    let corpus =
        std::env::var_os("BASEREF_CORPUS").expect("BASEREF_CORPUS names the corpus folder");
    let path = PathBuf::from(corpus).join("html5lib/encoding").join(file);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut rest = &bytes[..];
    let mut cases = Vec::new();
    while let Some(start) = memmem::find(rest, b"#data\n") {
        let after = &rest[start + b"#data\n".len()..];
        let end = memmem::find(after, b"\n#encoding\n").expect("the document has an encoding");
        rest = &after[end + b"\n#encoding\n".len()..];
        let label = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        cases.push(Case {
            document: after[..end].to_vec(),
            label: String::from_utf8_lossy(label).into_owned(),
        });
    }
    cases
}

fn encoding_read(document: &[u8]) -> &'static str {
    let source = MarkupSource {
        markup: Markup::Html,
        bytes: document,
        origin: Origin::new("case"),
        part_byte: None,
        charset: None,
        declarations: Vec::new(),
    };
    read(source, &ReadOptions::default()).encoding
}

#[test]
#[ignore = "reads the data named by BASEREF_CORPUS"]
fn encodings_match_html5lib() {
    let mut wrong = Vec::new();
    for (file, number_of_cases) in FILES {
        let cases = cases(file);
        assert_eq!(cases.len(), number_of_cases, "{file}");
        for (number, case) in (1..).zip(&cases) {
            let expected = Encoding::for_label(case.label.as_bytes())
                .unwrap_or_else(|| panic!("{file} {number}: {:?}", case.label))
                .name();
            let found = encoding_read(&case.document);
            if found != expected {
                let document = String::from_utf8_lossy(&case.document);
                wrong.push(format!(
                    "{file} {number}: {found}, not {expected}: {document:.200}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
