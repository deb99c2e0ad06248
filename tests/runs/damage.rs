//! Damage is a loss: what is left of a file is read, and the exit code is 3.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::{baseref, run};

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(Path::new("fixtures").join(name)).expect("the fixture is read")
}

/// A Zstandard frame (RFC 8878 §3.1.1) with a checksum and one block that is not compressed.
fn zstd_frame(content: &[u8], checksum: u32) -> Vec<u8> {
    // A single segment, whose size takes one byte, with a checksum.
    let descriptor = 0b0010_0100;
    let size = u8::try_from(content.len()).expect("the content is short");
    let last_raw_block = (u32::from(size) << 3 | 1).to_le_bytes();
    [
        &[0x28, 0xb5, 0x2f, 0xfd, descriptor, size],
        &last_raw_block[..3],
        content,
        &checksum.to_le_bytes(),
    ]
    .concat()
}

#[test]
fn zstd_frame_with_a_wrong_checksum() {
    let page = b"<a href=http://h.example/a>x</a><a href=http://h.example/b>y</a>";
    let mut frame = zstd_frame(page, CHECKSUM);
    let good = run(&["links", "--stdin-name", "page.html.zst", "-"], &frame);
    assert_eq!(good.status.code(), Some(0), "{}", stderr(&good));
    let at = frame
        .iter()
        .position(|byte| *byte == b'b')
        .expect("there is a b");
    frame[at] = b'c';
    let wrong = run(&["links", "--stdin-name", "page.html.zst", "-"], &frame);
    assert_eq!(stdout(&wrong), "http://h.example/a\nhttp://h.example/c\n");
    assert!(
        stderr(&wrong).contains("byte 0 does not match its stored checksum"),
        "{}",
        stderr(&wrong)
    );
    assert_eq!(wrong.status.code(), Some(3));
}

/// The lower half of the `XXH64` hash of the page.
const CHECKSUM: u32 = 0xa195_6ab6;

/// In each, a byte in the middle is changed.
#[test]
fn damaged_bzip2_and_xz() {
    for (name, kind) in [("packed/hello.bz2", "bzip2"), ("packed/hello.xz", "xz")] {
        let mut bytes = fixture(name);
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        let output = run(&["links", "--stdin-name", name, "-"], &bytes);
        let told = format!("{name}: the {kind} stream is ");
        assert!(stderr(&output).contains(&told), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(3), "{name}");
    }
}

/// The names in a directory of a compound file are in UTF-16; `_` becomes `^`.
fn with_wrong_name(message: &[u8], name: &str) -> Vec<u8> {
    let encoded: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut places = message.windows(encoded.len());
    let at = places
        .position(|window| window == encoded)
        .expect("the name is there");
    let mut bytes = message.to_vec();
    bytes[at] ^= 1;
    bytes
}

#[test]
fn outlook_stream_and_storage_with_a_wrong_name() {
    let message = fixture("outlook/html-in-rtf.msg");
    let good = baseref(&["links", "fixtures/outlook/html-in-rtf.msg"]);
    let links = |output: &Output| stdout(output).lines().count();
    for (name, told) in [
        (
            "__substg1.0_10090102",
            "^_substg1.0_10090102 is the name of no property",
        ),
        (
            "__substg1.0_3701000D",
            "^_substg1.0_3701000D is the name of no attachment",
        ),
    ] {
        let damaged = with_wrong_name(&message, name);
        let output = run(&["links", "--stdin-name", "a.msg", "-"], &damaged);
        assert!(
            links(&output) > 0 && links(&output) < links(&good),
            "{name}"
        );
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(3), "{name}");
    }
}

/// Changes the checksum that the directory of a zip has for a member (APPNOTE §4.3.12).
fn with_wrong_checksum(zip: &[u8], member: &str) -> Vec<u8> {
    let mut places = zip.windows(member.len()).enumerate();
    let is_name = |(_, window): &(usize, &[u8])| *window == member.as_bytes();
    // The first one is in the header before the member.
    let (name, _) = places
        .by_ref()
        .filter(is_name)
        .nth(1)
        .expect("it is listed");
    let mut bytes = zip.to_vec();
    bytes[name - 46 + 16] ^= 1;
    bytes
}

#[test]
fn damaged_message_and_attachment_of_outlook_for_mac() {
    let archive = fixture("packed/messages-and-their-files-are-read.olm");
    let folder = "Accounts/a@a.example/com.microsoft.";
    for member in [
        "__Messages/Inbox/message_00002.xml",
        "__Attachments/1/page.html",
    ] {
        let damaged = with_wrong_checksum(&archive, &format!("{folder}{member}"));
        let good = run(&["links", "--stdin-name", "a.olm", "-"], &archive);
        let output = run(&["links", "--stdin-name", "a.olm", "-"], &damaged);
        assert_eq!(stdout(&output), stdout(&good), "{member}");
        let told = "does not match its stored checksum";
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(3), "{member}");
    }
}

#[test]
fn mailbox_cut_off_in_its_heading() {
    let mailbox = fixture("mail-stores/deleted-message-is-read-on-request.mbx");
    let output = run(&["links", "--stdin-name", "a.mbx", "-"], &mailbox[..500]);
    assert!(
        stderr(&output).contains("cut off in its heading"),
        "{}",
        stderr(&output)
    );
    assert_eq!(output.status.code(), Some(3));
}
