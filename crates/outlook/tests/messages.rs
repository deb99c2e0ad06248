//! Reads messages as Outlook writes them.

mod support;

use baseref_outlook::{BodyKind, Content, Limits, Message, MessageError, ProblemKind};
use support::{Msg, Tnef, compressed, properties};

fn read(msg: Msg) -> Message {
    baseref_outlook::read_msg(&msg.bytes(), &Limits::default()).expect("a message")
}

fn html(text: &str) -> Vec<u8> {
    compressed(&format!(
        r"{{\rtf1\ansi\ansicpg1252\fromhtml1 {{\*\htmltag64 {text}}}}}"
    ))
}

#[test]
fn html_only_in_rtf() {
    let mut msg = Msg::new();
    msg.message()
        .text(0x0037, "Hello")
        .text(0x1000, "See here")
        .text(0x5D01, "jo@a.test")
        .long(0x1009_0102, &html("<a href='http://a.test/'>here</a>"))
        .short(0x3FDE_0003, 65001)
        .end();
    msg.recipient(0)
        .text(0x39FE, "al@b.test")
        .short(0x0C15_0003, 1)
        .end();
    let message = read(msg);
    assert_eq!(
        message.header,
        "From: jo@a.test\r\nTo: al@b.test\r\nSubject: Hello\r\n"
    );
    let bodies: Vec<_> = message
        .bodies
        .iter()
        .map(|body| (body.kind, &body.bytes[..]))
        .collect();
    let expected = [
        (BodyKind::Text, &b"See here"[..]),
        (BodyKind::Html, b"<a href='http://a.test/'>here</a>"),
    ];
    assert_eq!(bodies, expected);
    assert_eq!(message.problems, []);
}

#[test]
fn strings_in_the_code_page_of_the_message() {
    let mut msg = Msg::new();
    msg.message()
        .long(0x0037_001E, b"\xEF\xF0\xE8")
        .short(0x3FFD_0003, 1251)
        .end();
    msg.attachment(0)
        .long(0x3707_001E, b"\xEF.txt")
        .long(0x3701_0102, b"x")
        .end();
    let message = read(msg);
    assert_eq!(message.header, "Subject: при\r\n");
    assert_eq!(message.attachments[0].name.as_deref(), Some("п.txt"));
}

#[test]
fn strings_in_the_windows_code_page_of_a_mail_charset() {
    for (tag, value) in [(0x3FDE_0003, 50220), (0x3FF1_0003, 1041)] {
        let mut msg = Msg::new();
        msg.message()
            .long(0x0037_001E, b"\x93\xFA\x96\x7B")
            .short(tag, value)
            .end();
        assert_eq!(read(msg).header, "Subject: \u{65e5}\u{672c}\r\n");
    }
}

#[test]
fn attachments_in_order() {
    let mut msg = Msg::new();
    msg.message().end();
    msg.attachment(16)
        .text(0x3704, "last.txt")
        .long(0x3701_0102, b"z")
        .end();
    msg.attachment(2)
        .text(0x3707, "logo.png")
        .text(0x370E, "image/png")
        .text(0x3712, "<logo@a>")
        .text(0x3713, "img/logo.png")
        .long(0x3701_0102, b"PNG")
        .end();
    msg.attachment(10)
        .text(0x370D, "https://contoso-my.sharepoint.com/:w:/g/personal/x")
        .short(0x3705_0003, 7)
        .end();
    let attachments = read(msg).attachments;
    let names: Vec<_> = attachments
        .iter()
        .map(|file| file.name.as_deref())
        .collect();
    assert_eq!(names, [Some("logo.png"), None, Some("last.txt")]);
    let logo = &attachments[0];
    assert_eq!(logo.content_id.as_deref(), Some("logo@a"));
    assert_eq!(logo.location.as_deref(), Some("img/logo.png"));
    assert_eq!(logo.media_type.as_deref(), Some("image/png"));
    assert!(matches!(&logo.content, Content::Bytes(bytes) if bytes == b"PNG"));
    let is_reference =
        |content: &Content| matches!(content, Content::Reference(url) if url.ends_with("/x"));
    assert!(is_reference(&attachments[1].content));
}

/// A message nested in `depth` messages.
fn nested(depth: usize) -> Msg {
    let mut msg = Msg::new();
    msg.message().text(0x0037, "0").end();
    let mut path = String::new();
    for depth in 1..=depth {
        path.push_str("/__attach_version1.0_#00000000");
        msg.storage(&path, 8).short(0x3705_0003, 5).end();
        path.push_str("/__substg1.0_3701000D");
        msg.storage(&path, 24)
            .text(0x0037, &depth.to_string())
            .end();
    }
    msg
}

#[test]
fn nested_messages_have_a_maximum_depth() {
    let limits = Limits { depth: 3 };
    let bytes = nested(5).bytes();
    let mut message = baseref_outlook::read_msg(&bytes, &limits).unwrap();
    for depth in 0..3 {
        assert_eq!(message.header, format!("Subject: {depth}\r\n"));
        assert_eq!(message.problems, []);
        message = match message.attachments.remove(0).content {
            Content::Message(inner) => *inner,
            other => panic!("{other:?}"),
        };
    }
    let kinds: Vec<_> = message
        .problems
        .iter()
        .map(|problem| problem.kind)
        .collect();
    assert_eq!(kinds, [ProblemKind::Limit]);
    assert!(matches!(message.attachments[0].content, Content::Other));
}

#[test]
fn named_properties_are_ignored() {
    let mut msg = Msg::new();
    msg.message().text(0x0037, "own").end();
    msg.storage("/__nameid_version1.0", 8)
        .text(0x1000, "bucket")
        .end();
    let message = read(msg);
    assert_eq!(
        (message.header.as_str(), message.bodies.len()),
        ("Subject: own\r\n", 0)
    );
}

#[test]
fn compound_file_without_properties() {
    let mut msg = Msg::new();
    msg.storage("/Word", 0).end();
    let bytes = msg.bytes();
    let found = baseref_outlook::read_msg(&bytes, &Limits::default());
    assert!(matches!(found, Err(MessageError::NotAMessage)));
    assert!(!baseref_outlook::is_msg(std::io::Cursor::new(bytes)));
    assert!(baseref_outlook::is_msg(std::io::Cursor::new(
        nested(1).bytes()
    )));
    for length in [0, 1, 7, 8, 15, 16, 511, 512] {
        let mut bytes = nested(0).bytes();
        bytes.truncate(length);
        assert!(baseref_outlook::read_msg(&bytes, &Limits::default()).is_err());
        assert!(!baseref_outlook::is_msg(std::io::Cursor::new(bytes)));
    }
}

#[test]
fn shared_streams_are_bounded() {
    let mut msg = Msg::new();
    msg.message().end();
    let file = vec![b'x'; 100_000];
    for number in 0..50 {
        let bytes = if number == 0 {
            &file[..]
        } else {
            &[b'y'; 5000]
        };
        msg.attachment(number).long(0x3701_0102, bytes).end();
    }
    let mut bytes = msg.bytes();
    // All of them where the first is, and as large.
    let name: Vec<u8> = "__substg1.0_37010102"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let entries: Vec<usize> = bytes
        .windows(name.len())
        .enumerate()
        .filter(|(at, window)| at % 128 == 0 && *window == &name[..])
        .map(|(at, _)| at)
        .collect();
    assert_eq!(entries.len(), 50);
    let place = bytes[entries[0] + 116..entries[0] + 128].to_vec();
    for entry in entries {
        bytes[entry + 116..entry + 128].copy_from_slice(&place);
    }
    let message = baseref_outlook::read_msg(&bytes, &Limits::default()).unwrap();
    let read: usize = message
        .attachments
        .iter()
        .map(|file| match &file.content {
            Content::Bytes(bytes) => bytes.len(),
            _ => 0,
        })
        .sum();
    assert!(read <= 2 * bytes.len(), "{read}");
    assert!(
        message
            .problems
            .iter()
            .any(|problem| problem.kind == ProblemKind::Limit)
    );
}

#[test]
fn parts_of_tnef() {
    let inner = Tnef::new().attribute(1, 0x0001_8004, b"inner\0").bytes();
    let message = b"\x07\x03\x02\x00\x00\x00\x00\x00\xC0\x00\x00\x00\x00\x00\x00\x46";
    let object = [&message[..], &inner].concat();
    let rtf = html("<a href='http://a.test/'>");
    let named = b"\x00\x00\x00\x00";
    let stream = Tnef::new()
        .attribute(1, 0x0006_9007, b"\xE3\x04\x00\x00\x00\x00\x00\x00")
        .attribute(
            1,
            0x0000_8000,
            b"\x04\x00\x12\x00\x03\x00\x0F\x00Jo\0SMTP:jo@a.test\0",
        )
        .attribute(1, 0x0001_8004, b"\xE9\0")
        .attribute(
            1,
            0x0006_9003,
            &properties(&[(0x3FFA_0003, named), (0x1009_0102, &rtf)]),
        )
        .attribute(2, 0x0006_9002, &[0; 14])
        .attribute(2, 0x0001_8010, b"a.txt\0")
        .attribute(2, 0x0006_800F, b"text")
        .attribute(
            2,
            0x0006_9005,
            &properties(&[(0x3707_001F, b"l\0o\0n\0g\0")]),
        )
        .attribute(2, 0x0006_9002, &[0; 14])
        .attribute(2, 0x0006_9005, &properties(&[(0x3701_000D, &object)]))
        .bytes();
    let message = baseref_outlook::read_tnef(&stream, &Limits::default()).unwrap();
    assert_eq!(message.problems, []);
    assert_eq!(message.header, "From: Jo <jo@a.test>\r\nSubject: й\r\n");
    assert_eq!(message.bodies[0].bytes, b"<a href='http://a.test/'>");
    let [file, attached] = &message.attachments[..] else {
        panic!("{message:?}");
    };
    assert_eq!(file.name.as_deref(), Some("long"));
    assert!(matches!(&file.content, Content::Bytes(bytes) if bytes == b"text"));
    assert!(
        matches!(&attached.content, Content::Message(inner) if inner.header == "Subject: inner\r\n")
    );
}

#[test]
fn truncated_tnef() {
    let whole = Tnef::new()
        .attribute(1, 0x0001_8004, b"a\0")
        .attribute(1, 0x0002_800C, b"text")
        .bytes();
    let problems = |stream: &[u8]| -> Vec<ProblemKind> {
        let message = baseref_outlook::read_tnef(stream, &Limits::default()).unwrap();
        message
            .problems
            .iter()
            .map(|problem| problem.kind)
            .collect()
    };
    assert_eq!(problems(&whole), []);
    // Without the last checksum, and with something else after it.
    assert_eq!(problems(&whole[..whole.len() - 2]), []);
    assert_eq!(problems(&[&whole[..], b"\0\0garbage"].concat()), []);
    assert_eq!(problems(&whole[..whole.len() - 3]), [ProblemKind::Damaged]);
    for level in [0, 3] {
        let mut wrong = whole.clone();
        let second = whole.len() - b"text".len() - 11;
        assert_eq!(wrong[second], 1);
        wrong[second] = level;
        assert_eq!(problems(&wrong), [ProblemKind::Damaged], "{level}");
    }
    let mut wrong = whole;
    wrong[16] ^= 1;
    assert_eq!(problems(&wrong), [ProblemKind::Checksum]);
    let nothing = baseref_outlook::read_tnef(b"\x78\x9F", &Limits::default());
    assert!(matches!(nothing, Err(MessageError::NotOutlook)));
}
