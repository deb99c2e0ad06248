//! Content transfer encodings (RFC 2045 §6), decoded as far as possible.

use std::borrow::Cow;
use std::ops::Range;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use memchr::memchr3;

use super::line;

/// A transfer encoding that can be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `base64` (RFC 2045 §6.8).
    Base64,
    /// `quoted-printable` (RFC 2045 §6.7).
    QuotedPrintable,
    /// `x-uuencode`: the output of POSIX uuencode(1), `begin` and `end` lines included.
    Uuencode,
}

impl Encoding {
    /// The name as RFC 2045 §6.1 writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::QuotedPrintable => "quoted-printable",
            Self::Uuencode => "x-uuencode",
        }
    }
}

/// A decoded body and its faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// All that could be decoded.
    pub bytes: Vec<u8>,
    /// What could not be decoded.
    pub faults: Faults,
    /// Whether the body can be in that encoding at all: one that begins with `<` is not base64, and
    /// one with an `=` that begins no escape is quoted-printable only with other evidence of an
    /// encoder: `=3D`, a soft line break, or two escapes in a row.
    pub plausible: bool,
}

/// Where an encoded body breaks the rules of its encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// base64: how many bytes outside the alphabet were skipped; quoted-printable: how many `=`
    /// that begin no escape were kept.
    pub strays: usize,
    /// The offset of the first of them in the encoded body, 0-based; 0 if there is none.
    pub first: usize,
    /// base64 only: the last group of four characters has only two or three and no padding; no byte
    /// is missing.
    pub unpadded: bool,
    /// base64 only: the last group of four characters has only one, which is less than a byte.
    pub truncated: bool,
}

impl Faults {
    fn stray(&mut self, at: usize) {
        if self.strays == 0 {
            self.first = at;
        }
        self.strays += 1;
    }
}

/// Decodes `body`.
#[must_use]
pub fn decode(encoding: Encoding, body: &[u8]) -> Decoded {
    match encoding {
        Encoding::Base64 => base64(body),
        Encoding::QuotedPrintable => quoted_printable(body),
        Encoding::Uuencode => uuencoded(body),
    }
}

/// Padding is checked here, run by run; bits left over in the last character are dropped.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

/// Decodes base64: characters outside the alphabet are skipped, padding ends a run of groups and
/// another run may follow, and a last character that is too few for a byte is dropped.
#[must_use]
pub fn base64(body: &[u8]) -> Decoded {
    let mut decoded = Decoded {
        bytes: Vec::with_capacity(body.len() / 4 * 3),
        faults: Faults::default(),
        plausible: !body.trim_ascii_start().starts_with(b"<"),
    };
    let mut run = Vec::with_capacity(body.len());
    for (at, &byte) in body.iter().enumerate() {
        match CLASSES[usize::from(byte)] {
            ALPHABET => run.push(byte),
            PADDING => {
                decode_run(&run, &mut decoded.bytes);
                run.clear();
            }
            STRAY => decoded.faults.stray(at),
            _ => {}
        }
    }
    decoded.faults.unpadded = run.len() % 4 > 1;
    decoded.faults.truncated = run.len() % 4 == 1;
    decode_run(&run, &mut decoded.bytes);
    decoded
}

fn decode_run(run: &[u8], bytes: &mut Vec<u8>) {
    let usable = run.len() - usize::from(run.len() % 4 == 1);
    let before = bytes.len();
    if LENIENT.decode_vec(&run[..usable], bytes).is_err() {
        // The run has only letters of the alphabet and no group of one, so decoding cannot fail.
        bytes.truncate(before);
    }
}

const ALPHABET: u8 = 0;
const SPACE: u8 = 1;
const PADDING: u8 = 2;
const STRAY: u8 = 3;

const CLASSES: [u8; 256] = {
    let mut classes = [STRAY; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => ALPHABET,
            b' ' | b'\t' | b'\r' | b'\n' => SPACE,
            b'=' => PADDING,
            _ => STRAY,
        };
        byte += 1;
    }
    classes
};

/// Decodes quoted-printable: line ends are kept as they are, white space before them is removed
/// (RFC 2045 §6.7 rule 3), and an `=` that begins no escape is kept (the note there on robust
/// decoding).
#[must_use]
pub fn quoted_printable(body: &[u8]) -> Decoded {
    let mut bytes = Vec::with_capacity(body.len());
    let mut faults = Faults::default();
    let mut encoded = false;
    let mut escape_end = None;
    // White space decoded from escapes is meant and is kept.
    let mut meant = 0;
    let mut at = 0;
    while let Some(literal) = memchr3(b'=', b'\n', b'\r', &body[at..]) {
        let hit = at + literal;
        bytes.extend_from_slice(&body[at..hit]);
        if body[hit] != b'=' {
            trim_white_space(&mut bytes, meant);
            at = hit + line::end_length(&body[hit..]);
            bytes.extend_from_slice(&body[hit..at]);
            meant = bytes.len();
            continue;
        }
        match escape(&body[hit..]) {
            Escape::Byte(byte) => {
                bytes.push(byte);
                encoded |= byte == b'=' || escape_end == Some(hit);
                at = hit + 3;
                escape_end = Some(at);
            }
            Escape::SoftBreak(length) => {
                encoded = true;
                at = hit + length;
            }
            Escape::None => {
                bytes.push(b'=');
                faults.stray(hit);
                at = hit + 1;
            }
        }
        meant = bytes.len();
    }
    bytes.extend_from_slice(&body[at..]);
    trim_white_space(&mut bytes, meant);
    let plausible = faults.strays == 0 || encoded;
    Decoded {
        bytes,
        faults,
        plausible,
    }
}

enum Escape {
    Byte(u8),
    /// The length of the whole soft line break, `=` included.
    SoftBreak(usize),
    None,
}

/// Classifies the `=` at the start of `bytes`.
fn escape(bytes: &[u8]) -> Escape {
    if let [_, high, low, ..] = *bytes
        && let (Some(high), Some(low)) = (hex(high), hex(low))
    {
        return Escape::Byte(high << 4 | low);
    }
    let mut end = 1;
    while matches!(bytes.get(end), Some(b' ' | b'\t')) {
        end += 1;
    }
    match line::end_length(&bytes[end..]) {
        0 if end < bytes.len() => Escape::None,
        length => Escape::SoftBreak(end + length),
    }
}

/// The value of a hexadecimal digit; lower case is illegal in RFC 2045 but in wide use.
#[must_use]
pub fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// Removes spaces and tabs from the end, but none before `from`.
fn trim_white_space(bytes: &mut Vec<u8>, from: usize) {
    while bytes.len() > from && matches!(bytes.last(), Some(b' ' | b'\t')) {
        bytes.pop();
    }
}

/// The file in a uuencoded body.
fn uuencoded(body: &[u8]) -> Decoded {
    match uuencoded_files(body).next() {
        Some(file) => Decoded {
            faults: Faults {
                truncated: !file.is_whole,
                ..Faults::default()
            },
            bytes: file.bytes,
            plausible: true,
        },
        None => Decoded {
            bytes: Vec::new(),
            faults: Faults::default(),
            plausible: false,
        },
    }
}

/// A uuencoded file in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UuFile<'t> {
    /// Its name, as written on the `begin` line.
    pub name: &'t [u8],
    /// Its bytes, as far as they could be decoded.
    pub bytes: Vec<u8>,
    /// The text from its `begin` line to its end.
    pub range: Range<usize>,
    /// Whether its `end` line is there.
    pub is_whole: bool,
}

/// The uuencoded files in a text, in order: `begin 644 name`, then lines that begin with their
/// length, then `end`.
pub fn uuencoded_files(text: &[u8]) -> impl Iterator<Item = UuFile<'_>> {
    let begin = memchr::memmem::Finder::new(b"begin ");
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + begin.find(text.get(at..)?)?;
            at = start + 1;
            let begins_line = start == 0 || matches!(text[start - 1], b'\n' | b'\r');
            if let Some(file) = begins_line.then(|| uu_file(text, start)).flatten() {
                at = file.range.end;
                return Some(file);
            }
        }
    })
}

/// The file whose `begin` line is at `start`.
fn uu_file(text: &[u8], start: usize) -> Option<UuFile<'_>> {
    let (end, mut at) = line::end(text, start);
    let mut words = text[start..end].splitn(3, |&byte| byte == b' ').skip(1);
    let mode = words.next()?;
    let name = words.next()?.trim_ascii();
    let is_mode =
        matches!(mode.len(), 3 | 4) && mode.iter().all(|byte| (b'0'..=b'7').contains(byte));
    if !is_mode || name.is_empty() {
        return None;
    }
    let mut bytes = Vec::new();
    let mut is_whole = false;
    while at < text.len() {
        let (end, next) = line::end(text, at);
        let line = text[at..end].trim_ascii_end();
        if line == b"end" {
            (is_whole, at) = (true, next);
            break;
        }
        if !uu_line(line, &mut bytes) {
            break;
        }
        at = next;
    }
    // A sentence can begin like this; a file has at least some data.
    (is_whole || !bytes.is_empty()).then_some(UuFile {
        name,
        bytes,
        range: start..at,
        is_whole,
    })
}

/// Decodes a line; `false` if it is not one. Mail programs strip trailing spaces, which encode
/// zeros.
fn uu_line(line: &[u8], bytes: &mut Vec<u8>) -> bool {
    /// A line encodes at most 63 bytes.
    const LONGEST: usize = 1 + 63 / 3 * 4 + 1;
    let value = |byte: u8| byte.wrapping_sub(b' ') & 0x3F;
    let Some((&first, groups)) = line.split_first() else {
        // The line of length 0, its space stripped.
        return true;
    };
    let is_letter = |byte: &u8| (b' '..=b'`').contains(byte);
    let length = usize::from(value(first));
    if line.len() > LONGEST
        || !line.iter().all(is_letter)
        || groups.len() > length.div_ceil(3) * 4 + 1
    {
        return false;
    }
    let start = bytes.len();
    for group in groups.chunks(4) {
        let letter = |at: usize| u32::from(group.get(at).map_or(0, |&byte| value(byte)));
        let joined = letter(0) << 18 | letter(1) << 12 | letter(2) << 6 | letter(3);
        let [_, decoded @ ..] = joined.to_be_bytes();
        bytes.extend(decoded);
    }
    bytes.resize(start + length, 0);
    true
}

/// `body` with one `>` removed from each line that mboxrd quotes: `^>+From `.
#[must_use]
pub fn unquote_from(body: &[u8]) -> Cow<'_, [u8]> {
    let mut unquoted = Vec::new();
    let mut copied = 0;
    for hit in memchr::memmem::find_iter(body, b">From ") {
        let marks = body[copied..hit]
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'>')
            .count();
        let start = hit - marks;
        if start == 0 || matches!(body[start - 1], b'\n' | b'\r') {
            unquoted.extend_from_slice(&body[copied..start]);
            copied = start + 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(body);
    }
    unquoted.extend_from_slice(&body[copied..]);
    Cow::Owned(unquoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_lenient() {
        for (claim, body, bytes, strays, first, truncated) in [
            ("plain", "aGVsbG8=", "hello", 0, 0, false),
            ("lines", "aGVs\r\nbG8=\r\n", "hello", 0, 0, false),
            ("two paddings", "aGVsbA==", "hell", 0, 0, false),
            (
                "concatenated",
                "aGVsbG8=aGVsbG8=",
                "hellohello",
                0,
                0,
                false,
            ),
            ("strays skipped", "aG!Vs*bG8=", "hello", 2, 2, false),
            ("padding missing", "aGVsbG8", "hello", 0, 0, false),
            ("cut after one", "aGVsb", "hel", 0, 0, true),
            ("cut after two", "aGVsbG", "hell", 0, 0, false),
            ("bits left over", "aGVsbH==", "hell", 0, 0, false),
            ("empty", "", "", 0, 0, false),
            ("padding alone", "====", "", 0, 0, false),
        ] {
            let decoded = base64(body.as_bytes());
            assert_eq!(decoded.bytes, bytes.as_bytes(), "{claim}");
            let faults = Faults {
                strays,
                first,
                unpadded: matches!(claim, "padding missing" | "cut after two"),
                truncated,
            };
            assert_eq!(decoded.faults, faults, "{claim}");
        }
    }

    #[test]
    fn quoted_printable_lenient() {
        for (claim, body, bytes, strays, first) in [
            ("escapes", "a=3Db=3d", "a=b=", 0, 0),
            ("soft break LF", "a=\nb", "ab", 0, 0),
            ("soft break CRLF", "a=\r\nb", "ab", 0, 0),
            ("soft break CR", "a=\rb", "ab", 0, 0),
            ("soft break with white space", "a= \t\nb", "ab", 0, 0),
            ("soft break at the end", "a=", "a", 0, 0),
            ("line ends stay", "a\nb\r\nc\rd", "a\nb\r\nc\rd", 0, 0),
            (
                "white space before a line end",
                "a \t\nb \r\nc ",
                "a\nb\r\nc",
                0,
                0,
            ),
            (
                "white space that is meant",
                "a=20\nb=09 \n",
                "a \nb\t\n",
                0,
                0,
            ),
            ("white space before a soft break", "a =\nb", "a b", 0, 0),
            ("no escape", "x=ZZ=4", "x=ZZ=4", 2, 1),
            ("no escape, white space", "x= y", "x= y", 1, 1),
            ("eight bits", "\u{e9}", "\u{e9}", 0, 0),
            ("empty", "", "", 0, 0),
        ] {
            let decoded = quoted_printable(body.as_bytes());
            assert_eq!(decoded.bytes, bytes.as_bytes(), "{claim}");
            let faults = Faults {
                strays,
                first,
                ..Faults::default()
            };
            assert_eq!(decoded.faults, faults, "{claim}");
        }
    }

    #[test]
    fn implausible_transfer_encoding() {
        for (encoding, body, plausible) in [
            (Encoding::Base64, "\r\n <p>", false),
            (Encoding::Base64, "PHA+", true),
            (Encoding::Base64, "", true),
            (Encoding::QuotedPrintable, "<a href=x>", false),
            (Encoding::QuotedPrintable, "<a href=x?a=3D>", true),
            (Encoding::QuotedPrintable, "<a href=x?a=de&b=20>", false),
            (Encoding::QuotedPrintable, "<a href=x>h=C3=B6", true),
            (Encoding::QuotedPrintable, "<a href=\nx y=z>", true),
            (Encoding::QuotedPrintable, "<p>", true),
        ] {
            assert_eq!(
                decode(encoding, body.as_bytes()).plausible,
                plausible,
                "{body:?}"
            );
        }
    }

    #[test]
    fn from_lines_unquoted_once() {
        for (claim, body, unquoted) in [
            ("first line", ">From a", "From a"),
            ("mboxrd", "x\n>>From a\n>From b", "x\n>From a\nFrom b"),
            ("inside a line", "a >From b", "a >From b"),
            ("another case", "\n>from b\n>Fromage", "\n>from b\n>Fromage"),
            ("CRLF", "x\r\n>From a", "x\r\nFrom a"),
            ("other marks", "\n> >From a", "\n> >From a"),
        ] {
            assert_eq!(
                &*unquote_from(body.as_bytes()),
                unquoted.as_bytes(),
                "{claim}"
            );
        }
    }

    #[test]
    fn uuencoded_files_decoded() {
        let text = b"begin at noon\nbegin 644 a b.txt\r\n#0V%T\r\n`\r\nend\r\nbegin 0600 x\n&0V%T0V%T\n\nend\n";
        let found: Vec<_> = uuencoded_files(text).collect();
        let names: Vec<&[u8]> = found.iter().map(|file| file.name).collect();
        let bytes: Vec<&[u8]> = found.iter().map(|file| file.bytes.as_slice()).collect();
        assert_eq!(names, [&b"a b.txt"[..], b"x"]);
        assert_eq!(bytes, [&b"Cat"[..], b"CatCat"]);
        assert!(found.iter().all(|file| file.is_whole));
        let cut = uuencoded_files(b"begin 644 a\n#0V%T\n").next().unwrap();
        assert_eq!((cut.bytes.as_slice(), cut.is_whole), (&b"Cat"[..], false));
        assert_eq!(
            decode(Encoding::Uuencode, b"\nbegin 644 a\n#0V%T\n`\nend\n").bytes,
            b"Cat"
        );
        assert!(!decode(Encoding::Uuencode, b"no file").plausible);
    }

    #[test]
    fn uuencode_linear_time() {
        for piece in [
            "begin 644 a\n",
            "begin 644 a\n#0V%T\n",
            "begin ",
            "begin 644 a\n`\n",
        ] {
            let text = piece.repeat(1_000_000 / piece.len());
            let decoded: usize = uuencoded_files(text.as_bytes())
                .map(|file| file.bytes.len())
                .sum();
            assert!(decoded <= text.len(), "{piece:?}");
        }
    }
}
