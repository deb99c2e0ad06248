//! Messages on standard error, as lines for people or as JSON objects.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::num::NonZeroU64;

use super::counts::Counts;
use super::terminal::terminal_columns;
use baseref_document::Note;
use baseref_document::{ReadError, ReadErrorKind};
use baseref_files::terminal::Printer;
use baseref_reader::base::BaseNote;
use baseref_report::fold;
use baseref_report::json::{push_number, push_string};
use baseref_report::text::shown;

/// The prefix of lines for people.
const PROGRAM: &str = "baseref: ";

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Only for those who want to know everything; not counted.
    Detail,
    /// Information about the run.
    Info,
    /// A defect without a known loss.
    Note,
    /// Something could not be read or was lost.
    Error,
}

impl Severity {
    fn as_str(self) -> &'static str {
        match self {
            Self::Detail => "detail",
            Self::Info => "info",
            Self::Note => "note",
            Self::Error => "error",
        }
    }
}

/// One message.
#[derive(Clone, Debug)]
pub struct Message {
    severity: Severity,
    /// The kind of message, kebab-case.
    code: &'static str,
    /// The document or input that it is about.
    doc: Option<Box<str>>,
    /// The line in it, 1-based.
    line: Option<u64>,
    text: Box<str>,
    /// Whether messages with this text differ only in the document: see
    /// [`ReadErrorKind::is_summed_up`].
    is_summed_up: bool,
}

impl Message {
    /// Information about the run.
    #[must_use]
    pub fn info(code: &'static str, text: impl Into<Box<str>>) -> Self {
        Self {
            severity: Severity::Info,
            code,
            doc: None,
            line: None,
            text: text.into(),
            is_summed_up: false,
        }
    }

    /// An error of the run as a whole.
    #[must_use]
    pub fn error(code: &'static str, text: impl Into<Box<str>>) -> Self {
        Self {
            severity: Severity::Error,
            ..Self::info(code, text)
        }
    }

    /// Attaches a document and a line in it.
    #[must_use]
    pub fn about(self, doc: &str, line: Option<u64>) -> Self {
        Self {
            doc: Some(doc.into()),
            line,
            ..self
        }
    }

    /// The message for something that could not be read.
    #[must_use]
    pub fn from_error(error: &ReadError) -> Self {
        Self {
            severity: match error.kind {
                ReadErrorKind::Guessed => Severity::Info,
                ReadErrorKind::Unrecognised => Severity::Detail,
                kind if kind.is_loss() => Severity::Error,
                _ => Severity::Note,
            },
            code: error.kind.as_str(),
            doc: Some(error.origin.to_string().into()),
            line: error.line.map(NonZeroU64::get),
            text: error.reason.clone(),
            is_summed_up: error.kind.is_summed_up(),
        }
    }

    /// A note on the document printed as `doc`.
    #[must_use]
    pub fn from_note(doc: &str, note: &Note) -> Self {
        Self {
            severity: if note.code.is_loss() {
                Severity::Error
            } else {
                Severity::Note
            },
            code: note.code.as_str(),
            doc: Some(doc.into()),
            line: note.line.map(|line| u64::from(line.get())),
            text: note.detail.as_str().into(),
            is_summed_up: false,
        }
    }

    /// A note on a declaration of a base of the document printed as `doc`.
    #[must_use]
    pub fn from_base_note(doc: &str, note: &BaseNote) -> Self {
        Self {
            severity: if note.code().is_loss() {
                Severity::Error
            } else {
                Severity::Note
            },
            code: note.code().as_str(),
            doc: Some(doc.into()),
            line: None,
            text: note.to_string().into(),
            is_summed_up: false,
        }
    }

    /// Adds it to the counts.
    pub fn count(&self, counts: &mut Counts) {
        match self.severity {
            Severity::Detail | Severity::Info => {}
            Severity::Error => counts.unread += 1,
            Severity::Note if self.code == ReadErrorKind::PassedOver.as_str() => {
                *counts.skipped_files.entry(self.text.clone()).or_default() += 1;
            }
            Severity::Note => *counts.notes.entry(self.code).or_default() += 1,
        }
    }

    /// A summary of the messages about skipped files, which are shown one by one only with `-v`. See
    /// [`Counts::skipped_in_words`].
    pub fn skipped(messages: &[Self], has_options: bool) -> Option<Self> {
        let mut counts = Counts::default();
        for message in messages {
            message.count(&mut counts);
        }
        let text = counts.skipped_in_words(has_options)?;
        Some(Self::info("summary", text))
    }

    /// A line for people, without control characters.
    fn line(&self) -> String {
        let mut line = String::new();
        if let Some(doc) = &self.doc {
            line.push_str(doc);
            if let Some(number) = self.line {
                let _ = write!(line, ":{number}");
            }
            line.push_str(": ");
        }
        if matches!(self.severity, Severity::Note | Severity::Detail) {
            line.push_str("note: ");
            line.push_str(self.code);
            line.push_str(": ");
        }
        line.push_str(without_number(&self.text));
        format!("{PROGRAM}{}", shown(&line))
    }

    fn object(&self) -> String {
        let mut out = b"{\"doc\":".to_vec();
        match &self.doc {
            Some(doc) => push_string(doc, &mut out),
            None => out.extend_from_slice(b"null"),
        }
        out.extend_from_slice(b",\"code\":");
        push_string(self.code, &mut out);
        out.extend_from_slice(b",\"severity\":");
        push_string(self.severity.as_str(), &mut out);
        out.extend_from_slice(b",\"line\":");
        match self.line {
            Some(line) => push_number(line, &mut out),
            None => out.extend_from_slice(b"null"),
        }
        out.extend_from_slice(b",\"text\":");
        push_string(&self.text, &mut out);
        out.push(b'}');
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// A text without the number of the system's error at its end: `(os error 2)`.
fn without_number(text: &str) -> &str {
    let number = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once(" (os error "));
    let is_number = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit());
    match number {
        Some((text, number)) if is_number(number) => text,
        _ => text,
    }
}

/// How much is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Only errors.
    Quiet,
    /// The first few errors of each kind, and information about the run.
    #[default]
    Normal,
    /// Everything, notes included.
    Verbose,
}

/// The format of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object per line, for every message.
    Jsonl,
}

/// Further messages of a kind are only counted.
const MOST_OF_A_KIND: u64 = 10;

/// Chooses which messages are printed.
#[derive(Debug, Default)]
pub struct Messages {
    verbosity: Verbosity,
    form: Form,
    said: BTreeMap<&'static str, u64>,
    /// For each text that is said once at the end, the first message with it, and how many there are.
    summed_up: BTreeMap<Box<str>, (Message, u64)>,
}

impl Messages {
    /// Nothing has been printed yet.
    #[must_use]
    pub fn new(verbosity: Verbosity, form: Form) -> Self {
        Self {
            verbosity,
            form,
            said: BTreeMap::new(),
            summed_up: BTreeMap::new(),
        }
    }

    /// The line to print for a message, if it is to be printed.
    pub fn line(&mut self, message: &Message) -> Option<String> {
        let is_wanted = match (self.verbosity, self.form) {
            (Verbosity::Quiet, _) => message.severity == Severity::Error,
            (Verbosity::Normal, Form::Text) => {
                !matches!(message.severity, Severity::Note | Severity::Detail)
            }
            (Verbosity::Normal, Form::Jsonl) => message.severity != Severity::Detail,
            (Verbosity::Verbose, _) => true,
        };
        if !is_wanted {
            return None;
        }
        match self.form {
            Form::Jsonl => Some(message.object()),
            Form::Text if self.verbosity == Verbosity::Verbose || message.doc.is_none() => {
                Some(message.line())
            }
            Form::Text if message.is_summed_up => {
                self.sum_up(message);
                None
            }
            Form::Text => {
                let said = self.said.entry(message.code).or_default();
                *said += 1;
                (*said <= MOST_OF_A_KIND).then(|| message.line())
            }
        }
    }

    /// Counts a message of which the first and the number are said at the end.
    fn sum_up(&mut self, message: &Message) {
        let first = || (message.clone(), 0);
        let summed_up = &mut self.summed_up;
        let (_, count) = summed_up.entry(message.text.clone()).or_insert_with(first);
        *count += 1;
    }

    /// Whether everything is printed.
    #[must_use]
    pub fn is_verbose(&self) -> bool {
        self.verbosity == Verbosity::Verbose
    }

    /// Whether a progress bar can be shown between the lines.
    #[must_use]
    pub fn allow_progress(&self) -> bool {
        self.verbosity != Verbosity::Quiet && self.form == Form::Text
    }

    /// Prints the closing messages of a run.
    pub fn end(&mut self, account: &[Message]) {
        let mut lines = self.rest();
        lines.extend(account.iter().filter_map(|message| self.line(message)));
        lines.extend(self.rest());
        print(&lines);
    }

    /// The closing lines about messages that were only counted.
    fn rest(&mut self) -> Vec<String> {
        let said = std::mem::take(&mut self.said);
        let more = |(code, said): (&str, u64)| {
            let more = said.checked_sub(MOST_OF_A_KIND).filter(|more| *more > 0)?;
            Some(format!(
                "{PROGRAM}{code}: and {more} more like this; -v shows all"
            ))
        };
        let mut lines: Vec<String> = said.into_iter().filter_map(more).collect();
        let summed_up = std::mem::take(&mut self.summed_up).into_values();
        lines.extend(summed_up.map(|(first, count)| match (&first.doc, count) {
            (Some(doc), 2..) => {
                let doc = format!("{doc} and {} more", count - 1);
                first.about(&doc, None).line()
            }
            _ => first.line(),
        }));
        lines
    }
}

/// Prints lines on standard error. On a terminal, lines for people are broken at its width; anything
/// else gets one line for each message.
pub fn print(lines: &[String]) {
    let stderr = io::stderr().lock();
    let columns = terminal_columns(&stderr);
    let mut stderr = Printer::new(stderr, false);
    for line in lines {
        // If standard error is closed there is nowhere to report it.
        let _ = match columns {
            Some(columns) if line.starts_with(PROGRAM) => {
                writeln!(stderr, "{}", fold::sentence(line, columns, 2))
            }
            _ => writeln!(stderr, "{line}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_document::Origin;
    use baseref_document::ReadErrorKind;

    fn error(kind: ReadErrorKind, number: u64) -> Message {
        let origin = Origin::new(format!("d{number}"));
        Message::from_error(&ReadError::new(kind, origin, "r\u{1b}").at_line(Some(3)))
    }

    #[test]
    fn messages_counted_after_the_tenth() {
        let mut messages = Messages::new(Verbosity::Normal, Form::Text);
        let mut lines = Vec::new();
        for number in 0..13 {
            lines.extend(messages.line(&error(ReadErrorKind::Io, number)));
            lines.extend(messages.line(&error(ReadErrorKind::Repaired, number)));
        }
        lines.extend(messages.line(&error(ReadErrorKind::Damaged, 1)));
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[9], "baseref: d9:3: r\\u{1b}");
        assert_eq!(
            messages.rest(),
            ["baseref: io: and 3 more like this; -v shows all"]
        );
    }

    #[test]
    fn errors_of_one_reason_are_summed_up() {
        let said = |verbosity| {
            let mut messages = Messages::new(verbosity, Form::Text);
            let all = [
                error(ReadErrorKind::Encrypted, 1),
                error(ReadErrorKind::Unsupported, 2),
                error(ReadErrorKind::Encrypted, 3),
            ];
            let mut lines: Vec<String> = all
                .iter()
                .filter_map(|message| messages.line(message))
                .collect();
            lines.extend(messages.rest());
            lines
        };
        assert_eq!(
            said(Verbosity::Normal),
            ["baseref: d1 and 2 more: r\\u{1b}"]
        );
        assert_eq!(said(Verbosity::Quiet), said(Verbosity::Normal));
        assert_eq!(said(Verbosity::Verbose).len(), 3);
        let mut counts = Counts::default();
        error(ReadErrorKind::Encrypted, 1).count(&mut counts);
        error(ReadErrorKind::Unrecognised, 1).count(&mut counts);
        assert_eq!((counts.unread, counts.notes.len()), (1, 0));
    }

    #[test]
    fn verbose_and_quiet_messages() {
        let said = |verbosity, form| {
            let mut messages = Messages::new(verbosity, form);
            let all = (0..13).flat_map(|number| {
                [
                    error(ReadErrorKind::Io, number),
                    error(ReadErrorKind::Repaired, number),
                    Message::info("summary", "x"),
                ]
            });
            let lines = all.filter_map(|message| messages.line(&message)).count();
            (lines, messages.rest().len())
        };
        assert_eq!(said(Verbosity::Verbose, Form::Text), (39, 0));
        assert_eq!(said(Verbosity::Normal, Form::Jsonl), (39, 0));
        assert_eq!(said(Verbosity::Quiet, Form::Jsonl), (13, 0));
        assert_eq!(said(Verbosity::Quiet, Form::Text), (10, 1));
    }

    #[test]
    fn message_object_fields() {
        let mut messages = Messages::new(Verbosity::Normal, Form::Jsonl);
        assert_eq!(
            messages.line(&error(ReadErrorKind::Repaired, 1)).as_deref(),
            Some(r#"{"doc":"d1","code":"repaired","severity":"note","line":3,"text":"r\u001b"}"#)
        );
        assert_eq!(
            messages.line(&Message::info("summary", "x")).as_deref(),
            Some(r#"{"doc":null,"code":"summary","severity":"info","line":null,"text":"x"}"#)
        );
    }
}
