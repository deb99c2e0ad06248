//! Sniffs bytes: text, HTML, the header of a message.

use baseref_simd::Bytes32;

use super::encoding::utf_16_by_zeros;

/// How many bytes are examined; more do not help.
pub const HEAD: usize = 4096;

/// Signatures of MIME Sniffing §6.1, §6.2 and §7.1; without `BM`, which words begin with, too.
const BINARY: [&[u8]; 12] = [
    b"%PDF-",
    b"%!PS-Adobe-",
    b"GIF87a",
    b"GIF89a",
    b"\x89PNG\r\n\x1A\n",
    b"\xFF\xD8\xFF",
    b"wOFF\0\x01\0\0",
    b"wOFFOTTO",
    b"wOF2\0\x01\0\0",
    b"wOF2OTTO",
    b"\0\x01\0\0",
    b"OTTO\0",
];

/// Whether the first bytes are the signature of a document, an image or a font that is no text.
#[must_use]
pub fn is_binary(head: &[u8]) -> bool {
    BINARY.iter().any(|signature| head.starts_with(signature))
}

/// Whether the bytes can be text in an encoding used on the web or in mail: at most one in twenty
/// is a "binary data byte" (MIME Sniffing §3), as real pages have a stray one now and then, and
/// they do not begin as a document or an image in another format does, since that can be nearly all
/// ASCII. Empty input is text.
#[must_use]
pub fn is_text(head: &[u8]) -> bool {
    if is_binary(head) {
        return false;
    }
    let head = &head[..head.len().min(HEAD)];
    let binary = binary_data_bytes(head);
    is_utf16(head) || binary <= 1 || binary * 20 <= head.len()
}

/// How many "binary data bytes" there are.
fn binary_data_bytes(bytes: &[u8]) -> usize {
    let is_binary = |byte: &&u8| matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    let (windows, rest) = bytes.as_chunks();
    let count = |bytes: &[u8]| bytes.iter().filter(is_binary).count();
    // Nearly all texts have no other control characters than these.
    let has_control = |bytes: &&[u8; Bytes32::LEN]| {
        let window = Bytes32::new(**bytes);
        let is = |byte| window.eq(Bytes32::splat(byte));
        let is_control = window.min(Bytes32::splat(0x1F)).eq(window);
        is_control.bits() & !(is(b'\n') | is(b'\r') | is(b'\t')).bits() != 0
    };
    let windows = windows.iter().filter(has_control);
    windows.map(|bytes| count(bytes)).sum::<usize>() + count(rest)
}

/// Whether there is a UTF-16 byte order mark, or the zero bytes of ASCII in UTF-16.
#[must_use]
pub fn is_utf16(head: &[u8]) -> bool {
    head.starts_with(b"\xFF\xFE")
        || head.starts_with(b"\xFE\xFF")
        || matches!(head, [b'<', 0, c, 0, ..] | [0, b'<', 0, c, ..] if *c != 0)
        || utf_16_by_zeros(head).is_some()
}

/// The text from its first byte that is not white space.
#[must_use]
pub fn skip_white_space(text: &[u8]) -> &[u8] {
    let start = text
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
        .unwrap_or(text.len());
    &text[start..]
}

/// Tags that a page or a fragment of one begins with: more than in MIME Sniffing §7.1, since HTML
/// need not be distinguished from XML here.
#[rustfmt::skip]
const HTML_TAGS: &[&str] = &[
    "!doctype html", "a", "abbr", "acronym", "address", "applet", "area", "article", "aside",
    "audio", "b", "base", "basefont", "bgsound", "big", "blink", "blockquote", "body", "br",
    "button", "canvas", "caption", "center", "cite", "code", "col", "dd", "del", "dfn", "dialog",
    "dir", "div", "dl", "dt", "em", "embed", "fieldset", "figure", "font", "footer", "form",
    "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "i",
    "iframe", "img", "input", "ins", "isindex", "kbd", "label", "legend", "li", "link", "listing",
    "main", "map", "mark", "marquee", "math", "menu", "meta", "nav", "nobr", "noscript", "object",
    "ol", "optgroup", "option", "p", "param", "picture", "plaintext", "pre", "q", "s", "samp",
    "script", "section", "select", "small", "source", "span", "strike", "strong", "style", "sub",
    "summary", "sup", "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th",
    "thead", "title", "tr", "tt", "u", "ul", "var", "video", "wbr", "xmp",
];

/// Whether text begins like HTML: with a tag, after comments and white space.
#[must_use]
pub fn is_html(text: &[u8]) -> bool {
    let mut text = text;
    loop {
        text = skip_white_space(text);
        if let Some(comment) = text.strip_prefix(b"<!--") {
            match memchr::memmem::find(comment, b"-->") {
                Some(end) => text = &comment[end + 3..],
                None => return true,
            }
        } else if text.starts_with(b"<?xml") {
            // XML alone proves nothing: feeds and images begin with it, too.
            return contains_tag(text, b"<html");
        } else {
            break;
        }
    }
    let Some(tag) = text.strip_prefix(b"<") else {
        return false;
    };
    HTML_TAGS.iter().any(|name| {
        tag.len() >= name.len()
            && tag[..name.len()].eq_ignore_ascii_case(name.as_bytes())
            && tag
                .get(name.len())
                .is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
    })
}

/// Whether bytes begin an HTML page, possibly after a byte order mark, white space and comments.
/// Also in UTF-16.
#[must_use]
pub fn is_page(head: &[u8]) -> bool {
    let head = &head[..head.len().min(HEAD)];
    if is_utf16(head) {
        // ASCII in UTF-16 is ASCII with zero bytes in between; the byte order mark is not ASCII.
        let ascii = |byte: &u8| *byte != 0 && byte.is_ascii();
        let text: Vec<u8> = head.iter().copied().filter(ascii).collect();
        return is_html(&text);
    }
    is_html(head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head))
}

/// Whether the text contains a tag or name, ASCII case-insensitively.
#[must_use]
pub fn contains_tag(text: &[u8], tag: &[u8]) -> bool {
    text.windows(tag.len())
        .any(|window| window.eq_ignore_ascii_case(tag))
}

/// Fields: the header of a message has at least one of them.
const MAIL_FIELDS: &[&str] = &[
    "from",
    "to",
    "cc",
    "bcc",
    "subject",
    "date",
    "received",
    "return-path",
    "message-id",
    "delivered-to",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
    "reply-to",
    "sender",
    "x-mozilla-status",
    "x-original-to",
    "envelope-to",
    "references",
    "in-reply-to",
    "base",
    "content-base",
    "content-location",
    "dkim-signature",
    "authentication-results",
];

/// Whether the text begins like a header: only fields and folded lines, with at least one mail
/// field.
#[must_use]
pub fn is_heading(text: &[u8]) -> bool {
    let mut known = false;
    let mut start = 0;
    // The last line may be cut off.
    for end in memchr::memchr_iter(b'\n', text) {
        let is_first = start == 0;
        let line = text[start..end].trim_ascii_end();
        start = end + 1;
        if line.is_empty() {
            break;
        }
        if !is_first && (line[0] == b' ' || line[0] == b'\t') {
            continue;
        }
        let Some(name) = field_name(line) else {
            // One odd line does not disqualify a header that has already been recognised.
            if known {
                break;
            }
            return false;
        };
        known |= MAIL_FIELDS
            .iter()
            .any(|field| name.eq_ignore_ascii_case(field.as_bytes()));
    }
    known
}

/// The name of a header field (RFC 5322 §2.2), without white space before the colon.
fn field_name(line: &[u8]) -> Option<&[u8]> {
    let name = line[..memchr::memchr(b':', line)?].trim_ascii_end();
    (!name.is_empty() && name.iter().all(u8::is_ascii_graphic)).then_some(name)
}
