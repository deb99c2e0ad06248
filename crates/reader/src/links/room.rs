//! Limits the total length of the URLs of a file's links.
//!
//! A base is written once and each of many links repeats it, so the output can grow with the product of
//! the base's length and the number of links. Only pages made to fill a disk reach the limit.

use baseref_document::{Note, NoteCode, Reference};

/// The bytes of URLs and bases that a file's links may have in total beyond their guaranteed lengths.
const FREE: usize = 4 << 20;

/// The guaranteed length of a URL, in bytes.
const PER_LINK: usize = 256;

/// Additional guaranteed bytes per byte of the value, since escapes make a URL longer.
const PER_BYTE: usize = 16;

/// The bytes left for the links of a file, which is a message or a page with the documents in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(FREE)
    }
}

impl Room {
    /// Whether URLs and bases of at most `longest` bytes, not counting their values, need no room.
    pub(super) fn is_unneeded(longest: usize) -> bool {
        longest <= PER_LINK
    }

    /// Whether there is certainly room for this number of links, if their URLs and bases have at most
    /// `longest` bytes, not counting their values.
    pub(super) fn suffices(self, links: usize, longest: usize) -> bool {
        let beyond = 2 * longest.saturating_sub(PER_LINK);
        links.saturating_mul(beyond) <= self.0
    }

    /// Takes room for a URL and its base, given their lengths; returns whether there was enough.
    pub(super) fn take(&mut self, reference: &Reference<'_>, url: usize, base: usize) -> bool {
        let always = always(reference);
        let beyond = url.saturating_sub(always) + base.saturating_sub(always);
        let left = self.0.checked_sub(beyond);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// The guaranteed length of the URL of a link, in bytes.
pub(super) fn always(reference: &Reference<'_>) -> usize {
    PER_LINK + PER_BYTE * reference.value.len()
}

/// The note on a document whose links need more room than is left.
pub(super) fn note() -> Note {
    Note::new(
        NoteCode::UrlSize,
        format!(
            "the URLs of the links and their bases have more than {} MiB: those longer than \
             {PER_LINK} bytes and {PER_BYTE} times the value are left out",
            FREE >> 20
        ),
    )
}
