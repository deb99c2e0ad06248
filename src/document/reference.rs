//! The places in a document where URLs stand.

use std::ops::Range;

use super::place::Position;
use crate::slots::Slot;

/// What a reference is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// The base URL of the document.
    Document,
    /// The base of the layers outside the document: for the `href` of a `base` element.
    Outside,
    /// The `codebase` of its own element (HTML 4.01 §13.3): an index into [`crate::document::Document::codebases`].
    Codebase(u32),
    /// The base that so many of [`crate::document::Document::declarations`] give, counted from the outermost: for
    /// a header field, those up to its own heading (RFC 1808 §3.1), or those around it.
    Outermost(u32),
}

/// A place in a document where a URL stands.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'d> {
    /// The kind of place: element, attribute, class.
    pub slot: &'static Slot,
    /// The name of the element or header field as it stands, in lower case for HTML.
    pub element: &'d str,
    /// The name of the attribute.
    pub attr: &'d str,
    /// The URL as written, character references decoded, not stripped; in a header field and in
    /// plain text without the white space that does not count there.
    pub value: &'d str,
    /// The anchor's text, white space collapsed; `None` where the place has no text or
    /// it was not asked for.
    pub text: Option<&'d str>,
    /// What the URL is relative to.
    pub context: Context,
    /// Where it stands, if asked for.
    pub at: Option<&'d Position>,
    /// The value exceeded [`crate::options::Limits::attribute`] and is cut there.
    pub cut: bool,
}

/// The references of one document in document order, in few blocks of memory.
#[derive(Clone, Debug, Default)]
pub struct References {
    text: String,
    /// The names in the text of elements that their slots do not name.
    names: Vec<Range<usize>>,
    entries: Vec<Entry>,
}

/// A reference. There can be millions of them: it is as small as it can be.
#[derive(Clone, Debug)]
struct Entry {
    slot: &'static Slot,
    /// Where its value begins in [`References::text`].
    value: usize,
    /// Where its own text begins there.
    text: usize,
    value_length: u32,
    /// [`NONE`] if it has no text.
    text_length: u32,
    /// The number of its element's name in [`References::names`]; [`NONE`] if its slot has it.
    name: u32,
    context: Context,
    at: Option<Position>,
    cut: bool,
}

/// No index and no length.
const NONE: u32 = u32::MAX;

impl References {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds one at the end. A value or text of 4 GiB or more is cut.
    #[inline]
    pub fn push(&mut self, reference: Reference<'_>) {
        // Most often it is the very one: then the letters need not be compared.
        let of_slot = reference.slot.element;
        let name = if std::ptr::eq(reference.element, of_slot) || reference.element == of_slot {
            NONE
        } else {
            self.name(reference.element)
        };
        let (value, value_length) = self.keep(reference.value);
        let (text, text_length) = reference.text.map_or((0, NONE), |text| self.keep(text));
        self.entries.push(Entry {
            slot: reference.slot,
            value,
            text,
            value_length,
            text_length,
            name,
            context: reference.context,
            at: reference.at.cloned(),
            cut: reference.cut || value_length as usize != reference.value.len(),
        });
    }

    /// Sets the text of the reference at `index` (0-based): an anchor's text is known only
    /// at its end.
    ///
    /// # Panics
    /// If there is no reference at `index`.
    pub fn set_text(&mut self, index: usize, text: &str) {
        let (start, length) = self.keep(text);
        let entry = &mut self.entries[index];
        (entry.text, entry.text_length) = (start, length);
    }

    /// Adds others at the end.
    pub fn extend(&mut self, others: &Self) {
        for reference in others.iter() {
            self.push(reference);
        }
    }

    /// All of them, in document order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Reference<'_>> {
        self.entries.iter().map(|entry| Reference {
            slot: entry.slot,
            element: match self.names.get(entry.name as usize) {
                Some(name) => &self.text[name.clone()],
                None => entry.slot.element,
            },
            attr: entry.slot.attr,
            value: self.kept(entry.value, entry.value_length),
            text: (entry.text_length != NONE).then(|| self.kept(entry.text, entry.text_length)),
            context: entry.context,
            at: entry.at.as_ref(),
            cut: entry.cut,
        })
    }

    /// The number of a name.
    #[inline(never)]
    fn name(&mut self, name: &str) -> u32 {
        let last = self.names.last().map(|last| &self.text[last.clone()]);
        if last != Some(name) {
            let (start, length) = self.keep(name);
            self.names.push(start..start + length as usize);
        }
        u32::try_from(self.names.len() - 1).unwrap_or(NONE)
    }

    /// Where a text is kept: its start and its length.
    #[inline]
    fn keep(&mut self, text: &str) -> (usize, u32) {
        let start = self.text.len();
        let length = u32::try_from(text.len()).ok();
        let Some(length) = length.filter(|length| *length != NONE) else {
            return self.keep(&text[..text.floor_char_boundary(NONE as usize - 1)]);
        };
        self.text.push_str(text);
        (start, length)
    }

    #[inline]
    fn kept(&self, start: usize, length: u32) -> &str {
        &self.text[start..start + length as usize]
    }
}
