//! Splits a mailbox of UW IMAP and Alpine (`*mbx*`) into messages: a heading of 2,048 bytes, and before each
//! message a line with its date, size and flags (UW imapd, `mbx.c`).

use std::num::NonZeroU64;
use std::sync::Arc;

use crate::contents::{Container, Contents};
use crate::detect::OpenContext;
use crate::entity::{Entity, EntityKind};
use crate::input::Reader;
use crate::input::buffered::BufferedInput;
use crate::input::failure::kind_of;
use crate::input::window::{CHUNK, Window};
use crate::nesting::Nesting;
use baseref_document::{Declaration, Origin, ReadError, ReadErrorKind, Skipped};
use baseref_text::decode::line;

/// The first bytes of such a mailbox.
pub(crate) const MBX: &[u8] = b"*mbx*\r\n";

/// The size of the heading, in bytes.
const HEADING: usize = 2048;

/// The longest line before a message, in bytes.
const LINE: usize = 128;

/// The flag of a message that was deleted and will be removed.
const EXPUNGED: u16 = 0x8000;

/// What expunged messages are counted as.
const EXPUNGED_MESSAGE: &str = "expunged message";

/// Reads a mailbox.
#[expect(clippy::unnecessary_wraps, reason = "other readers can fail")]
pub(crate) fn read(input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    Ok(Contents::from_container(Messages {
        window: input.window,
        input: input.name,
        declarations: input.declarations,
        nesting: ctx.nesting.clone(),
        most: ctx.limits.message,
        line: 1,
        number: 0,
        skipped: Skipped::default(),
        next: None,
    }))
}

struct Messages {
    window: Window<Reader>,
    input: Arc<str>,
    declarations: Vec<Declaration>,
    nesting: Nesting,
    /// The maximum size of a message.
    most: usize,
    /// The line of the file at the start of the window.
    line: u64,
    number: u64,
    skipped: Skipped,
    /// A message after the error that precedes it.
    next: Option<Entity>,
}

/// The line before a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Heading {
    /// Its length with its line end.
    length: usize,
    /// The size of the message.
    size: usize,
    flags: u16,
}

impl Heading {
    /// Reads the line that `bytes` begin with: ` 6-Jan-2025 10:01:00 +0000,282;000000000001-00000001`.
    fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = &bytes[..bytes.len().min(LINE)];
        let (end, next) = line::end(bytes, 0);
        let text = std::str::from_utf8(&bytes[..end])
            .ok()
            .filter(|_| next > end)?;
        let (date, rest) = text.split_once(',')?;
        let (size, rest) = rest.split_once(';')?;
        let (flags, uid) = rest.split_once('-')?;
        let date = date.as_bytes();
        let is_date = date.len() == 26 && date[2] == b'-' && date[6] == b'-' && date[11] == b' ';
        let is_hex = |text: &str, length| {
            text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        let is_number = !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit());
        if !is_date || !is_number || !is_hex(flags, 12) || !is_hex(uid, 8) {
            return None;
        }
        Some(Self {
            length: next,
            size: size.parse().ok()?,
            // The first eight digits are keywords.
            flags: u16::from_str_radix(&flags[8..], 16).ok()?,
        })
    }
}

impl Messages {
    fn advance(&mut self, length: usize) {
        let rest = self.window.rest(0);
        let length = length.min(rest.len());
        self.line += line::count(&rest[..length]);
        self.window.advance(length);
    }

    fn origin(&self, begin: u64) -> Origin {
        Origin::new(Arc::clone(&self.input))
            .with_message(NonZeroU64::new(self.number))
            .with_offset(Some(begin))
    }

    fn error(&self, kind: ReadErrorKind, begin: u64, reason: &str) -> ReadError {
        ReadError::new(kind, self.origin(begin), reason)
    }

    /// Skips bytes up to the next line before a message, or to the end; returns whether there are any.
    fn resynchronise(&mut self) -> bool {
        let start = self.window.offset();
        loop {
            self.window.fill(CHUNK);
            let rest = self.window.rest(0);
            if rest.is_empty() {
                break;
            }
            let found = memchr::memchr_iter(b'\n', rest)
                .map(|at| at + 1)
                .find(|at| Heading::read(&rest[*at..]).is_some());
            if let Some(at) = found {
                self.advance(at);
                break;
            }
            let kept = if self.window.is_at_end() { 0 } else { LINE };
            let length = rest.len().saturating_sub(kept).max(1);
            self.advance(length);
        }
        self.window.offset() > start
    }

    /// The length of the message at the start of the window, by its size and what follows it; the
    /// error if these disagree.
    fn length(&mut self, size: usize, begin: u64) -> (usize, Option<ReadError>) {
        self.window.fill(size.saturating_add(LINE));
        let rest = self.window.rest(0);
        let after = rest.get(size..).unwrap_or_default();
        let ends = rest.len() == size || Heading::read(after).is_some();
        if ends {
            return (size, None);
        }
        let next = memchr::memchr_iter(b'\n', rest)
            .map(|at| at + 1)
            .find(|at| Heading::read(&rest[*at..]).is_some());
        let length = next.unwrap_or_else(|| rest.len().min(size));
        let reason = "the size declared for the message is wrong, or its end is missing";
        let error = self.error(ReadErrorKind::Damaged, begin, reason);
        (length, Some(error))
    }
}

impl Iterator for Messages {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(entity) = self.next.take() {
            return Some(Ok(entity));
        }
        if self.window.offset() == 0 {
            let found = self.window.fill(HEADING).len();
            self.advance(HEADING);
            if (1..HEADING).contains(&found) {
                let reason = "the mailbox is cut off in its heading";
                return Some(Err(self.error(ReadErrorKind::Damaged, 0, reason)));
            }
        }
        loop {
            self.window.fill(LINE);
            let begin = self.window.offset();
            if self.window.rest(0).is_empty() {
                let failure = self.window.take_failure()?;
                let error = self.error(kind_of(&failure), begin, &failure.to_string());
                return Some(Err(error.caused_by(failure)));
            }
            let Some(heading) = Heading::read(self.window.rest(0)) else {
                self.resynchronise();
                let reason = "bytes between messages are not read: no message begins there";
                return Some(Err(self.error(ReadErrorKind::Damaged, begin, reason)));
            };
            self.number += 1;
            self.advance(heading.length);
            if heading.size > self.most {
                let size = u64::try_from(heading.size).unwrap_or(u64::MAX);
                self.window.skip(size);
                let reason = format!(
                    "the message is larger than {} bytes and is not read",
                    self.most
                );
                return Some(Err(self.error(ReadErrorKind::Limit, begin, &reason)));
            }
            let (offset, line) = (self.window.offset(), self.line);
            let (length, error) = self.length(heading.size, begin);
            let bytes = self.window.rest(0)[..length].to_vec();
            self.advance(length);
            if heading.flags & EXPUNGED != 0 && !self.nesting.reads_deleted() {
                self.skipped.count(EXPUNGED_MESSAGE);
                continue;
            }
            let entity = Entity {
                kind: EntityKind::Message { unquote: false },
                offset: Some(offset),
                line,
                declarations: self.declarations.clone(),
                nesting: self.nesting.clone(),
                ..Entity::html(self.origin(begin), bytes)
            };
            return Some(match error {
                Some(error) => {
                    self.next = Some(entity);
                    Err(error)
                }
                None => Ok(entity),
            });
        }
    }
}

impl Container for Messages {
    fn skipped(&self) -> Skipped {
        self.skipped.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_before_a_message() {
        let read = |text: &str| Heading::read(text.as_bytes());
        let line = " 6-Jan-2025 10:01:00 +0000,282;000000008011-00000001\r\n";
        let heading = read(line).unwrap();
        assert_eq!(
            (heading.length, heading.size, heading.flags),
            (line.len(), 282, 0x8011)
        );
        for other in [
            "",
            "From: a\r\n",
            " 6-Jan-2025 10:01:00 +0000,282;000000008011-00000001",
            " 6-Jan-2025 10:01:00 +0000,x;000000008011-00000001\r\n",
            " 6-Jan-2025 10:01:00 +0000,282;8011-00000001\r\n",
            "16/Jan/2025 10:01:00 +0000,282;000000008011-00000001\r\n",
        ] {
            assert_eq!(read(other), None, "{other:?}");
        }
    }
}
