//! Detects the format of an input, first by its content, then by its name.

use std::path::Path;

use baseref_text::decode::source::Markup;

pub use super::format::Format;
#[cfg(feature = "archives")]
use super::zstd;
use super::{arc, emlx, gzip, har, http, mbox, pages, warc};
use baseref_text::decode::encoding::utf_8_of_utf_16;
use baseref_text::decode::sniff::{
    self, contains_tag, is_heading, is_html, is_page, is_utf16, skip_white_space,
};
use baseref_text::decode::xml_root::{self, RootTag};

/// How many bytes of an input [`Format::of_content`] needs; more do not help.
pub const HEAD: usize = sniff::HEAD;

/// How much is read before the format is decided; most documents are smaller.
pub(super) const FIRST_READ: usize = 64 * 1024;

const _: () = assert!(HEAD <= FIRST_READ);

/// How a compound file begins ([MS-CFB] §2.2), which may hold a message of Outlook.
const COMPOUND_FILE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// How a stream of TNEF begins ([MS-OXTNEF] §2.1.3.1).
const TNEF: &[u8] = b"\x78\x9F\x3E\x22";

/// The namespaces of RSS 0.9 and 1.0, which are RDF.
const RSS_IN_RDF: [&[u8]; 2] = [b"purl.org/rss/1.0", b"my.netscape.com/rdf/simple/0.9"];

/// How a zip begins: with a member, or, if it has none, with the end of its directory.
const ZIP_MAGICS: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

impl Format {
    /// The format of a file, given those suggested by its content and its name. The content takes
    /// precedence, except that browsers go by the name for XHTML and SVG, since HTML may begin the
    /// same way.
    #[must_use]
    pub fn of_both(content: Option<Self>, name: Option<Self>) -> Option<Self> {
        match (content, name) {
            (None | Some(Self::Html), Some(name)) if name.markup() == Some(Markup::Xml) => {
                Some(name)
            }
            _ => content.or(name),
        }
    }

    /// The format shown by the first bytes, up to [`HEAD`] of them. Whether a compound file holds a
    /// message is not seen there.
    #[must_use]
    pub fn of_content(head: &[u8]) -> Option<Self> {
        let head = &head[..head.len().min(HEAD)];
        if is_utf16(head) {
            if is_page(head) {
                return Some(Self::Html);
            }
            let text = utf_8_of_utf_16(head)?;
            return Self::of_root(text.as_bytes()).or_else(|| Self::of_heading(text.as_bytes()));
        }
        if warc::is_warc(head) {
            return Some(Self::Warc);
        }
        if arc::is_arc(head) {
            return Some(Self::Arc);
        }
        if ZIP_MAGICS.iter().any(|magic| head.starts_with(magic)) {
            return Some(Self::Zip);
        }
        if head.starts_with(COMPOUND_FILE) {
            return Some(Self::Msg);
        }
        if head.starts_with(TNEF) {
            return Some(Self::Tnef);
        }
        if is_webarchive(head) {
            return Some(Self::Webarchive);
        }
        if let Some((_, start)) = emlx::length(head) {
            return is_heading(&head[start..]).then_some(Self::Emlx);
        }
        if http::is_response(head) {
            return Some(Self::Http);
        }
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let text = skip_white_space(text);
        if har::is_har(text) {
            return Some(Self::Har);
        }
        if pages::is_pages(text) {
            return Some(Self::Pages);
        }
        if mbox::is_mailbox(text) {
            let after = memchr::memchr(b'\n', text).map_or(&text[..0], |end| &text[end + 1..]);
            return is_heading(after.strip_prefix(b">").unwrap_or(after)).then_some(Self::Mbox);
        }
        // Before HTML, which may be in a feed.
        if let Some(format) = Self::of_root(text) {
            return Some(format);
        }
        if is_html(text) {
            return Some(Self::Html);
        }
        Self::of_heading(text)
    }

    /// The format of a feed or sitemap, by its root element.
    fn of_root(text: &[u8]) -> Option<Self> {
        let RootTag { local_name, tag } = xml_root::of(text)?;
        match local_name {
            b"rss" => Some(Self::Feed),
            b"urlset" | b"sitemapindex" => Some(Self::Sitemap),
            // Others have elements of these names, too.
            b"feed" => contains_tag(tag, b"/atom").then_some(Self::Feed),
            b"RDF" => RSS_IN_RDF
                .iter()
                .any(|uri| contains_tag(tag, uri))
                .then_some(Self::Feed),
            _ => None,
        }
    }

    /// The format of a file that begins with the header of a message.
    fn of_heading(text: &[u8]) -> Option<Self> {
        is_heading(text).then(|| {
            if is_page_heading(text) {
                Self::Mhtml
            } else {
                Self::Eml
            }
        })
    }

    /// What a name suggests of a file that begins with `head`: mail programs other than Outlook call
    /// a message of text `.msg`, too.
    pub(crate) fn suggested(by_name: Option<Self>, head: &[u8]) -> Option<Self> {
        match by_name {
            Some(Self::Msg) if !head.is_empty() && sniff::is_text(head) => Some(Self::Eml),
            _ => by_name,
        }
    }

    /// The format shown by the extension of a file name, ASCII case-insensitively; for a compressed
    /// file, by the extension before every `.gz` and `.zst`.
    #[must_use]
    pub fn of_name(name: &Path) -> Option<Self> {
        let mut name = name;
        let mut extension = name.extension()?.to_str()?.to_ascii_lowercase();
        while matches!(&*extension, "gz" | "zst") {
            name = Path::new(name.file_stem()?);
            extension = name.extension()?.to_str()?.to_ascii_lowercase();
        }
        let mut formats = Self::ALL.iter();
        let named = formats.find(|info| info.extensions.contains(&&*extension))?;
        Some(named.format)
    }
}

/// Whether a file that begins with `head` is compressed, so that positions in what is read of it are not
/// those in the file.
#[must_use]
pub fn is_compressed(head: &[u8]) -> bool {
    #[cfg(feature = "archives")]
    if zstd::is_zstd(head) {
        return true;
    }
    head.starts_with(gzip::MAGIC)
}

/// Whether a header is that of a page saved by a browser.
fn is_page_heading(text: &[u8]) -> bool {
    contains_tag(text, b"\nsnapshot-content-location:")
        || contains_tag(&text[..text.len().min(64)], b"from: <saved by")
        || contains_tag(&text[..text.len().min(64)], b"from: \"saved by")
}

/// Whether `bytes` begin a property list that holds a saved page, as far as they go.
pub(super) fn is_webarchive(bytes: &[u8]) -> bool {
    let is_list = bytes.starts_with(b"bplist0")
        || bytes.starts_with(b"<?xml") && memchr::memmem::find(bytes, b"<plist").is_some();
    is_list && memchr::memmem::find(bytes, b"WebResource").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_text::decode::sniff::is_text;

    #[test]
    fn content_decides() {
        for (content, format) in [
            (&b"<!DOCTYPE html><p>x"[..], Some(Format::Html)),
            (b"\xEF\xBB\xBF \n<HTML>", Some(Format::Html)),
            (b"<!-- saved --><a href=x>y</a>", Some(Format::Html)),
            (
                b"<?xml version='1.0'?>\n<html xmlns='x'>",
                Some(Format::Html),
            ),
            (b"<?xml version='1.0'?>\n<rss>", Some(Format::Feed)),
            (
                b"<feed xmlns='http://www.w3.org/2005/Atom'><html>",
                Some(Format::Feed),
            ),
            (b"<feed xmlns='http://example.com/cattle'>", None),
            (
                b"<rdf:RDF xmlns:rdf='x' xmlns='http://purl.org/rss/1.0/'>",
                Some(Format::Feed),
            ),
            (b"<rdf:RDF xmlns:rdf='x' xmlns='urn:owl'>", None),
            (b"<!-- x --><urlset>", Some(Format::Sitemap)),
            (b"\xFF\xFE<\0r\0s\0s\0>\0", Some(Format::Feed)),
            (b"<s:sitemapindex xmlns:s='y'>", Some(Format::Sitemap)),
            (b"\xFF\xFE<\0p\0>\0", Some(Format::Html)),
            (b"<\0h\0t\0m\0l\0>\0", Some(Format::Html)),
            (b"<abbrev>", None),
            (b"\xFF\xFET\0o\0:\0a\0\n\0", Some(Format::Eml)),
            (b"\0S\0u\0b\0j\0e\0c\0t\0:\0x\0\n\0\n", Some(Format::Eml)),
            (b"<plaintext>\0\0", Some(Format::Html)),
            (b"Subject: x\n\nbody", Some(Format::Eml)),
            (b"Base : <URL:http://a/>\nX: y\n\n", Some(Format::Eml)),
            (
                b"From a@b Mon Jan  1 00:00:00 2001\nFrom: a\n\n",
                Some(Format::Mbox),
            ),
            (b"From : a\nTo : b\n\n", Some(Format::Eml)),
            (b"From here to there\nit is far", None),
            (
                b"From: <Saved by Blink>\nSnapshot-Content-Location: http://a/\n\n",
                Some(Format::Mhtml),
            ),
            (
                b"31\nFrom: a\nTo: b\nSubject: c\n\nd<?xml",
                Some(Format::Emlx),
            ),
            (b"31\nbottles", None),
            (b"bplist00\xD1\x01\x02_\x10\x0FWebMainResource", None),
            (
                b"bplist00\xD1\x01\x02_\x10\x0FWebResourceData",
                Some(Format::Webarchive),
            ),
            (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0", Some(Format::Msg)),
            (b"\x78\x9F\x3E\x22\x01\0", Some(Format::Tnef)),
            (b"WARC/1.0\r\nWARC-Type: x\r\n", Some(Format::Warc)),
            (b"WARC/one\r\n", None),
            (
                b"filedesc://x 0.0.0.0 20260101000000 text/plain 9\n",
                Some(Format::Arc),
            ),
            (
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>",
                Some(Format::Http),
            ),
            (b"HTTP/2 is a protocol", None),
            (b"key: value\nother: value\n", None),
            (b"Dear all,\nSubject: x\n", None),
            (b"", None),
        ] {
            let shown = String::from_utf8_lossy(content);
            assert_eq!(Format::of_content(content), format, "{shown}");
        }
    }

    #[test]
    fn a_name_decides_by_its_extension_in_any_case() {
        assert_eq!(Format::of_name(Path::new("A.HTM")), Some(Format::Html));
        assert_eq!(Format::of_name(Path::new("a.css")), Some(Format::Css));
        assert_eq!(Format::of_name(Path::new("a.mht")), Some(Format::Mhtml));
        assert_eq!(Format::of_name(Path::new("html")), None);
        assert_eq!(Format::of_name(Path::new("a.XHT")), Some(Format::Xhtml));
        assert_eq!(Format::of_name(Path::new("a.svg.gz")), Some(Format::Svg));
        assert_eq!(Format::of_name(Path::new("a.mbox.GZ")), Some(Format::Mbox));
        assert_eq!(Format::of_name(Path::new("a.gz")), None);
    }

    #[test]
    fn what_looks_like_html_is_xhtml_or_svg_by_its_name() {
        let (html, mail) = (Some(Format::Html), Some(Format::Eml));
        for (content, name, expected) in [
            (html, Some(Format::Xhtml), Some(Format::Xhtml)),
            (html, Some(Format::Svg), Some(Format::Svg)),
            (None, Some(Format::Svg), Some(Format::Svg)),
            (html, mail, html),
            (mail, Some(Format::Xhtml), mail),
            (None, mail, mail),
            (html, None, html),
        ] {
            assert_eq!(Format::of_both(content, name), expected);
        }
    }

    #[test]
    fn a_msg_that_is_text_is_a_message_of_text() {
        let msg = Some(Format::Msg);
        for (head, found) in [
            (
                &b"Content-Type: multipart/mixed; boundary=\"a"[..],
                Some(Format::Eml),
            ),
            (b"no header\n", Some(Format::Eml)),
            (COMPOUND_FILE, msg),
            (b"\0\x01\x02\x03\x04\x05", msg),
            (b"", msg),
        ] {
            assert_eq!(Format::suggested(msg, head), found);
        }
    }

    #[test]
    fn text_has_hardly_any_binary_data_bytes() {
        assert!(is_text(b""));
        assert!(is_text(b"caf\xE9\r\n\t\x1b$B\x0c"));
        assert!(is_text(b"\xFF\xFE<\0"));
        assert!(is_text(b"one \0 stray byte"));
        // One in twenty.
        assert!(is_text(&[&[0; 50], &[b'x'; 950][..]].concat()));
        assert!(!is_text(&[&[0; 51], &[b'x'; 949][..]].concat()));
        assert!(!is_text(&[0; 512]));
        assert!(!is_text(b"\x89PNG\r\n\x1a\n\0"));
        assert!(!is_text(b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>"));
        assert!(is_text(b"% PDF in words, GIF89a"));
    }
}
