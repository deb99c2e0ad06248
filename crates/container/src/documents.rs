//! Files that are one page, feed or style sheet.

use crate::contents::Contents;
use crate::detect::OpenContext;
use crate::entity::EntityKind;
use crate::input::buffered::BufferedInput;
use baseref_document::{ReadError, ReadErrorKind};
use baseref_text::decode::encoding::utf_8_of_utf_16;
use baseref_text::decode::sniff::{HEAD, contains_tag, is_page, is_utf16, skip_white_space};
use baseref_text::decode::source::Markup;
use baseref_text::decode::xml_root::{self, RootTag};

/// The namespaces of RSS 0.9 and 1.0, which are RDF.
const RSS_IN_RDF: [&[u8]; 2] = [b"purl.org/rss/1.0", b"my.netscape.com/rdf/simple/0.9"];

/// Reads an HTML document.
pub(crate) fn read_html(
    input: BufferedInput,
    ctx: &OpenContext<'_>,
) -> Result<Contents, ReadError> {
    let head = input.window.rest(0);
    if input.format.is_none()
        && let Some((api, format)) = mail_api(head)
    {
        let reason = format!(
            "not a page, but seemingly messages of the {api} in JSON: --input {format} reads them"
        );
        return Err(input.unread(ReadErrorKind::Format, reason));
    }
    if input.format.is_none()
        && let Some(reason) = not_a_page(&head[..head.len().min(HEAD)])
    {
        return Err(input.unread(ReadErrorKind::Format, reason));
    }
    input.into_entity(EntityKind::Html, Markup::Html, ctx.nesting)
}

/// The programming interface that exported messages as the JSON that `head` begins, and the name of its
/// format, if they are not recognised by the first bytes; read as HTML, their links would be cut at its
/// quotation marks.
fn mail_api(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let has = |name: &[u8]| memchr::memmem::find(head, name).is_some();
    let is_json = matches!(skip_white_space(head), [b'{' | b'[', ..]);
    if !is_json {
        None
    } else if has(b"\"internetMessageId\"")
        || has(b"\"bodyPreview\"")
        || has(b"\"internetMessageHeaders\"")
    {
        Some(("Microsoft Graph API", "graph"))
    } else if has(b"\"threadId\"") && (has(b"\"payload\"") || has(b"\"raw\"")) {
        Some(("Gmail API", "gmail"))
    } else {
        None
    }
}

/// Why a text in a known format is not a page, and what to do with it. Read as HTML, it would be a page
/// without links.
fn not_a_page(head: &[u8]) -> Option<&'static str> {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    if is_capture_index(text) {
        return Some(
            "an index of captures (CDX, CDXJ) is not a page: audit its web archives, and give it with --cdx",
        );
    }
    let text = skip_white_space(text);
    let has = |name: &[u8]| memchr::memmem::find(text, name).is_some();
    let is_list = || has(b"\"multi-wacz-package\"") || has(b"\"resources\"") && has(b".wacz\"");
    if text.starts_with(b"{") && is_list() {
        return Some("a list of WACZ files is not a page: give the files that it names");
    }
    let root = xml_root::find(text)?;
    match root.local_name {
        b"package" if contains_tag(root.tag, b"idpf.org/2007/opf") => {
            Some("the package document of an EPUB is not a page: give the EPUB")
        }
        b"package" if contains_tag(root.tag, b"openebook.org") => {
            Some("the package document of a book is not a page: give its pages")
        }
        b"ncx" if contains_tag(root.tag, b"daisy.org/z3986") => {
            Some("the table of contents of an EPUB (NCX) is not a page: give the EPUB")
        }
        b"FictionBook" => {
            Some("a FictionBook is not read: convert it with `ebook-convert`, to EPUB")
        }
        _ => None,
    }
}

/// Whether a text begins with the header line of a CDX or of a compressed CDXJ, or with a line of either: a
/// key, a timestamp of 14 digits (17 with milliseconds), and a JSON object or a URL.
fn is_capture_index(text: &[u8]) -> bool {
    let headers: [&[u8]; 3] = [b" CDX ", b"!OpenWayback-CDXJ ", b"!meta 0 {"];
    if headers.iter().any(|header| text.starts_with(header)) {
        return true;
    }
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut fields = line.splitn(3, |byte| *byte == b' ');
    let (key, date, rest) = (fields.next(), fields.next(), fields.next());
    let is_key = key.is_some_and(|key| !key.is_empty() && !key.contains(&b'<'));
    let is_date = date
        .is_some_and(|date| matches!(date.len(), 14 | 17) && date.iter().all(u8::is_ascii_digit));
    let is_capture = |rest: &[u8]| {
        let is_url = rest.starts_with(b"http://") || rest.starts_with(b"https://");
        rest.starts_with(b"{") || is_url && rest.split(|byte| *byte == b' ').count() >= 5
    };
    is_key && is_date && rest.is_some_and(is_capture)
}

/// Whether a file is a PNG whose text declares a page that `SingleFile` packed in a zip after it.
pub(crate) fn is_page_behind_picture(head: &[u8]) -> bool {
    head.starts_with(b"\x89PNG\r\n\x1A\n")
        && memchr::memmem::find(head, b"<html data-sfz").is_some()
}

/// Reads an XHTML document or an SVG image.
pub(crate) fn read_xml(input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    input.into_entity(EntityKind::Html, Markup::Xml, ctx.nesting)
}

/// Reads a feed or sitemap.
pub(crate) fn read_feed(
    input: BufferedInput,
    ctx: &OpenContext<'_>,
) -> Result<Contents, ReadError> {
    input.into_entity(EntityKind::Html, Markup::Feed, ctx.nesting)
}

/// Reads a style sheet.
pub(crate) fn read_style_sheet(
    input: BufferedInput,
    ctx: &OpenContext<'_>,
) -> Result<Contents, ReadError> {
    input.into_entity(EntityKind::StyleSheet, Markup::Html, ctx.nesting)
}

/// Whether a root element starts a feed.
pub(crate) fn is_feed(root: &RootTag<'_>) -> bool {
    match root.local_name {
        b"rss" => true,
        // Other vocabularies have elements with these names, too.
        b"feed" => contains_tag(root.tag, b"/atom"),
        b"RDF" => RSS_IN_RDF.iter().any(|uri| contains_tag(root.tag, uri)),
        _ => false,
    }
}

/// Whether a root element starts a sitemap or a sitemap index.
pub(crate) fn is_sitemap(root: &RootTag<'_>) -> bool {
    matches!(root.local_name, b"urlset" | b"sitemapindex")
}

/// The markup of a body whose media type only says that it is XML, by its first bytes; `None` if it
/// is neither a feed nor a sitemap.
#[must_use]
pub(crate) fn markup_of_xml(head: &[u8]) -> Option<Markup> {
    let is_known = |text: &[u8]| {
        let root = xml_root::find(text);
        root.is_some_and(|root| is_feed(&root) || is_sitemap(&root))
    };
    let is_known = if is_utf16(head) {
        let text = utf_8_of_utf_16(head).filter(|_| !is_page(head));
        text.is_some_and(|text| is_known(text.as_bytes()))
    } else {
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        is_known(skip_white_space(text))
    };
    is_known.then_some(Markup::Feed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_formats_without_a_page() {
        for (head, word) in [
            (" CDX N b a m s k r M S V g\n", Some("--cdx")),
            (
                "com,example)/ 20240102030405 {\"url\": \"http://example.com/\"}\n",
                Some("--cdx"),
            ),
            (
                "com,example)/ 20240102030405678 {\"url\": \"x\"}\n",
                Some("--cdx"),
            ),
            (
                "com,example)/ 20240102030405 http://example.com/ text/html 200 AB - - 9 0 a.warc\n",
                Some("--cdx"),
            ),
            ("!meta 0 {\"format\": \"cdxj-gzip-1.0\"}\n", Some("--cdx")),
            (
                "{\"resources\": [{\"path\": \"https://a.example/a.wacz\"}]}",
                Some("WACZ"),
            ),
            (
                "com,example)/ 20240102030405 http://example.com/ is here",
                None,
            ),
            ("com,example)/ 2024 {}\n", None),
            ("a 20240102030405 <p>x", None),
            (
                "{\"profile\": \"multi-wacz-package\", \"resources\": []}",
                Some("WACZ"),
            ),
            ("{\"profile\": \"data-package\"}", None),
            (
                "<?xml version='1.0'?><package xmlns='http://www.idpf.org/2007/opf' version='3.0'>",
                Some("EPUB"),
            ),
            ("<package xmlns='http://example.com/'>", None),
            (
                "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'>",
                Some("NCX"),
            ),
            (
                "<FictionBook xmlns='http://www.gribuser.ru/xml/fictionbook/2.0'>",
                Some("FictionBook"),
            ),
            ("<!DOCTYPE html><p>x", None),
        ] {
            let reason = not_a_page(head.as_bytes());
            let holds = match (reason, word) {
                (Some(reason), Some(word)) => reason.contains(word),
                (reason, word) => reason.is_none() && word.is_none(),
            };
            assert!(holds, "{head}: {reason:?}");
        }
    }
}
