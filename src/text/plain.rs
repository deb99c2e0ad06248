//! Plain text to the URLs in it.
//!
//! The scanner is our own: `linkify`, the kept library for it, has no way to join lines, and
//! finds no `mailto:`, `news:` or `cid:` URL and no host that is an IP literal.

use super::flowed;
pub(crate) use super::flowed::Layout;
use crate::decode::encoding::decode_plain;
use crate::decode::source::Source;
use crate::document::{Context, Note, NoteCode, Reference};
use crate::error::Found;
use crate::grammar::running_text;
use crate::options::ReadOptions;
use crate::slots::{Class, of_plain_text};

/// Reads a text, in the encoding of its byte order mark, the user's, `charset`, or what it looks
/// like. Hands over its document.
pub(crate) fn read(
    source: Source<'_>,
    layout: Layout,
    options: &ReadOptions,
    found: &mut dyn FnMut(Found),
) {
    let decoded = decode_plain(source.bytes, source.charset, options.encoding);
    let mut document = source.begin(&decoded);
    let Some(slot) = of_plain_text().filter(|_| options.classes.contains(Class::Text)) else {
        return found(Ok(document));
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
            document.notes.push(Note {
                code: NoteCode::AttributeSize,
                detail: format!("a URL of {} bytes is cut", url.value.len()),
                line: Some(positions.line(range.start)),
            });
        }
        let at = options.positions.then(|| positions.of(range));
        document.references.push(Reference {
            slot,
            element: slot.element,
            attr: slot.attr,
            value,
            text: None,
            context: if url.without_scheme {
                Context::Http
            } else {
                Context::Document
            },
            at: at.as_ref(),
            cut,
        });
    }
    found(Ok(document));
}

/// The value as far as the limit goes, and whether that cuts it.
fn cut(value: &str, limit: usize) -> (&str, bool) {
    let mut end = value.len().min(limit);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    (&value[..end], end < value.len())
}
