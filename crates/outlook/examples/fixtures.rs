//! Writes the messages in `fixtures/outlook/`, into the folder that it is given.

#[path = "../tests/support/mod.rs"]
mod support;

use std::path::Path;
use std::{env, fs, io};

use support::{Msg, Tnef, compressed, properties};

/// A message with its HTML only in RTF, and with all that can be attached to one.
fn html_in_rtf() -> Vec<u8> {
    let rtf = r#"{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0
{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fswiss\fcharset204 Arial;}}
{\*\htmltag64 <p>}\htmlrtf \par\htmlrtf0 
{\*\htmltag84 <a href="https://a.test/path?x=1&amp;y=2">}\htmlrtf {\field{\*\fldinst{HYPERLINK "https://rendered.test/"}}{\fldrslt\htmlrtf0 caf\'e9 {\f1 \'ec\'e8\'f0}\htmlrtf }}\htmlrtf0 {\*\htmltag92 </a>}
{\*\mhtmltag84 <img src="rewritten.png">}
{\*\htmltag84 <img src="cid:logo@a.test">}
{\*\htmltag84 <a href="relative">}relative{\*\htmltag92 </a>}}"#;
    let mut msg = Msg::new();
    msg.message()
        .text(0x001A, "IPM.Note")
        .text(0x0037, "Caf\u{e9}")
        .text(
            0x007D,
            "Received: from a.test\r\n\tby b.test\r\nFrom: Jo <jo@a.test>\r\nTo: al@b.test\r\n\
             Subject: =?utf-8?Q?Caf=C3=A9?=\r\nDate: Mon, 5 Jan 2026 10:00:00 +0100\r\n\
             Base: <URL:https://base.test/dir/>\r\nMessage-ID: <1@a.test>\r\n\
             List-Unsubscribe: <https://a.test/unsubscribe>\r\n\
             Content-Type: multipart/mixed;\r\n\tboundary=\"b\"\r\n\r\n",
        )
        .text(
            0x1000,
            "caf\u{e9} \u{43c}\u{438}\u{440} <https://a.test/path?x=1&y=2>\r\n",
        )
        .long(0x1009_0102, &compressed(rtf))
        .short(0x3FDE_0003, 65001)
        .end();
    msg.attachment(0)
        .text(0x3707, "logo.png")
        .text(0x370E, "image/png")
        .text(0x3712, "logo@a.test")
        .long(0x3701_0102, b"\x89PNG\r\n\x1A\n")
        .short(0x3705_0003, 1)
        .end();
    msg.attachment(1)
        .text(0x3707, "page.html")
        .long(
            0x3701_0102,
            b"<a href='https://attached.test/'>attached</a>",
        )
        .short(0x3705_0003, 1)
        .end();
    msg.attachment(2)
        .text(
            0x370D,
            "https://contoso-my.sharepoint.com/:w:/g/personal/jo/plan",
        )
        .text(0x3707, "plan.docx")
        .short(0x3705_0003, 7)
        .end();
    msg.attachment(3).short(0x3705_0003, 5).end();
    msg.storage("/__attach_version1.0_#00000003/__substg1.0_3701000D", 24)
        .text(0x0037, "Forwarded")
        .text(0x0C1A, "Kim")
        .text(0x5D01, "kim@c.test")
        .long(
            0x1013_0102,
            b"<a href='https://forwarded.test/'>forwarded \xEC</a>",
        )
        .short(0x3FDE_0003, 1251)
        .short(0x0039_0040, 134_000_000_000_000_000)
        .end();
    msg.bytes()
}

/// A message of plain text in a code page.
fn text_in_a_code_page() -> Vec<u8> {
    let mut msg = Msg::new();
    msg.message()
        .long(0x0037_001E, b"\xEF\xF0\xE8\xE2\xE5\xF2")
        .long(0x0C1F_001E, b"jo@a.test")
        .long(0x1000_001E, b"\xF1\xEC. https://a.test/text\r\n")
        .short(0x3FFD_0003, 1251)
        .end();
    msg.recipient(0)
        .long(0x3001_001E, b"\xC0\xEB")
        .long(0x3003_001E, b"al@b.test")
        .short(0x0C15_0003, 1)
        .end();
    msg.bytes()
}

/// A message that was written as RTF, with a link whose text is another address.
fn link_in_a_field() -> Vec<u8> {
    let rtf = r#"{\rtf1\ansi\ansicpg1252 {\field{\*\fldinst HYPERLINK "https://evil.test/"}{\fldrslt https://good.test/}}}"#;
    let mut msg = Msg::new();
    msg.message()
        .text(0x1000, "https://good.test/")
        .long(0x1009_0102, &compressed(rtf))
        .end();
    msg.bytes()
}

/// A compound file that is not a message.
fn no_message() -> Vec<u8> {
    let mut msg = Msg::new();
    msg.storage("/WordDocument", 0).end();
    msg.bytes()
}

/// Two attachments and a body in TNEF.
fn winmail() -> Vec<u8> {
    let rtf = r#"{\rtf1\ansi\fromhtml1 {\*\htmltag84 <a href="https://tnef.test/">}tnef{\*\htmltag92 </a>}{\*\htmltag84 <img src="cid:dot@a.test">}}"#;
    Tnef::new()
        .attribute(1, 0x0006_9007, b"\xE4\x04\x00\x00\x00\x00\x00\x00")
        .attribute(1, 0x0001_8004, b"Inside\0")
        .attribute(
            1,
            0x0006_9003,
            &properties(&[(0x1009_0102, &compressed(rtf))]),
        )
        .attribute(2, 0x0006_9002, &[0; 14])
        .attribute(2, 0x0001_8010, b"page.html\0")
        .attribute(2, 0x0006_800F, b"<a href='relative'>attached</a>")
        .attribute(2, 0x0006_9002, &[0; 14])
        .attribute(2, 0x0006_800F, b"GIF89a")
        .attribute(
            2,
            0x0006_9005,
            &properties(&[(0x3712_001E, b"dot@a.test\0")]),
        )
        .bytes()
}

/// The lines of Base64.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for (line, group) in bytes.chunks(3).enumerate() {
        if line > 0 && line % 19 == 0 {
            text.push('\n');
        }
        let padded = [group, &[0; 2][..]].concat();
        let number = u32::from(padded[0]) << 16 | u32::from(padded[1]) << 8 | u32::from(padded[2]);
        for digit in 0..4 {
            let value = (number >> (18 - 6 * digit)) & 63;
            let is_there = digit <= group.len();
            text.push(if is_there {
                DIGITS[value as usize].into()
            } else {
                '='
            });
        }
    }
    text
}

/// A message of MIME with one file attached.
fn with_attached(name: &str, media: &str, file: &[u8]) -> Vec<u8> {
    format!(
        "From: jo@a.test\nTo: al@b.test\nSubject: Outside\nBase: <URL:https://base.test/>\n\
         MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
         --b\nContent-Type: text/plain\n\nSee https://text.test/\n\
         --b\nContent-Type: {media}; name=\"{name}\"\nContent-Transfer-Encoding: base64\n\
         Content-Disposition: attachment; filename=\"{name}\"\n\n{}\n--b--\n",
        base64(file)
    )
    .into_bytes()
}

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).unwrap_or_default();
    let folder = Path::new(&folder);
    let winmail = winmail();
    let msg = text_in_a_code_page();
    for (name, bytes) in [
        ("html-in-rtf.msg", html_in_rtf()),
        ("link-in-a-field.msg", link_in_a_field()),
        ("no-message.doc", no_message()),
        (
            "winmail-in-mime.eml",
            with_attached("winmail.dat", "application/ms-tnef", &winmail),
        ),
        (
            "msg-in-mime.eml",
            with_attached("a.msg", "application/vnd.ms-outlook", &msg),
        ),
        ("text-in-a-code-page.msg", msg),
        ("winmail.dat", winmail),
    ] {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
