//! Properties of any mail, well-formed or not.

use std::fmt::Write as _;

use baseref_container::Entity;
use baseref_container::mbox::Mailbox;
use baseref_document::ReadResult;
use baseref_document::{Document, Origin};
use baseref_document::{Limits, ReadOptions};
use baseref_reader::base::Base;
use baseref_reader::base::Policy;
use baseref_reader::links::DocumentLinks;
use baseref_reader::read;
use proptest::prelude::*;

/// Building blocks of mail, in lines that end with LF.
const LINES: &[&str] = &[
    "",
    "--a",
    "--a--",
    "--b",
    "--b--",
    "--",
    "Content-Type: multipart/mixed; boundary=a",
    "Content-Type: multipart/digest;\n boundary=\"b\"",
    "Content-Type: multipart/mixed; boundary=ab",
    "Content-Type: multipart/mixed",
    "Content-Type: message/rfc822",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "Content-Transfer-Encoding: quoted-printable",
    "Base: <URL:http://base/>",
    "Base: <URL:http://\n base/folded/>",
    "Content-Base: http://content-base/",
    "Content-Location: location/",
    "Snapshot-Content-Location: http://snapshot/",
    "Subject: a",
    " folded",
    "no field",
    "<base href=\"http://element/\">",
    "<a href=\"x\">",
    "<a href=3D\"y\">=",
    "=3D =20 =Z",
    "PGEgaHJlZj0ieCI+",
    "Q29udGVudC1UeXBlOiB0ZXh0L2h0bWwKCjxhIGhyZWY9Ing+",
    "From a@b Fri Jan 27 10:00:00 2017",
    "From -",
    "From :a@b",
    ">From a",
    "Content-Length: 20",
    "\u{feff}\u{e9}\0",
];

fn lines() -> impl Strategy<Value = String> {
    let line = prop::sample::select(LINES);
    prop::collection::vec(line, 0..40).prop_map(|lines| lines.join("\n"))
}

fn documents(text: &str) -> Vec<ReadResult> {
    let entity = Entity::message(Origin::new("m"), text.as_bytes().to_vec());
    let mut found = Vec::new();
    read::documents(
        entity,
        &ReadOptions::default(),
        &mut |result: baseref_document::ReadResult| {
            found.push(result);
        },
    );
    found
}

/// A document's place, base and links; not the offsets in it. Errors may name offsets, too.
fn in_words(document: &Document) -> String {
    let extraction = DocumentLinks::new(document, Policy::default(), &Base::default());
    let Base { url, at, .. } = extraction.base();
    let url = url.as_deref().unwrap_or_default();
    let at = at.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut words = format!("{} {at} {url}", document.origin);
    extraction.for_each_link(|link| {
        write!(words, " {}={:?}", link.reference.value, link.url)
            .expect("writing to memory succeeds");
    });
    words
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lf_and_crlf_documents_equal(text in lines()) {
        let both = [text.clone(), text.replace('\n', "\r\n")].map(|text| {
            let results = documents(&text).into_iter();
            results
                .map(|result| result.map_or_else(|error| error.origin.to_string(), |document| in_words(&document)))
                .collect::<Vec<_>>()
        });
        prop_assert_eq!(&both[0], &both[1]);
    }

    #[test]
    fn parts_lie_within_file(text in lines()) {
        for document in documents(&text).into_iter().flatten() {
            let place = document.part_byte.expect("the part has a byte range");
            prop_assert!(place.start <= place.end && place.end <= text.len() as u64);
        }
    }

    #[test]
    fn mailbox_messages_in_order(text in lines()) {
        let mut end = 0;
        for (mail, number) in Mailbox::new(text.as_bytes(), "m", &Limits::default()).zip(1..) {
            let mail = mail.expect("the message is within the limits");
            let start = usize::try_from(mail.offset).expect("the offset is in the text");
            prop_assert!(start >= end);
            end = start + mail.bytes.len();
            prop_assert_eq!(&text.as_bytes()[start..end], mail.bytes);
            let before = text[..start].matches('\n').count() as u64;
            prop_assert_eq!((mail.number.get(), mail.line), (number, before + 1));
        }
        prop_assert!(end <= text.len());
    }
}
