//! Files that are one page, feed or style sheet.

use crate::contents::Contents;
use crate::detect::OpenContext;
use crate::entity::EntityKind;
use crate::input::buffered::BufferedInput;
use baseref_document::{ReadError, ReadErrorKind};
use baseref_text::decode::encoding::utf_8_of_utf_16;
use baseref_text::decode::sniff::{contains_tag, is_page, is_utf16, skip_white_space};
use baseref_text::decode::source::Markup;
use baseref_text::decode::xml_root::{self, RootTag};

/// The namespaces of RSS 0.9 and 1.0, which are RDF.
const RSS_IN_RDF: [&[u8]; 2] = [b"purl.org/rss/1.0", b"my.netscape.com/rdf/simple/0.9"];

/// Reads an HTML document.
pub(crate) fn read_html(
    input: BufferedInput,
    ctx: &OpenContext<'_>,
) -> Result<Contents, ReadError> {
    if let Some(api) = mail_api(input.window.rest(0)) {
        let reason = format!(
            "messages exported by the {api} as JSON are not read: export them as .eml or mbox"
        );
        return Err(input.unread(ReadErrorKind::Format, reason));
    }
    input.into_entity(EntityKind::Html, Markup::Html, ctx.nesting)
}

/// The programming interface that exported messages as the JSON that `head` begins; read as HTML, their
/// links would be cut at its quotation marks.
fn mail_api(head: &[u8]) -> Option<&'static str> {
    let has = |name: &[u8]| memchr::memmem::find(head, name).is_some();
    let is_json = matches!(skip_white_space(head), [b'{' | b'[', ..]);
    if !is_json {
        None
    } else if has(b"\"internetMessageId\"")
        || has(b"\"bodyPreview\"")
        || has(b"\"internetMessageHeaders\"")
    {
        Some("Microsoft Graph API")
    } else if has(b"\"threadId\"") && (has(b"\"payload\"") || has(b"\"raw\"")) {
        Some("Gmail API")
    } else {
        None
    }
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
