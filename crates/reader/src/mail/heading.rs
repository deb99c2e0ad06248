//! The header of a message or part: its fields, read as far as possible.
//!
//! mailparse parses one field at a time, so a bad line costs only that line. Its decoding getters
//! are never called: they take more than quadratic time on encoded-words.

use encoding_rs::mem::decode_latin1;
use mailparse::MailHeader;

use baseref_text::decode::line;
use baseref_text::header::comment::skip_cfws;
use baseref_text::header::media_type::{MediaType, unfold};

/// The longest field whose text is used.
pub(super) const FIELD_SIZE: usize = 64 * 1024;

/// Longer message-ids and content-ids are ignored.
const ID_SIZE: usize = 4 * 1024;

/// A header and where it ends.
#[derive(Debug)]
pub(super) struct Heading<'b> {
    /// Its fields, in order.
    pub fields: Vec<Field<'b>>,
    /// The offset at which the body begins: after the blank line, or where the header ends
    /// without one.
    pub body: usize,
    /// The lines between fields that belong to no field, if any.
    pub strays: Option<StrayLines>,
    /// The unfolded lines that were read as parameters of the field before them, if any.
    pub unfolded: Option<StrayLines>,
    /// Whether fields were left out because the header is larger than the limit.
    pub cut: bool,
}

/// One header field.
#[derive(Debug)]
pub(super) struct Field<'b> {
    header: MailHeader<'b>,
    /// Its value joined with parameters on unfolded lines, if there are any.
    joined: Option<Vec<u8>>,
    /// The whole field, including its line ends.
    raw: &'b [u8],
    /// The offset at which it begins.
    pub at: usize,
    /// How many lines of the header precede it.
    pub line: u64,
}

/// Lines of a header that are not fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StrayLines {
    /// The number of lines.
    pub count: usize,
    /// How many lines of the header precede the first of them.
    pub line: u64,
}

impl<'b> Heading<'b> {
    /// The first field with this name.
    pub fn first(&self, name: &str) -> Option<&Field<'b>> {
        self.fields.iter().find(|field| field.is(name))
    }
}

impl Field<'_> {
    /// Its name, without white space before the colon.
    pub fn name(&self) -> &[u8] {
        self.header.get_key_raw().trim_ascii_end()
    }

    /// Its name, the colon, its value and its line ends, as written.
    pub fn raw(&self) -> &[u8] {
        self.raw
    }

    /// Its value as written, folded. Parameters on unfolded lines are included as if folded.
    pub fn value(&self) -> &[u8] {
        match &self.joined {
            Some(value) => value,
            None => self.header.get_value_raw(),
        }
    }

    /// Whether it has this name (RFC 5322 §1.2.2: names are case-insensitive).
    pub fn is(&self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name.as_bytes())
    }

    /// Its value without line ends before white space and without surrounding white space. Bytes
    /// that are not UTF-8 (RFC 6532) are read as Latin-1.
    pub fn unfolded(&self) -> String {
        let bytes = unfold(self.value());
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => decode_latin1(error.as_bytes()).into_owned(),
        };
        text.trim_matches([' ', '\t']).to_owned()
    }

    /// The id in a `Message-ID` or `Content-ID` field (RFC 5322 §3.6.4, RFC 2045 §7), without its
    /// angle brackets, which some programs leave out.
    pub fn id(&self) -> Option<String> {
        if self.value().len() > ID_SIZE {
            return None;
        }
        let value = self.unfolded();
        let start = value.len() - skip_cfws(value.as_bytes()).len();
        let value = &value[start..];
        let id = match value.strip_prefix('<') {
            Some(inner) => inner.split('>').next().unwrap_or(inner),
            None => value,
        };
        let id = id.trim_ascii();
        (!id.is_empty()).then(|| id.to_owned())
    }
}

/// The offset of the header of a message that begins at `start`: after a byte order mark, after `From `
/// lines of a mailbox, and after blank lines if a field follows them.
pub(super) fn start_of_message(bytes: &[u8], start: usize) -> usize {
    let start = match bytes.get(start..) {
        Some([0xEF, 0xBB, 0xBF, ..]) => start + 3,
        _ => start,
    };
    let mut at = start;
    loop {
        let (end, next) = line::end(bytes, at);
        let line = &bytes[at.min(end)..end];
        if field_name(line).is_some() {
            return at;
        }
        let is_from_line = line.starts_with(b"From ") || line.starts_with(b">From ");
        if !(is_from_line || line.trim_ascii().is_empty()) {
            return start;
        }
        if next == at || next >= bytes.len() {
            return start;
        }
        at = next;
    }
}

/// Reads the header that begins at `start`. It ends after a blank line, at a line that
/// `delimits` or is a delimiter line of the multipart that the header announces, or at the
/// end; fields that go beyond `limit` bytes are left out.
///
/// A line that begins with a parameter but not with white space belongs to the MIME field before it.
///
/// Lines that are not fields are skipped if a field follows them before the end. If none does, the
/// blank line is missing and they begin the body.
pub(super) fn read(
    bytes: &[u8],
    start: usize,
    limit: usize,
    delimits: impl Fn(&[u8]) -> bool,
) -> Heading<'_> {
    let mut reading = HeaderReader {
        bytes,
        limit: start.saturating_add(limit),
        fields: Vec::new(),
        boundary: None,
        strays: None,
        pending: None,
        open: None,
        unfolded: None,
        cut: false,
    };
    let mut at = start;
    for number in 0.. {
        let (end, next) = line::end(bytes, at);
        let line = bytes.get(at..end).unwrap_or_default();
        if line.starts_with(b"--") {
            reading.close(at);
            if delimits(line) || reading.is_own_delimiter(line) {
                return reading.end(at);
            }
        }
        if line.is_empty() {
            reading.close(at);
            return reading.end(next);
        }
        reading.line(line, at, number);
        at = next;
    }
    reading.end(at)
}

/// A partly read header.
struct HeaderReader<'b> {
    bytes: &'b [u8],
    /// The offset that fields may not go beyond.
    limit: usize,
    fields: Vec<Field<'b>>,
    /// The boundary of the multipart that the fields announce.
    boundary: Option<Vec<u8>>,
    /// Lines that are not fields but have one after them.
    strays: Option<StrayLines>,
    /// Lines since the last field that are not fields, and where the first of them begins.
    pending: Option<(StrayLines, usize)>,
    /// Where the last field begins, and on which line, while it can be continued.
    open: Option<(usize, u64)>,
    /// Unfolded lines that were read as parameters.
    unfolded: Option<StrayLines>,
    cut: bool,
}

impl<'b> HeaderReader<'b> {
    /// Reads a line that begins at `at` and does not end the header.
    fn line(&mut self, line: &[u8], at: usize, number: u64) {
        let folds = line.starts_with(b" ") || line.starts_with(b"\t");
        if folds && self.open.is_some() {
            return;
        }
        if self.continues(line, at) {
            let first = StrayLines {
                count: 0,
                line: number,
            };
            self.unfolded.get_or_insert(first).count += 1;
            return;
        }
        self.close(at);
        let is_sure = |name: &[u8]| self.pending.is_none() || is_plain(name);
        if field_name(line).is_some_and(is_sure) {
            self.keep_pending();
            self.open = Some((at, number));
        } else {
            let first = StrayLines {
                count: 0,
                line: number,
            };
            self.pending.get_or_insert((first, at)).0.count += 1;
        }
    }

    /// Whether an unfolded line at `at` contains parameters of the open field: field names have no
    /// equals sign. Except for parameters of multiparts and texts, a semicolon must precede the line.
    fn continues(&self, line: &[u8], at: usize) -> bool {
        let Some((start, _)) = self.open else {
            return false;
        };
        let Some(parameter) = parameter_name(line) else {
            return false;
        };
        let before = &self.bytes[start..at];
        let has_parameters = field_name(before).is_some_and(|name| {
            FIELDS_WITH_PARAMETERS
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known))
        });
        let is_known = || {
            COMMON_PARAMETERS
                .iter()
                .any(|known| parameter.eq_ignore_ascii_case(known))
        };
        let is_announced = || line.starts_with(b";") || before.trim_ascii_end().ends_with(b";");
        has_parameters && (is_announced() || is_known())
    }

    /// Ends the open field at `end`.
    fn close(&mut self, end: usize) {
        let Some((start, line)) = self.open.take() else {
            return;
        };
        if end > self.limit {
            self.cut = true;
            return;
        }
        // Parsing fails only on a leading space, and no field has one.
        let raw = &self.bytes[start..end];
        let Ok((header, _)) = mailparse::parse_header(raw) else {
            return;
        };
        let field = Field {
            header,
            joined: self.unfolded.and_then(|_| joined(raw)),
            raw,
            at: start,
            line,
        };
        if self.boundary.is_none() && field.is("Content-Type") {
            self.boundary = MediaType::parse(field.value()).and_then(|media| media.boundary());
        }
        self.fields.push(field);
    }

    fn is_own_delimiter(&self, line: &[u8]) -> bool {
        let text = line.strip_prefix(b"--").map(<[u8]>::trim_ascii_end);
        self.boundary.is_some() && text == self.boundary.as_deref()
    }

    fn keep_pending(&mut self) {
        let Some((pending, _)) = self.pending.take() else {
            return;
        };
        match &mut self.strays {
            Some(strays) => strays.count += pending.count,
            None => self.strays = Some(pending),
        }
    }

    /// The header; `body` is where its body begins unless the blank line is missing.
    fn end(self, body: usize) -> Heading<'b> {
        Heading {
            fields: self.fields,
            body: self.pending.map_or(body, |(_, first)| first),
            strays: self.strays,
            unfolded: self.unfolded,
            cut: self.cut,
        }
    }
}

/// The fields of MIME that have parameters (RFC 2045 §5.1, RFC 2183 §2).
const FIELDS_WITH_PARAMETERS: [&[u8]; 2] = [b"Content-Type", b"Content-Disposition"];

/// Parameters that a line can begin with even if no semicolon announces them.
const COMMON_PARAMETERS: [&[u8]; 5] = [b"boundary", b"charset", b"report-type", b"type", b"format"];

/// The name of the parameter at the start of a line: an optional semicolon, a token of RFC 2045 §5.1,
/// an equals sign, and a value without white space or in quotation marks.
fn parameter_name(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(b";").unwrap_or(line).trim_ascii_start();
    let equals = memchr::memchr(b'=', line)?;
    let name = line[..equals].trim_ascii_end();
    let is_token =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'*');
    let value = line[equals + 1..].trim_ascii_start();
    let has_space = |value: &[u8]| value.trim_ascii().iter().any(u8::is_ascii_whitespace);
    let is_value = value.starts_with(b"\"") || !value.split(|byte| *byte == b';').any(has_space);
    (!name.is_empty() && name.iter().all(is_token) && is_value).then_some(name)
}

/// The value of a field whose lines are not all folded, folded; `None` if they are.
fn joined(raw: &[u8]) -> Option<Vec<u8>> {
    let colon = memchr::memchr(b':', raw)?;
    let mut value: Vec<u8> = Vec::with_capacity(raw.len());
    let (mut at, mut is_folded) = (colon + 1, true);
    while at < raw.len() {
        let (end, next) = line::end(raw, at);
        let line = &raw[at..end];
        let is_first = at == colon + 1;
        if !is_first && !line.starts_with(b" ") && !line.starts_with(b"\t") {
            is_folded = false;
            let before = value.trim_ascii_end();
            if !before.ends_with(b";") && !line.starts_with(b";") {
                value.truncate(before.len());
                value.extend_from_slice(b";\r\n");
            }
            value.push(b' ');
        }
        value.extend_from_slice(&raw[at..next]);
        at = next;
    }
    (!is_folded).then(|| value.trim_ascii().to_vec())
}

/// The name of the field at the start of `line`, if there is one.
///
/// Departs: RFC 5322 §3.6.8 allows `<` and `>` in names. No field in use has them, but the first
/// line of an HTML body may (`<p>Note:`).
pub(super) fn field_name(line: &[u8]) -> Option<&[u8]> {
    let colon = memchr::memchr(b':', line)?;
    let name = line[..colon].trim_ascii_end();
    let is_name = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>');
    (!name.is_empty() && name.iter().all(is_name)).then_some(name)
}

/// Whether a name is plain enough for its line to count as a field even after a stray line.
fn is_plain(name: &[u8]) -> bool {
    name.iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &[u8]) -> Heading<'_> {
        read(text, 0, 1024, |line| line == b"--b")
    }

    fn fields(text: &str) -> Vec<(String, String)> {
        read_all(text.as_bytes())
            .fields
            .iter()
            .map(|field| {
                (
                    String::from_utf8_lossy(field.name()).into_owned(),
                    field.unfolded(),
                )
            })
            .collect()
    }

    #[test]
    fn fields_with_any_line_end_are_unfolded() {
        let expected = [("A", "1 2"), ("B", ""), ("C", "x")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        for text in [
            "A: 1\n 2\nB:\nC :x\n\nD: body",
            "A: 1\r\n 2\r\nB:\r\nC :x\r\n\r\nD: body",
            "A: 1\r 2\rB:\rC :x\r\rD: body",
        ] {
            assert_eq!(fields(text), expected, "{text:?}");
            let body = read_all(text.as_bytes()).body;
            assert_eq!(&text[body..], "D: body", "{text:?}");
        }
    }

    #[test]
    fn unfolding_removes_only_line_ends() {
        assert_eq!(
            fields("Base:\r\n <URL: a\r\n\tb >\r\n")[0].1,
            "<URL: a\tb >"
        );
        assert_eq!(fields("Base: h\u{e9}")[0].1, "h\u{e9}");
        let latin = read_all(b"Base: h\xE9\0");
        assert_eq!(latin.fields[0].unfolded(), "h\u{e9}\0");
    }

    #[test]
    fn stray_line_is_skipped_and_counted() {
        let text = b"A: 1\nnot a field\n and its fold\nB: 2\n\nbody";
        let heading = read_all(text);
        assert_eq!(heading.fields.len(), 2);
        assert_eq!(heading.strays, Some(StrayLines { count: 2, line: 1 }));
        assert_eq!(&text[heading.body..], b"body");

        let heading = read_all(b" fold of nothing\nA: 1\n\n");
        assert_eq!(heading.fields.len(), 1);
        assert_eq!(heading.strays, Some(StrayLines { count: 1, line: 0 }));
    }

    #[test]
    fn unfolded_parameter_belongs_to_preceding_field() {
        for (text, boundary) in [
            (
                "Content-Type: multipart/report;\nboundary=\"a:b\"\n\n",
                "a:b",
            ),
            (
                "content-type: multipart/report;\r\nreport-type=delivery-status;\r\n\
                 boundary=\"a b\"\r\n\r\n",
                "a b",
            ),
            ("Content-Type: multipart/mixed\nBoundary = a\n\n", "a"),
            ("Content-Type: multipart/mixed\n; boundary=a\n\n", "a"),
            (
                "Content-Type: multipart/mixed;\nx-y=1;\n\tboundary=\"a\"\n\n",
                "a",
            ),
        ] {
            let heading = read_all(text.as_bytes());
            let media = MediaType::parse(heading.fields[0].value()).unwrap();
            assert_eq!(
                media.boundary().as_deref(),
                Some(boundary.as_bytes()),
                "{text:?}"
            );
            assert!(
                heading.unfolded.is_some() && heading.strays.is_none(),
                "{text:?}"
            );
            assert_eq!(heading.body, text.len(), "{text:?}");
        }
    }

    #[test]
    fn other_lines_are_not_parameters() {
        for (text, expected) in [
            ("Content-Type: a/b;\nSubject: x=y\n\n", 2),
            ("Content-Type: a/b;\nX-A: boundary=c\n\n", 2),
            ("Subject: a;\nboundary=b\nTo: c\n\n", 2),
            ("Content-Type: a/b\nx=y\nTo: c\n\n", 2),
            ("Content-Type: a/b;\nx=the body begins\n\n", 1),
            ("Content-Type: text/html\nboundary <p>=1\n\n", 1),
        ] {
            let heading = read_all(text.as_bytes());
            assert_eq!(heading.fields.len(), expected, "{text:?}");
            assert_eq!(heading.unfolded, None, "{text:?}");
        }
    }

    #[test]
    fn body_without_blank_line_begins_at_first_other_line() {
        let text = "Content-Type: text/html\n<p>Note:\n<a href=\"http://a/\">\n\nmore";
        let heading = read_all(text.as_bytes());
        assert_eq!(heading.fields.len(), 1);
        assert_eq!(heading.strays, None);
        assert!(text[heading.body..].starts_with("<p>Note:"));
    }

    #[test]
    fn delimiter_ends_header() {
        let text = b"A: 1\n--b\nB: 2";
        let heading = read_all(text);
        assert_eq!(heading.fields.len(), 1);
        assert_eq!(&text[heading.body..], b"--b\nB: 2");
    }

    #[test]
    fn delimiter_of_own_multipart_ends_header() {
        let text = "A: 1\nContent-Type: multipart/mixed;\n boundary=x\nPreamble\n--x\nB: 2\n\n";
        let heading = read_all(text.as_bytes());
        assert_eq!(heading.fields.len(), 2);
        assert_eq!(&text[heading.body..], "Preamble\n--x\nB: 2\n\n");
    }

    #[test]
    fn body_follows_blank_line_or_end() {
        for (text, body) in [
            ("A: 1\n\nx", "x"),
            ("\nx", "x"),
            ("A: 1", ""),
            ("A: 1\n", ""),
            ("", ""),
        ] {
            assert_eq!(&text[read_all(text.as_bytes()).body..], body, "{text:?}");
        }
    }

    #[test]
    fn header_size_is_limited() {
        let text = b"A: 1\nB: 2\nC: 3\n\nbody";
        let heading = read(text, 0, 10, |_| false);
        assert_eq!(heading.fields.len(), 2);
        assert!(heading.cut);
        assert_eq!(&text[heading.body..], b"body");
        assert!(!read(text, 0, 15, |_| false).cut);
    }

    #[test]
    fn blank_lines_and_from_lines_before_header() {
        for (text, rest) in [
            ("A: 1", "A: 1"),
            ("\u{feff}A: 1", "A: 1"),
            ("\r\n\r\nA: 1", "A: 1"),
            ("From a@b Fri Jan 27 2017\nA: 1", "A: 1"),
            ("\nFrom a@b\n>From c\nA: 1", "A: 1"),
            ("  \nA: 1", "A: 1"),
            ("From  : a\nA: 1", "From  : a\nA: 1"),
            ("\nno field", "\nno field"),
            ("\n\n", "\n\n"),
            ("From a", "From a"),
            ("", ""),
        ] {
            assert_eq!(
                &text[start_of_message(text.as_bytes(), 0)..],
                rest,
                "{text:?}"
            );
        }
    }
}
