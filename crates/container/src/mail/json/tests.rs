use super::*;
use crate::{Input, Reader, open};
use baseref_document::Limits;
use std::io::Cursor;

/// The messages of JSON: their bytes and notes, or the error.
fn read(name: &str, json: &[u8]) -> Vec<Result<(String, Vec<String>), String>> {
    let input = Input {
        name: name.into(),
        reader: Reader::Stream(Box::new(Cursor::new(json.to_vec()))),
        size: None,
        format: None,
        format_of_name: None,
        named: true,
        declarations: Vec::new(),
    };
    let entities = open(input, &Limits::default()).unwrap().into_entities();
    let found = entities.map(|found| match found {
        Ok(entity) => {
            assert_eq!(entity.offset, None);
            let notes = entity.notes.into_iter().map(|note| note.detail).collect();
            Ok((String::from_utf8(entity.bytes).unwrap(), notes))
        }
        Err(error) => Err(error.to_string()),
    });
    found.collect()
}

/// `a@b.test` in a header, and `<p>`, in the alphabet of base64url.
const RAW: &str = r#"{"id":"1","threadId":"1","raw":"RnJvbTogYUBiLnRlc3QKCjxwPsO_"}"#;

#[test]
fn raw_messages_one_a_line() {
    let twice = format!("{RAW}\n{RAW}\n");
    let one = Ok(("From: a@b.test\n\n<p>\u{ff}".to_owned(), Vec::new()));
    assert_eq!(read("g", twice.as_bytes()), [one.clone(), one.clone()]);
    let cut = "g: the JSON is not complete: what follows the last whole message is not read";
    let cut = Err(cut.to_owned());
    assert_eq!(read("g", &twice.as_bytes()[..twice.len() - 9]), [one, cut]);
}

#[test]
fn full_message_keeps_its_parts() {
    let json = r#"{"threadId":"1","payload":{"mimeType":"multipart/mixed","headers":[
        {"name":"Subject","value":"s"},{"name":"Content-Type","value":"multipart/mixed; boundary=b"}],
        "parts":[{"mimeType":"text/html","headers":[{"name":"Content-Base","value":"http://a/"},
          {"name":"Content-Transfer-Encoding","value":"quoted-printable"},
          {"name":"Content-Type","value":"text/html; charset=ascii"}],"body":{"data":"PHA-"}},
        {"mimeType":"application/pdf","filename":"a.pdf","body":{"attachmentId":"x","size":3}}]}}"#;
    let expected = "Subject: s\r\nContent-Type: multipart/mixed; boundary=\"=_1\"\r\n\r\n\
        --=_1\r\nContent-Base: http://a/\r\nContent-Type: text/html; charset=ascii\r\n\
        Content-Transfer-Encoding: base64\r\n\r\nPHA+\r\n\r\n\
        --=_1\r\nContent-Type: application/pdf; name=\"a.pdf\"\r\n\r\n\r\n--=_1--\r\n";
    let note = "the attached file \"a.pdf\" is not in the JSON".to_owned();
    assert_eq!(
        read("g", json.as_bytes()),
        [Ok((expected.to_owned(), vec![note]))]
    );
}

#[test]
fn graph_messages_in_a_list_of_any_capitals() {
    let json = r#"{"@odata.context":"https://g.test/$metadata#messages","Value":[
        {"BodyPreview":"x","Subject":"s","HasAttachments":true,
         "Body":{"ContentType":"HTML","Content":"<p>"},
         "From":{"EmailAddress":{"Name":"A","Address":"a@b.test"}},
         "SentDateTime":"2025-01-06T10:05:00Z"},
        {"id":"only"},
        {"body":{"contentType":"text","content":"\ud800"},"attachments":[
          {"name":"f","contentType":"text/html","contentBytes":"PHA+","contentId":"i"},
          {"name":"r","sourceUrl":"https://c.test/"},
          {"name":"m","item":{"subject":"inner","body":{"content":"y"}}}]}]}"#;
    let html = "From: \"A\" <a@b.test>\r\nSubject: s\r\nDate: 06 Jan 2025 10:05:00 +0000\r\n\
        Content-Type: multipart/related; boundary=\"=_1\"\r\n\r\n--=_1\r\n\
        Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n\
        PHA+\r\n\r\n--=_1--\r\n";
    let absent = vec!["the attached files are not in the JSON".to_owned()];
    let utf_16 = json.encode_utf16().flat_map(u16::to_le_bytes);
    let utf_16: Vec<u8> = b"\xFF\xFE".iter().copied().chain(utf_16).collect();
    for json in [json.as_bytes(), &utf_16] {
        let found = read("g", json);
        assert_eq!(found[0], Ok((html.to_owned(), absent.clone())));
        let [_, Ok((second, _))] = &found[..] else {
            panic!("{found:?}");
        };
        for expected in [
            "Content-ID: <i>\r\n",
            "message/external-body; access-type=URL; url=\"https://c.test/\"",
            "Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n",
            "\r\n77+9",
        ] {
            assert!(second.contains(expected), "{second}");
        }
    }
}

#[test]
fn object_without_a_message_is_counted() {
    assert_eq!(read("g", br#"{"threadId":"1","payload":{"a":1}}"#), []);
    assert!(is_graph(
        br#"{"id":"1","body": {"contentType":"html","content":"x"}}"#
    ));
}

#[test]
fn other_json_is_no_mail() {
    for json in [
        r#"{"log":{"raw":1}}"#,
        r#"{"value":[{"id":1}]}"#,
        r#"[1,"threadId","payload"]"#,
        r#"{"payload":{"a":1}}"#,
        r#"{"contentType":"page","body":"x","content":"y"}"#,
    ] {
        assert!(
            !is_gmail(json.as_bytes()) && !is_graph(json.as_bytes()),
            "{json}"
        );
    }
}
