//! The bytes that are walked, and how far the walk over them has come.

use std::borrow::Cow;
use std::ops::Range;

use super::heading;
use super::part::{Composite, Delimiter, Open, Stage};
use super::piece::HeadingLinks;
use crate::decode::line;
use crate::decode::transfer;

/// Bytes that are walked: the message, or a composite part that was transfer-encoded.
pub(super) struct Scan<'m> {
    pub buffer: Buffer<'m>,
    pub path: Path,
}

/// Bytes and where they stand in the file.
pub(super) struct Buffer<'m> {
    pub bytes: Cow<'m, [u8]>,
    pub place: Place,
}

/// Where the bytes of a buffer stand in the file.
pub(super) enum Place {
    /// As they are, from an offset on; in a mailbox that quotes `From ` lines, or not.
    File { offset: u64, unquote: bool },
    /// Encoded in this range, in a part whose heading begins on this line.
    Encoded {
        range: Range<u64>,
        line: Option<u64>,
    },
}

/// How far a scan has come.
pub(super) struct Path {
    /// What is open, outermost first.
    pub open: Vec<Open>,
    /// How many headings stand around that of the outermost of `open`, and it, if it has been
    /// read before this scan.
    pub headings: usize,
    /// Where to read on.
    pub at: usize,
    /// Where the last heading began, and its line in the file, 1-based, if it stands there as
    /// it is.
    pub heading: (usize, Option<u64>),
    /// What comes next.
    pub state: State,
}

/// What comes next on a path.
pub(super) enum State {
    /// A heading begins at `at`; with the links of the heading around it that has the same
    /// section number, if there is one.
    Entity(Option<HeadingLinks>),
    /// In a preamble, an epilogue, or a body that is not read: a delimiter is looked for.
    Between,
    /// At this delimiter, or at the end.
    At(Option<Delimiter>),
}

/// What a step over a scan leads to.
pub(super) enum Step<'m> {
    /// The next step.
    On,
    /// A scan that comes before the rest of this one.
    Into(Box<Scan<'m>>),
    /// The end of this scan.
    Out,
    /// The end of the walk.
    Stop,
}

impl Path {
    /// Where the heading of the entity at `at` begins; counts the lines up to there.
    pub fn heading_start(&mut self, bytes: &[u8]) -> usize {
        let start = match self.open.last().map(|part| &part.composite) {
            Some(Composite::Message) => heading::of_message(bytes, self.at),
            Some(Composite::Multipart(_)) | None => self.at,
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
                Composite::Message => false,
            })
    }
}

impl Buffer<'_> {
    /// A part of the bytes as it was before it came into a mailbox.
    pub fn stored(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        let bytes = &self.bytes[range];
        match self.place {
            Place::File { unquote: true, .. } => transfer::unquote_from(bytes),
            Place::File { .. } | Place::Encoded { .. } => Cow::Borrowed(bytes),
        }
    }

    /// Where a range of the bytes stands in the file; all of one encoded part stands where that
    /// part does.
    pub fn in_file(&self, range: Range<usize>) -> Range<u64> {
        match &self.place {
            Place::File { offset, .. } => offset + range.start as u64..offset + range.end as u64,
            Place::Encoded { range, .. } => range.clone(),
        }
    }

    /// The line of the encoded part that the bytes stand in.
    pub fn line(&self) -> Option<u64> {
        match self.place {
            Place::File { .. } => None,
            Place::Encoded { line, .. } => line,
        }
    }
}
