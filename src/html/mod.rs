//! An HTML document's bytes to a [`Document`]: the only place that names html5ever and rcdom.

#[cfg_attr(
    not(test),
    expect(dead_code, reason = "the collector is still to come")
)]
mod values;

use crate::document::{Declaration, Origin};
use crate::read::{Found, ReadOptions};
use std::ops::Range;

/// What is known of an HTML document before it is read.
#[derive(Clone, Debug)]
pub struct Source<'s> {
    /// The document as stored; for mail the part with its transfer encoding decoded.
    pub bytes: &'s [u8],
    /// Where it stands.
    pub origin: Origin,
    /// See [`crate::document::Document::part_byte`].
    pub part_byte: Option<Range<u64>>,
    /// The charset parameter of its media type, as written.
    pub charset: Option<&'s str>,
    /// What declares a base around it, outermost first.
    pub declarations: Vec<Declaration>,
}

/// Reads one HTML document. Hands over at most one error (an unknown or wrong charset, say),
/// then the document.
pub fn read(source: Source<'_>, options: &ReadOptions, found: &mut dyn FnMut(Found)) {
    let _ = (source, options, found);
}
