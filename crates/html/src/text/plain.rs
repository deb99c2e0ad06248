//! Reads the URLs in plain text.
//!
//! The scanner is our own: `linkify`, the maintained crate for this, cannot join lines and finds
//! neither `mailto:`, `news:` and `cid:` URLs nor hosts that are IP literals.

use super::flowed;
pub use super::flowed::Layout;
use baseref_document::link_places::{Class, LinkPlace, plain_text_row};
use baseref_document::{Context, Document, Note, NoteCode, Position, ReadOptions, Reference};
use baseref_text::decode::encoding::decode_plain;
use baseref_text::decode::source::MarkupSource;
use baseref_text::grammar::running_text;

/// Reads a text, decoding it by its byte order mark, the user's choice, `charset` or its content.
#[must_use]
pub fn read(source: MarkupSource<'_>, layout: Layout, options: &ReadOptions) -> Document {
    let decoded = decode_plain(source.bytes, source.charset, options.encoding);
    let mut document = source.begin(&decoded);
    let Some(slot) = plain_text_row().filter(|_| options.classes.contains(Class::Text)) else {
        return document;
    };
    let joined = flowed::join(&decoded.text, layout);
    let mut positions = decoded.positions();
    let limit = options.limits.attribute;
    let mut noted = false;
    for url in running_text::urls(&joined.text) {
        let range = joined.in_source(url.range);
        let (value, cut) = cut(&url.value, limit);
        if cut && !noted {
            noted = true;
            document.notes.push(
                Note::new(
                    NoteCode::AttributeSize,
                    format!("a URL of {} bytes is truncated", url.value.len()),
                )
                .at_line(Some(positions.line(range.start))),
            );
        }
        let at = options.positions.then(|| positions.locate(range));
        document.references.push(Reference {
            cut,
            ..reference(slot, value, url.without_scheme, at.as_ref())
        });
    }
    document
}

/// A URL in running text; one without a scheme is prefixed with `http://`.
pub(crate) fn reference<'u>(
    slot: &'static LinkPlace,
    value: &'u str,
    without_scheme: bool,
    at: Option<&'u Position>,
) -> Reference<'u> {
    Reference {
        slot,
        element: slot.element,
        attr: slot.attr,
        value,
        text: None,
        context: if without_scheme {
            Context::Http
        } else {
            Context::Document
        },
        at,
        cut: false,
    }
}

/// A value truncated to the limit, and whether it was.
pub(crate) fn cut(value: &str, limit: usize) -> (&str, bool) {
    let mut end = value.len().min(limit);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    (&value[..end], end < value.len())
}
