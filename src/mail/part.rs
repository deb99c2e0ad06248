//! The parts that are open while a message is read, and the delimiter lines that end them.

use std::sync::Arc;

use memchr::memmem::Finder;

use super::of_message::OfMessage;
use crate::decode::line;
use crate::document::Section;

/// A composite part (RFC 2046 §5) whose inner parts are being read.
#[derive(Debug)]
pub(super) struct Open {
    /// Its MIME section, the start of the sections of its inner parts.
    pub section: Section,
    /// The line of its heading in the file, 1-based.
    pub line: Option<u64>,
    /// How many declarations stand around its inner parts, its own included.
    pub declarations: usize,
    /// Which of the parts of the message it is.
    pub part: usize,
    /// What the innermost message says of itself that it stands in, or is; `None` before its
    /// heading has been read, and if nobody wants to know.
    pub message: Option<Arc<OfMessage>>,
    /// What it is made of.
    pub composite: Composite,
}

/// The two kinds of composite parts.
#[derive(Debug)]
pub(super) enum Composite {
    /// message/rfc822 and its like, or the message itself.
    Message,
    /// multipart/*.
    Multipart(Multipart),
}

/// What is known of a multipart while its lines go by.
#[derive(Debug)]
pub(super) struct Multipart {
    /// Its boundary, without the leading hyphens; never empty.
    pub boundary: Vec<u8>,
    /// Whether its parts are messages if they do not say what they are (RFC 2046 §5.1.5).
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
    /// Which of the open parts it belongs to, 0-based from outside.
    pub of: usize,
    /// Whether it is the closing one.
    pub closing: bool,
    /// Where the line begins.
    pub at: usize,
    /// Where the next line begins.
    pub next: usize,
}

/// Which multipart `line` delimits, and whether it closes it. The line is taken whole, white
/// space at its end apart (RFC 2046 §5.1.1); the innermost multipart is asked first.
pub(super) fn delimited(open: &[Open], line: &[u8]) -> Option<(usize, bool)> {
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

/// The first delimiter line of the open multiparts from `from` on, which is the start of a line.
pub(super) fn next_delimiter(bytes: &[u8], from: usize, open: &[Open]) -> Option<Delimiter> {
    let is_multipart = |part: &Open| matches!(part.composite, Composite::Multipart(_));
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
