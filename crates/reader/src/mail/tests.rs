//! The walk as a whole: messages in, HTML parts and errors out.

use std::fmt::Write as _;

use super::piece::PieceSink;
use super::walk::walk as walk_with_options;
use super::{Attachment, Message, Opener, Piece, documents};
use baseref_document::{
    Declaration, Limits, Note, Origin, Place, ReadOptions, ReadResult, Retrieval, Sink, Skipped,
};

/// What a walk found, in words: `section body [note]`, `section! reason`, and at the end `! note:
/// detail` for notes without a later part.
fn found(text: impl AsRef<[u8]>) -> Vec<String> {
    found_with(text, &Limits::default())
}

fn walk(message: Message<'_>, limits: &Limits, sink: &mut PieceSink<'_>) -> Vec<Note> {
    let options = ReadOptions::default().with_limits(*limits);
    walk_with_options(message, &options, sink).notes
}

fn found_with(text: impl AsRef<[u8]>, limits: &Limits) -> Vec<String> {
    let mut found = Vec::new();
    let notes = walk(message(text.as_ref()), limits, &mut |piece: Piece<'_>| {
        found.push(match piece {
            Piece::Leaf { source, lead, .. } => {
                let mut words = source.origin.section.to_string();
                let body = String::from_utf8_lossy(source.bytes);
                write!(words, " {}", body.escape_debug()).unwrap();
                for note in lead.notes {
                    write!(words, " [{}]", note.code.as_str()).unwrap();
                }
                words
            }
            Piece::File { file, .. } => {
                let bytes = String::from_utf8_lossy(&file.bytes).into_owned();
                format!("{} file {}", file.origin.section, bytes.escape_debug())
            }
            Piece::Heading(document, _) => format!("{} heading", document.origin.section),
            Piece::Unread(error) => {
                let line = error.line.map_or(String::new(), |line| format!(":{line}"));
                format!("{}{line}! {}", error.origin.section, error.reason)
            }
        });
    });
    let left = |note: Note| format!("! {}: {}", note.code.as_str(), note.detail);
    found.extend(notes.into_iter().map(left));
    found
}

/// A message that is a whole file.
pub(super) fn message(bytes: &[u8]) -> Message<'_> {
    Message {
        bytes,
        origin: Origin::new("m"),
        offset: Some(0),
        line: 1,
        unquote: false,
        declarations: Vec::new(),
    }
}

/// The declarations around the only HTML part: `name level section line value`.
fn declared(message: Message<'_>) -> Vec<String> {
    let mut declared = None;
    walk(message, &Limits::default(), &mut |piece: Piece<'_>| {
        if let Piece::Leaf { source, .. } = piece {
            assert!(declared.is_none(), "one HTML part");
            declared = Some(source.declarations.iter().map(in_words).collect());
        }
    });
    declared.expect("the message has an HTML part")
}

fn in_words(declaration: &Declaration) -> String {
    let value = &declaration.value;
    match &declaration.at {
        Place::Field {
            field,
            level,
            section,
            line,
        } => {
            let line = line.map_or("-".to_owned(), |line| line.to_string());
            format!("{} {level} [{section}] {line} {value}", field.name())
        }
        Place::Retrieval(Retrieval::Record(name)) => format!("{name} {value}"),
        Place::Retrieval(_) => format!("retrieval {value}"),
        _ => format!("element {value}"),
    }
}

/// The base64 of a text, in lines.
fn base64(text: &str) -> String {
    use base64::Engine as _;
    let encoded = base64::engine::general_purpose::STANDARD.encode(text);
    let lines: Vec<&str> = encoded
        .as_bytes()
        .chunks(76)
        .map(|line| std::str::from_utf8(line).unwrap())
        .collect();
    lines.join("\n")
}

const MIXED: &str = "Content-Type: multipart/mixed; boundary=b\n\n";
const HTML: &str = "Content-Type: text/html\n\n";

#[test]
fn utf_7_part_is_decoded_and_noted() {
    let html = "+ADw-a href+AD0-x+AD4-";
    let of = |field: &str, body: &str| found(format!("Content-Type: text/html{field}\n\n{body}"));
    assert_eq!(of("; charset=utf-7", html), ["1 <a href=x> [charset]"]);
    assert_eq!(
        of(
            "; charset=x-unicode-2-0-utf-7\nContent-Transfer-Encoding: base64",
            "K0FEdy1h"
        ),
        ["1 <a [charset]"]
    );
    let meta = "<meta charset=utf-7>+AOk-";
    assert_eq!(of("", meta), ["1 <meta charset=utf-7>\u{e9} [charset]"]);
    // What its header says counts, not what the document says.
    assert_eq!(of("; charset=utf-8", meta), [format!("1 {meta}")]);
    assert_eq!(of("", html), [format!("1 {html}")]);
}

#[test]
fn boundary_on_unfolded_line_is_read_and_noted() {
    let text = "Content-Type: multipart/report;\nboundary=b\nTo: c\n\n\
                --b\nContent-Type: text/html\n\n<p>\n--b--";
    assert_eq!(found(text), ["1 <p> [heading-lines]"]);
}

#[test]
fn sections_are_numbered_as_in_imap() {
    // The example of RFC 3501 §6.4.5, its text parts made HTML.
    let inner = format!(
        "Content-Type: multipart/mixed; boundary=i\n\n--i\n{HTML}3.1\n--i\nContent-Type: image/gif\n\n--i--\n"
    );
    let alternative = format!(
        "Content-Type: multipart/mixed; boundary=j\n\n--j\nContent-Type: image/gif\n\n--j\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=k\n\n--k\n{HTML}4.2.1\n--k\nContent-Type: multipart/alternative; boundary=l\n\n--l\n{HTML}4.2.2.1\n--l\n{HTML}4.2.2.2\n--l--\n--k--\n--j--\n"
    );
    let text = format!(
        "{MIXED}--b\n{HTML}1\n--b\nContent-Type: a/b\n\n--b\nContent-Type: message/rfc822\n\n{inner}--b\n{alternative}--b--\n"
    );
    assert_eq!(
        found(text),
        [
            "1 1",
            "3.1 3.1",
            "4.2.1 4.2.1",
            "4.2.2.1 4.2.2.1",
            "4.2.2.2 4.2.2.2"
        ]
    );
    assert_eq!(found(format!("{HTML}x")), ["1 x"]);
    let forwarded = format!("Content-Type: message/rfc822\n\n{HTML}x");
    assert_eq!(found(&forwarded), ["1.1 x"]);
    assert_eq!(found(format!("{MIXED}--b\n{forwarded}\n--b--")), ["1.1 x"]);
}

#[test]
fn only_html_is_found() {
    for (essence, is_found) in [
        ("text/html", true),
        ("TEXT/HTML; charset=x", true),
        ("application/xhtml+xml", true),
        ("text/plain", false),
        ("text/htmlx", false),
        ("html", false),
    ] {
        let text = format!("Content-Type: {essence}\nContent-Disposition: attachment\n\nx");
        assert_eq!(!found(text).is_empty(), is_found, "{essence}");
    }
}

#[test]
fn every_line_end_is_accepted() {
    let text = format!("{MIXED}pre\n--b\n{HTML}one\n\ntwo\n\n--b\n{HTML}\n--b--\npost\n");
    assert_eq!(found(&text), ["1 one\\n\\ntwo\\n", "2 "]);
    assert_eq!(
        found(text.replace('\n', "\r\n")),
        ["1 one\\r\\n\\r\\ntwo\\r\\n", "2 "]
    );
    assert_eq!(found(text.replace('\n', "\r")), ["1 one\\r\\rtwo\\r", "2 "]);
}

#[test]
fn boundary_matches_whole_line() {
    let inner = format!("Content-Type: multipart/mixed; boundary=bb\n\n--bb\n{HTML}1\n--bb--\n");
    let text = format!(
        "{MIXED}--b\n{inner}--b\n{HTML}x--b\n --b\n--b c\n--bb\n--B\n--\n--b-\n--b-- x\n---\n--b-- \t\n--b\n{HTML}epilogue"
    );
    assert_eq!(
        found(text),
        [
            "1.1 1",
            "2 x--b\\n --b\\n--b c\\n--bb\\n--B\\n--\\n--b-\\n--b-- x\\n---"
        ]
    );
}

#[test]
fn boundary_may_end_in_hyphens() {
    let text = format!(
        "Content-Type: multipart/mixed; boundary=\"b--\"\n\n--b--\n{HTML}1\n--b--\n{HTML}2\n--b----\n"
    );
    assert_eq!(found(text), ["1 1", "2 2"]);
}

#[test]
fn doubled_delimiter_adds_no_part() {
    let text = format!("{MIXED}--b\n--b\n{HTML}1\n--b\n--b\n{HTML}2\n--b\n--b--\n");
    assert_eq!(found(text), ["1 1", "2 2"]);
}

#[test]
fn unclosed_multipart_ends_with_enclosing_part() {
    let inner =
        format!("Content-Type: multipart/mixed; boundary=i\n\n--i\n{HTML}1\n--i\n{HTML}2\n");
    assert_eq!(
        found(format!("{MIXED}--b\n{inner}--b\n{HTML}3\n--b--\n")),
        ["1.1 1", "1.2 2 [boundary-unclosed]", "2 3"]
    );
    assert_eq!(
        found(format!("{MIXED}--b\n{inner}")),
        ["1.1 1", "1.2 2\\n [boundary-unclosed]"]
    );
}

#[test]
fn multipart_without_boundary_loses_only_itself() {
    let lost = "Content-Type: multipart/mixed\n\n--i\nx\n";
    let empty = "Content-Type: multipart/mixed; boundary=\"\"\n\n--\nx\n--\n";
    let never = "Content-Type: multipart/mixed; boundary=never\n\n--i\nx\n";
    let text = format!("{MIXED}--b\n{lost}--b\n{empty}--b\n{never}--b\n{HTML}4\n--b--\n");
    assert_eq!(
        found(text),
        [
            "1:4! the multipart has no boundary parameter and is not read",
            "2:9! the multipart has no boundary parameter and is not read",
            "3:15! the boundary of the multipart never appears: its body is not read",
            "4 4",
        ]
    );
}

#[test]
fn parts_of_digest_default_to_messages() {
    let digest = "Content-Type: multipart/digest; boundary=d\n\n";
    let text = format!(
        "{digest}--d\n\n{HTML}1.1\n--d\nContent-Type: text/html\n\n2\n--d\n\n{MIXED}--b\n{HTML}3.1\n--b--\n--d--\n"
    );
    assert_eq!(found(text), ["1.1 1.1", "2 2", "3.1 3.1"]);
}

#[test]
fn bad_header_line_loses_only_itself() {
    let text = format!(
        "Subject: x\nno field\nalso none\n{MIXED}--b\n{HTML}1\n--b\n folded nothing\n{HTML}2\n--b--\n"
    );
    assert_eq!(found(text), ["1 1 [heading-lines]", "2 2 [heading-lines]",]);
}

#[test]
fn transfer_encodings_are_decoded_as_far_as_possible() {
    let part = |encoding: &str, body: &str| {
        found(format!(
            "Content-Type: text/html\nContent-Transfer-Encoding: {encoding}\n\n{body}"
        ))
    };
    assert_eq!(part("base64 ", "aGVs\nbG8="), ["1 hello"]);
    assert_eq!(part("BASE64 (x)", "aGVsbG8="), ["1 hello"]);
    assert_eq!(part("quoted-printable;", "a=3D=\nb"), ["1 a=b"]);
    assert_eq!(part("8bit", "a=3D"), ["1 a=3D"]);
    assert_eq!(
        part("base64", "aGVs\nb"),
        ["1:5! the base64 ends inside a group of four", "1 hel"]
    );
    assert_eq!(part("base64", "aGVs\nbG"), ["1 hell [encoding-strays]"]);
    assert_eq!(
        part("base64", "aGVs\n**bG8="),
        ["1 hello [encoding-strays]"]
    );
    assert_eq!(part("base64", "\n<p>x"), ["1 \\n<p>x [encoding-wrong]"]);
    assert_eq!(
        part(
            "quoted-printable",
            "a=3Db
href=x"
        ),
        ["1 a=b\\nhref=x [encoding-strays]"]
    );
    assert_eq!(
        part("quoted-printable", "href=x?de=de"),
        ["1 href=x?de=de [encoding-wrong]"]
    );
    assert_eq!(part("x-rot13", "uryyb"), ["1 uryyb [encoding-wrong]"]);
}

#[test]
fn base64_cut_inside_a_group_of_an_unclosed_multipart() {
    let text = |end: &str| {
        format!(
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\
             Content-Transfer-Encoding: base64\n\n{end}"
        )
    };
    let cut = "1:7! the base64 ends inside a group of four";
    assert_eq!(found(text("PGI+eA"))[0], cut);
    // Without padding alone, or without the last delimiter alone, nothing is missing.
    assert_eq!(found(text("PGI+eA\n--b--\n")), ["1 <b>x [encoding-strays]"]);
    assert_eq!(found(text("PGI+eA==\n")), ["1 <b>x [boundary-unclosed]"]);
}

#[test]
fn encoded_composite_is_decoded() {
    let encoded = |kind: &str, encoding: &str, body: &str| {
        found(format!(
            "{MIXED}--b\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{body}\n--b\n{HTML}after\n--b--\n"
        ))
    };
    let multipart =
        format!("pre\n--i\n{HTML}1\n--i\nContent-Type: message/rfc822\n\n{HTML}2\n--i--\n");
    let inside = ["1.1 1 [composite-encoded]", "1.2.1 2", "2 after"];
    assert_eq!(
        encoded("multipart/mixed; boundary=i", "base64", &base64(&multipart)),
        inside
    );
    let escaped = multipart.replace('/', "=2F").replace("--", "=2D-");
    assert_eq!(
        encoded("multipart/mixed; boundary=i", "quoted-printable", &escaped),
        inside
    );
    let escaped = multipart.replace("text/html", "text/html; charset=3Dutf-8");
    assert_eq!(
        encoded("multipart/mixed; boundary=i", "quoted-printable", &escaped),
        inside
    );

    let forwarded = format!("Subject: a=b\n{HTML}x");
    let inside = ["1.1 x [composite-encoded]", "2 after"];
    assert_eq!(
        encoded("message/rfc822", "base64", &base64(&forwarded)),
        inside
    );
    assert_eq!(
        encoded(
            "message/global",
            "quoted-printable",
            &forwarded.replace('=', "=3D")
        ),
        inside
    );
}

#[test]
fn composite_wrongly_labelled_as_encoded_is_read_undecoded() {
    let multipart = "--i\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\na=3D\n--i--\n";
    for encoding in ["base64", "quoted-printable"] {
        let text = format!(
            "Content-Type: multipart/mixed; boundary=i\nContent-Transfer-Encoding: {encoding}\n\n{multipart}"
        );
        assert_eq!(found(text), ["1 a= [composite-encoded]"]);
        let text = format!(
            "Content-Type: message/rfc822\nContent-Transfer-Encoding: {encoding}\n\nSubject: a=b\n{HTML}x"
        );
        assert_eq!(found(text), ["1.1 x [composite-encoded]"]);
    }
}

#[test]
fn base_fields_around_part_come_outermost_first() {
    let text = "Content-Base: <URL:http://outer/>\nBase: <URL:\n http://outer/2>\nContent-Type: multipart/mixed; boundary=b\n\
        \n--b\nbase : http://sibling/\n\n--b\nContent-Location: http://message/\nContent-Type: message/rfc822\n\
        \nBASE: http://inner/\nBase: http://inner/2\nContent-Type: text/html\n\nBase: http://body/\n--b\nBase: http://next/\n\n--b--\n";
    let retrieved = Declaration::new("http://r/", Place::Retrieval(Retrieval::Url));
    let message = Message {
        line: 101,
        declarations: vec![retrieved],
        ..message(text.as_bytes())
    };
    assert_eq!(
        declared(message),
        [
            "retrieval http://r/",
            "Content-Base 0 [] 101 <URL:http://outer/>",
            "Base 0 [] 102 <URL: http://outer/2>",
            "Content-Location 1 [2] 110 http://message/",
            "Base 2 [2] 113 http://inner/",
            "Base 2 [2] 114 http://inner/2",
        ]
    );
}

#[test]
fn snapshot_location_is_read_from_outermost_header() {
    let text = format!(
        "Snapshot-Content-Location: http://h/\n a\nBase: x\n{MIXED}--b\nSnapshot-Content-Location: no\n{HTML}"
    );
    let retrieved = Declaration::new("http://r/", Place::Retrieval(Retrieval::Url));
    let message = Message {
        declarations: vec![retrieved],
        ..message(text.as_bytes())
    };
    assert_eq!(
        declared(message),
        [
            "retrieval http://r/",
            "Snapshot-Content-Location http://h/a",
            "Base 0 [] 3 x"
        ]
    );
}

#[test]
fn header_in_encoded_part_has_level_but_no_line() {
    let inner = base64(&format!("Base: http://inner/\n{HTML}x"));
    let text = format!(
        "Base: http://outer/\n{MIXED}--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\nBase: http://part/\n\n{inner}\n--b--"
    );
    assert_eq!(
        declared(message(text.as_bytes())),
        [
            "Base 0 [] 1 http://outer/",
            "Base 1 [1] 7 http://part/",
            "Base 2 [1] - http://inner/"
        ]
    );
}

#[test]
fn value_that_is_not_utf8_is_latin1() {
    let text = [
        b"Base: http://\xE9/\nContent-Base: http://\xC3\xA9/\n".as_slice(),
        HTML.as_bytes(),
    ]
    .concat();
    assert_eq!(
        declared(message(&text)),
        [
            "Base 0 [] 1 http://\u{e9}/",
            "Content-Base 0 [] 2 http://\u{e9}/"
        ]
    );
}

#[test]
fn part_position_is_offset_of_body_in_file() {
    let encoded = base64(&format!("{HTML}inner"));
    let text = format!(
        "{MIXED}--b\n{HTML}one\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nAA==\n--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{encoded}\n--b--\n"
    );
    let mut places = Vec::new();
    let message = Message {
        offset: Some(1000),
        ..message(text.as_bytes())
    };
    walk(message, &Limits::default(), &mut |piece: Piece<'_>| {
        if let Piece::Leaf { source, .. } = piece {
            let place = source.part_byte.unwrap();
            let place = usize::try_from(place.start).unwrap()..usize::try_from(place.end).unwrap();
            places.push(text[place.start - 1000..place.end - 1000].to_owned());
        }
    });
    assert_eq!(places, ["one", "AA==", &encoded]);
}

#[test]
fn from_lines_are_unquoted_if_mailbox_quotes() {
    let text = format!("{HTML}>From a\n>>From b");
    for (unquote, body) in [(true, "From a\n>From b"), (false, ">From a\n>>From b")] {
        let message = Message {
            unquote,
            ..message(text.as_bytes())
        };
        let mut bodies = Vec::new();
        walk(message, &Limits::default(), &mut |piece: Piece<'_>| {
            if let Piece::Leaf { source, .. } = piece {
                bodies.push(source.bytes.to_owned());
            }
        });
        assert_eq!(bodies, [body.as_bytes()]);
    }
}

#[test]
fn limit_is_noted_on_next_part_or_at_end() {
    let limits = Limits::default()
        .with_mime_depth(2)
        .with_parts(5)
        .with_heading(60);
    let deep = format!("Content-Type: message/rfc822\n\n{HTML}x");
    assert_eq!(
        found_with(
            format!("{MIXED}--b\nContent-Type: message/rfc822\n\n{deep}\n--b\n{HTML}y\n--b--"),
            &limits
        ),
        ["2 y [mime-depth]"]
    );
    assert_eq!(
        found_with(
            format!("{MIXED}--b\nContent-Type: message/rfc822\n\n{deep}"),
            &limits
        ),
        ["! mime-depth: part 1.1: parts nested more than 2 deep are not read"]
    );
    let parts: Vec<String> = (0..5)
        .map(|number| format!("--b\n{HTML}{number}\n"))
        .collect();
    let parts = parts.concat();
    assert_eq!(
        found_with(format!("{MIXED}{parts}--b--"), &limits),
        [
            "1 0",
            "2 1",
            "3 2",
            "4 3",
            "! mime-parts: the parts after the first 5 are not read"
        ]
    );
    let long = "Content-Type: text/html\nX: 0123456789012345678901234567890123456789\nBase: x\n\nx";
    assert_eq!(found_with(long, &limits), ["1 x [heading-size]"]);
}

#[test]
fn inherited_declarations_are_limited() {
    let parts = format!("--b\n{HTML}x\n").repeat(1_000);
    let read = |base: &str, times| {
        let found = found(format!("{}{MIXED}{parts}--b--", base.repeat(times)));
        let read = found.iter().filter(|words| !words.contains('!')).count();
        assert_eq!(found.len(), 1_000);
        read
    };
    assert_eq!(read("Base: x\n", 1_000), 19);
    let long = format!("Base: {}\n", "x".repeat(60_000));
    assert_eq!(read(&long, 4), 1_000, "their values are shared");
    let long = format!("Base: {}\n{HTML}x", "x".repeat(70_000));
    assert_eq!(self::found(long), ["1 x [heading-size]"]);
}

#[test]
fn hostile_messages_end() {
    let words = "=?utf-8?Q?".repeat(20_000);
    assert_eq!(
        found(format!("Base: {words}\n{HTML}x")),
        ["1 x [heading-size]"]
    );
    let type_bomb = format!("Content-Type: text/html; charset=\"{words}\"\n\nx");
    assert_eq!(found(type_bomb), ["1 x"]);

    let mut nested = String::new();
    for depth in 0..10_000 {
        write!(
            nested,
            "Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n"
        )
        .unwrap();
    }
    let too_deep = found(format!("{nested}{HTML}x"));
    assert_eq!(too_deep.len(), 1);
    assert!(
        too_deep[0].starts_with("! mime-depth: part 1.1.1"),
        "{too_deep:?}"
    );

    let nested = "Content-Type: message/rfc822\n\n".repeat(100_000);
    let too_deep = found(format!("{nested}{HTML}x"));
    assert_eq!(too_deep.len(), 1);
    assert!(too_deep[0].starts_with("! mime-depth"), "{too_deep:?}");

    let closed = format!("{MIXED}{}", format!("--b\n{HTML}x\n").repeat(20_000));
    let found = found(closed);
    assert_eq!(found.len(), 10_000);
    assert!(found[9_999].starts_with("! mime-parts"));
}

#[test]
fn nested_encodings_are_limited() {
    let limits = Limits::default();
    let mut text = format!("{HTML}x{}", "y".repeat(10_000));
    for _ in 0..10 {
        text = format!(
            "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n{}",
            text.replace('=', "=3D")
        );
    }
    assert_eq!(
        found_with(text, &limits)[0],
        "1.1.1.1! nested transfer encodings decode to more than 4 times the message"
    );
}

#[test]
fn input_without_header_has_no_documents() {
    for text in [
        "",
        "\n",
        "\0\0\0",
        "--b",
        "no message",
        ":",
        "\r",
        "From ",
        "a:\n\0\n\n",
    ] {
        assert_eq!(found(text), [""; 0], "{text:?}");
    }
    let text = "\u{feff}\n\nFrom x\nSubject: a\0b\nContent-Type: text/html\0\n\nx";
    assert_eq!(found(text), [""; 0]);
    let text = "\n\nFrom x\nSubject: a\0b\nContent-Type: text/html\n\n\0x";
    assert_eq!(found(text), ["1 \\0x"]);
}

#[test]
fn empty_multipart_is_no_loss() {
    let empty = "Content-Type: multipart/mixed; boundary=i\n\n";
    let expected =
        "! boundary-unclosed: the message, line 1 of the file: the multipart has no parts";
    assert_eq!(found(empty), [expected]);
    assert_eq!(
        found(format!("{MIXED}--b\n{empty}\n--b\n{HTML}2\n--b--\n")),
        ["2 2 [boundary-unclosed]"]
    );
    let lost = found(format!("{empty}x"));
    assert_eq!(
        lost,
        [":1! the boundary of the multipart never appears: its body is not read"]
    );
}

/// Opens no files.
struct Unopened;

impl Opener for Unopened {
    fn open(&mut self, _: Attachment, _: &mut dyn Sink<ReadResult>) -> Skipped {
        Skipped::default()
    }
}

/// The links of a message, including links of its plain text if it has no HTML, and the number of texts
/// skipped.
fn links_with_text_alone(text: &str) -> (Vec<String>, u64) {
    let mut links = Vec::new();
    let options = ReadOptions::default().with_text_alone(true);
    let skipped = documents(
        &message(text.as_bytes()),
        &options,
        &mut Unopened,
        &mut |found: ReadResult| {
            let document = found.expect("every part can be read");
            let values = document.references.iter().map(|link| link.value.to_owned());
            links.extend(values);
        },
    );
    (links, skipped.texts)
}

#[test]
fn plain_text_links_of_message_without_html() {
    let part = |media: &str, body: &str| format!("--b\nContent-Type: {media}\n\n{body}\n");
    let mixed = |parts: &[String]| {
        let parts = parts.concat();
        format!("Content-Type: multipart/mixed; boundary=b\n\n{parts}--b--")
    };
    let text = part("text/plain", "http://text.test/");
    let html = part("text/html", "<a href=http://html.test/>");
    let plain = part("text/plain", "nothing");
    let forwarded = part("message/rfc822", "From: a\n\nhttp://forwarded.test/");
    for (message, links, passed) in [
        (
            "From: a\n\nhttp://text.test/".to_owned(),
            &["http://text.test/"][..],
            0,
        ),
        (
            mixed(&[text.clone(), html.clone()]),
            &["http://html.test/"],
            1,
        ),
        (mixed(&[html, forwarded.clone()]), &["http://html.test/"], 1),
        (
            mixed(&[text, forwarded]),
            &["http://text.test/", "http://forwarded.test/"],
            0,
        ),
        (mixed(&[plain.clone(), plain]), &[], 2),
        (
            "From: a\n\nhttp://text.test/\nbegin 644 a.html\n8/&$@:')E9CUH='1P.B\\O=74N=&5S=\"\\^\n`\nend\n".to_owned(),
            &["http://uu.test/"],
            0,
        ),
        (
            "From: a\n\nhttp://text.test/\nbegin 644 a.gif\n(1TE&.#EA+BX \n`\nend\n".to_owned(),
            &["http://text.test/"],
            0,
        ),
    ] {
        assert_eq!(
            links_with_text_alone(&message),
            (links.iter().map(ToString::to_string).collect(), passed),
            "{message}"
        );
    }
}
