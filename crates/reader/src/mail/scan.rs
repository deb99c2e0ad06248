//! The bytes being walked, and how far the walk has got.

use std::borrow::Cow;
use std::ops::Range;

use super::heading;
use super::part::{Composite, Delimiter, OpenPart, Stage};
use super::piece::HeadingLinks;
use super::stored_part::{StoredPart, StoredParts};
use baseref_text::decode::line;
use baseref_text::decode::transfer;

/// Bytes being walked: the message, or a decoded composite part.
pub(super) struct Scan<'m> {
    pub buffer: Buffer<'m>,
    pub path: Path,
}

/// Bytes and where they are in the file.
pub(super) struct Buffer<'m> {
    pub bytes: Cow<'m, [u8]>,
    pub place: BufferLocation,
}

/// Where the bytes of a buffer are in the file.
pub(super) enum BufferLocation {
    /// Verbatim, from an offset on; `unquote` if in a mailbox that quotes `From ` lines.
    File { offset: u64, unquote: bool },
    /// Encoded in this range, in a part whose header begins on this line.
    Encoded {
        range: Range<u64>,
        line: Option<u64>,
    },
    /// Nowhere: they were built from other bytes of the file.
    Made,
}

/// The progress of a scan.
pub(super) struct Path {
    /// What is open, outermost first.
    pub open: Vec<OpenPart>,
    /// The number of headers around the outermost part of `open`, plus one if that part's header was
    /// read before this scan.
    pub headings: usize,
    /// Where to continue reading.
    pub at: usize,
    /// Where the last header began, and its line in the file, 1-based, if it is there verbatim.
    pub heading: (usize, Option<u64>),
    /// What comes next.
    pub state: ScanState,
    /// The parts of the multipart whose header comes next, if they are stored apart.
    pub stored: Option<StoredParts>,
}

/// What comes next on a path.
pub(super) enum ScanState {
    /// A header begins at `at`; holds the links of the enclosing header with the same section
    /// number, if there is one.
    Entity(Option<HeadingLinks>),
    /// In a preamble, an epilogue, or a body that is not read: search for a delimiter.
    Between,
    /// At this delimiter, or at the end.
    At(Option<Delimiter>),
    /// Before these parts of what was opened last.
    Stored(std::vec::IntoIter<StoredPart>),
}

/// What to do after a step of a scan.
pub(super) enum ScanStep<'m> {
    /// Take the next step.
    On,
    /// Do this scan before the rest of the current one.
    Into(Box<Scan<'m>>),
    /// End this scan.
    Out,
    /// End the walk.
    Stop,
}

impl Path {
    /// Where the header of the entity at `at` begins; counts the lines up to there.
    pub fn heading_start(&mut self, bytes: &[u8]) -> usize {
        let start = match self.open.last().map(|part| &part.composite) {
            Some(Composite::Message) => heading::start_of_message(bytes, self.at),
            Some(Composite::Multipart(_) | Composite::Stored(_)) | None => self.at,
        };
        let (before, line) = self.heading;
        let line = line.map(|line| line + line::count(&bytes[before..start]));
        self.heading = (start, line);
        start
    }

    /// Whether the part that ends at `end` is the last one of a multipart that is not closed.
    pub fn is_unclosed(&self, end: Option<Delimiter>) -> bool {
        let inside = end.map_or(0, |delimiter| delimiter.of + 1);
        self.open[inside..]
            .iter()
            .any(|part| match &part.composite {
                Composite::Multipart(multipart) => multipart.stage == Stage::Parts,
                Composite::Message | Composite::Stored(_) => false,
            })
    }
}

impl Buffer<'_> {
    /// A range of the bytes with the mailbox's quoting removed.
    pub fn stored(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        let bytes = &self.bytes[range];
        match self.place {
            BufferLocation::File { unquote: true, .. } => transfer::unquote_from(bytes),
            BufferLocation::File { .. } | BufferLocation::Encoded { .. } | BufferLocation::Made => {
                Cow::Borrowed(bytes)
            }
        }
    }

    /// Where a range of the bytes is in the file, if it is there; for anything in an encoded part,
    /// that is the whole part.
    pub fn in_file(&self, range: Range<usize>) -> Option<Range<u64>> {
        match &self.place {
            BufferLocation::File { offset, .. } => {
                Some(offset + range.start as u64..offset + range.end as u64)
            }
            BufferLocation::Encoded { range, .. } => Some(range.clone()),
            BufferLocation::Made => None,
        }
    }

    /// The line of the encoded part that the bytes are in.
    pub fn line(&self) -> Option<u64> {
        match self.place {
            BufferLocation::File { .. } | BufferLocation::Made => None,
            BufferLocation::Encoded { line, .. } => line,
        }
    }
}
