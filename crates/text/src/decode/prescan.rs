//! The encoding that a document itself declares.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memchr_iter, memmem};

/// How many bytes the standard's prescan looks at.
pub const PRESCAN: usize = 1024;

/// How far into a document a later `meta` in its head is searched for.
const HEAD: usize = 1024 * 1024;

/// Elements whose text contains no tags.
const TEXT_ELEMENTS: [&[u8]; 5] = [b"script", b"style", b"title", b"textarea", b"noframes"];

/// The result of [`declaration`].
#[derive(Debug, Default)]
pub struct Declaration<'s> {
    /// The encoding; `None` if the document names none that exists.
    pub encoding: Option<&'static Encoding>,
    /// The first label that names no encoding.
    pub unknown: Option<Cow<'s, str>>,
}

/// The encoding that a document without byte order mark declares: by HTML "prescan a byte stream to
/// determine its encoding" in its first 1024 bytes, or by a `meta` in the rest of its head, on
/// which browsers "change the encoding while parsing".
pub fn declaration(bytes: &[u8]) -> Declaration<'_> {
    let first = &bytes[..bytes.len().min(PRESCAN)];
    let head = &bytes[..bytes.len().min(HEAD)];
    let mut declaration = Declaration::default();
    // The later `meta` beats the XML declaration of the prescan's last step: after that step a
    // browser's confidence is still tentative, so it switches to the encoding of the `meta`.
    declaration.encoding = utf_16_xml_declaration(first)
        .or_else(|| declaration.read_meta(first, Extent::Given))
        .or_else(|| declaration.read_meta(head, Extent::Head))
        .or_else(|| declaration.read_xml_declaration(first));
    declaration
}

/// The encoding that an XML document without byte order mark declares.
pub fn xml_declaration(bytes: &[u8]) -> Declaration<'_> {
    let first = &bytes[..bytes.len().min(PRESCAN)];
    let mut declaration = Declaration::default();
    declaration.encoding =
        utf_16_xml_declaration(first).or_else(|| declaration.read_xml_declaration(first));
    declaration
}

/// Encoding "get an encoding".
///
/// Departs: a label of the replacement encoding (`iso-2022-kr`, `hz-gb-2312`) is treated as
/// unknown, so the document is read and its links are found. Browsers show only U+FFFD as a defence
/// against scripts, which nothing here runs.
pub fn encoding_of_label(label: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(label)
}

/// Step 2 of the prescan, "prescan for UTF-16 XML declarations".
fn utf_16_xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    if bytes.starts_with(b"<\0?\0x\0") {
        Some(UTF_16LE)
    } else if bytes.starts_with(b"\0<\0?\0x") {
        Some(UTF_16BE)
    } else {
        None
    }
}

impl<'s> Declaration<'s> {
    fn read_meta(&mut self, bytes: &'s [u8], extent: Extent) -> Option<&'static Encoding> {
        let mut prescan = Prescan { bytes, position: 0 };
        while let Ok(Some(label)) = prescan.next_label(extent) {
            // Step 3.14 and 3.15 of the `meta`.
            match self.named(label) {
                Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => {
                    return Some(UTF_8);
                }
                Some(encoding) if encoding == X_USER_DEFINED => return Some(WINDOWS_1252),
                Some(encoding) => return Some(encoding),
                // Step 3.13.
                None => {}
            }
        }
        None
    }

    /// HTML "get an XML encoding".
    fn read_xml_declaration(&mut self, bytes: &'s [u8]) -> Option<&'static Encoding> {
        let encoding = self.named(label_in_xml_declaration(bytes)?)?;
        let is_utf_16 = encoding == UTF_16LE || encoding == UTF_16BE;
        Some(if is_utf_16 { UTF_8 } else { encoding })
    }

    fn named(&mut self, label: &'s [u8]) -> Option<&'static Encoding> {
        let encoding = encoding_of_label(label);
        if encoding.is_none() && self.unknown.is_none() {
            self.unknown = Some(String::from_utf8_lossy(label));
        }
        encoding
    }
}

/// Where the search for a `meta` ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// At the end of the bytes, and anything that looks like a tag is one: the prescan to the
    /// letter.
    Given,
    /// At the body, and the text of scripts and the like is skipped.
    Head,
}

/// The state of HTML "prescan a byte stream to determine its encoding".
struct Prescan<'s> {
    bytes: &'s [u8],
    position: usize,
}

/// The bytes ran out, which aborts the prescan at any point.
struct OutOfBytes;

/// An attribute as sniffed: name and value, both as written.
struct Attribute<'s> {
    name: &'s [u8],
    value: &'s [u8],
}

impl<'s> Prescan<'s> {
    /// The loop of step 3, up to the next `meta` with a label; `None` at the body.
    fn next_label(&mut self, extent: Extent) -> Result<Option<&'s [u8]>, OutOfBytes> {
        loop {
            self.advance_to(b'<')?;
            let rest = &self.bytes[self.position..];
            let mut label = None;
            if rest.starts_with(b"<!--") {
                // The hyphens of `<!--` can also end the comment.
                let end = memmem::find(&rest[2..], b"-->").ok_or(OutOfBytes)?;
                self.position += 2 + end + 2;
            } else if is_meta(rest) {
                label = self.label_in_meta()?;
            } else if let Some(name) = tag_name(rest)? {
                self.position += name.end;
                while self.attribute()?.is_some() {}
                if extent == Extent::Head {
                    let name = &rest[name];
                    if name.eq_ignore_ascii_case(b"body") {
                        return Ok(None);
                    }
                    self.pass_text_of(name)?;
                }
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.advance_to(b'>')?;
            }
            // Step 4, next byte.
            self.position += 1;
            if label.is_some() {
                return Ok(label);
            }
        }
    }

    /// Steps 3.1 to 3.12 at a `meta`. In any order of attributes, `charset` comes before `content`,
    /// which counts only if "got pragma" is true.
    fn label_in_meta(&mut self) -> Result<Option<&'s [u8]>, OutOfBytes> {
        self.position += b"<meta".len();
        let [mut http_equiv, mut content, mut charset] = [None; 3];
        while let Some(Attribute { name, value }) = self.attribute()? {
            // Of two attributes with the same name the first wins.
            if name.eq_ignore_ascii_case(b"http-equiv") {
                http_equiv.get_or_insert(value);
            } else if name.eq_ignore_ascii_case(b"content") {
                content.get_or_insert(value);
            } else if name.eq_ignore_ascii_case(b"charset") {
                charset.get_or_insert(value);
            }
        }
        let got_pragma =
            http_equiv.is_some_and(|value: &[u8]| value.eq_ignore_ascii_case(b"content-type"));
        let in_content = content.filter(|_| got_pragma).and_then(label_in_content);
        Ok(charset.or(in_content))
    }

    /// HTML "get an attribute" of the prescan.
    fn attribute(&mut self) -> Result<Option<Attribute<'s>>, OutOfBytes> {
        // Steps 1 to 3.
        self.collect(|byte| is_white_space(byte) || byte == b'/')?;
        if self.current()? == b'>' {
            return Ok(None);
        }
        // Steps 4 and 5; an equals sign can begin a name.
        let start = self.position;
        self.position += 1;
        self.collect(|byte| !is_white_space(byte) && !matches!(byte, b'=' | b'/' | b'>'))?;
        let name = &self.bytes[start..self.position];
        // Steps 6 to 8, spaces. There are none before a slash or the end of the tag.
        self.collect(is_white_space)?;
        if self.current()? != b'=' {
            return Ok(Some(Attribute { name, value: b"" }));
        }
        self.position += 1;
        // Step 9, value.
        self.collect(is_white_space)?;
        // Steps 10 to 12.
        let value = match self.current()? {
            quote @ (b'"' | b'\'') => {
                self.position += 1;
                let value = self.collect(|byte| byte != quote)?;
                self.position += 1;
                value
            }
            _ => self.collect(|byte| !is_white_space(byte) && byte != b'>')?,
        };
        Ok(Some(Attribute { name, value }))
    }

    /// If this is an element that contains only text, skips to its end tag.
    fn pass_text_of(&mut self, name: &[u8]) -> Result<(), OutOfBytes> {
        if !TEXT_ELEMENTS
            .iter()
            .any(|text| text.eq_ignore_ascii_case(name))
        {
            return Ok(());
        }
        let rest = &self.bytes[self.position..];
        let end = memchr_iter(b'<', rest).find(|&at| {
            let after = rest[at + 1..].strip_prefix(b"/").unwrap_or_default();
            after
                .get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name))
        });
        // One byte before the end tag, since "next byte" follows.
        self.position += end.ok_or(OutOfBytes)?.saturating_sub(1);
        Ok(())
    }

    fn current(&self) -> Result<u8, OutOfBytes> {
        self.bytes.get(self.position).copied().ok_or(OutOfBytes)
    }

    fn advance_to(&mut self, byte: u8) -> Result<(), OutOfBytes> {
        let rest = self.bytes.get(self.position..).ok_or(OutOfBytes)?;
        self.position += memchr(byte, rest).ok_or(OutOfBytes)?;
        Ok(())
    }

    /// Passes all wanted bytes; another byte must follow them.
    fn collect(&mut self, wanted: impl Fn(u8) -> bool) -> Result<&'s [u8], OutOfBytes> {
        let rest = self.bytes.get(self.position..).ok_or(OutOfBytes)?;
        let length = rest.iter().position(|&byte| !wanted(byte));
        let passed = &rest[..length.ok_or(OutOfBytes)?];
        self.position += passed.len();
        Ok(passed)
    }
}

/// The standard's white space bytes: TAB, LF, FF, CR, SPACE.
fn is_white_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// Whether `bytes` begin with `meta` and a byte that can follow a tag's name.
fn is_meta(bytes: &[u8]) -> bool {
    let (Some(name), Some(&after)) = (bytes.get(..5), bytes.get(5)) else {
        return false;
    };
    name.eq_ignore_ascii_case(b"<meta") && (is_white_space(after) || after == b'/')
}

/// The range of the name of the tag that `bytes` begin with, empty for an end tag. By the standard
/// it ends at white space or `>`, not at a slash.
fn tag_name(bytes: &[u8]) -> Result<Option<Range<usize>>, OutOfBytes> {
    let start = 1 + usize::from(bytes.get(1) == Some(&b'/'));
    if !bytes.get(start).is_some_and(u8::is_ascii_alphabetic) {
        return Ok(None);
    }
    let end = bytes
        .iter()
        .position(|&byte| is_white_space(byte) || byte == b'>')
        .ok_or(OutOfBytes)?;
    Ok(Some(if start == 1 { start..end } else { end..end }))
}

/// HTML "extracting a character encoding from a `meta` element", up to the label.
fn label_in_content(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        // Steps 2 and 3, loop.
        let start = rest
            .windows(b"charset".len())
            .position(|window| window.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[start + b"charset".len()..].trim_ascii_start();
        // Step 4.
        let Some(value) = rest.strip_prefix(b"=") else {
            continue;
        };
        // Steps 5 and 6.
        let value = value.trim_ascii_start();
        return match value.first()? {
            quote @ (b'"' | b'\'') => {
                let value = &value[1..];
                memchr(*quote, value).map(|end| &value[..end])
            }
            _ => value
                .split(|&byte| is_white_space(byte) || byte == b';')
                .next(),
        };
    }
}

/// HTML "get an XML encoding", up to the label.
fn label_in_xml_declaration(bytes: &[u8]) -> Option<&[u8]> {
    let past_blanks = |bytes: &'_ [u8]| bytes.iter().take_while(|&&byte| byte <= b' ').count();
    // Step 2.
    if !bytes.starts_with(b"<?xml") {
        return None;
    }
    // Step 3. The standard finds this end but never uses it; this can only be what it meant.
    let declaration = &bytes[..memchr(b'>', bytes)?];
    // Steps 4 and 5.
    let start = memmem::find(declaration, b"encoding")? + b"encoding".len();
    let rest = &declaration[start..];
    // Steps 6 to 9.
    let rest = rest[past_blanks(rest)..].strip_prefix(b"=")?;
    let rest = &rest[past_blanks(rest)..];
    // Steps 10 to 14.
    let (&quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &rest[..memchr(quote, rest)?];
    // Step 15.
    (!label.iter().any(|&byte| byte <= b' ')).then_some(label)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(cases: &[(&str, Option<&str>)]) {
        for (document, expected) in cases {
            let found = declaration(document.as_bytes());
            assert_eq!(
                found.encoding.map(Encoding::name),
                *expected,
                "{document:?}"
            );
        }
    }

    /// Text long enough to put what follows it out of the prescan's reach.
    fn far(before: &str, after: &str) -> String {
        format!("{before}{}{after}", " ".repeat(PRESCAN))
    }

    #[test]
    fn meta_charset_and_pragma() {
        check(&[
            ("<meta charset=koi8-r>", Some("KOI8-R")),
            ("<META CHARSET='KOI8-R'>", Some("KOI8-R")),
            ("<meta charset=\" koi8-r\t\">", Some("KOI8-R")),
            ("<meta/charset=koi8-r/>", None),
            ("<meta/charset=koi8-r />", Some("KOI8-R")),
            ("<metacharset=koi8-r>", None),
            ("<meta charset=>", None),
            ("<meta charset>", None),
            (
                "<meta http-equiv=content-type content='text/html; charset=koi8-r'>",
                Some("KOI8-R"),
            ),
            (
                "<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>",
                Some("KOI8-R"),
            ),
            ("<meta content='text/html; charset=koi8-r'>", None),
            (
                "<meta http-equiv=refresh content='0; charset=koi8-r'>",
                None,
            ),
            (
                "<meta http-equiv=content-type content=charset=big5 charset=koi8-r>",
                Some("KOI8-R"),
            ),
        ]);
    }

    #[test]
    fn first_duplicate_attribute_counts() {
        check(&[
            ("<meta charset=koi8-r charset=big5>", Some("KOI8-R")),
            ("<meta charset=none charset=big5>", None),
            (
                "<meta http-equiv=content-type http-equiv=x content=charset=big5>",
                Some("Big5"),
            ),
        ]);
    }

    #[test]
    fn label_after_first_charset() {
        let cases = [
            ("text/html; charset=koi8-r", Some("koi8-r")),
            ("charset = koi8-r; x", Some("koi8-r")),
            ("CharSet=koi8-r x", Some("koi8-r")),
            ("charset charset=koi8-r", Some("koi8-r")),
            ("charsetcharset=koi8-r", Some("koi8-r")),
            ("charset='koi8-r' x", Some("koi8-r")),
            ("charset=\"koi8-r\"", Some("koi8-r")),
            ("charset='koi8-r", None),
            ("charset=", None),
            ("charset", None),
            ("", None),
            ("charset=;koi8-r", Some("")),
            ("charset=x; charset=koi8-r", Some("x")),
        ];
        for (content, expected) in cases {
            let found = label_in_content(content.as_bytes());
            assert_eq!(found, expected.map(str::as_bytes), "{content:?}");
        }
    }

    #[test]
    fn meta_utf_16_and_x_user_defined() {
        check(&[
            ("<meta charset=utf-16>", Some("UTF-8")),
            ("<meta charset=utf-16be>", Some("UTF-8")),
            ("<meta charset=x-user-defined>", Some("windows-1252")),
            ("<?xml version='1.0' encoding='utf-16'?>", Some("UTF-8")),
        ]);
    }

    #[test]
    fn comments_and_other_tags_skipped() {
        check(&[
            (
                "<!--<meta charset=big5>--><meta charset=koi8-r>",
                Some("KOI8-R"),
            ),
            ("<!--><meta charset=koi8-r>", Some("KOI8-R")),
            ("<!---><meta charset=koi8-r>", Some("KOI8-R")),
            ("<!--<meta charset=koi8-r>", None),
            (
                "<!x <meta charset=big5><meta charset=koi8-r>",
                Some("KOI8-R"),
            ),
            (
                "<?x <meta charset=big5><meta charset=koi8-r>",
                Some("KOI8-R"),
            ),
            (
                "</ <meta charset=big5><meta charset=koi8-r>",
                Some("KOI8-R"),
            ),
            (
                "<p title='<meta charset=big5>'><meta charset=koi8-r>",
                Some("KOI8-R"),
            ),
            (
                "</p title='<meta charset=big5>'><meta charset=koi8-r>",
                Some("KOI8-R"),
            ),
            ("<p<meta charset=big5><meta charset=koi8-r>", Some("KOI8-R")),
            ("<3 <meta charset=koi8-r>", Some("KOI8-R")),
            ("<meta <meta charset=koi8-r>", Some("KOI8-R")),
            ("<p a=b/><meta charset=koi8-r>", Some("KOI8-R")),
            // To the letter, tags count even in the text of scripts.
            (
                "<script>'<meta charset=big5>'</script><meta charset=koi8-r>",
                Some("Big5"),
            ),
        ]);
    }

    #[test]
    fn truncated_declaration_is_ignored() {
        check(&[
            ("<", None),
            ("<!", None),
            ("<meta", None),
            ("<meta charset", None),
            ("<meta charset=", None),
            ("<meta charset=koi8-r", None),
            ("<meta charset='koi8-r", None),
            ("<meta charset='koi8-r'", None),
            ("", None),
        ]);
    }

    #[test]
    fn xml_declaration_position() {
        check(&[
            (
                "<?xml version=\"1.0\" encoding=\"koi8-r\"?>",
                Some("KOI8-R"),
            ),
            ("<?xml encoding\n=\u{1} 'koi8-r'?>", Some("KOI8-R")),
            ("<?xml encoding='koi8-r'?><meta charset=big5>", Some("Big5")),
            (
                &far("<?xml encoding='koi8-r'?>", "<meta charset=big5>"),
                Some("Big5"),
            ),
            (" <?xml encoding='koi8-r'?>", None),
            ("<?XML encoding='koi8-r'?>", None),
            ("<?xml ENCODING='koi8-r'?>", None),
            ("<?xml encoding=koi8-r?>", None),
            ("<?xml encoding='koi8 -r'?>", None),
            ("<?xml encoding='koi8-r", None),
            ("<?xml encoding='koi8-r'", None),
            ("<?xml?> encoding='koi8-r'>", None),
            ("<?xml encoding='koi8-r\"?>", None),
        ]);
        let utf_16: Vec<u8> = "<?xml ".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(declaration(&utf_16).encoding, Some(UTF_16LE));
        let utf_16: Vec<u8> = "<?xml ".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(declaration(&utf_16).encoding, Some(UTF_16BE));
    }

    #[test]
    fn late_meta_in_head() {
        check(&[
            (&far("", "<meta charset=koi8-r>"), Some("KOI8-R")),
            (
                &far("<meta charset=big5>", "<meta charset=koi8-r>"),
                Some("Big5"),
            ),
            (&far("", "<body><meta charset=koi8-r>"), None),
            (&far("", "<BODY class=x><meta charset=koi8-r>"), None),
            (&far("", "</body><meta charset=koi8-r>"), Some("KOI8-R")),
            (
                &far(
                    "<script>",
                    "'<meta charset=big5>'</script><meta charset=koi8-r>",
                ),
                Some("KOI8-R"),
            ),
            (
                &far(
                    "<STYLE>",
                    "</styl <meta charset=big5></Style ><meta charset=koi8-r>",
                ),
                Some("KOI8-R"),
            ),
            (
                &far("<title></title>", "<meta charset=koi8-r>"),
                Some("KOI8-R"),
            ),
            (&far("<script>", "<meta charset=koi8-r>"), None),
            // A `meta` that straddles the end of the prescan.
            (
                &format!("<meta {}charset=koi8-r>", " ".repeat(PRESCAN)),
                Some("KOI8-R"),
            ),
        ]);
        let too_far = format!("{}<meta charset=koi8-r>", " ".repeat(HEAD));
        check(&[(&too_far, None)]);
    }

    #[test]
    fn unknown_label_reported_and_skipped() {
        let cases = [
            ("<meta charset=none>", None, Some("none")),
            (
                "<meta charset=none><meta charset=koi8-r>",
                Some("KOI8-R"),
                Some("none"),
            ),
            ("<?xml encoding='none'?>", None, Some("none")),
            ("<meta charset=iso-2022-kr>", None, Some("iso-2022-kr")),
            ("<meta content='charset=none'>", None, None),
            ("<meta charset=koi8-r>", Some("KOI8-R"), None),
        ];
        for (document, encoding, unknown) in cases {
            let found = declaration(document.as_bytes());
            assert_eq!(found.encoding.map(Encoding::name), encoding, "{document:?}");
            assert_eq!(found.unknown.as_deref(), unknown, "{document:?}");
        }
    }

    proptest! {
        #[test]
        fn any_input(
            pieces in proptest::collection::vec(
                proptest::sample::select(&[
                    "<", "<!--", "-->", "<meta ", "<?xml ", "encoding", "charset", "content",
                    "http-equiv", "content-type", "=", "'", "\"", ">", "/", " ", "<script", "</",
                    "script", "koi8-r", "utf-16", "é", "\0", "<body", "\n",
                ][..]),
                0..60,
            ),
        ) {
            let document = pieces.concat();
            for end in 0..=document.len() {
                declaration(&document.as_bytes()[..end]);
            }
            declaration(far("", &document).as_bytes());
        }
    }
}
