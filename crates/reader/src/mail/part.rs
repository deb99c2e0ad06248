//! The parts that are open while a message is read, and the delimiter lines that end them.

use std::sync::Arc;

use memchr::memmem::Finder;

use super::header_data::HeaderData;
use baseref_document::Section;
use baseref_text::decode::line;

/// A composite part (RFC 2046 §5) whose inner parts are being read.
#[derive(Debug)]
pub(super) struct OpenPart {
    /// Its MIME section, the start of the sections of its inner parts.
    pub section: Section,
    /// The line of its header in the file, 1-based.
    pub line: Option<u64>,
    /// How many declarations there are around its inner parts, its own included.
    pub declarations: usize,
    /// Its index among the parts of the message.
    pub part: usize,
    /// Data about the innermost message that contains it, or about the message itself; `None` before
    /// that message's header has been read, and if the data was not requested.
    pub message: Option<Arc<HeaderData>>,
    /// Its kind, and the state of reading it.
    pub composite: Composite,
}

/// The two kinds of composite parts.
#[derive(Debug)]
pub(super) enum Composite {
    /// message/rfc822 and the like, or the message itself.
    Message,
    /// multipart/*.
    Multipart(Multipart),
    /// A part whose inner parts are stored without delimiters; how many of them have begun.
    Stored(u32),
}

/// The state of a multipart while its lines are read.
#[derive(Debug)]
pub(super) struct Multipart {
    /// Its boundary, without the leading hyphens; never empty.
    pub boundary: Vec<u8>,
    /// Whether its parts default to being messages (RFC 2046 §5.1.5).
    pub digest: bool,
    /// How many parts have begun.
    pub parts: u32,
    /// How far it has been read.
    pub stage: Stage,
}

/// The stages of a multipart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// No delimiter line has been seen.
    Preamble,
    /// In one of its parts.
    Parts,
    /// Its closing delimiter has been seen.
    Epilogue,
}

/// A delimiter line of an open multipart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delimiter {
    /// The index of the open part it belongs to, 0 for the outermost.
    pub of: usize,
    /// Whether it is the closing one.
    pub closing: bool,
    /// Where the line begins.
    pub at: usize,
    /// Where the next line begins.
    pub next: usize,
}

/// Which multipart `line` delimits, and whether it closes it. The whole line must match, apart from
/// trailing white space (RFC 2046 §5.1.1); the innermost multipart is tried first.
pub(super) fn delimited(open: &[OpenPart], line: &[u8]) -> Option<(usize, bool)> {
    let text = line.strip_prefix(b"--")?.trim_ascii_end();
    let closed = text.strip_suffix(b"--");
    open.iter().enumerate().rev().find_map(|(of, part)| {
        let Composite::Multipart(multipart) = &part.composite else {
            return None;
        };
        if multipart.stage == Stage::Epilogue {
            return None;
        }
        let boundary = multipart.boundary.as_slice();
        if text == boundary {
            return Some((of, false));
        }
        (closed == Some(boundary)).then_some((of, true))
    })
}

/// The first delimiter line of an open multipart at or after `from`, which must be the start of a
/// line.
pub(super) fn next_delimiter(bytes: &[u8], from: usize, open: &[OpenPart]) -> Option<Delimiter> {
    let is_multipart = |part: &OpenPart| matches!(part.composite, Composite::Multipart(_));
    if !open.iter().any(is_multipart) {
        return None;
    }
    let hyphens = Finder::new(b"--");
    let mut at = from;
    while let Some(distance) = hyphens.find(bytes.get(at..)?) {
        let hit = at + distance;
        if hit > from && !matches!(bytes[hit - 1], b'\n' | b'\r') {
            let run = bytes[hit..].iter().take_while(|&&byte| byte == b'-');
            at = hit + run.count();
            continue;
        }
        let (end, next) = line::end(bytes, hit);
        if let Some((of, closing)) = delimited(open, &bytes[hit..end]) {
            return Some(Delimiter {
                of,
                closing,
                at: hit,
                next,
            });
        }
        at = end;
    }
    None
}
