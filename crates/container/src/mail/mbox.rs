//! Splits a mailbox in one file (mbox) into messages, with one in memory at a time.
//!
//! There are four dialects: mboxo quotes body lines that begin with `From ` with `>`, mboxrd also
//! quotes the quoted ones, mboxcl adds a `Content-Length` field to mboxo, and mboxcl2 has that
//! field but does not quote. A file does not declare its dialect, so each message is examined on
//! its own.

use std::io::Read;
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use crate::contents::{Container, Contents};
use crate::detect::OpenContext;
use crate::entity::{Entity, EntityKind};
use crate::input::buffered::BufferedInput;
use crate::input::failure::kind_of;
use crate::input::window::{CHUNK, Window};
use crate::nesting::Nesting;
use baseref_document::{Declaration, Limits, Origin, ReadError, ReadErrorKind};
use baseref_text::decode::line;
use baseref_text::decode::sniff::is_heading;

/// How many bytes of a line are examined to decide whether it separates messages.
const EXAMINED: usize = 1024;

/// A message of a mailbox, without the `From ` line before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The message as stored in the file.
    pub bytes: Vec<u8>,
    /// The offset in the file of its `From ` line, or of the message itself if it has none.
    pub begin: u64,
    /// The offset at which it begins in the file.
    pub offset: u64,
    /// The 1-based line of the file on which it begins.
    pub line: u64,
    /// Its 1-based number in the file.
    pub number: NonZeroU64,
}

/// The messages of a mailbox, in order.
///
/// A `From ` line begins a message at the start of the file; after a blank line, if the line
/// contains a date or a message header follows; and anywhere else, if its content and a header
/// field on the next line leave no doubt. A `Content-Length` is trusted if another `From ` line or
/// the end of the file is there. Text before the first `From ` line is a message, too.
///
/// A message larger than [`Limits::message`] is skipped, and a read failure ends the mailbox; both
/// are reported as errors.
#[derive(Debug)]
pub struct Mailbox<R> {
    window: Window<R>,
    input: Arc<str>,
    limits: Limits,
    /// The line of the file at the start of the window.
    line: u64,
    number: u64,
    /// If set, only messages that begin in this range are returned, identified by offset instead of
    /// number.
    range: Option<Range<u64>>,
}

/// The extent of a message.
struct Extent {
    /// The offset of its `From ` line, or of the message itself if it has none.
    begin: u64,
    /// The offset and the line at which it begins.
    offset: u64,
    line: u64,
    /// Its length; `None` if it exceeds the limit, in which case the message has been skipped.
    length: Option<usize>,
}

/// Whether a file that begins with `bytes` is a mailbox: after a byte order mark and blank lines,
/// its first line must begin with `From ` and not be a header field `From :`.
#[must_use]
pub fn is_mailbox(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let first = bytes
        .iter()
        .position(|byte| !matches!(byte, b'\r' | b'\n'))
        .unwrap_or(bytes.len());
    begins_message(&bytes[first..])
}

/// Whether `text` begins with a `From ` line and the header of a message.
pub(crate) fn is_mbox(text: &[u8]) -> bool {
    let after = memchr::memchr(b'\n', text).map_or(&text[..0], |end| &text[end + 1..]);
    is_mailbox(text) && is_heading(after.strip_prefix(b">").unwrap_or(after))
}

/// Reads a mailbox.
#[expect(clippy::unnecessary_wraps, reason = "other readers can fail")]
pub(crate) fn read(input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    let mailbox = Mailbox::from_window(input.window, input.name, ctx.limits);
    Ok(Contents::from_container(
        mailbox.entities(input.declarations, ctx.nesting.clone()),
    ))
}

/// Whether `bytes` begin with a `From ` line that is not a header field `From :`.
pub(crate) fn begins_message(bytes: &[u8]) -> bool {
    bytes
        .strip_prefix(b"From ")
        .is_some_and(|rest| rest.iter().find(|byte| !matches!(byte, b' ' | b'\t')) != Some(&b':'))
}

impl<R: Read> Mailbox<R> {
    /// The messages read from `reader`; errors name `input`. It is read in large pieces and needs
    /// no buffer of its own.
    pub fn new(reader: R, input: impl Into<Arc<str>>, limits: &Limits) -> Self {
        Self::from_window(Window::new(reader), input.into(), limits)
    }

    pub(crate) fn from_window(window: Window<R>, input: Arc<str>, limits: &Limits) -> Self {
        Self {
            window,
            input,
            limits: *limits,
            line: 1,
            number: 0,
            range: None,
        }
    }

    /// Only the messages that begin in `range`, identified by their offsets. The window begins at a
    /// `From ` line, on line `line` of the file, or at the start of the file.
    pub(crate) fn from_range(
        window: Window<R>,
        line: u64,
        range: Range<u64>,
        input: Arc<str>,
        limits: &Limits,
    ) -> Self {
        Self {
            line,
            range: Some(range),
            ..Self::from_window(window, input, limits)
        }
    }

    /// Whether the first message declares its length, so that the mailbox may have `From ` lines
    /// that separate nothing.
    pub(crate) fn declares_lengths(&mut self) -> bool {
        self.begin();
        self.window.fill(CHUNK);
        self.skip_from_line();
        let heading = self.window.fill(self.limits.heading);
        content_length(heading, self.limits.heading).is_some()
    }

    /// Skips the next message. Returns the offset and the line number of its `From ` line, or
    /// `None` at the end.
    pub(crate) fn skip_message(&mut self) -> Option<(u64, u64)> {
        let line = self.line;
        let next_extent = self.next_extent()?;
        self.advance(next_extent.length.unwrap_or_default());
        Some((next_extent.begin, line))
    }

    /// The error that ended reading, if any.
    pub(crate) fn failure(&mut self) -> Option<std::io::Error> {
        self.window.take_failure()
    }

    /// Drops `length` bytes from the window.
    fn advance(&mut self, length: usize) {
        self.line += line::count(&self.window.rest(0)[..length]);
        self.window.advance(length);
    }

    /// Skips a byte order mark and blank lines at the start of the file.
    fn begin(&mut self) {
        self.window.fill(3);
        if self.window.rest(0).starts_with(b"\xEF\xBB\xBF") {
            self.advance(3);
        }
        loop {
            self.window.fill(2);
            match line::end_length(self.window.rest(0)) {
                0 => break,
                length => self.advance(length),
            }
        }
    }

    /// Skips a `From ` line.
    fn skip_from_line(&mut self) {
        loop {
            self.window.fill(CHUNK);
            let rest = self.window.rest(0);
            let (end, next) = line::end(rest, 0);
            if self.window.is_at_end() || next < rest.len() {
                return self.advance(next);
            }
            // The line feed of a carriage return at the end may not have been read yet.
            self.advance(end.min(rest.len() - 1));
        }
    }

    /// The length of the message at the start of the window, up to the next `From ` line. If it
    /// exceeds the limit, drops the bytes known to belong to the message and returns `None`.
    fn measure(&mut self) -> Option<usize> {
        if let Some(length) = self.declared() {
            return Some(length);
        }
        let separator = memmem::Finder::new(b"\nFrom ");
        let mut fits = true;
        // An empty message is immediately followed by the next `From ` line.
        if self.is_separator(0) {
            return Some(0);
        }
        let mut seen = 0;
        loop {
            self.window.fill(seen + CHUNK);
            if let Some(distance) = separator.find(self.window.rest(seen)) {
                let at = seen + distance + 1;
                if self.is_separator(at) {
                    if fits && at <= self.limits.message {
                        return Some(at);
                    }
                    self.advance(at);
                    return None;
                }
                seen = at;
                continue;
            }
            let length = self.window.rest(0).len();
            fits &= length <= self.limits.message;
            if self.window.is_at_end() {
                if fits {
                    return Some(length);
                }
                self.advance(length);
                return None;
            }
            seen = length.saturating_sub(b"\nFrom ".len());
            if !fits {
                // The lines around a separator are examined together.
                let mut known = seen.saturating_sub(EXAMINED);
                known -= usize::from(self.window.rest(0)[..known].ends_with(b"\r"));
                self.advance(known);
                seen -= known;
            }
        }
    }

    /// The length that the `Content-Length` of the message declares, if it can be trusted.
    fn declared(&mut self) -> Option<usize> {
        self.window.fill(self.limits.heading);
        let heading = self.window.rest(0);
        let (body, length) = content_length(heading, self.limits.heading)?;
        let end = body.checked_add(length)?;
        if end > self.limits.message {
            return None;
        }
        self.window.fill(end.saturating_add(EXAMINED));
        let after = self.window.rest(0).get(end..)?;
        let mut at = 0;
        for _ in 0..2 {
            at += line::end_length(&after[at..]);
        }
        let starts_line = end + at == 0 || self.window.rest(end + at - 1).first() == Some(&b'\n');
        let ends =
            after.len() < EXAMINED && self.window.is_at_end() && after.trim_ascii().is_empty();
        let follows = starts_line && begins_message(&after[at..]);
        if ends {
            return Some(self.window.rest(0).len());
        }
        follows.then_some(end + at)
    }

    /// Whether the line `at` bytes into the window separates messages.
    fn is_separator(&mut self, at: usize) -> bool {
        self.window.fill(at + 2 * EXAMINED);
        separates(self.window.rest(0), at)
    }

    /// The extent of the next message to be returned; `None` at the end.
    fn next_extent(&mut self) -> Option<Extent> {
        loop {
            if self.number == 0 {
                self.begin();
            }
            self.window.fill(CHUNK);
            if self.window.rest(0).is_empty() {
                return None;
            }
            let begin = self.window.offset();
            let range = self.range.as_ref();
            if range.is_some_and(|range| begin >= range.end) {
                return None;
            }
            let is_wanted = range.is_none_or(|range| begin >= range.start);
            if begins_message(self.window.rest(0)) {
                self.skip_from_line();
            }
            let (line, offset) = (self.line, self.window.offset());
            self.number += 1;
            let length = self.measure();
            if is_wanted {
                return Some(Extent {
                    begin,
                    offset,
                    line,
                    length,
                });
            }
            self.advance(length.unwrap_or_default());
        }
    }

    /// The origin of the last message found, which begins at `begin`.
    fn origin(&self, begin: u64) -> Origin {
        Origin::new(Arc::clone(&self.input))
            .with_message(NonZeroU64::new(self.number).filter(|_| self.range.is_none()))
            .with_offset(Some(begin))
    }
}

impl<R: Read> Iterator for Mailbox<R> {
    type Item = Result<Mail, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(next_extent) = self.next_extent() else {
            let failure = self.window.take_failure()?;
            let reason = format!("cannot be read to its end: {failure}");
            let origin = Origin::new(Arc::clone(&self.input));
            let error = ReadError::new(kind_of(&failure), origin, reason).caused_by(failure);
            return Some(Err(error.at_line(Some(self.line))));
        };
        let Extent {
            begin,
            offset,
            line,
            ..
        } = next_extent;
        let Some(length) = next_extent.length else {
            let reason = format!(
                "the message is larger than {} bytes and is skipped",
                self.limits.message
            );
            let error = ReadError::new(ReadErrorKind::Limit, self.origin(begin), reason);
            return Some(Err(error.at_line(Some(line))));
        };
        let bytes = line::without_end(&self.window.rest(0)[..length]).to_vec();
        self.advance(length);
        Some(Ok(Mail {
            bytes,
            begin,
            offset,
            line,
            number: NonZeroU64::new(self.number)?,
        }))
    }
}

impl<R: Read> Mailbox<R> {
    /// The messages as entities in these containers, with the user's declarations about the
    /// mailbox.
    pub(crate) fn entities(self, declarations: Vec<Declaration>, nesting: Nesting) -> Messages<R> {
        Messages {
            mailbox: self,
            declarations,
            nesting,
        }
    }
}

/// The messages of a mailbox as entities.
pub(crate) struct Messages<R> {
    mailbox: Mailbox<R>,
    declarations: Vec<Declaration>,
    nesting: Nesting,
}

impl<R: Read> Container for Messages<R> {}

impl<R: Read> Iterator for Messages<R> {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mail = match self.mailbox.next()? {
            Ok(mail) => mail,
            Err(error) => return Some(Err(error)),
        };
        let origin = self.mailbox.origin(mail.begin);
        Some(Ok(Entity {
            kind: EntityKind::Message { unquote: true },
            offset: Some(mail.offset),
            line: mail.line,
            declarations: self.declarations.clone(),
            nesting: self.nesting.clone(),
            ..Entity::html(origin, mail.bytes)
        }))
    }
}

/// Whether the line at `at` separates messages. `bytes` begin with a message.
fn separates(bytes: &[u8], at: usize) -> bool {
    let (before, rest) = bytes.split_at(at.min(bytes.len()));
    if !begins_message(rest) {
        return false;
    }
    let (end, next) = line::end(&rest[..rest.len().min(EXAMINED)], 0);
    let envelope = &rest[b"From ".len()..end];
    let (next_end, _) = line::end(&rest[..rest.len().min(2 * EXAMINED)], next);
    let after_blank = before.is_empty() || before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n");
    let follows = is_field(&rest[next..next_end.max(next)]);
    let after = &rest[next..rest.len().min(2 * EXAMINED).max(next)];
    match envelope.trim_ascii() {
        b"-" => follows,
        b"" => follows && after_blank,
        envelope if is_dated(envelope) => follows || after_blank,
        // A message header after it leaves no doubt, even if the date is localised or missing.
        envelope => after_blank && (follows && is_address(envelope) || is_heading(after)),
    }
}

/// The offset and the length of the body, according to the `Content-Length` in the header that
/// `bytes` begin with. `None` if the header does not end within `limit` bytes or before the next
/// message, so that no byte is examined for more than one message.
fn content_length(bytes: &[u8], limit: usize) -> Option<(usize, usize)> {
    const NAME: &[u8] = b"content-length:";
    let mut length = None;
    let mut at = 0;
    while at < bytes.len().min(limit) {
        let (end, next) = line::end(bytes, at);
        let line = &bytes[at..end];
        if line.is_empty() {
            return Some((next, length?));
        }
        if line.starts_with(b"From ") && separates(bytes, at) {
            return None;
        }
        if let Some((name, value)) = line.split_at_checked(NAME.len())
            && length.is_none()
            && name.eq_ignore_ascii_case(NAME)
        {
            length = std::str::from_utf8(value).ok()?.trim().parse().ok();
        }
        at = next;
    }
    None
}

/// Whether a line begins a header field as mail programs write it.
fn is_field(line: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', line) else {
        return false;
    };
    let name = line[..colon].trim_ascii_end();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !name.is_empty() && name.iter().all(is_plain)
}

/// Whether the text after `From ` is only an address.
fn is_address(envelope: &[u8]) -> bool {
    envelope.contains(&b'@') && !envelope.iter().any(u8::is_ascii_whitespace)
}

/// Whether the text after `From ` contains a date as written by `asctime`, or a variant used by
/// mail programs: `Fri, 27 Jan 2017`, `2017-01-27T10:00:00`.
///
/// The sender before the date must be one word, unless the date is complete.
fn is_dated(envelope: &[u8]) -> bool {
    const EXAMINED: usize = 16;
    let words: Vec<&[u8]> = envelope
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .take(EXAMINED)
        .collect();
    (0..words.len()).any(|at| {
        let date = &words[at..];
        let has_weekday = is_weekday(date[0]);
        let calendar = &date[usize::from(has_weekday)..];
        let [first, second, rest @ ..] = calendar else {
            return at < 2 && is_iso_date(date[0]);
        };
        let has_day = is_month(first) && is_day(second) || is_day(first) && is_month(second);
        let has_time = rest.iter().any(|word| is_time(word));
        let has_year = rest.iter().any(|word| is_year(word));
        if at < 2 {
            return is_iso_date(date[0]) || has_day && (has_time || has_year);
        }
        has_weekday && has_day && has_time && has_year
    })
}

fn is_weekday(word: &[u8]) -> bool {
    const DAYS: [&[u8]; 7] = [b"mon", b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"];
    let word = word.strip_suffix(b",").unwrap_or(word);
    DAYS.iter().any(|day| word.eq_ignore_ascii_case(day))
}

fn is_month(word: &[u8]) -> bool {
    const MONTHS: [&[u8]; 12] = [
        b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov",
        b"dec",
    ];
    MONTHS.iter().any(|month| word.eq_ignore_ascii_case(month))
}

fn is_day(word: &[u8]) -> bool {
    matches!(word, [b'0'..=b'9'] | [b'0'..=b'3', b'0'..=b'9'])
}

fn is_time(word: &[u8]) -> bool {
    matches!(
        word,
        [b'0'..=b'9', b':', ..] | [b'0'..=b'2', b'0'..=b'9', b':', ..]
    )
}

fn is_year(word: &[u8]) -> bool {
    matches!(word, [b'1', b'9', _, _] | [b'2', b'0', _, _]) && word.iter().all(u8::is_ascii_digit)
}

fn is_iso_date(word: &[u8]) -> bool {
    matches!(word, [year @ .., b'-', m, n, b'-', c, d] if is_year(year) && [m, n, c, d].iter().all(|byte| byte.is_ascii_digit()))
        || word
            .split_at_checked(10)
            .is_some_and(|(date, time)| time.first() == Some(&b'T') && is_iso_date(date))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::input::window::tests::Trickle;

    fn mails(text: &str) -> Vec<Mail> {
        let limits = Limits::default();
        let all = |mailbox: Mailbox<Trickle<'_>>| mailbox.map(Result::unwrap).collect::<Vec<_>>();
        all(Mailbox::new(Trickle(text.as_bytes(), 0), "box", &limits))
    }

    fn texts(text: &str) -> Vec<String> {
        mails(text)
            .into_iter()
            .map(|mail| String::from_utf8(mail.bytes).unwrap())
            .collect()
    }

    const FROM: &str = "From a@b Fri Jan 27 10:00:00 2017\n";

    #[test]
    fn messages_begin_at_from_lines() {
        let text = format!("{FROM}A: 1\n\none\n\n{FROM}A: 2\n\ntwo\n");
        assert_eq!(texts(&text), ["A: 1\n\none\n", "A: 2\n\ntwo"]);
        let text = text.replace('\n', "\r\n");
        assert_eq!(texts(&text), ["A: 1\r\n\r\none\r\n", "A: 2\r\n\r\ntwo"]);
    }

    #[test]
    fn message_positions() {
        for text in [
            format!("{FROM}A: 1\n\none\n\n{FROM}A: 2\n"),
            format!("\u{feff}\r\n\r\n{FROM}A: 1\r\n\r\none\r\n\r\n{FROM}A: 2\r\n"),
        ] {
            for (mail, number) in mails(&text).iter().zip(1..) {
                assert_eq!(mail.number.get(), number);
                let before = &text[..usize::try_from(mail.offset).unwrap()];
                assert!(text[before.len()..].starts_with(&format!("A: {number}")));
                assert_eq!(mail.line, 1 + before.matches('\n').count() as u64);
            }
            assert_eq!(mails(&text).len(), 2);
        }
    }

    #[test]
    fn text_before_first_from_line_is_a_message() {
        assert_eq!(texts(&format!("A: 1\n\n{FROM}A: 2\n")), ["A: 1\n", "A: 2"]);
        assert_eq!(texts("A: 1\n"), ["A: 1"]);
        assert_eq!(texts(""), [""; 0]);
        assert_eq!(texts("\n\n"), [""; 0]);
        assert_eq!(texts("From a"), [""]);
    }

    #[test]
    fn mailbox_begins_with_from_line() {
        for (text, is) in [
            ("From a", true),
            ("From -\r\nA: 1", true),
            ("\u{feff}\r\n\nFrom a@b 10:00", true),
            ("From : a", false),
            ("From: a", false),
            ("A: 1\n\nFrom a", false),
            ("", false),
        ] {
            assert_eq!(is_mailbox(text.as_bytes()), is, "{text:?}");
        }
    }

    #[test]
    fn from_line_needs_a_date() {
        for (line, after_blank, anywhere) in [
            ("From a@b Fri Jan 27 10:00:00 2017", true, false),
            ("From - Fri, 27 Jan 2017", true, false),
            ("From - Fri Jan  7 10:00:00 2017", true, false),
            ("From a@b Thu Jan 05 15:34:29 +0000 2017", true, false),
            (
                "From a@b Fri Jan 27 10:00 PST 2017 remote from c",
                true,
                false,
            ),
            ("From  Fri Jan 27 10:00:00 2017", true, false),
            ("From A. Person Fri Jan 27 10:00:00 2017", true, false),
            ("From a 2017-01-27T10:00:00+01:00", true, false),
            ("From a 2017-01-27 10:00", true, false),
            ("From here on, it is Fri Jan 27", false, false),
            ("From here on Fri Jan 27 2017", false, false),
            ("From May 2014 on", false, false),
            ("From 10:00 on", false, false),
            ("From a@b", false, false),
            ("From -", false, false),
            ("From ", false, false),
            ("From: a", false, false),
            ("From :a@b", false, false),
            ("from a@b Fri Jan 27 10:00:00 2017", false, false),
        ] {
            let split = |before: &str, after: &str| {
                texts(&format!("{FROM}A: 1\n{before}{line}\n{after}\n")).len() == 2
            };
            assert_eq!(
                split("\nx\n\n", "x"),
                after_blank,
                "{line:?} after a blank line"
            );
            assert_eq!(split("\nx\n", "x"), anywhere, "{line:?} after a line");
        }
    }

    #[test]
    fn from_line_before_header_field() {
        for (line, after_blank, anywhere) in [
            ("From a@b Fri Jan 27 10:00:00 2017", true, true),
            ("From - ", true, true),
            ("From a@b", true, false),
            ("From ", true, false),
            ("From Russia with love", false, false),
            ("From :a@b", false, false),
        ] {
            let split = |before: &str| {
                texts(&format!("{FROM}A: 1\n{before}{line}\nYear: 1963\n")).len() == 2
            };
            assert_eq!(split("\nx\n\n"), after_blank, "{line:?} after a blank line");
            assert_eq!(split("\nx\n"), anywhere, "{line:?} after a line");
        }
    }

    #[test]
    fn from_line_before_header() {
        for line in [
            "From a@b Fre Jul  8 12:08:34 2011",
            "From a@b ven. 8 juil. 2011",
            "From MAILER_DAEMON",
            "From \"A B\" at home",
        ] {
            for (heading, splits) in [
                ("From: a@b\nSubject: x\n", true),
                ("X-Y: z\n folded\nTo: c\n\n", true),
                ("Year: 1963\n", false),
                ("it goes on\nTo: c\n", false),
            ] {
                let split = |before: &str| {
                    texts(&format!("{FROM}A: 1\n{before}{line}\n{heading}")).len() == 2
                };
                assert_eq!(split("\nx\n\n"), splits, "{line:?} {heading:?}");
                assert!(!split("\nx\n"), "{line:?} {heading:?} after a line");
            }
        }
    }

    #[test]
    fn content_length_is_trusted_at_message_or_file_end() {
        let body = format!("one\n\n{FROM}A: not\n");
        for separator in ["", "\n", "\n\n", "\r\n"] {
            let text = format!(
                "{FROM}Content-Length: {}\n\n{body}{separator}{FROM}A: 2\n",
                body.len()
            );
            let texts = texts(&text);
            assert_eq!(texts.len(), 2, "{separator:?}");
            assert!(texts[0].contains("A: not"), "{separator:?}");
        }
        let text = format!("{FROM}content-length:  {} \n\n{body}\n\n\n\n", body.len());
        assert_eq!(texts(&text).len(), 1);
        for wrong in [0, 1, body.len() - 1, body.len() + 1, usize::MAX] {
            let text = format!("{FROM}Content-Length: {wrong}\n\n{body}xx\n\n{FROM}A: 2\n");
            assert_eq!(texts(&text).len(), 3, "{wrong}");
        }
    }

    #[test]
    fn header_ends_before_next_message() {
        let message = format!("{FROM}A: b\n");
        let unended = message.repeat(3) + "Content-Length: 1\n\nx";
        assert_eq!(
            content_length(&unended.as_bytes()[FROM.len()..], 10_000),
            None
        );
        assert_eq!(texts(&unended).len(), 3);
        // A line that does not begin a message belongs to the header.
        let heading = "A: b\nFrom here\nContent-Length: 1\n\n";
        assert_eq!(
            content_length(heading.as_bytes(), 10_000),
            Some((heading.len(), 1))
        );
    }

    #[test]
    fn message_above_limit_is_skipped() {
        let limits = Limits::default().with_message(1_000_000);
        let large = "x".repeat(CHUNK - 1) + "\n";
        let text = format!(
            "{FROM}A: 1\n\n{FROM}A: 2\n\n{}\n{FROM}A: 3\n\n{}",
            large.repeat(5),
            large.repeat(4)
        );
        let found: Vec<_> = Mailbox::new(text.as_bytes(), "box", &limits)
            .map(|mail| mail.map_or_else(|error| error.to_string(), |mail| mail.line.to_string()))
            .collect();
        assert_eq!(
            found,
            [
                "2",
                "box#2:5: the message is larger than 1000000 bytes and is skipped",
                "box#3:14: the message is larger than 1000000 bytes and is skipped",
            ]
        );
    }

    #[test]
    fn empty_message() {
        assert_eq!(texts(&format!("{FROM}{FROM}A: 2\n")), ["", "A: 2"]);
    }

    #[test]
    fn messages_before_failure_are_returned() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let text = format!("{FROM}A: 1\n");
        let mut mailbox = Mailbox::new(text.as_bytes().chain(Failing), "box", &Limits::default());
        assert_eq!(mailbox.next().unwrap().unwrap().bytes, b"A: 1");
        let error = mailbox.next().unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            "box:3: cannot be read to its end: broken"
        );
        assert!(mailbox.next().is_none());
    }
}
