//! How long the URLs of a file's links may be, all together.
//!
//! A base is written once and its links are many: what they resolve to can be as long as the base
//! times the number of links. Nobody has such pages but those who want to fill a disk.

use baseref_document::{Note, NoteCode, Reference};

/// Bytes of URLs, and of the bases beside them, that a file's links may have beyond what each may
/// always have.
const FREE: usize = 4 << 20;

/// Bytes that a URL may always have.
const PER_LINK: usize = 256;

/// Bytes more that it may always have, per byte of the value: escapes make it longer.
const PER_BYTE: usize = 16;

/// What is left for the links of a file: of a message, or of a page and the documents in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(FREE)
    }
}

impl Room {
    /// Whether URLs and bases no longer than `longest` beyond what their values add need no room.
    pub(super) fn is_unneeded(longest: usize) -> bool {
        longest <= PER_LINK
    }

    /// Whether so many URLs have room for certain, if they and their bases are no longer than
    /// `longest` beyond what their values add.
    pub(super) fn suffices(self, links: usize, longest: usize) -> bool {
        let beyond = 2 * longest.saturating_sub(PER_LINK);
        links.saturating_mul(beyond) <= self.0
    }

    /// Takes room for a URL and its base, of so many bytes; returns whether there was enough.
    pub(super) fn take(&mut self, reference: &Reference<'_>, url: usize, base: usize) -> bool {
        let always = always(reference);
        let beyond = url.saturating_sub(always) + base.saturating_sub(always);
        let left = self.0.checked_sub(beyond);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// The bytes that the URL of a link may have if there is no room for more.
pub(super) fn always(reference: &Reference<'_>) -> usize {
    PER_LINK + PER_BYTE * reference.value.len()
}

/// The note on a document whose links have not enough room.
pub(super) fn note() -> Note {
    Note {
        code: NoteCode::UrlSize,
        detail: format!(
            "the URLs of the links and their bases have more than {} MiB: those longer than \
             {PER_LINK} bytes and {PER_BYTE} times the value are left out",
            FREE >> 20
        ),
        line: None,
    }
}
