//! Damaged and hostile messages.

mod support;

use baseref_outlook::{Content, Limits, Message, read_msg, read_tnef};
use proptest::prelude::*;
use support::{Msg, Tnef, compressed, properties};

const RTF: &str = r"{\rtf1\ansi\ansicpg932\fromhtml1{\fonttbl{\f0\fcharset128 A;}{\f1\fcharset204 B;}}
{\*\htmltag84 <a href='http://a.test/\'83A'>}\f1\'e9\u-10179 ?\u-8704 ?{\*\mhtmltag x}\htmlrtf x\htmlrtf0 \bin3 abc}";

fn msg() -> Vec<u8> {
    let mut msg = Msg::new();
    msg.message()
        .text(0x0037, "Subject")
        .text(0x007D, "From: a@a.test\r\n\r\n")
        .long(0x1009_0102, &compressed(RTF))
        .long(0x1013_0102, b"<p>")
        .short(0x3FDE_0003, 65001)
        .end();
    msg.recipient(0)
        .text(0x3001, "b")
        .short(0x0C15_0003, 1)
        .end();
    msg.attachment(0)
        .text(0x3707, "c")
        .long(0x3701_0102, &[7; 5000])
        .end();
    msg.attachment(1).short(0x3705_0003, 5).end();
    msg.storage("/__attach_version1.0_#00000001/__substg1.0_3701000D", 24)
        .text(0x1000, "inner")
        .end();
    msg.bytes()
}

fn tnef() -> Vec<u8> {
    let rtf = compressed(RTF);
    let values: [(u32, &[u8]); 3] = [
        (0x3FFD_0003, b"\xE3\x04\0\0"),
        (0x1009_0102, &rtf),
        (0x0037_001F, b"a\0b\0"),
    ];
    Tnef::new()
        .attribute(1, 0x0006_9007, b"\xE3\x04\0\0\0\0\0\0")
        .attribute(
            1,
            0x0000_8000,
            b"\x04\0\x12\0\x03\0\x0F\0Jo\0SMTP:jo@a.test\0",
        )
        .attribute(1, 0x0006_9003, &properties(&values))
        .attribute(
            1,
            0x0006_9004,
            &[&1_u32.to_le_bytes()[..], &properties(&values)].concat(),
        )
        .attribute(2, 0x0006_9002, &[0; 14])
        .attribute(2, 0x0006_800F, b"text")
        .bytes()
}

/// The number of bytes in a message.
fn size(message: &Message) -> usize {
    let bodies: usize = message.bodies.iter().map(|body| body.bytes.len()).sum();
    let attached = message.attachments.iter().map(|file| match &file.content {
        Content::Bytes(bytes) => bytes.len(),
        Content::Message(inner) => size(inner),
        Content::Reference(url) => url.len(),
        Content::Other => 0,
    });
    message.header.len() + bodies + attached.sum::<usize>()
}

/// Changes some bytes, and truncates.
fn tampered(bytes: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let places = proptest::collection::vec((0..bytes.len(), any::<[u8; 4]>(), 1..5_usize), 1..6);
    (places, 0..bytes.len() * 4).prop_map(move |(places, end)| {
        let mut bytes = bytes.clone();
        for (at, values, length) in places {
            for (byte, value) in bytes[at..].iter_mut().zip(values).take(length) {
                *byte = value;
            }
        }
        bytes.truncate(end.max(8));
        bytes
    })
}

proptest! {
    #[test]
    fn a_changed_msg_is_read_or_refused_and_does_not_grow(bytes in tampered(msg())) {
        if let Ok(message) = read_msg(&bytes, &Limits::default()) {
            prop_assert!(size(&message) <= 64 * bytes.len());
        }
    }

    #[test]
    fn changed_tnef_is_read_and_does_not_grow(bytes in tampered(tnef())) {
        if let Ok(message) = read_tnef(&bytes, &Limits::default()) {
            prop_assert!(size(&message) <= 64 * bytes.len());
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        for magic in [&b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"[..], b"\x78\x9F\x3E\x22"] {
            let bytes = [magic, &bytes].concat();
            let _ = read_msg(&bytes, &Limits::default());
            let _ = read_tnef(&bytes, &Limits::default());
        }
    }
}

#[test]
fn nested_tnef_has_a_maximum_depth() {
    let interface = b"\x07\x03\x02\x00\x00\x00\x00\x00\xC0\x00\x00\x00\x00\x00\x00\x46";
    let around = |inner: &Vec<u8>| {
        let object = [&interface[..], inner].concat();
        Tnef::new()
            .attribute(2, 0x0006_9002, &[0; 14])
            .attribute(2, 0x0006_9005, &properties(&[(0x3701_000D, &object)]))
            .bytes()
    };
    let nested = (0..2000).fold(Tnef::new().bytes(), |inner, _| around(&inner));
    let mut message = read_tnef(&nested, &Limits::default()).unwrap();
    let mut depth = 0;
    while let Some(Content::Message(inner)) = message.attachments.pop().map(|file| file.content) {
        depth += 1;
        message = *inner;
    }
    assert_eq!(depth, Limits::default().depth);
    assert_eq!(message.problems.len(), 1);
}
